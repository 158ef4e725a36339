package advise_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"foresee/advise"
	"foresee/application/csource"
	"foresee/machine"
	"foresee/predict"
)

// columns walks down the columns of an array that no cache holds: rows are what an expert takes.
const columns = `#define N 3000
static double A[N][N], B[N][N];
void kernel_columns(void)
{
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            B[i][j] = 2 * A[i][j];
}
`

// carried may run in one order only: each element is made of the one above and the one to the left in the next row.
const carried = `#define N 3000
static double A[N][N];
void kernel_carried(void)
{
    for (int j = 1; j < N - 1; j++)
        for (int i = 1; i < N; i++)
            A[i][j] = A[i - 1][j + 1] + A[i][j - 1];
}
`

func run(t *testing.T, text string) *advise.Region {
	t.Helper()
	m, err := machine.Load("zen4")
	if err != nil {
		t.Fatal(err)
	}
	r, err := advise.Run(context.Background(), advise.Request{
		Name: "a.c", Folder: t.TempDir(), Text: text, Source: csource.Options{}, Machine: m, Threads: []int{1}, Options: predict.Options{Seed: 1}, Most: 8,
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Regions) != 1 {
		t.Fatalf("%d regions", len(r.Regions))
	}
	return &r.Regions[0]
}

// TestRowsForColumns: the change of an expert is the first, its patch makes its text, and its gain is the ratio of the times.
func TestRowsForColumns(t *testing.T) {
	r := run(t, columns)
	if len(r.Changes) == 0 || r.Changes[0].Change != "interchange" || !r.Changes[0].Gains {
		t.Fatalf("the first of %d changes is no interchange that gains", len(r.Changes))
	}
	c := r.Changes[0]
	if got := r.Before[0].TimeS / c.After[0].TimeS; math.Abs(got-c.Gain) > 1e-9*got || c.GainLow > c.Gain || c.Gain > c.GainHigh {
		t.Errorf("gain %g in %g – %g of times whose ratio is %g", c.Gain, c.GainLow, c.GainHigh, got)
	}
	if outer, inner := strings.Index(c.Text, "for (int i"), strings.Index(c.Text, "for (int j"); outer < 0 || inner < outer {
		t.Errorf("the loop over i is not the outer one:\n%s", c.Text)
	}
	if c.Patch != advise.Patch("a.c", columns, c.Text) || !strings.HasPrefix(c.Patch, "--- a/a.c\n+++ b/a.c\n") {
		t.Errorf("patch\n%s", c.Patch)
	}
}

// TestWhatIsCarriedStays: (−1, +1) goes back when the loops change places, so neither interchange nor tiling nor unroll-and-jam are shown.
func TestWhatIsCarriedStays(t *testing.T) {
	for _, c := range run(t, carried).Changes {
		switch c.Change {
		case "interchange", "tiling", "unroll-and-jam", "parallel loop":
			t.Errorf("%s: %s", c.Change, c.Title)
		}
	}
}
