package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"foresee/predict/compare"
	"foresee/report"
	"foresee/report/sample"
)

// TestSARIFHasWhatReadersNeed reads the log back: what the standard requires of a log, a run, a result and a place (OASIS SARIF 2.1.0, sections 3.13, 3.14, 3.27,
// 3.28), one result for a region and what is worse of it, paths escaped.
func TestSARIFHasWhatReadersNeed(t *testing.T) {
	a := sample.Predictions([]string{"k"}, []string{"m"}, 1, 16)
	b := sample.Predictions([]string{"k"}, []string{"m"}, 1, 16)
	for i := range b.Predictions {
		p := &b.Predictions[i]
		slow := *p.TimeS * 2
		p.TimeS, p.TimeHighS, p.Place = &slow, &slow, "a folder/k.c:7"
		p.Terms.ComputeS, p.Terms.ParallelS = 2*p.Terms.ComputeS, 2*p.Terms.ParallelS
		for k := range p.Terms.Levels {
			p.Terms.Levels[k].TimeS *= 2
		}
	}
	r := compare.Results(a, b, compare.Judge{Above: 0.05, Of: []string{compare.Time, compare.Misses}})
	var out bytes.Buffer
	if err := report.SARIF(&out, r, func(file string) string { return strings.TrimPrefix(file, "a ") }); err != nil {
		t.Fatal(err)
	}
	var log struct {
		Schema  string `json:"$schema"`
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name  string
					Rules []struct{ ID string }
				}
			}
			Results []struct {
				RuleID    string
				RuleIndex int
				Level     string
				Message   struct{ Text string }
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal(out.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || len(log.Runs) != 1 || log.Runs[0].Tool.Driver.Name != "foresee" || len(log.Runs[0].Results) != 1 {
		t.Fatalf("%s", &out)
	}
	x := log.Runs[0].Results[0]
	place := x.Locations[0].PhysicalLocation
	if x.RuleID != "slower" || log.Runs[0].Tool.Driver.Rules[x.RuleIndex].ID != x.RuleID || x.Message.Text == "" || x.Level != "error" ||
		place.ArtifactLocation.URI != "folder/k.c" || place.Region.StartLine != 7 {
		t.Errorf("%+v", x)
	}
}

// sarifObject is what the published schema of SARIF 2.1.0 (sarif-schema-2.1.0.json) says of an object: the properties that it must have, and of those that it may have
// the ones that are written here, each with what its value is; "*" has all others.
type sarifObject struct {
	required []string
	may      map[string]any // a kind of value, another *sarifObject, or one in a list
}

// listOf is a list of objects.
type listOf struct{ of *sarifObject }

func sarifSchema() *sarifObject {
	text := &sarifObject{[]string{"text"}, map[string]any{"text": "string"}}
	artifact := &sarifObject{nil, map[string]any{"uri": "string"}}
	region := &sarifObject{nil, map[string]any{"startLine": "from 1"}}
	physical := &sarifObject{[]string{"artifactLocation"}, map[string]any{"artifactLocation": artifact, "region": region}}
	location := &sarifObject{nil, map[string]any{"physicalLocation": physical}}
	prints := &sarifObject{nil, map[string]any{"*": "string"}}
	result := &sarifObject{[]string{"message"}, map[string]any{
		"ruleId": "string", "ruleIndex": "from 0", "level": "level", "message": text, "locations": listOf{location}, "partialFingerprints": prints,
	}}
	rule := &sarifObject{[]string{"id"}, map[string]any{"id": "string", "name": "string", "shortDescription": text}}
	driver := &sarifObject{[]string{"name"}, map[string]any{"name": "string", "version": "string", "rules": listOf{rule}}}
	tool := &sarifObject{[]string{"driver"}, map[string]any{"driver": driver}}
	run := &sarifObject{[]string{"tool"}, map[string]any{"tool": tool, "results": listOf{result}}}
	return &sarifObject{[]string{"version", "runs"}, map[string]any{"$schema": "string", "version": "string", "runs": listOf{run}}}
}

// faults are what is wrong with a value by what the schema says.
func faults(at string, value, want any) (all []string) {
	switch want := want.(type) {
	case *sarifObject:
		object, ok := value.(map[string]any)
		if !ok {
			return []string{at + " is no object"}
		}
		for _, name := range want.required {
			if _, ok := object[name]; !ok {
				all = append(all, at+" lacks "+name)
			}
		}
		for name, v := range object {
			kind, ok := want.may[name]
			if !ok {
				if kind, ok = want.may["*"]; !ok {
					all = append(all, at+" has "+name)
					continue
				}
			}
			all = append(all, faults(at+"."+name, v, kind)...)
		}
	case listOf:
		list, ok := value.([]any)
		if !ok {
			return []string{at + " is no list"}
		}
		for _, v := range list {
			all = append(all, faults(at+"[]", v, want.of)...)
		}
	default:
		text, isText := value.(string)
		number, isNumber := value.(float64)
		ok := want == "string" && isText || want == "level" && isText && slices.Contains([]string{"none", "note", "warning", "error"}, text) ||
			want == "from 0" && isNumber && number >= 0 || want == "from 1" && isNumber && number >= 1
		if !ok {
			all = append(all, fmt.Sprintf("%s: %v is not %v", at, value, want))
		}
	}
	return all
}

// TestSARIFFollowsItsSchema: names and values to the letter, of logs with findings at a line, without one, and with none. What breaks the schema is found.
func TestSARIFFollowsItsSchema(t *testing.T) {
	for _, slower := range []float64{1, 2} {
		for _, place := range []string{"k.c:7", "k.c", ""} {
			a, b := sample.Predictions([]string{"k"}, []string{"m"}, 1, 16), sample.Predictions([]string{"k"}, []string{"m"}, 1, 16)
			for i := range b.Predictions {
				p := &b.Predictions[i]
				slow := *p.TimeS * slower
				p.TimeS, p.TimeHighS, p.Place = &slow, &slow, place
				p.Terms.ComputeS, p.Terms.ParallelS = slower*p.Terms.ComputeS, slower*p.Terms.ParallelS
				for k := range p.Terms.Levels {
					p.Terms.Levels[k].TimeS *= slower
				}
			}
			r := compare.Results(a, b, compare.Judge{Above: 0.05, Of: []string{compare.Time, compare.Misses}})
			var out bytes.Buffer
			if err := report.SARIF(&out, r, func(file string) string { return file }); err != nil {
				t.Fatal(err)
			}
			var log any
			if err := json.Unmarshal(out.Bytes(), &log); err != nil {
				t.Fatal(err)
			}
			if found := faults("log", log, sarifSchema()); len(found) > 0 || strings.Contains(out.String(), "ruleId") != (slower > 1) {
				t.Errorf("%s\n%s", strings.Join(found, "\n"), &out)
			}
		}
	}
	var wrong any
	if err := json.Unmarshal([]byte(`{"Version": "2.1.0", "runs": [{"tool": {"driver": {}}, "results": [{"level": "bad", "message": {"text": 1}, "ruleIndex": -1}]}]}`), &wrong); err != nil {
		t.Fatal(err)
	}
	if found := faults("log", wrong, sarifSchema()); len(found) != 6 {
		t.Errorf("of 6 faults %d are found: %v", len(found), found)
	}
}
