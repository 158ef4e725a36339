package tasking_test

import (
	"strings"
	"testing"

	"foresee/application/csource"
	"foresee/application/nest"
)

// tasks are bodies of a parallel function, by the accesses that each of four threads makes of them. A leaf makes 10.
var tasks = map[string]struct {
	body    string
	threads [4]int64
}{
	"loop":           {"#pragma omp single\nfor (int i = 0; i < 8; i++)\n#pragma omp task\nleaf(i);", [4]int64{20, 20, 20, 20}},
	"nest":           {"#pragma omp single\nfor (int i = 0; i < 3; i++)\nfor (int j = 0; j < 4; j++)\n#pragma omp task\nleaf(i + j);", [4]int64{30, 30, 30, 30}},
	"triangle":       {"#pragma omp single\nfor (int i = 0; i < 4; i++)\nfor (int j = 0; j <= i; j++)\n#pragma omp task\nleaf(i + j);", [4]int64{10, 20, 30, 40}},
	"beside":         {"#pragma omp single\n{\n#pragma omp task\nleaf(0);\n#pragma omp task\nleaf(1);\nleaf(2);\n}", [4]int64{20, 10, 0, 0}},
	"wait":           {"#pragma omp master\n{\nfor (int i = 0; i < 4; i++) {\n#pragma omp task\nleaf(i);\n}\n#pragma omp taskwait\nleaf(9);\n}", [4]int64{20, 10, 10, 10}},
	"ordered":        {"#pragma omp single\nfor (int k = 0; k < 2; k++) {\n#pragma omp task depend(inout: x[k])\nleaf(k);\nfor (int i = 0; i < 4; i++)\n#pragma omp task depend(in: x[k])\nleaf(i);\n}", [4]int64{40, 20, 20, 20}},
	"taskloop":       {"#pragma omp single\n#pragma omp taskloop\nfor (int i = 0; i < 8; i++)\nleaf(i);", [4]int64{20, 20, 20, 20}},
	"master":         {"#pragma omp master taskloop grainsize(2)\nfor (int i = 0; i < 6; i++)\nleaf(i);", [4]int64{20, 20, 20, 0}},
	"group":          {"#pragma omp single\n{\n#pragma omp taskgroup\n{\nfor (int i = 0; i < 4; i++)\n#pragma omp task\nleaf(i);\n}\nleaf(0);\n}", [4]int64{20, 10, 10, 10}},
	"no tasks":       {"#pragma omp single\nleaf(0);", [4]int64{10, 0, 0, 0}},
	"each its own":   {"#pragma omp for\nfor (int i = 0; i < 8; i++) {\n#pragma omp task\nleaf(i);\n}", [4]int64{20, 20, 20, 20}},
	"sections":       {"#pragma omp sections\n{\nleaf(0);\n#pragma omp section\nleaf(1);\n#pragma omp section\n{ leaf(2); leaf(3); }\n}", [4]int64{10, 10, 20, 0}},
	"sections twice": {"#pragma omp sections nowait\n{\nleaf(0);\n#pragma omp section\nleaf(1);\n}\n#pragma omp for\nfor (int i = 0; i < 4; i++) leaf(i);", [4]int64{20, 20, 10, 10}},
	"conditional":    {"#pragma omp single\nfor (int i = 0; i < 8; i++) {\nif (i > 3) {\n#pragma omp task\nleaf(i);\n}\n}", [4]int64{10, 10, 10, 10}},
	"two in each":    {"#pragma omp single\nfor (int i = 0; i < 4; i++) {\n#pragma omp task\nleaf(i);\n#pragma omp task\nleaf(i + 1);\n}", [4]int64{20, 20, 20, 20}},
	"critical":       {"#pragma omp single\n{\n#pragma omp critical\n{\n#pragma omp task\nleaf(1);\n}\nfor (int i = 0; i < 4; i++)\n#pragma omp task\nleaf(i);\n}", [4]int64{20, 10, 10, 10}},
}

// TestDeal: what each thread runs of tasks and sections, and that nothing is lost or made twice.
func TestDeal(t *testing.T) {
	for name, x := range tasks {
		t.Run(name, func(t *testing.T) {
			text := "static double x[99];\nstatic void leaf(int i) { for (int k = 0; k < 5; k++) x[i + k] *= 2; }\nvoid f(void) {\n#pragma omp parallel\n{\n" + x.body + "\n}\n}"
			u, err := csource.Load("a.c", []byte(text), csource.Options{Regions: []string{"f"}})
			if err != nil {
				t.Fatal(err)
			}
			var serial strings.Builder
			for line := range strings.Lines(text) {
				if !strings.HasPrefix(line, "#pragma") {
					serial.WriteString(line)
				}
			}
			one, err := csource.Load("a.c", []byte(serial.String()), csource.Options{Regions: []string{"f"}})
			if err != nil {
				t.Fatal(err)
			}
			if got, want := length(t, u.Programs[0], 1, 0), length(t, one.Programs[0], 1, 0); got != want {
				t.Errorf("%d accesses of one thread, %d without OpenMP", got, want)
			}
			for thread, want := range x.threads {
				if got := length(t, u.Programs[0], 4, thread); got != want {
					t.Errorf("%d accesses of thread %d, want %d", got, thread, want)
				}
			}
		})
	}
}

// length is how many accesses one of several threads makes.
func length(t *testing.T, p *nest.Program, threads, thread int) (n int64) {
	t.Helper()
	s, err := nest.NewStream(p, nest.Options{Threads: threads, Group: threads, Line: 8})
	if err != nil {
		t.Fatal(err)
	}
	s.Each(func(at nest.Place) bool {
		if at.Thread == thread {
			n++
		}
		return true
	})
	return n
}
