package transform_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"foresee/advise/transform"
)

// made compares what a program computes with what it does after each change of a kind, also with dealt iterations backwards, and says how many there are.
func made(t *testing.T, text string, kind transform.Kind) (all []*transform.Change) {
	t.Helper()
	p, err := loaded("stencil.c", text)
	if err != nil {
		t.Fatal(err)
	}
	want := computed(p, false)
	for _, c := range every(t, "stencil.c", text, nil, 3) {
		if c.Kind != kind {
			continue
		}
		all = append(all, c)
		q, err := loaded("stencil.c", c.Text)
		if err != nil {
			t.Fatalf("%v\n%s", err, c.Text)
		}
		for _, backward := range []bool{false, true} {
			if !maps.Equal(computed(q, backward), want) {
				t.Errorf("%s computes otherwise (backwards: %v)\n%s", c.Title, backward, c.Text)
			}
		}
	}
	return all
}

// TestTimeTilings: tiles of stencils over time compute the same; what looks back from the end of the time is not tiled. The skews are worked out by hand: one for what is
// updated in place and looks one element ahead, two for two arrays, one of which follows by one.
func TestTimeTilings(t *testing.T) {
	for body, skew := range map[string]int{
		"for (i = 1; i < 30; i++)\n            A[i] = A[i - 1] + A[i] + A[i + 1];":                                                                                                           1,
		"{\n            for (i = 1; i < 30; i++)\n                B[i] = A[i - 1] + A[i + 1];\n            for (i = 1; i < 30; i++)\n                A[i] = B[i];\n        }":                2,
		"{\n            for (i = 1; i < 30; i++)\n                B[i] = A[i - 1] + A[i + 1];\n            for (i = 1; i < 30; i++)\n                A[i] = B[i + 1] * B[i - 1];\n        }": 2,
		"for (i = 2; i <= 29; i++)\n            for (j = 1; j < 7; j++)\n                C[i][j] = C[i - 1][j + 1] + C[i + 2][j - 1] + C[i][j];":                                             2,
		"for (i = 1; i < 30; i++)\n            A[i] = A[31 - i] + A[i];":                                                                                                                     0,
		"for (i = 1; i < 30; i++)\n            A[i] = A[0] + A[29];":                                                                                                                         0,
	} {
		text := "double A[32], B[32], C[32][8];\n\nvoid kernel_time(void)\n{\n    int t, i, j;\n    for (t = 0; t < 11; t++)\n        " + body + "\n}\n"
		all := made(t, text, transform.TimeTiling)
		if (len(all) > 0) != (skew > 0) {
			t.Errorf("%d tilings of\n%s", len(all), body)
		}
		for _, c := range all {
			if strings.HasPrefix(c.Title, "tile t") && !strings.Contains(c.Title, fmt.Sprintf("skewed by %d", skew)) {
				t.Errorf("%s, want a skew of %d", c.Title, skew)
			}
		}
	}
}

// TestFollowingFusions: loops of which the second needs what the first makes of later elements are fused where it follows by as many.
func TestFollowingFusions(t *testing.T) {
	for statements, behind := range map[[2]string]int{
		{"B[i] = A[i - 1] + A[i + 1]", "A[i] = B[i]"}:                    1,
		{"B[i] = A[i]", "C[i][2] = B[i + 2] - B[i]"}:                     2,
		{"B[i] = A[i]", "C[i][2] = B[i + 3] - B[i]"}:                     -1,
		{"B[i] = A[i]", "C[i][2] = B[i] - B[i - 1]"}:                     0,
		{"B[i] += A[i - 1]", "if (i < 20)\n            A[i] = 2 * B[i]"}: 1,
	} {
		for _, bounds := range []string{"i = 3; i < 28", "i = 4; i <= 5", "i = 4; i < 4"} {
			head := "    for (int " + bounds + "; i++)\n        "
			text := "double A[40], B[40], C[40][8];\n\nvoid kernel_pair(void)\n{\n" + head + statements[0] + ";\n" + head + statements[1] + ";\n}\n"
			all := made(t, text, transform.Fusion)
			if strings.Contains(bounds, "28") && (len(all) == 1) != (behind >= 0) || behind > 0 && len(all) == 1 && strings.Contains(bounds, "28") && !strings.Contains(all[0].Title, fmt.Sprintf("follow by %d", behind)) {
				t.Errorf("%d fusions of %v, want one that follows by %d", len(all), statements, behind)
			}
		}
	}
}
