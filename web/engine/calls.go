package engine

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"foresee/application"
	"foresee/machine"
	"foresee/predict"
	"foresee/report"
)

// predict is foresee predict.
func (e *Engine) predict(ctx context.Context, r *Request, progress func(done, total int)) (any, error) {
	m, err := e.on(r)
	if err != nil {
		return nil, err
	}
	return e.with(ctx, r, nil, func(s *application.Signature) (any, error) { return e.predicted(ctx, r, s, m, progress) })
}

func (e *Engine) predicted(ctx context.Context, r *Request, s *application.Signature, m *machine.Machine, progress func(done, total int)) (*predict.PredictionResult, error) {
	out, err := predict.Run(ctx, predict.Request{
		Signature: s, Machines: []*machine.Machine{m}, Threads: r.threads(), Model: predict.ModelAuto, Compiler: e.compiler(r), Options: e.options(r, progress),
	})
	if err != nil {
		return nil, err
	}
	out.Answer = report.Answer(out, false)
	return out, nil
}

// curves is foresee mrc.
func (e *Engine) curves(ctx context.Context, r *Request, progress func(done, total int)) (any, error) {
	m, err := e.on(r)
	if err != nil {
		return nil, err
	}
	return e.with(ctx, r, nil, func(s *application.Signature) (any, error) { return e.curvesOf(ctx, r, s, m, progress) })
}

func (e *Engine) curvesOf(ctx context.Context, r *Request, s *application.Signature, m *machine.Machine, progress func(done, total int)) (*predict.CurveResult, error) {
	return predict.Curves(ctx, predict.CurveRequest{
		Signature: s, Machines: []*machine.Machine{m}, Threads: r.threads(), Scope: "shared", Options: e.options(r, progress),
	})
}

// accesses tells what becomes of each access.
func (e *Engine) accesses(ctx context.Context, r *Request, progress func(done, total int)) (any, error) {
	m, err := e.on(r)
	if err != nil {
		return nil, err
	}
	s, err := e.loops(r, nil)
	if err != nil {
		return nil, err
	}
	return predict.Accesses(ctx, predict.AccessRequest{
		Signature: s, Machine: m, Threads: r.most(), Model: predict.ModelAuto, Options: e.options(r, progress),
	})
}

// Report is a report as a page of its own.
type Report struct {
	predict.Header
	HTML string `json:"html"`
}

// ReportSchema is that of a report.
const ReportSchema = "foresee.page-report/v1"

// report is foresee predict --html.
func (e *Engine) report(ctx context.Context, r *Request, progress func(done, total int)) (any, error) {
	m, err := e.on(r)
	if err != nil {
		return nil, err
	}
	return e.with(ctx, r, nil, func(s *application.Signature) (any, error) {
		p, err := e.predicted(ctx, r, s, m, progress)
		if err != nil {
			return nil, err
		}
		var c *predict.CurveResult
		if s.Streams == nil { // accesses that were made are read once
			few := *r
			few.Threads = r.ends()
			if c, err = e.curvesOf(ctx, &few, s, m, progress); err != nil {
				return nil, err
			}
		}
		var b bytes.Buffer
		err = e.Report(&b, p, c, m, r.Command)
		return &Report{predict.Header{Schema: ReportSchema, Version: predict.Version, Input: r.name(), Warnings: []string{}}, b.String()}, err
	})
}

// threads are the numbers that are asked for, or one.
func (r *Request) threads() []int {
	if len(r.Threads) == 0 {
		return []int{1}
	}
	return r.Threads
}

// most is the last number of threads.
func (r *Request) most() int {
	all := r.threads()
	return all[len(all)-1]
}

// errNoHost is a machine that cannot be described.
var errNoHost = errors.New("this page does not know the machine that it runs on; name one of the library, or drop a machine file here")

// on is the machine that is asked for, with what differs in it.
func (e *Engine) on(r *Request) (*machine.Machine, error) {
	m, err := e.load(r)
	if err != nil || len(r.Levels) == 0 {
		return m, err
	}
	own := *m
	own.Levels = slices.Clone(m.Levels)
	return &own, change(&own, r.Levels)
}

func (e *Engine) load(r *Request) (*machine.Machine, error) {
	switch {
	case r.Described != "":
		return machine.Parse("machine file", []byte(r.Described))
	case r.Machine == Local && e.Host == nil:
		return nil, errNoHost
	case r.Machine == Local:
		return e.Host()
	case machine.IsFile(r.Machine): // no file is read by its name
		return nil, &machine.UnknownError{Name: r.Machine}
	}
	return e.ofLibrary(r.Machine)
}

// ofLibrary is a machine of the library, whose file is read once. Nobody changes it.
func (e *Engine) ofLibrary(name string) (*machine.Machine, error) {
	if known, ok := e.machines.Load(name); ok {
		return known.(*machine.Machine), nil //nolint:forcetypeassert // nothing else is stored
	}
	m, err := machine.Load(name)
	if err == nil {
		e.machines.Store(name, m)
	}
	return m, err
}
