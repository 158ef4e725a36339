package csource_test

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"foresee/application/csource"
	"foresee/application/nest"
)

// What gcc -O2 puts in vectors, of functions of which no two do the same, says which numbers of iterations it sees: constants, and what is set to such in this file alone.
func TestSeenBounds(t *testing.T) {
	const text = `
#define N 1000
double A[N], B[N];
static int m = 1000; int g = 1000; const int c = 1000; static int late; enum { E = 200 };
struct size { int n; } size = {1000};
void macro(void) { for (int i = 0; i < N; i++) A[i] = B[i] * 3; }
void stat(void) { for (int i = 0; i < m; i++) A[i] = B[i] * 4; }
void cons(void) { for (int i = 0; i < c; i++) A[i] = B[i] * 5; }
void glob(void) { for (int i = 0; i < g; i++) A[i] = B[i] * 6; }
void sets(void) { for (int i = 0; i < late; i++) A[i] = B[i] * 7; }
void par(int n) { for (int i = 0; i < n; i++) A[i] = B[i] * 8; }
static __attribute__((noinline)) void spar(int n) { for (int i = 0; i < n; i++) A[i] = B[i] * 9; }
static __attribute__((noinline)) void apart(int n) { for (int i = 0; i < n; i++) A[i] = B[i] * 10; }
static __attribute__((noinline)) void argc(int n) { for (int i = 0; i < n; i++) A[i] = B[i] * 11; }
void tiles(void) { for (int ii = 0; ii < N; ii += 40) for (int i = ii; i < ii + 40; i++) A[i] = B[i] * 12; }
void local(void) { int n = N; n /= 2; int k = N / 2; for (int i = 0; i < k; i++) A[i] = B[i] * 13; }
void names(void) { int i = 0; while (i < 4 * E) { A[i] = B[i] * 14; i++; } }
void member(struct size *s) { for (int i = 0; i < s->n; i++) A[i] = B[i] * 15; }
void bytes(void) { for (unsigned long i = 0; i < sizeof A / sizeof A[0]; i++) A[i] = B[i] * 16; }
int main(int n, char **v) {
  late = n > 1 ? 500 : 1000;
  macro(); stat(); cons(); glob(); sets(); par(1000); spar(1000); apart(1000); apart(500); argc(n * 1000); tiles(); local(); names(); member(&size); bytes();
  return 0;
}
`
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("gcc is missing; apt-get install gcc")
	}
	cmd := exec.Command("gcc", "-O2", "-S", "-x", "c", "-", "-o", "-")
	cmd.Stdin = strings.NewReader(text)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	label := regexp.MustCompile(`^([a-z]+)(\.[a-z0-9.]+)?:`)
	vectors, function := map[string]bool{}, ""
	for line := range strings.Lines(string(out)) {
		if m := label.FindStringSubmatch(line); m != nil {
			function = m[1]
		}
		for _, single := range []string{"addsd", "mulsd"} {
			if strings.Contains(line, single) {
				vectors[function] = false
			}
		}
		for _, packed := range []string{"addpd", "mulpd"} {
			if strings.Contains(line, packed) {
				vectors[function] = true
			}
		}
	}
	u, err := csource.Load("a.c", []byte(text), csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	looked := 0
	for _, p := range u.Programs {
		packed, known := vectors[p.Region]
		if !known || p.Region == "main" {
			continue
		}
		looked++
		nest.Walk(p.Body, func(n nest.Node) {
			l, ok := n.(*nest.Loop)
			if !ok {
				return
			}
			if _, outer := l.Body[0].(*nest.Loop); !outer && l.Unseen == packed {
				t.Errorf("%s: unseen is %v, gcc's vectors %v", p.Region, l.Unseen, packed)
			}
		})
	}
	if looked < 14 {
		t.Errorf("%d functions are looked at; vectors %v, skipped %v", looked, vectors, u.Skipped)
	}
	defined, err := csource.Load("a.c", []byte(text), csource.Options{Defines: []string{"n=1000"}, Regions: []string{"spar"}})
	if err != nil || !defined.Programs[0].Body[0].(*nest.Loop).Unseen {
		t.Errorf("what the caller defines is seen: %v", err)
	}
}
