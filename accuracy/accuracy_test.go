package accuracy_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"foresee/accuracy"
	"foresee/internal/longtest"
	"foresee/internal/oracle/kernels"
)

// TestCurvesOfAllKernels holds the sampled curves to what docs/accuracy.md claims, of one kernel in three or, in long tests, of all.
func TestCurvesOfAllKernels(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes a minute")
	}
	c := accuracy.NewCurves(1, "SMALL")
	err := kernels.With("SMALL", nil, func(ks []kernels.Kernel) error {
		for i, k := range ks {
			if i%3 != 0 && !longtest.Asked() {
				continue
			}
			if err := c.Measure(context.Background(), k, 1); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	worst, name := c.Class.Worst()
	t.Logf("mean %.5f, worst %.5f (%s), n = %d", c.Class.Mean(), worst, name, c.Class.N())
	if c.Class.Mean() > 0.0012 || worst > 0.005 {
		t.Errorf("mean absolute error %.5f, worst %.5f (%s); want at most 0.0012 and 0.005", c.Class.Mean(), worst, name)
	}
	if c.AET.Mean() < c.Class.Mean() {
		t.Error("AET is better than class stack distance: make it the default")
	}
}

// TestThreads holds curves from signatures to what docs/accuracy.md says of them, at a small size.
func TestThreads(t *testing.T) {
	t.Parallel()
	names := []string{"gemm", "jacobi-2d", "lu"}
	if longtest.Asked() {
		names = append(names, "covariance", "tensor-contraction", "stream-triad")
	}
	s, err := accuracy.Threads(context.Background(), accuracy.Options{Size: "MINI", Seed: 1, Kernels: names})
	if err != nil {
		t.Fatal(err)
	}
	two := false
	defer func() {
		if !two {
			t.Error("no figure of the published model at two threads")
		}
	}()
	for _, table := range s.Tables {
		if len(table.Values) == 0 {
			t.Errorf("%s: no figures", table.Title)
		}
		for of, mean := range table.Values {
			least := 97.5
			if strings.HasPrefix(of, "published") { // is held to nothing at more threads
				if least = 0; of == "published, T = 2" {
					least, two = 90, true
				}
			}
			if !(mean >= least) {
				t.Errorf("%s: %s: accuracy %.2f %%, want at least %g", table.Title, of, mean, least)
			}
		}
	}
}

// TestHitRates holds hit rates of some kernels to half a point in the mean.
func TestHitRates(t *testing.T) {
	t.Parallel()
	h, err := accuracy.NewHits("SMALL")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"gemm", "syrk-tiled", "jacobi-1d", "mvt", "covariance", "gramschmidt", "durbin", "doitgen", "trmm-chunk1", "conv-layer"}
	err = kernels.With("SMALL", names, func(ks []kernels.Kernel) error {
		for _, k := range ks {
			if err := h.Measure(context.Background(), k, []int{1, 4}, 1); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if h.All.Mean() > 0.5 {
		worst, name := h.All.Worst()
		t.Errorf("mean error %.2f points, worst %.2f (%s)", h.All.Mean(), worst, name)
	}
}

// TestConflicts holds hit rates where lines meet in few sets to 0.2 points in the mean and 2 in the worst case.
func TestConflicts(t *testing.T) {
	t.Parallel()
	section, err := accuracy.Conflicts(context.Background(), accuracy.Options{
		Size: "SMALL", Seed: 1, Kernels: []string{"deriche", "mvt-column-parallel", "trisolv", "gramschmidt", "2mm", "gemver-column"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range section.Tables {
		for of, points := range table.Values {
			if strings.HasPrefix(of, "mean") && points > 0.2 || points > 2 {
				t.Errorf("%s, %s: %.2f points", table.Title, of, points)
			}
		}
	}
}

func TestReplaceSection(t *testing.T) {
	table := &accuracy.Table{Title: "T", Text: "x", Columns: []string{"kernel", "error"}, Rows: [][]string{{"gemm", "1"}}}
	s := &accuracy.Section{Name: "cache", Tables: []*accuracy.Table{table}}
	first, err := s.Replace("# Accuracy\n")
	if err != nil {
		t.Fatal(err)
	}
	table.Rows[0][1] = "2"
	second, err := s.Replace(first + "\nmore\n")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(second, "| gemm | 1 |") || !strings.Contains(second, "| gemm | 2 |") ||
		!strings.HasPrefix(second, "# Accuracy\n") || !strings.HasSuffix(second, "\nmore\n") {
		t.Errorf("replaced:\n%s", second)
	}
	third, err := s.Replace(second)
	if err != nil || third != second {
		t.Errorf("a second replacement changes the document: %v", err)
	}
	if _, err := s.Replace("<!-- foresee validate cache -->\n"); err == nil {
		t.Error("broken marks are not noticed")
	}
	var b bytes.Buffer
	if err := s.Markdown(&b); err != nil || !strings.Contains(b.String(), "|---|--:|") {
		t.Errorf("%v\n%s", err, b.String())
	}
}
