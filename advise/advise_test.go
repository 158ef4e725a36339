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
	return runOn(t, text, 1)
}

func runOn(t *testing.T, text string, threads ...int) *advise.Region {
	t.Helper()
	m, err := machine.Load("zen4")
	if err != nil {
		t.Fatal(err)
	}
	r, err := advise.Run(context.Background(), advise.Request{
		Name: "a.c", Folder: t.TempDir(), Text: text, Source: csource.Options{}, Machine: m, Threads: threads, Options: predict.Options{Seed: 1}, Most: 8,
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

// passes goes three times through data that no cache of a core holds, on one thread.
const passes = `#define N 300000
static double x[N], y[N], z[N];
void kernel_passes(void)
{
    for (int i = 0; i < N; i++)
        y[i] = 2 * x[i];
    for (int i = 0; i < N; i++)
        z[i] = y[i] + x[i];
    for (int i = 0; i < N; i++)
        x[i] = z[i] * y[i];
}
`

// TestNeighboursInOneChange: all loops are dealt by one change and fused by another, each alone is not shown beside them; serial code takes as long whatever the
// number of threads.
func TestNeighboursInOneChange(t *testing.T) {
	r := runOn(t, passes, 1, 8)
	if len(r.Before) != 2 || r.Before[0].TimeS != r.Before[1].TimeS || !strings.Contains(strings.Join(r.Apart, "\n"), "all of it runs on one thread") {
		t.Errorf("%+v, %v", r.Before, r.Apart)
	}
	titles := map[string]string{}
	for _, c := range r.Changes {
		if titles[c.Change] != "" {
			t.Errorf("%s: %s, and %s", c.Change, titles[c.Change], c.Title)
		}
		titles[c.Change] = c.Title
		if c.Change == "parallel loop" && strings.Count(c.Text, "#pragma omp parallel for") != 3 || c.Change == "fusion" && strings.Count(c.Text, "for (") != 1 {
			t.Errorf("%s:\n%s", c.Title, c.Text)
		}
	}
	if titles["parallel loop"] == "" || titles["fusion"] == "" {
		t.Errorf("changes %v", titles)
	}
}

// counters has a sum for each thread, of which eight lie in a line, in a loop that no nest shows.
const counters = `#include <omp.h>
#define N 100000
static double part[16], x[N];
double total(void)
{
    double s = 0;
    #pragma omp parallel for
    for (int i = 0; i < N; i++)
        part[omp_get_thread_num()] += x[i];
    #pragma omp parallel for
    for (int i = 0; i < N; i++)
        x[i] = x[i] * 0.5;
    return s;
}
`

// TestThreadsElements: elements by the number of the thread are a cause, and padding, which ends it, is the first change.
func TestThreadsElements(t *testing.T) {
	r := runOn(t, counters, 1, 8)
	if !strings.Contains(strings.Join(r.Causes, "\n"), "a.c:9: each thread writes its own part[omp_get_thread_num()], in one line") {
		t.Errorf("causes %v", r.Causes)
	}
	if len(r.Changes) == 0 || r.Changes[0].Change != "padding" || !r.Changes[0].Sharing || !strings.Contains(r.Changes[0].Text, "part[16][8]") {
		t.Errorf("changes %+v", r.Changes)
	}
}

// members uses one number of a structure that a pointer leads to, and two of three that lie in the file.
const members = `struct body { double x[3], v[3], mass, charge; };
static struct { double a, b, c; } cells[1000000];
double kernel_members(struct body *all)
{
    double sum = 0;
    for (int i = 0; i < 1000000; i++)
        sum += all[i].mass;
    for (int i = 0; i < 1000000; i++)
        cells[i].a += cells[i].c;
    return sum;
}
`

// TestMembersThatAreUsed: of structures it is said how many bytes are used, with a patch or without.
func TestMembersThatAreUsed(t *testing.T) {
	r := run(t, members)
	if !strings.Contains(strings.Join(r.Apart, "\n"), "of each structure of all, of 64 bytes, 8 are used at a.c:7") {
		t.Errorf("apart %v", r.Apart)
	}
	found := false
	for _, c := range r.Changes {
		found = found || c.Change == "structure of arrays" && strings.HasPrefix(c.Why, "of each structure of cells, of 24 bytes, 16 are used")
	}
	if !found {
		t.Errorf("changes %+v", r.Changes)
	}
}
