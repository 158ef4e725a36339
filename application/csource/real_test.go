package csource

import (
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"foresee/application/nest"
)

// realFolder holds small programs written as people write C; what becomes a region is called on a line that ends in realMark.
const (
	realFolder = "../../examples/real/c"
	realMark   = "/* region */"
)

// compilerAndRuntime are gcc, and the object that records accesses of the programs it compiles.
func compilerAndRuntime(t *testing.T) (gcc, rt string) {
	t.Helper()
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("gcc is missing; apt-get install gcc")
	}
	rt = filepath.Join(t.TempDir(), "rt.o")
	source := strings.TrimSuffix(rt, ".o") + ".c"
	if err := os.WriteFile(source, []byte(runtimeC), 0o600); err != nil {
		t.Fatal(err)
	}
	command(t, gcc, "-c", source, "-o", rt)
	return gcc, rt
}

// TestRealPrograms compares the accesses of small programs with those that they make when they run, compiled by gcc without optimisation: of arrays with
// names element by element; of memory on the heap how often each element is accessed.
func TestRealPrograms(t *testing.T) {
	gcc, rt := compilerAndRuntime(t)
	files, err := filepath.Glob(realFolder + "/*.c")
	if err != nil || len(files) < 25 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".c")
		t.Run(name, func(t *testing.T) {
			u, err := Load(file, nil, Options{Regions: []string{regionOf(t, file)}, AsWritten: true})
			if err != nil {
				t.Fatal(err)
			}
			got := map[touch]int{}
			for _, a := range run(u.Programs[0]) {
				got[a]++
			}
			want, symbols := runReal(t, gcc, file, rt)
			objects := objectsOf(t, file, u.Programs[0])
			g, w := portrait(got, symbols, objects), portrait(want, symbols, objects)
			if !maps.Equal(g, w) {
				t.Errorf("%s\n%v", difference(g, w), u.Programs[0].Warnings)
			}
		})
	}
}

// regionOf is the function that is called on the marked line.
func regionOf(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, realMark) {
			before, _, _ := strings.Cut(line, "(")
			f := strings.Fields(before)
			return f[len(f)-1]
		}
	}
	t.Fatal(file, "marks no region")
	return ""
}

// runReal runs a program and gives what its region accesses, by address, and the sizes and addresses of its arrays.
func runReal(t *testing.T, gcc, file, rt string) (map[touch]int, []symbol) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("void accesses_on(void); void accesses_off(void);\n")
	for line := range strings.Lines(string(text)) {
		if code, ok := strings.CutSuffix(strings.TrimSpace(line), realMark); ok {
			value, isReturn := strings.CutPrefix(strings.TrimSpace(code), "return ")
			switch {
			case isReturn:
				code = "{ accesses_on(); int status = " + value + " accesses_off(); return status; }"
			default:
				code = "accesses_on(); " + code + " accesses_off();"
			}
			line = code + "\n"
		}
		b.WriteString(line)
	}
	base := filepath.Join(t.TempDir(), "p")
	if err := os.WriteFile(base+".c", []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	command(t, gcc, "-O0", "-w", "-fsanitize=thread", "-fno-pie", "-c", base+".c", "-o", base+".o")
	command(t, gcc, "-no-pie", base+".o", rt, "-lm", "-o", base)
	program := exec.Command(base)
	program.Dir, program.Env = t.TempDir(), append(os.Environ(), "ACCESSES="+base+".bin")
	_, _ = program.Output()
	data, err := os.ReadFile(base + ".bin")
	if err != nil {
		t.Fatal(err)
	}
	all := map[touch]int{}
	symbols := symbolsOf(t, base)
	for ; len(data) >= 16; data = data[16:] {
		p, n := binary.LittleEndian.Uint64(data), binary.LittleEndian.Uint64(data[8:])
		a := touch{"", int64(p), int64(n / 2), n%2 == 1}
		for _, s := range symbols {
			if p >= s.at && p < s.at+s.size {
				a.object, a.offset = s.name, int64(p-s.at)
			}
		}
		all[a]++
	}
	return all, symbols
}

// symbol is a variable of a program.
type symbol struct {
	name     string
	at, size uint64
}

func symbolsOf(t *testing.T, binary string) []symbol {
	t.Helper()
	var all []symbol
	for line := range strings.Lines(string(command(t, "nm", "-S", binary))) {
		f := strings.Fields(line)
		if len(f) == 4 && strings.ContainsAny(f[2], "bBdDrR") {
			at, _ := strconv.ParseUint(f[0], 16, 64)
			size, _ := strconv.ParseUint(f[1], 16, 64)
			all = append(all, symbol{f[3], at, size})
		}
	}
	return all
}

// portrait is what accesses have in common wherever the heap lies: those of named arrays by element, those of the heap by how many elements are accessed how
// often. Left out is what is taken as kept in registers: variables that are no object of the region, and the stack.
func portrait(all map[touch]int, symbols []symbol, objects map[string]bool) map[string]int {
	named := map[string]uint64{}
	for _, s := range symbols {
		named[s.name] = s.size
	}
	out := map[string]int{}
	for a, n := range all {
		kind := fmt.Sprintf("%d bytes, write %v, %d times", a.size, a.write, n)
		if _, ok := named[a.object]; ok && !objects[a.object] || a.object == "" && uint64(a.offset) > stack {
			continue
		}
		out[kind]++
	}
	return out
}

// stack is below the addresses of local variables, and above those of the heap.
const stack = 0x7ff000000000

// objectsOf are the arrays of a region, by the names of the variables: those that main hands to it, too.
func objectsOf(t *testing.T, file string, p *nest.Program) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	for _, o := range p.Objects {
		out[o.Name] = true
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, realMark) {
			for _, word := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune("(), +&;", r) }) {
				out[word] = true
			}
		}
	}
	return out
}

func difference(got, want map[string]int) string {
	var b strings.Builder
	keys := slices.Sorted(maps.Keys(got))
	for k := range want {
		if _, ok := got[k]; !ok {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	for _, k := range keys {
		if got[k] != want[k] {
			fmt.Fprintf(&b, "%s: %d elements, run %d\n", k, got[k], want[k])
		}
	}
	return b.String()
}
