package csource_test

import (
	"strings"
	"testing"

	"foresee/application/csource"
	"foresee/application/nest"
)

// Code that deals its work by the numbers of threads makes the accesses that each of them makes: all of them once, shares but for the rest of a division as
// the source has them.
func TestSharesByNumber(t *testing.T) {
	const frame = `
#include <omp.h>
static char a[1000], b[1000], part[64 * 16];
static void range(int lo, int hi, int t, int nt, int *b, int *e) { int n = hi - lo, q = n / nt, r = n % nt; *b = lo + t * q + (t < r ? t : r); *e = *b + q + (t < r); }
void f(int n, int m) {
#pragma omp parallel
  {
    int t = omp_get_thread_num(), nt = omp_get_num_threads();
    BODY
  }
}
int main(void) { f(1000, 7); }
`
	type share func(t, nt int) (elements []int)
	between := func(lo, hi int) (all []int) {
		for i := lo; i < hi; i++ {
			all = append(all, i)
		}
		return all
	}
	for body, of := range map[string]share{
		"int lo = t * n / nt, hi = (t + 1) * n / nt; for (int i = lo; i < hi; i++) a[i] = 1;":                          func(t, nt int) []int { return between(t*1000/nt, (t+1)*1000/nt) },
		"int c = (n + nt - 1) / nt, lo = t * c, hi = lo + c < n ? lo + c : n; for (int i = lo; i < hi; i++) a[i] = 1;": func(t, nt int) []int { c := (1000 + nt - 1) / nt; return between(min(t*c, 1000), min(t*c+c, 1000)) },
		"int c = n / nt, lo = t * c, hi = t == nt - 1 ? n : lo + c; for (int i = lo; i <= hi - 1; i++) a[i] = 1;": func(t, nt int) []int {
			c := 1000 / nt
			return between(t*c, map[bool]int{true: 1000, false: t*c + c}[t == nt-1])
		},
		"int c = n / nt, lo = t * c, hi = lo + c; if (t == nt - 1) hi = n; for (int i = lo; i < hi; i++) a[i] = 1;": func(t, nt int) []int {
			c := 1000 / nt
			return between(t*c, map[bool]int{true: 1000, false: t*c + c}[t == nt-1])
		},
		"int lo, hi; range(1, n - 1, t, nt, &lo, &hi); for (int i = lo; i < hi; i++) a[i] = 1;": func(t, nt int) []int {
			q, r := 998/nt, 998%nt
			lo := 1 + t*q + min(t, r)
			return between(lo, lo+q+map[bool]int{true: 1}[t < r])
		},
		"for (int i = t; i < n; i += nt) a[i] = 1;": func(t, nt int) (all []int) {
			for i := t; i < 1000; i += nt {
				all = append(all, i)
			}
			return all
		},
		"for (int i = 3 + t; i < n; i = i + nt) a[i] = 1;": nil,
		"if (t == 0) a[5] = 1;":                            func(t, _ int) []int { return map[bool][]int{true: {5}}[t == 0] },
		"if (omp_get_thread_num() == 0) { for (int i = 0; i < 9; i++) a[i] = 1; }": func(t, _ int) []int {
			if t == 0 {
				return between(0, 9)
			}
			return nil
		},
		"a[t * 16 + 2] = 1; for (int i = 0; i < 8; i++) a[16 * t + i] = 1;": func(t, _ int) []int { return append([]int{16*t + 2}, between(16*t, 16*t+8)...) },
		"for (int i = 0; i < t; i++) a[i] = 1;":                             nil,
		"for (int i = t * t; i < n; i++) a[i] = 1;":                         nil,
		"a[t % m] = 1;":                          nil,
		"if (t > 2) a[0] = 1;":                   nil,
		"for (int i = 0; i < nt; i++) a[i] = 1;": nil,
	} {
		u, err := csource.Load("a.c", []byte(strings.Replace(frame, "BODY", body, 1)), csource.Options{Regions: []string{"f"}})
		if of == nil {
			if err == nil && len(u.Programs[0].Left) == 0 && !strings.Contains(body, "i = i + nt") {
				t.Errorf("%s: is read", body)
			}
			continue
		}
		if err != nil || len(u.Programs[0].Left) > 0 {
			t.Errorf("%s: %v, %v", body, err, u)
			continue
		}
		for _, threads := range []int{1, 2, 3, 4, 7} {
			s, err := nest.NewStream(u.Programs[0], nest.Options{Threads: threads, Group: threads, Line: 1})
			if err != nil {
				t.Fatal(err)
			}
			made, by := map[int64]int{}, make([]int, threads)
			s.Each(func(p nest.Place) bool {
				if s.Reference(p.Reference).Object.Name == "a" {
					made[p.Line]++
					by[p.Thread]++
				}
				return true
			})
			begin := int64(1 << 62)
			for line := range made {
				begin = min(begin, line)
			}
			want, least := map[int64]int{}, 1000
			for thread := range threads {
				mine := of(thread, threads)
				for _, e := range mine {
					want[int64(e)]++
					least = min(least, e)
				}
				if apart := by[thread] - len(mine); apart > threads || apart < -threads {
					t.Errorf("%s, thread %d of %d: %d accesses, want %d", body, thread, threads, by[thread], len(mine))
				}
			}
			if len(made) != len(want) {
				t.Errorf("%s, %d threads: %d elements, want %d", body, threads, len(made), len(want))
			}
			for e, n := range want {
				if made[begin+e-int64(least)] != n {
					t.Errorf("%s, %d threads: element %d is accessed %d times, want %d", body, threads, e, made[begin+e-int64(least)], n)
					break
				}
			}
		}
	}
}

// Numbers of threads that are not those of the region at hand are not followed: of a region within another, and of a function that a team may enter. Outside
// regions there is one thread.
func TestNumbersOfOthers(t *testing.T) {
	for text, read := range map[string]bool{
		"void f(void) {\n#pragma omp parallel\n{\n#pragma omp parallel\n a[omp_get_thread_num()] = 1;\n}\n}":                                                          false,
		"void f(void) {\n#pragma omp parallel\n{ int t = omp_get_thread_num();\n#pragma omp parallel\n for (int i = 100 * t; i < 100 * t + 100; i++) a[i] = 1;\n}\n}": false,
		"void f(void) { int t = omp_get_thread_num(), nt = omp_get_num_threads(); for (int i = t * 900 / nt; i < (t + 1) * 900 / nt; i++) a[i] = 1; }":                false,
		"void f(void) { for (int i = 0; i < 9 * omp_get_num_threads(); i++) a[i] = 1;\n#pragma omp parallel\n a[omp_get_thread_num()] = 1;\n}":                        true,
	} {
		u, err := csource.Load("a.c", []byte("#include <omp.h>\nstatic char a[10000];\n"+text+"\n"), csource.Options{Regions: []string{"f"}})
		if all := err == nil && len(u.Programs[0].Left) == 0; all != read {
			t.Errorf("%s: all of it is read: %v, %v", text, all, err)
		}
		if _, err := csource.Load("a.c", []byte("#include <omp.h>\nstatic char a[10000];\n"+text+"\n"), csource.Options{Regions: []string{"f"}, Unnumbered: true}); read && err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}
