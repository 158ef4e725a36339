package lower_test

import (
	"strings"
	"testing"

	"foresee/application/csource/lower"
	"foresee/application/csource/parse"
	"foresee/application/nest"
)

const code = `double A[4][6], s; int n;
void rows(void)
{
    for (int i = 0; i < 4; i++)
        for (int j = i; j < 6; j++)
            A[i][j] = A[i][j] + 1;
}
double total(void)
{
    s = 0;
    for (int i = 0; i < 4; i++)
        s += A[i][0];
    return s;
}
int nothing(int x) { return x + 1; }
`

func lowered(t *testing.T, o lower.Choice) *lower.Unit {
	t.Helper()
	s, err := parse.Parse(nil, "k.c", []byte(code), nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var u lower.Unit
	if err := lower.Regions(s, &u, o); err != nil {
		t.Fatal(err)
	}
	return &u
}

// TestRegions counts the accesses of what becomes of loops: rows has 6+5+4+3 iterations of a load and a store.
func TestRegions(t *testing.T) {
	u := lowered(t, lower.Choice{})
	if len(u.Programs) != 2 || u.Programs[0].Region != "rows" || u.Programs[1].Region != "total" {
		t.Fatalf("%d regions", len(u.Programs))
	}
	stream, err := nest.NewStream(u.Programs[0], nest.Options{Threads: 1, Group: 1, Line: 64})
	if err != nil {
		t.Fatal(err)
	}
	if stream.Len() != 36 {
		t.Errorf("%d accesses, want 36", stream.Len())
	}
	if len(u.Skipped) != 1 || u.Skipped[0].Function != "nothing" || u.Skipped[0].Reason != lower.NoLoops || u.Skipped[0].Pos.Line != 15 {
		t.Errorf("skipped: %+v", u.Skipped)
	}
}

func TestChoice(t *testing.T) {
	u := lowered(t, lower.Choice{By: lower.ByLoop})
	var names []string
	for _, p := range u.Programs {
		names = append(names, p.Region)
	}
	if got := strings.Join(names, " "); got != "rows:4 total:11" {
		t.Errorf("by loop: %s", got)
	}
	if u := lowered(t, lower.Choice{Regions: []string{"total"}}); len(u.Programs) != 1 || u.Programs[0].Region != "total" {
		t.Errorf("one region was asked for: %d", len(u.Programs))
	}
}

// TestBuilt reads sizes that a function puts into structures which it allocates: each call makes another. By hand, 14·10 points are computed from two
// and written.
func TestBuilt(t *testing.T) {
	const code = `#include <stdlib.h>
typedef struct { int nx, ny; double *v; } grid;
static grid *make(int nx, int ny) {
  grid *g = malloc(sizeof *g);
  g->nx = nx; g->ny = ny;
  g->v = malloc(nx * ny * sizeof(double));
  return g;
}
static inline int at(const grid *g, int i, int j) { return i * g->ny + j; }
static void apply(const grid *in, grid *out) {
  for (int i = 1; i < out->nx - 1; i++)
    for (int j = 1; j < out->ny - 1; j++)
      out->v[at(out, i, j)] = in->v[at(in, i - 1, j)] + in->v[at(in, i, j + 1)];
}
int main(void) {
  grid *a = make(20, 30), *b = make(16, 12);
  apply(a, b);
  return 0;
}
`
	reads(t, code, "apply", 14*10*3)
}

// TestOneRank takes a program of MPI as run by one rank, unless other values are given, and says so.
func TestOneRank(t *testing.T) {
	const code = `#include <mpi.h>
double a[1000];
int main(int argc, char **argv) {
  int ranks, me;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  int mine = 800 / ranks;
  for (int i = me; i < mine; i++)
    a[i] = 1;
  return 0;
}
`
	u := reads(t, code, "main", 800)
	if said := strings.Join(u.Warnings, "\n"); !strings.Contains(said, "one rank (ranks = 1, me = 0)") {
		t.Errorf("warnings: %s", said)
	}
	reads(t, code, "main", 199, "ranks=4", "me=1")
}

// reads reads a region, with definitions, and checks how many accesses it makes.
func reads(t *testing.T, code, region string, want int64, defines ...string) *lower.Unit {
	t.Helper()
	s, err := parse.Parse(nil, "k.c", []byte(code), defines, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var u lower.Unit
	if err := lower.Regions(s, &u, lower.Choice{Regions: []string{region}}); err != nil {
		t.Fatal(err)
	}
	stream, err := nest.NewStream(u.Programs[0], nest.Options{Threads: 1, Group: 1, Line: 64})
	if err != nil {
		t.Fatal(err)
	}
	if stream.Len() != want {
		t.Errorf("%s: %d accesses, want %d", region, stream.Len(), want)
	}
	return &u
}

// TestLoopsLeftOut counts the loops of what is left out: two here, and one of a function that is called.
func TestLoopsLeftOut(t *testing.T) {
	u := reads(t, `double a[100]; int p[100];
static void pack(int i) { for (int j = 0; j < p[i]; j++) a[p[j]] = 1; }
void f(void) {
  for (int i = 0; i < 100; i++) a[i] = 0;
  for (int i = 0; i < 10; i++)
    for (int j = 0; j < p[i]; j++) pack(j);
}
`, "f", 100)
	if left := u.Programs[0].Left; len(left) != 1 || left[0].Loops != 3 {
		t.Errorf("%+v", left)
	}
}
