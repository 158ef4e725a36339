package engine

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"foresee/application/csource"
	"foresee/application/nest"
	"foresee/predict"
)

// SourceSchema is that of what the page shows of a source beside results.
const SourceSchema = "foresee.page-source/v1"

// Source is what can be chosen in a source.
type Source struct {
	predict.Header
	Sizes   []Size   `json:"sizes"`
	Regions []Region `json:"regions"`
	Loops   []Dealt  `json:"loops"` // that are dealt to threads
	Skipped []Place  `json:"skipped"`
}

// Size is a macro that stands for an integer.
type Size struct {
	Name  string `json:"name"`
	Value int64  `json:"value"`
	Line  int    `json:"line"`
	// Free says that a definition given with the source takes effect; else the source itself must be changed.
	Free bool `json:"free"`
}

// Region is a part of the source that results are of.
type Region struct {
	Region string `json:"region"`
	Line   int    `json:"line"`
}

// Dealt is a loop whose iterations are dealt to threads.
type Dealt struct {
	Line     int    `json:"line"`
	Schedule string `json:"schedule"`
	Chunk    int64  `json:"chunk"` // 0: none is given
}

// Place is one in the source and what is to be said of it.
type Place struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
	Remedy  string `json:"remedy"`
	// Define is a definition that would help, such as n=1000; empty where none does.
	Define string `json:"define"`
}

// source tells what can be chosen in a source.
func (e *Engine) source(_ context.Context, r *Request, _ func(done, total int)) (any, error) {
	o := e.reading(r)
	f, err := csource.Open(r.name(), []byte(r.Text), o)
	if err != nil {
		return nil, err
	}
	out := &Source{Header: predict.Header{Schema: SourceSchema, Version: predict.Version, Input: r.name(), Warnings: []string{}}}
	for _, s := range f.Sizes() {
		out.Sizes = append(out.Sizes, Size{s.Name, s.Value, s.Line, s.Given})
	}
	unit, err := f.Load(o)
	if err != nil {
		out.Skipped = e.places(err)
		return out, nil //nolint:nilerr // the sizes stand without regions
	}
	for _, k := range unit.Skipped {
		if k.Reason != csource.NoLoops {
			out.Skipped = append(out.Skipped, e.place(k.Pos, strings.TrimSpace(k.Reason), ""))
		}
	}
	for _, p := range unit.Programs {
		out.Regions = append(out.Regions, Region{p.Region, p.Pos.Line})
		nest.Walk(p.Body, func(n nest.Node) {
			if l, ok := n.(*nest.Loop); ok && l.Work != nil {
				out.Loops = append(out.Loops, Dealt{l.Pos.Line, l.Work.Schedule.String(), l.Work.Chunk})
			}
		})
	}
	return out, nil
}

// ProblemSchema is that of what stands in the way of a result.
const ProblemSchema = "foresee.page-problem/v1"

// Problem is what stands in the way of a result.
type Problem struct {
	Schema   string  `json:"schema"`
	Stopped  bool    `json:"stopped"` // whoever asked has asked for something else meanwhile
	Problems []Place `json:"problems"`
}

// Describe makes of an error what the page shows.
func (e *Engine) Describe(err error) *Problem {
	return &Problem{Schema: ProblemSchema, Stopped: errors.Is(err, context.Canceled), Problems: e.places(err)}
}

// mostProblems is how many are told. Chosen: nobody reads more at a time.
const mostProblems = 50

// places are the errors that were joined, each with its place where it has one.
func (e *Engine) places(err error) (out []Place) {
	var at *csource.Error
	if all, ok := err.(interface{ Unwrap() []error }); ok { //nolint:errorlint // of this error alone
		for _, one := range all.Unwrap() {
			out = append(out, e.places(one)...)
		}
		return out[:min(len(out), mostProblems)]
	}
	if errors.As(err, &at) {
		return []Place{e.place(at.Pos, at.Message, at.Remedy)}
	}
	message := err.Error()
	remedy := ""
	if e.Remedy != nil {
		remedy = strings.TrimLeft(e.Remedy(err), "; ")
	}
	var pos nest.Pos
	if m := leading.FindStringSubmatch(message); m != nil {
		line, _ := strconv.Atoi(m[2])
		column, _ := strconv.Atoi(m[3])
		pos, message = nest.Pos{File: m[1], Line: line, Column: column}, m[4]
	}
	return []Place{e.place(pos, message, remedy)}
}

// leading is a place before a message.
var leading = regexp.MustCompile(`(?s)^([^:\s]+):(\d+):(\d+): (.*)$`)

// helpful is a definition that a remedy or a reason asks for.
var helpful = regexp.MustCompile(`define it, such as ([A-Za-z_]\w*=\d+)`)

// place is one problem in words of whoever shows them.
func (e *Engine) place(at nest.Pos, message, remedy string) Place {
	p := Place{File: at.File, Line: at.Line, Column: at.Column, Message: message, Remedy: remedy}
	if m := helpful.FindStringSubmatch(message + "; " + remedy); m != nil {
		p.Define = m[1]
	}
	if e.Say != nil {
		p.Message, p.Remedy = e.Say(p.Message), e.Say(p.Remedy)
	}
	return p
}
