package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"foresee/predict"
	"foresee/predict/compare"
)

// SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format, 27 March 2020): what the places of pull requests read that show findings at lines.
const (
	sarifVersion = "2.1.0"
	sarifSchema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool    sarifTool     `json:"tool"`
	Results []sarifResult `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string    `json:"id"`
	Name             string    `json:"name"`
	ShortDescription sarifText `json:"shortDescription"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Fingerprints map[string]string `json:"partialFingerprints"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine int `json:"startLine"`
}

// sarifRules are what findings are of, in the order of their indices.
var sarifRules = []sarifRule{
	{"slower", "Slower", sarifText{"The region is predicted to take longer than before."}},
	{"more-misses", "MoreMisses", sarifText{"A level of the caches lacks more lines than before."}},
}

// SARIF writes what is worse in B, one result for a region and what is worse of it: the worst of all machines and numbers of threads. Within gives a
// file's path in its repository.
func SARIF(w io.Writer, r *compare.Result, within func(file string) string) error {
	run := sarifRun{Tool: sarifTool{sarifDriver{"foresee", predict.Version, sarifRules}}, Results: []sarifResult{}}
	for _, f := range worstFindings(r) {
		run.Results = append(run.Results, f.result(r.B, within))
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(sarifLog{sarifSchema, sarifVersion, []sarifRun{run}}); err != nil {
		return fmt.Errorf("cannot write SARIF: %w", err)
	}
	return nil
}

// found is a finding and the pair that it is of.
type found struct {
	compare.Finding
	pair *compare.Pair
}

// worstFindings keeps of each region, and what is worse of it, the one with the largest ratio.
func worstFindings(r *compare.Result) (all []found) {
	index := map[string]int{}
	for i := range r.Pairs {
		p := &r.Pairs[i]
		for _, f := range p.Findings {
			key := p.B.Region + "\x00" + f.What + "\x00" + f.Level
			k, known := index[key]
			switch {
			case !known:
				index[key] = len(all)
				all = append(all, found{f, p})
			case f.Ratio > all[k].Ratio || f.Ratio == 0:
				all[k] = found{f, p}
			}
		}
	}
	return all
}

// result is the finding as SARIF has it.
func (f found) result(input string, within func(string) string) sarifResult {
	index, place := 0, f.pair.B.Place
	if f.What == compare.Misses {
		index = 1
	}
	if f.What == compare.Misses { // at the access that lacks the lines, where it is known
		for _, l := range f.pair.Levels {
			if l.Level == f.Level && l.Place != "" {
				place = l.Place
			}
		}
	}
	file, line := splitPlace(place)
	if file == "" {
		file = input
	}
	physical := sarifPhysical{Artifact: sarifArtifact{uri(within(file))}}
	if line > 0 {
		physical.Region = &sarifRegion{line}
	}
	return sarifResult{
		RuleID: sarifRules[index].ID, RuleIndex: index, Level: "error",
		Message:      sarifText{FindingText(f.pair, f.Finding)},
		Locations:    []sarifLocation{{physical}},
		Fingerprints: map[string]string{"foresee/v1": f.pair.B.Region + "/" + f.What + "/" + f.Level},
	}
}

// splitPlace parts file:line.
func splitPlace(place string) (file string, line int) {
	i := strings.LastIndex(place, ":")
	if i < 0 {
		return place, 0
	}
	line, err := strconv.Atoi(place[i+1:])
	if err != nil {
		return place, 0
	}
	return place[:i], line
}

// uri writes a path as a relative reference (RFC 3986): what is no letter, digit or mark is escaped.
func uri(path string) string {
	var b strings.Builder
	for _, c := range []byte(path) {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~/", c) >= 0 {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}
