package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"foresee/cmd/foresee/cli"
	"foresee/internal/longtest"
)

// TestExamples runs every example of every verb's help, which ends with them.
func TestExamples(t *testing.T) {
	source, err := os.ReadFile("testdata/gemm.c")
	if err != nil {
		t.Fatal(err)
	}
	start, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	source = append(source, "\nint main(void)\n{\n    gemm();\n    return (int)C[1][2];\n}\n"...)
	if err := os.WriteFile("gemm.c", source, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("gemm-old.c", source, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("gemm.trace", []byte("r 0x1000 8\nr 0x2040 8\nw 0x1000 8\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	solver := "#include <cstdio>\nint main() {\n    double s = 0;\n#pragma omp parallel for reduction(+ : s)\n    for (int i = 0; i < 99; i++)\n        s += i;\n    std::printf(\"%g\\n\", s);\n}\n"
	if err := os.WriteFile("solver.cpp", []byte(solver), 0o644); err != nil {
		t.Fatal(err)
	}
	loops := "program solver\n  real(8) :: a(99)\n  integer :: i\n  do i = 1, 99\n    a(i) = i\n  end do\n  print *, sum(a)\nend program\n"
	if err := os.WriteFile("solver.f90", []byte(loops), 0o644); err != nil {
		t.Fatal(err)
	}
	hardware := "clock: 2 GHz\nsockets: 1\ncores per socket: 2\ncacheline size: 64 B\nmemory hierarchy:\n- level: L1\n  cores per group: 1\n" +
		"  cache per group: {sets: 64, ways: 8, cl_size: 64, replacement_policy: LRU}\n- level: MEM\n"
	if err := os.WriteFile("SkylakeSP_Gold-6148.yml", []byte(hardware), 0o644); err != nil {
		t.Fatal(err)
	}
	// What is tried elsewhere: in web/browser, accuracy/gates, accuracy/cycles and accuracy; and measuring, by TestDocumentedCommands and the script measure.
	elsewhere := []string{"foresee serve", "foresee validate compare", "foresee validate core", "foresee validate scaling", "foresee machine measure", "foresee machine check"}
	if !longtest.Asked() {
		elsewhere = append(elsewhere, "foresee validate programs", "foresee validate trace") // accuracy tests what they tell
	}
	mine, err := os.ReadFile(filepath.Join(start, "../../machine/library/granite-rapids-vm.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("my.yaml", mine, 0o644); err != nil {
		t.Fatal(err)
	}
	for name, lines := range measuredExamples() {
		if err := os.WriteFile(name, []byte(lines), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile("solver.rs", []byte("fn main() { let v: Vec<f64> = (0..99).map(|i| i as f64).collect(); println!(\"{}\", v.iter().sum::<f64>()); }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	buildHalo(t)
	writeRing(t, ".", "halo.events.foresee")
	for _, verb := range verbs(newRoot(&cli.Streams{})) {
		if verb.Hidden && verb.Example == "" {
			continue // it is no verb of people
		}
		words := strings.Fields(verb.CommandPath())[1:]
		code, help, stderr := command(append(words, "--help")...)
		if code != 0 || stderr != "" || verb.Example == "" || !strings.HasSuffix(help, verb.Example+"\n") {
			t.Errorf("%s --help does not end with examples: code %d, %s\n%s", verb.CommandPath(), code, stderr, help)
		}
		for line := range strings.SplitSeq(verb.Example, "\n") {
			example := strings.TrimSpace(line)
			if slices.ContainsFunc(elsewhere, func(tried string) bool { return strings.HasPrefix(example, tried) }) {
				continue
			}
			t.Run(example, func(t *testing.T) { runExample(t, example) })
		}
	}
	if made, _ := filepath.Glob(".*"); len(made) > 0 {
		t.Errorf("unfinished files: %v", made)
	}
}

// runExample runs a command line, or skips it where what it needs is not installed.
func runExample(t *testing.T, line string) {
	code, _, stderr := command(arguments(line)[1:]...)
	if code == 0 {
		return
	}
	if _, err := exec.LookPath("gcc"); err != nil && (strings.Contains(stderr, "needs gcc") || strings.Contains(line, "--cc")) {
		t.Skip("needs gcc")
	}
	if _, err := os.Stat("halo"); err != nil && strings.Contains(line, "mpi ") {
		t.Skip("needs mpicc")
	}
	if _, err := exec.LookPath("rustc"); err != nil && strings.Contains(line, "rustc ") {
		t.Skip("needs rustc")
	}
	if strings.Contains(stderr, "apt-get install") {
		t.Skip(stderr)
	}
	t.Errorf("exit code %d\n%s", code, stderr)
}

// measuredExamples are the series that the examples of scale name: of processes alone, and of processes and sizes.
func measuredExamples() map[string]string {
	var runs, sizes strings.Builder
	for p := 1; p <= 32; p *= 2 {
		for _, n := range []int{64, 128} {
			t := float64(n*n*n)/float64(p)*1e-6 + 0.01
			line := fmt.Sprintf(`"callpath":"solve","metric":"time","value":%g}`+"\n", t)
			fmt.Fprintf(&sizes, `{"params":{"p":%d,"n":%d},%s`, p, n, line)
			if n == 64 {
				fmt.Fprintf(&runs, `{"params":{"p":%d},%s`, p, line)
			}
		}
	}
	return map[string]string{"runs.jsonl": runs.String(), "sizes.jsonl": sizes.String()}
}

// buildHalo makes the MPI program of the examples, where there is an MPI; without one, the verb names what to install.
func buildHalo(t *testing.T) {
	for _, v := range []string{"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe", "OMPI_MCA_mpi_yield_when_idle"} {
		t.Setenv(v, "1")
	}
	source := "#include <mpi.h>\nint main(int c, char **v) {\n    MPI_Init(&c, &v);\n    MPI_Barrier(MPI_COMM_WORLD);\n    MPI_Finalize();\n}\n"
	if err := os.WriteFile("halo.c", []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("mpicc"); err != nil {
		return
	}
	if out, err := exec.Command("mpicc", "halo.c", "-o", "halo").CombinedOutput(); err != nil {
		t.Fatalf("mpicc: %v\n%s", err, out)
	}
}

func verbs(c *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		all = append(all, verbs(sub)...)
	}
	return all
}

func command(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(args, strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

// arguments splits a line as a shell does that knows single quotes alone.
func arguments(line string) (all []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			all = append(all, part)
		} else {
			all = append(all, strings.Fields(part)...)
		}
	}
	return all
}
