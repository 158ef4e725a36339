package record

import "testing"

func TestRewriteDirective(t *testing.T) {
	for directive, want := range map[string]string{
		"parallel for":                                                         "parallel for schedule(monotonic: guided, 1)",
		"for schedule(static) nowait":                                          "for nowait schedule(monotonic: guided, 1)",
		"for schedule(static, 4)":                                              "for schedule(monotonic: guided, 33)",
		"parallel for schedule(dynamic,f(a, b)+1) private(x)":                  "parallel for private(x) schedule(monotonic: guided, __extension__ ({ long long fr_chunk_ = (long long)(f(a, b)+1); (int)(fr_chunk_ > 134217728 ? 134217728 : fr_chunk_ < 1 ? 1 : fr_chunk_); })*8+2)",
		"for schedule(nonmonotonic:guided, n>4?n:1)":                           "for schedule(monotonic: guided, __extension__ ({ long long fr_chunk_ = (long long)(n>4?n:1); (int)(fr_chunk_ > 134217728 ? 134217728 : fr_chunk_ < 1 ? 1 : fr_chunk_); })*8+3)",
		"for schedule(monotonic, simd: dynamic, 2) ordered":                    "for ordered schedule(monotonic: guided, 18)",
		"for schedule(runtime)":                                                "for schedule(monotonic: guided, 4)",
		"for, schedule(auto)":                                                  "for schedule(monotonic: guided, 5)",
		"parallel for simd collapse(2) if(parallel: n > 3) reduction(+: s, t)": "parallel for simd collapse(2) if(parallel: n > 3) reduction(+: s, t) schedule(monotonic: guided, 1)",
		"for ordered(1)":                                                       "for ordered(1) schedule(monotonic: guided, 1)",
		"for reduction(inscan, +: s)":                                          "for reduction(inscan, +: s)",
		"target teams distribute parallel for":                                 "target teams distribute parallel for",
		"sections":                                                             "sections",
		"simd":                                                                 "simd",
		"taskloop grainsize(4)":                                                "taskloop grainsize(4)",
		"critical (for)":                                                       "critical (for)",
		"declare simd":                                                         "declare simd",
		"cancel for":                                                           "cancel for",
		"for schedule(static, a::b)":                                           "for schedule(monotonic: guided, __extension__ ({ long long fr_chunk_ = (long long)(a::b); (int)(fr_chunk_ > 134217728 ? 134217728 : fr_chunk_ < 1 ? 1 : fr_chunk_); })*8+1)",
	} {
		if got := rewriteDirective(directive); got != want {
			t.Errorf("%q:\n%q, want\n%q", directive, got, want)
		}
	}
}

func TestRewriteKeepsLines(t *testing.T) {
	source := "# 1 \"a.c\"\nint a; // #pragma omp for\n  #  pragma omp parallel for\nfor(;;);\n#pragma once\n#pragma ompx for\n"
	want := "# 1 \"a.c\"\nint a; // #pragma omp for\n#pragma omp parallel for schedule(monotonic: guided, 1)\nfor(;;);\n#pragma once\n#pragma ompx for\n"
	if got := string(rewriteSchedules([]byte(source))); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func FuzzRewriteSchedules(f *testing.F) {
	f.Add("#pragma omp for schedule(static, 4\n")
	f.Add("#pragma omp parallel for if(a) schedule((),\"\n")
	f.Fuzz(func(t *testing.T, source string) {
		count := func(s string) (n int) {
			for _, c := range s {
				if c == '\n' {
					n++
				}
			}
			return n
		}
		got := string(rewriteSchedules([]byte(source)))
		if count(got) < count(source) {
			t.Errorf("lines are lost: %q from %q", got, source)
		}
	})
}
