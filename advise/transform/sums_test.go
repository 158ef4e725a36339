package transform_test

import (
	"strings"
	"testing"

	"foresee/advise/transform"
	"foresee/application/csource"
)

// TestAddedSums: a sum that begins with zero and is added to an element is added up in the element, and rounds otherwise; one that begins with something else,
// or is used otherwise, is not.
func TestAddedSums(t *testing.T) {
	const text = `double A[40][40], B[40][40], C[40][40];
void f(void)
{
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 40; j++) {
            double s = ZERO;
            for (int k = 0; k < 40; k++)
                s ADDS A[i][k] * B[k][j];
            C[i][j] += sEND;
        }
}
`
	const changed = `        for (int j = 0; j < 40; j++) {
            for (int k = 0; k < 40; k++)
                C[i][j] += A[i][k] * B[k][j];
        }
`
	for _, x := range []struct {
		zero, adds, end string
		found           bool
	}{{"0", "+=", "", true}, {"0.0", "-=", "", true}, {"1.0", "+=", "", false}, {"0.0", "= s +", "", false}, {"0.0", "+=", " * 2", false}} {
		source := strings.NewReplacer("ZERO", x.zero, "ADDS", x.adds, "END", x.end).Replace(text)
		u, err := csource.Load("f.c", []byte(source), csource.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s := transform.NewSource("f.c", source, u.Programs)
		all := s.SumsInArrays(s.Roots()[0])
		if !x.found {
			if len(all) > 0 {
				t.Errorf("%v: changed to\n%s", x, all[0].Text)
			}
			continue
		}
		if want := strings.Replace(changed, "+=", x.adds, 1); len(all) != 1 || !all[0].Reorders || !strings.Contains(all[0].Text, want) {
			t.Errorf("%v: %d changes, want one to\n%s", x, len(all), want)
		}
	}
}
