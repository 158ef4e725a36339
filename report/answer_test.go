package report_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"foresee/predict"
	"foresee/predict/answer"
	"foresee/report"
	"foresee/report/sample"
)

// TestAnswerSaysWhatTheRowsDo reads sentences of invented predictions.
func TestAnswerSaysWhatTheRowsDo(t *testing.T) {
	r := sample.Predictions([]string{"k"}, []string{"m"}, 1, 2, 16)
	a := report.Answer(r, false)
	// 1.25 ms / 6.63; the parts are those of sample.prediction
	for _, part := range []string{"k on m: fastest with 16 of 1, 2, 16 threads: 189 µs", "times as fast as one", "from 16 on bound by parallel, before by L2"} {
		if !strings.Contains(a.Text, part) {
			t.Errorf("%q is not in %q", part, a.Text)
		}
	}
	for i := range r.Predictions {
		r.Predictions[i].LeftOut, r.Predictions[i].LeftOutLoops, r.Predictions[i].Loops = 2, 3, 9
	}
	if a := report.Answer(r, false); !strings.HasSuffix(a.Text, ". Not in it: 2 parts that cannot be read (3 loops; 9 were read).") {
		t.Error(a.Text)
	}
	if a := report.Answer(sample.Timeless(), false); !strings.Contains(a.Text, "no time") {
		t.Error(a.Text)
	}
	if report.Answer(&predict.PredictionResult{}, false) != nil {
		t.Error("an answer of nothing")
	}
}

// TestChosenRowsHoldTheAnswer shortens tables of any length: the ends, the best and what the answer names stay, in order.
func TestChosenRowsHoldTheAnswer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		threads := rapid.SliceOfNDistinct(rapid.IntRange(1, 300), 1, 80, rapid.ID).Draw(t, "threads")
		slices.Sort(threads)
		g := report.Groups(sample.Predictions([]string{"k"}, []string{"m"}, threads...))[0]
		for i := range g.Rows {
			time := rapid.Float64Range(1, 9).Draw(t, "time")
			g.Rows[i].TimeS = &time
			g.Rows[i].BoundBy = rapid.SampledFrom([]string{"L2", "memory"}).Draw(t, "bound")
		}
		a := answer.OfRegion(g.Rows)
		short, left := report.Chosen(g, &a)
		got := short.Threads()
		if len(got)+left != len(threads) || len(got) > report.MostLines || !slices.IsSorted(got) {
			t.Fatalf("%d of %d, %d left out", len(got), len(threads), left)
		}
		for _, n := range []int{threads[0], threads[len(threads)-1], a.BestThreads, a.EnoughThreads, a.BoundFrom} {
			if !slices.Contains(got, n) {
				t.Fatalf("%d threads are left out of %v", n, got)
			}
		}
	})
}
