package figure_test

import (
	"bytes"
	"strings"
	"testing"

	"foresee/report/figure"
	"foresee/report/sample"
)

func TestPlotX(t *testing.T) {
	var a, b bytes.Buffer
	for _, w := range []*bytes.Buffer{&a, &b} {
		if err := figure.XGraph(w, "svg", sample.XGraph()); err != nil {
			t.Fatal(err)
		}
	}
	if a.String() != b.String() {
		t.Error("two pictures of the same differ")
	}
	for _, want := range []string{"ψ", "δ", "operations/cycle", "requests/cycle", "against"} {
		if !strings.Contains(a.String(), want) {
			t.Errorf("no %q in the picture", want)
		}
	}
}
