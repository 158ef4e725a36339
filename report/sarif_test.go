package report_test

import (
	"bytes"
	"encoding/json"
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
