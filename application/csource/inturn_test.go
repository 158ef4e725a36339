package csource_test

import (
	"slices"
	"strings"
	"testing"

	"foresee/application/csource"
	"foresee/application/nest"
)

// Elements of small arrays that data choose are taken in turn, which is said; what chooses them is read as well. Of large arrays they keep being refused, and
// numbers that are looked up are none of those in turn.
func TestSmallTables(t *testing.T) {
	const frame = `static unsigned char img[64][64]; static int hist[256], few[4], perm[8], large[4096]; static double lut[3][16], sum;
void f(const int *key) {
BODY
}
int main(void) { static int key[4096]; f(key); return 0; }
`
	for body, want := range map[string]int64{
		"for (int i = 0; i < 64; i++) for (int j = 0; j < 64; j++) hist[img[i][j]]++;":                                            64 * 64 * 3,
		"for (int i = 0; i < 64; i++) for (int j = 0; j < 64; j++) { int k = img[i][j] >> 6; sum += lut[i % 3][k]; }":             64 * 64 * 2, // sum is in a register
		"for (int i = 0; i < 4096; i++) { few[key[i] & 3] += key[i]; }":                                                           4096 * 4,
		"for (int i = 0; i < 4096; i++) for (int k = 0; k < 2; k++) few[perm[key[i]]] = k;":                                       4096 * 2 * 3,
		"for (int i = 4095; i >= 0; i--) { int k = key[i]; if (k > 3) few[k & 3]--; }":                                            4096 * 3,
		"for (int i = 0; i < 4096; i++) large[key[i]] = 0;":                                                                       -1,
		"few[key[0]] = 1; for (int i = 0; i < 4096; i++) large[i] = 0;":                                                           4096,
		"for (int i = 0; i < 4096; i++) { few[key[i]] = i; large[i] = few[0]; }":                                                  4096 * 4,
		"for (int i = 0; i < 64; i++) { few[key[i]] = 2; for (int j = 0; j < few[0]; j++) large[j] = 0; }":                        -1,
		"for (int i = 0; i < 64; i++) { few[key[i] % 4] = 1; large[few[2]] = 0; }":                                                -1,
		"for (int i = 0; i < 64; i++) hist[img[i][0]]++; for (int i = 0; i < 64; i++) for (int j = 0; j < 8; j++) large[j] += i;": 64*3 + 64*8*2,
	} {
		src := strings.Replace(frame, "BODY", body, 1)
		u, err := csource.Load("a.c", []byte(src), csource.Options{Regions: []string{"f"}})
		switch {
		case want < 0 && err == nil && len(u.Programs[0].Left) == 0:
			t.Errorf("%s: all is read", body)
		case want < 0:
		case err != nil:
			t.Errorf("%s: %v", body, err)
		default:
			s, err := nest.NewStream(u.Programs[0], nest.Options{Threads: 1, Group: 1, Line: 1})
			if err != nil {
				t.Fatal(err)
			}
			said := slices.ContainsFunc(u.Programs[0].Warnings, func(w string) bool { return strings.Contains(w, "are taken to be used in turn") })
			if left := len(u.Programs[0].Left); s.Len() != want || !said && left == 0 {
				t.Errorf("%s: %d accesses, want %d; %v, %d parts left out", body, s.Len(), want, u.Programs[0].Warnings, left)
			}
		}
	}
}

// Of the arms of an if that data decide one is run: what both do is counted once, and what the condition has read is in a register.
func TestArmsOfData(t *testing.T) {
	const frame = "static double a[100], b[100], x, y; static int k[100];\nvoid f(void) {\nfor (int i = 1; i < 99; i++) { BODY }\n}\n"
	for body, want := range map[string]int64{
		"if (k[i] > 3) b[i] = 1; else b[i] = 2;":                         2,
		"if (a[i] > x) x = a[i];":                                        1,
		"if (a[i] > 3) { b[i] = a[i]; a[i] = 0; b[i - 1] = a[i]; }":      5, // a[i] is read again behind the store
		"if (a[i] > 3) b[i] = a[i]; else b[i] = a[i] + 1;":               2,
		"if (k[i]) { b[i] = a[i]; } else { b[i] = a[i - 1]; a[i] = 1; }": 5,
		"if (k[i]) { b[i] += 1; b[i] += 2; } else b[i] += 3;":            5,
	} {
		u, err := csource.Load("a.c", []byte(strings.Replace(frame, "BODY", body, 1)), csource.Options{})
		if err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		s, err := nest.NewStream(u.Programs[0], nest.Options{Threads: 1, Group: 1, Line: 1})
		if err != nil {
			t.Fatal(err)
		}
		if s.Len() != 98*want {
			t.Errorf("%s: %.2f accesses an iteration, want %d", body, float64(s.Len())/98, want)
		}
	}
}
