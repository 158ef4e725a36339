package answer_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"foresee/predict"
	"foresee/predict/answer"
)

// row is a prediction with a time, a bound and lines from memory of two arrays.
func row(threads int, time float64, bound string, a, b int64) predict.Prediction {
	return predict.Prediction{
		Region: "f", Machine: "m", Threads: threads, TimeS: &time, BoundBy: bound,
		HitRates: []predict.HitRate{{Level: "L1", HitRate: 0.9}, {Level: "L2", HitRate: 0.95}},
		Arrays:   []predict.ArrayMisses{{Array: "a", Misses: []int64{a + 100, a}}, {Array: "b", Misses: []int64{b + 10, b}}},
		Terms: &predict.Terms{ComputeS: time / 2, ParallelS: time / 1000, Levels: []predict.LevelTerm{
			{Level: "L2", TimeS: time / 100}, {Level: "memory", TimeS: time / 2},
		}},
	}
}

// TestAnswers reads off by hand what rows say.
func TestAnswers(t *testing.T) {
	for name, test := range map[string]struct {
		rows []predict.Prediction
		want predict.RegionAnswer
	}{
		"grows": {
			[]predict.Prediction{row(1, 8, "compute", 1, 1), row(2, 4, "compute", 1, 1), row(4, 2.1, "memory", 1, 1), row(8, 2, "memory", 30, 10)},
			predict.RegionAnswer{
				Threads: []int{1, 2, 4, 8}, BestThreads: 8, BestTimeS: 2, EnoughThreads: 4, BoundBy: "memory", BoundFrom: 4, BoundBefore: "compute",
				Level: "memory", Array: "a", ArrayShare: 0.75,
			},
		},
		"falls, in any order, lines of the near level": {
			[]predict.Prediction{row(8, 3, "L2", 1, 1), row(1, 1, "L2", 1, 1)},
			predict.RegionAnswer{
				Threads: []int{1, 8}, BestThreads: 1, BestTimeS: 1, EnoughThreads: 1, BoundBy: "L2", BoundFrom: 1,
				Level: "L2", Array: "a", ArrayShare: 100. / 110,
			},
		},
		"no time": {
			[]predict.Prediction{{Region: "f", Machine: "m", Threads: 3, HitRates: []predict.HitRate{{Level: "L1", HitRate: 0.5}}, Arrays: []predict.ArrayMisses{{Array: "x", Misses: []int64{9}}}}},
			predict.RegionAnswer{Threads: []int{3}, Level: "memory", Array: "x", ArrayShare: 1},
		},
	} {
		test.want.Region, test.want.Machine = "f", "m"
		if diff := cmp.Diff(test.want, answer.OfRegion(test.rows)); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// TestWarningsThatMatter are about terms that are a twentieth of the time at least.
func TestWarningsThatMatter(t *testing.T) {
	p := row(4, 1, "memory", 1, 1)
	for warning, want := range map[string]bool{
		"machine m: memory.latency_ns is not known and taken to be 9: x":          true,
		"machine m: levels.L2.latency_cycles is not known and taken to be 9: x":   false,
		"machine m: levels.L9.latency_cycles is not known and taken to be 9: x":   true,
		"machine m has no parallel.fork_join_ns for 2 parallel regions":           false,
		"machine m does not say how many ways L3 has; taken as fully associative": true,
		"anything else": true,
	} {
		if got := answer.Matters(&p, warning); got != want {
			t.Errorf("%s: %v", warning, got)
		}
	}
	p.Warnings = []string{
		"machine m: memory.latency_ns is not known and taken to be 9: x", "machine m: memory.core_bandwidth_gbs is not known and taken to be 8.5: y",
		"machine m: levels.L2.latency_cycles is not known and taken to be 9: x", "other",
	}
	r := &predict.PredictionResult{Predictions: []predict.Prediction{p, p}, Header: predict.Header{Warnings: []string{predict.OutsideModels[0], "once"}}}
	shown, rest := answer.Doubts(r, answer.General)
	want := []answer.Doubt{
		{Text: "once"},
		{Text: "machine m: not known, and as of its relatives: memory.latency_ns = 9, memory.core_bandwidth_gbs = 8.5"},
		{Text: "other", Regions: []string{"f on m"}},
	}
	if diff := cmp.Diff(want, shown); diff != "" || rest != 2 {
		t.Errorf("%d besides\n%s", rest, diff)
	}
	if all, rest := answer.Doubts(r, nil); len(all) != 6 || rest != 0 {
		t.Errorf("all: %v, %d besides", all, rest)
	}
}
