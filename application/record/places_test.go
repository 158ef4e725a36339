package record_test

import (
	"bytes"
	"debug/elf"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"foresee/application/record"
	"foresee/application/record/instrument"
)

// TestPlaces builds a program of two files at once, and one of two objects: code has the addresses that the symbols of the plain program, which gcc itself
// linked, have.
func TestPlaces(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("there is no gcc")
	}
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"a.c": "int g(int); static int h(int x) { return x * 3; }\nint main(int n, char **v) { int s = 0; for (int i = 0; i < 100; i++) s += g(i) + h(n); return s == 7; }\n",
		"b.c": "int g(int x) { int s = 0; for (int i = 0; i < x; i++) s += i ^ x; return s; }\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.CommandContext(t.Context(), "gcc", "-O2", "a.c", "b.c", "-o", "plain").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want := symbolsOf(t, "plain")
	for name, steps := range map[string][]string{"at once": {"a.c b.c -o atonce"}, "of objects": {"-c a.c", "-c b.c", "a.o b.o -o ofobjects"}} {
		for _, args := range steps {
			buildOwn(t, append([]string{"-O2"}, strings.Fields(args)...))
		}
		program, _ := filepath.Abs(strings.ReplaceAll(name, " ", ""))
		found := addresses(t, program)
		for _, function := range []string{"main", "g"} {
			if found[function] != want[function] || want[function] == 0 {
				t.Errorf("%s: %s begins at %#x, not at %#x", name, function, found[function], want[function])
			}
		}
	}
}

// buildOwn does what gcc would do, with recording.
func buildOwn(t *testing.T, args []string) {
	t.Helper()
	c, err := record.OwnCompiler(t.Context(), "gcc", record.C)
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	b := &record.Builder{Compiler: c, Stdin: strings.NewReader(""), Stdout: &said, Stderr: &said}
	if err := b.Build(t.Context(), args); err != nil {
		t.Fatalf("%v\n%s", err, &said)
	}
}

// symbolsOf are the addresses of a program's symbols.
func symbolsOf(t *testing.T, program string) map[string]uint64 {
	t.Helper()
	f, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]uint64{}
	for _, s := range all {
		at[s.Name] = s.Value
	}
	return at
}

// addresses are where functions of a recorded program begin.
func addresses(t *testing.T, program string) map[string]uint64 {
	t.Helper()
	p, err := record.Start(t.Context(), record.Run{Program: program, Cuts: []int{1}, Serial: true})
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]uint64{}
	for {
		r, err := p.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		begin := bytes.Index(r.Data, []byte("N\t"))
		if begin < 0 || !bytes.Contains(r.Data, []byte("\nI\t")) {
			continue
		}
		m, err := instrument.ParseModule(string(r.Data[begin:]))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range m.Segments {
			if _, there := at[s.Place.Function]; !there && len(s.Code) > 0 {
				at[s.Place.Function] = m.At(&s.Code[0])
			}
		}
	}
	if err := p.Wait(); err != nil {
		t.Fatal(err)
	}
	return at
}
