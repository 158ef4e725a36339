// Command generate writes the JSON Schemas of foresee's results from their Go types.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"foresee/advise"
	"foresee/application"
	"foresee/application/counters/ranks"
	"foresee/predict"
	"foresee/predict/compare"
	"foresee/predict/rank"
	"foresee/predict/replay"
	"foresee/predict/scale"
	"foresee/report"
	"foresee/sweep"
)

//go:generate go run . ..

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: generate DIR")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// write writes the schemas of all kinds into a folder.
func write(dir string) error {
	for _, k := range kinds {
		data, err := k.schema()
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, k.file), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// kind is one sort of result.
type kind struct {
	file   string // that is written
	name   string // of the schema, which results hold under "schema"
	title  string // the command that gives it
	result reflect.Type
}

var kinds = []kind{
	{"foresee.prediction.v1.json", predict.PredictionSchema, "foresee predict", reflect.TypeFor[predict.PredictionResult]()},
	{"foresee.comparison.v1.json", compare.Schema, "foresee compare", reflect.TypeFor[compare.Result]()},
	{"foresee.ranking.v1.json", rank.Schema, "foresee rank", reflect.TypeFor[rank.Result]()},
	{"foresee.accesses.v1.json", predict.AccessSchema, "the page of foresee serve", reflect.TypeFor[predict.AccessResult]()},
	{"foresee.advice.v1.json", advise.Schema, "foresee advise", reflect.TypeFor[advise.Result]()},
	{"foresee.mrc.v1.json", predict.CurveSchema, "foresee mrc", reflect.TypeFor[predict.CurveResult]()},
	{"foresee.signature.v1.json", application.SavedSchema, "foresee profile -o NAME.sig.json", reflect.TypeFor[application.SavedFile]()},
	{"foresee.profile.v1.json", predict.ProfileSchema, "foresee profile", reflect.TypeFor[predict.ProfileResult]()},
	{"foresee.simulation.v1.json", predict.SimulationSchema, "foresee simulate", reflect.TypeFor[predict.SimulationResult]()},
	{"foresee.activity.v1.json", predict.ActivitySchema, "foresee trace", reflect.TypeFor[predict.ActivityResult]()},
	{"foresee.machines.v1.json", report.MachineListSchema, "foresee machine list", reflect.TypeFor[report.MachineList]()},
	{"foresee.xgraph.v1.json", predict.XSchema, "foresee xgraph", reflect.TypeFor[predict.XResult]()},
	{"foresee.sweep.v1.json", sweep.Schema, "foresee sweep", reflect.TypeFor[sweep.Result]()},
	{"foresee.scaling.v1.json", scale.Schema, "foresee scale", reflect.TypeFor[scale.Result]()},
	{"foresee.replay.v1.json", replay.Schema, "foresee replay", reflect.TypeFor[replay.Result]()},
	{"foresee.messages.v1.json", report.MessagesSchema, "foresee mpi", reflect.TypeFor[report.MessagesResult]()},
	{"foresee.run.v1.json", ranks.Schema, "run.json of foresee mpi", reflect.TypeFor[ranks.File]()},
	{"foresee.drift.v1.json", report.DriftSchema, "foresee machine check", reflect.TypeFor[report.Drift]()},
	{"foresee.machine.v1.json", report.MachineSchema, "foresee machine show", reflect.TypeFor[report.MachineDetails]()},
}

// schema is that of the type, with the name of the result fixed and without the null that Go's types would allow:
// report.JSON writes none.
func (k kind) schema() ([]byte, error) {
	s, err := jsonschema.ForType(k.result, &jsonschema.ForOptions{})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k.file, err)
	}
	s.Schema = "https://json-schema.org/draft/2020-12/schema"
	s.Title = k.title
	tighten("", s)
	name := any(k.name)
	s.Properties["schema"].Const = &name
	data, err := json.MarshalIndent(s, "", "  ")
	return append(data, '\n'), err
}

// shares are between 0 and 1; counts and times are not negative, but what signed names may be.
var (
	shares = []string{"hit_rate", "miss_ratio"}
	signed = []string{"exponent"}
)

// tighten narrows the schema of a field, and of what it holds, to what results have: no null, and numbers from 0 on, shares up to 1. The fields
// of objects are told by their names, the entries of a list by that of the list.
func tighten(field string, s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if i := slices.Index(s.Types, "null"); i >= 0 {
		s.Types = slices.Delete(slices.Clone(s.Types), i, i+1)
		if len(s.Types) == 1 {
			s.Type, s.Types = s.Types[0], nil
		}
	}
	zero, one := 0.0, 1.0
	if (s.Type == "integer" || s.Type == "number") && !slices.Contains(signed, field) {
		s.Minimum = &zero
		if slices.Contains(shares, field) {
			s.Maximum = &one
		}
	}
	tighten(field, s.Items)
	for name, p := range s.Properties {
		tighten(name, p)
	}
}
