package csource

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// formsFolder holds functions f of forms that people write subscripts, counters and loops in, and the arrays that they use. A line "// warns: TEXT" says
// what is warned of.
const formsFolder = "testdata/forms"

// TestForms compares the accesses of such functions, in their order but for that within a statement, with those that they make when they run, compiled
// by gcc without optimisation.
func TestForms(t *testing.T) {
	gcc, rt := compilerAndRuntime(t)
	files, err := filepath.Glob(formsFolder + "/*.c")
	if err != nil || len(files) < 50 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".c"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			u, err := Load(file, text, Options{Regions: []string{"f"}})
			if err != nil {
				t.Fatal(err)
			}
			p := u.Programs[0]
			warnings := strings.Join(p.Warnings, "\n")
			if _, want, _ := strings.Cut(string(text), "// warns: "); warnings != "" && (want == "" || !strings.Contains(warnings, strings.TrimSpace(want))) {
				t.Errorf("warnings %s", warnings)
			}
			for _, x := range p.Left {
				t.Errorf("left out: %s: %s", x.Pos, x.Reason)
			}
			size := map[string]int64{}
			for _, o := range p.Objects {
				size[o.Name] = o.Bytes
			}
			checkOrder(t, run(p), runForm(t, gcc, text, rt, size))
		})
	}
}

// runForm gives the accesses of a function f as it runs.
func runForm(t *testing.T, gcc string, text []byte, rt string, size map[string]int64) []touch {
	t.Helper()
	base := filepath.Join(t.TempDir(), "f")
	main := "\nvoid accesses_on(void); void accesses_off(void); int main(void) { accesses_on(); f(); accesses_off(); return 0; }\n"
	if err := os.WriteFile(base+".c", append(text, main...), 0o600); err != nil {
		t.Fatal(err)
	}
	command(t, gcc, "-O0", "-w", "-fsanitize=thread", "-fno-pie", "-c", base+".c", "-o", base+".o")
	command(t, gcc, "-no-pie", base+".o", rt, "-lm", "-o", base)
	c := exec.Command(base)
	c.Env = append(os.Environ(), "ACCESSES="+base+".bin")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(base + ".bin")
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]uint64{}
	for line := range strings.Lines(string(command(t, "nm", base))) {
		f := strings.Fields(line)
		if len(f) == 3 {
			name, _, _ := strings.Cut(f[2], ".") // static ones of functions have a number behind
			if size[name] > 0 {
				at[name], _ = strconv.ParseUint(f[0], 16, 64)
			}
		}
	}
	var all []touch
	for ; len(data) >= 16; data = data[16:] {
		p, n := binary.LittleEndian.Uint64(data), binary.LittleEndian.Uint64(data[8:])
		a := touch{"?", int64(p), int64(n / 2), n%2 == 1}
		for name, from := range at {
			if p >= from && p < from+uint64(size[name]) {
				a.object, a.offset = name, int64(p-from)
			}
		}
		all = append(all, a)
	}
	return all
}

// mostApart is how many accesses of a statement may stand in another order.
const mostApart = 24

// checkOrder compares two lists of accesses, whose beginnings hold the same ones but for those of a statement.
func checkOrder(t *testing.T, got, want []touch) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d accesses, want %d", len(got), len(want))
	}
	apart := map[touch]int{}
	change := func(a touch, by int) {
		if apart[a] += by; apart[a] == 0 {
			delete(apart, a)
		}
	}
	for i := range min(len(got), len(want)) {
		change(got[i], 1)
		change(want[i], -1)
		if len(apart) > mostApart {
			t.Fatalf("at access %d of %d: %v, want %v; apart %v", i, len(want), got[i], want[i], apart)
		}
	}
	if len(apart) > 0 {
		t.Errorf("the accesses differ: %v", apart)
	}
}
