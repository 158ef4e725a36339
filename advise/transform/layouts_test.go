package transform_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"foresee/advise/transform"
	"foresee/application/csource"
)

// laidOut are programs whose data another layout suits, with the changes of it: each is compiled and prints what the program did before.
var laidOut = map[string]struct {
	text  string
	names []string // of arrays that are walked side by side, or shared falsely
	kinds []transform.Kind
}{
	"structures in rows, with arrays in them": {`struct pixel { float r, g; double depth; float normal[3]; };
static struct pixel frame[20][30];
void kernel_frame(void)
{
    for (int y = 0; y < 20; y++)
        for (int x = 0; x < 30; x++) {
            frame[y][x].depth += 0.5 * y + x;
            frame[y][x].normal[x % 3] = x;
        }
}
double value(int i) { return frame[i][i].depth + frame[i][i].normal[i % 3] + frame[i][2 * i].r; }
`, nil, []transform.Kind{transform.Arrays, transform.Transposed}},
	"a structure declared with its array": {`static struct { double x, y; int n; } points[64];
void kernel_points(void)
{
    for (int i = 0; i < 64; i++) {
        points[i].x += i;
        points[i].n++;
    }
}
double value(int i) { return points[i].x + points[i].n - points[i].y; }
`, []string{"points"}, []transform.Kind{transform.Arrays, transform.Padding}},
	"a structure of which there is more than one array": {`struct cell { double h; short wet; };
static struct cell now[64];
struct cell other = {1.0, 2};
void kernel_cells(void)
{
    for (int i = 0; i < 64; i++)
        now[i].h = other.h * i + now[i].wet;
}
double value(int i) { return now[i].h + now[i].wet; }
`, nil, []transform.Kind{transform.Arrays}},
	"arrays side by side in one declaration": {`static double px[2048], out[32], py[2048], pz[2048];
void kernel_far(void)
{
    for (int i = 0; i < 32; i++)
        out[i] = px[i * 64] + 2 * py[i * 64] - pz[i * 64 + 1];
    for (int i = 0; i < 2048; i++)
        pz[i] += i;
}
double value(int i) { return out[i] + px[i] + pz[3 * i] * py[i]; }
`, []string{"px", "py", "pz"}, []transform.Kind{transform.Interleaving}},
	"counters of threads": {`static long hits[8];
static int seen[4000];
void kernel_count(void)
{
#pragma omp parallel for schedule(static, 1)
    for (int t = 0; t < 8; t++)
        for (int i = 0; i < 500; i++)
            if ((seen[500 * t + i] = i + t) % 3)
                hits[t]++;
}
double value(int i) { return hits[i % 8] * (i + 1); }
`, []string{"hits"}, []transform.Kind{transform.Padding}},
}

// TestLayoutsRun makes each change of each layout, and those that are expected must be among them.
func TestLayoutsRun(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("needs gcc: apt-get install gcc libc6-dev")
	}
	dir := t.TempDir()
	for name, x := range laidOut {
		kernel := x.text[strings.Index(x.text, "kernel_"):]
		kernel = kernel[:strings.Index(kernel, "(")]
		text := "#include <stdio.h>\n" + x.text + "int main(void)\n{\n    " + kernel + "();\n    for (int i = 0; i < 10; i++)\n        printf(\"%.17g\\n\", value(i));\n    return 0;\n}\n"
		u, err := csource.Load("layout.c", []byte(text), csource.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s := transform.NewSource("layout.c", text, u.Programs)
		all := slices.Concat(s.StructuresOfArrays(), s.TransposedArrays(), s.Paddings(64), s.ElementPaddings(x.names, 64, 1<<19))
		if c := s.Interleaving(x.names); c != nil {
			all = append(all, c)
		}
		want := output(t, dir, "before", text, "1")
		for _, k := range x.kinds {
			if !slices.ContainsFunc(all, func(c *transform.Change) bool { return c.Kind == k }) {
				t.Errorf("%s: no %s", name, k)
			}
		}
		for _, c := range all {
			if got := output(t, dir, "after", c.Text, "3"); got != want {
				t.Errorf("%s: %s: prints %q instead of %q\n%s", name, c.Title, got, want, different(text, c.Text))
			}
		}
	}
}

// TestThreadCounters: elements that threads take by their number are found where several lie in a line and a loop writes them.
func TestThreadCounters(t *testing.T) {
	for body, want := range map[string]string{
		"int id = omp_get_thread_num();\n#pragma omp for\n        for (int i = 0; i < 100; i++)\n            part[id] += x[i];":    "part[id]",
		"#pragma omp for\n        for (int i = 0; i < 100; i++)\n            part[omp_get_thread_num()] += x[i];":                  "part[omp_get_thread_num()]",
		"int id = omp_get_thread_num();\n        part[id] = 1;":                                                                    "",
		"int id = 3;\n#pragma omp for\n        for (int i = 0; i < 100; i++)\n            part[id] += x[i];":                       "",
		"int id = omp_get_thread_num();\n#pragma omp for\n        for (int i = 0; i < 100; i++)\n            wide[id][0] += x[i];": "",
	} {
		text := "#include <omp.h>\nstatic double part[16], x[100];\nstatic double wide[16][8];\nvoid kernel_sum(void)\n{\n    #pragma omp parallel\n    {\n        " + body + "\n    }\n    for (int i = 0; i < 100; i++)\n        x[i] = 0;\n}\n"
		u, err := csource.Load("counters.c", []byte(text), csource.Options{})
		if err != nil {
			t.Fatal(err)
		}
		found := ""
		for _, c := range transform.NewSource("counters.c", text, u.Programs).ThreadCounters(64, "kernel_sum") {
			found = c.Text
		}
		if found != want {
			t.Errorf("%q is found, want %q, in\n%s", found, want, text)
		}
	}
}

// TestSums: what is said to be a sum of a variable, and what is none.
func TestSums(t *testing.T) {
	for statement, want := range map[string]bool{
		"s = s + x[i] * y[i]":        true,
		"s = s - x[i] + y[i]":        true,
		"s += x[i]":                  true,
		"s = s * x[i]":               true,
		"s = s * x[i] + y[i]":        false,
		"s = s + x[i] > 3":           false,
		"s = s + s * x[i]":           false,
		"s = x[i] - s":               false,
		"s = s + (x[i] > 3 ? 1 : 0)": true,
		"s = s / x[i]":               false,
	} {
		text := "double x[100], y[100];\ndouble kernel_sum(void)\n{\n    double s = 1.0;\n    for (int i = 0; i < 100; i++)\n        " + statement + ";\n    return s;\n}\n"
		found := false
		for _, c := range every(t, "sum.c", text, nil, 16) {
			found = found || c.Kind == transform.Parallel && strings.Contains(c.Text, "reduction(") && c.Reorders
		}
		if found != want {
			t.Errorf("%s: a sum %v, want %v", statement, found, want)
		}
	}
}
