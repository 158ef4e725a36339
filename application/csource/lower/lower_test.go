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
