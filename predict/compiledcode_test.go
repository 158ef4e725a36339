package predict_test

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"testing"

	"foresee/application"
	"foresee/application/csource"
	"foresee/machine"
	"foresee/predict"
)

const scaled = `
static double a[64][64];
void kernel_scale(void) {
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 64; j++)
            a[i][j] *= 3;
}
int main(void) { kernel_scale(); return a[3][4] > 1; }
`

// TestCompiledCode predicts with the code that a compiler makes, and without where that cannot be followed.
func TestCompiledCode(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("needs gcc")
	}
	u, err := csource.Load("scale.c", []byte(scaled), csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var machines []*machine.Machine
	for _, name := range []string{"zen4", "i7-5960x"} { // of the second its operations alone say what instructions cost
		m, err := machine.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		machines = append(machines, m)
	}
	run := func(code *application.Code, compiler ...string) (*predict.PredictionResult, error) {
		s := application.OfLoops("scale.c", u.Programs...)
		s.Code = code
		return predict.Run(context.Background(), predict.Request{Signature: s, Machines: machines, Threads: []int{1}, Compiler: compiler})
	}
	code := &application.Code{Name: "scale.c", Text: []byte(scaled)}
	source, err := run(code)
	if err != nil {
		t.Fatal(err)
	}
	r, err := run(code, "gcc", "-O0")
	if err != nil {
		t.Fatal(err)
	}
	p, q := r.Predictions[0], r.Predictions[1]
	if p.Code != "gcc -O0" || *p.TimeS < 2**source.Predictions[0].TimeS {
		t.Errorf("code of %q takes %v s, the source %v: without optimisation it must take much longer", p.Code, *p.TimeS, *source.Predictions[0].TimeS)
	}
	if *p.TimeLowS > *p.TimeS/1.42 || *p.TimeHighS < *p.TimeS*1.42 {
		t.Errorf("interval from %v to %v about %v is narrower than times of compiled code are sure", *p.TimeLowS, *p.TimeHighS, *p.TimeS)
	}
	if p.CoreBoundBy != "dependency chain" || p.CoreBoundShare < 0.5 { // by way of the address, whose index lies in memory
		t.Errorf("code without optimisation is bound by %s, %v of its cycles", p.CoreBoundBy, p.CoreBoundShare)
	}
	if s := source.Predictions[0]; s.CodeAssumed != "gcc -O2" || s.CoreBoundBy == "" {
		t.Errorf("the source's code as %q is bound by %q", s.CodeAssumed, s.CoreBoundBy)
	}
	if q.Code != "gcc -O0" || *q.TimeHighS < 2**q.TimeS || !strings.Contains(strings.Join(r.Warnings, "\n"), "i7-5960x: what instructions cost was not measured") {
		t.Errorf("a machine whose costs are derived: code of %q, to %v s, %v", q.Code, *q.TimeHighS, r.Warnings)
	}
	r, err = run(code, "no-such-gcc", "-O3", "-march=native")
	if err != nil {
		t.Fatal(err)
	}
	if p := r.Predictions[0]; p.Code != "" || p.CodeAssumed != "gcc -O3 with AVX-512" || *p.TimeS >= *source.Predictions[0].TimeS || !strings.Contains(strings.Join(r.Warnings, "\n"), "no-such-gcc is not here") {
		t.Errorf("without the compiler: code as %q, %v s, %v", p.CodeAssumed, *p.TimeS, r.Warnings)
	}

	tasks := &application.Code{Name: "scale.c", Text: []byte("int main(void) {\n#pragma omp parallel\n#pragma omp single\n#pragma omp task\n ;\n return 0; }")}
	r, err = run(tasks, "gcc", "-fopenmp")
	if err != nil {
		t.Fatal(err)
	}
	if p := r.Predictions[0]; p.Code != "" || p.CodeAssumed != "gcc -O0" || *p.TimeS <= *source.Predictions[0].TimeS || !strings.Contains(strings.Join(r.Warnings, "\n"), "GOMP_task") {
		t.Errorf("OpenMP's tasks: code of %q, %v", p.Code, r.Warnings)
	}
	if _, err := run(nil, "gcc"); !errors.Is(err, predict.ErrNoCode) {
		t.Errorf("without a source: %v", err)
	}
}
