package predict

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"foresee/application"
	"foresee/application/csource"
	"foresee/application/nest"
	"foresee/machine"
)

// TestWithoutOneRegion: where the analysis of one region comes to no end, the others are told, unless it was asked for by name, or all fail.
func TestWithoutOneRegion(t *testing.T) {
	const text = "void first(int n, double *a) { for (int i = 0; i < n; i++) a[i] *= 2; }\nvoid second(int n, double *a) { for (int i = 0; i < n; i++) a[i] += 2; }\n"
	m, err := machine.Load("zen4")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		asked []string
		fails []string
		err   error
		told  []string
	}{
		"one":   {nil, []string{"first"}, nest.ErrGaveUp, []string{"second"}},
		"last":  {nil, []string{"second"}, nest.ErrGaveUp, []string{"first"}},
		"all":   {nil, []string{"first", "second"}, nest.ErrGaveUp, nil},
		"asked": {[]string{"first", "second"}, []string{"first"}, nest.ErrGaveUp, nil},
		"other": {nil, []string{"first"}, errors.New("no memory"), nil},
	} {
		s, err := application.OfText("two.c", []byte(text), csource.Options{Defines: []string{"n=100"}, Regions: c.asked})
		if err != nil {
			t.Fatal(err)
		}
		out := &PredictionResult{}
		r := &Request{Signature: s, Machines: []*machine.Machine{m}, Threads: []int{1}}
		err = r.ofLoops(context.Background(), out, func(d demands) error {
			out.Predictions = append(out.Predictions, Prediction{Region: d.region()})
			if slices.Contains(c.fails, d.region()) {
				return c.err
			}
			return nil
		})
		var told []string
		for _, p := range out.Predictions {
			told = append(told, p.Region)
		}
		switch {
		case c.told == nil && !errors.Is(err, c.err):
			t.Errorf("%s: error %v", name, err)
		case c.told == nil:
		case err != nil || !slices.Equal(told, c.told) || !slices.Equal(out.Unread, c.fails):
			t.Errorf("%s: %v, %v told, %v not", name, err, told, out.Unread)
		case len(out.Warnings) == 0 || !strings.Contains(strings.Join(out.Warnings, "\n"), "without "+c.fails[0]+", which cannot be analysed: two.c:"):
			t.Errorf("%s: %q", name, out.Warnings)
		}
	}
}
