package record

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestParseCommandLine(t *testing.T) {
	c := parseCommandLine(strings.Fields("-O3 -march=native -DN=4 -I inc -MD -MF d.d -Wall -std=c11 -fopenmp -Werror -c a.c -o out/a.o -L lib -lm -Wl,-z,now -flto -x c++ b.h -target x -fPIC -g"))
	if c.mode != "-c" || c.output != "out/a.o" || !c.openmp || !c.pic || !c.debug || c.query {
		t.Errorf("read as %+v", c)
	}
	for _, s := range []struct {
		stages []stage
		want   string
	}{
		{[]stage{preprocess}, "-DN=4 -I inc -MD -MF d.d"},
		{[]stage{compile}, "-Wall -std=c11 -fopenmp -Werror"},
		{[]stage{linking}, "-L lib -lm -Wl,-z,now"},
		{[]stage{always}, "-O3 -march=native -target x -fPIC -g"},
	} {
		if got := strings.Join(c.words(s.stages...), " "); got != s.want {
			t.Errorf("stage %v: %q, want %q", s.stages, got, s.want)
		}
	}
	var inputs []string
	for i := range c.arguments {
		if a := &c.arguments[i]; a.input != "" {
			inputs = append(inputs, a.input+":"+a.language(false))
		}
	}
	if got := strings.Join(inputs, " "); got != "a.c:c b.h:c++" {
		t.Errorf("inputs %s", got)
	}
}

func TestQueriesCompileNothing(t *testing.T) {
	for _, line := range []string{"--version", "-dumpmachine", "-print-search-dirs", "", "-v -x c"} {
		if c := parseCommandLine(strings.Fields(line)); !c.query {
			t.Errorf("%q is taken for a compilation", line)
		}
	}
	for line, mode := range map[string]string{"-E a.c": "-E", "-M a.c": "-E", "-S a.c": "-S", "-fsyntax-only a.c": "-fsyntax-only", "a.c": ""} {
		if c := parseCommandLine(strings.Fields(line)); c.query || c.mode != mode {
			t.Errorf("%q: mode %q, want %q", line, c.mode, mode)
		}
	}
}

// What cannot be linked is refused where a program is linked, by this flag and not by others that begin like it.
func TestStaticIsRefused(t *testing.T) {
	for line, refused := range map[string]bool{
		"-static a.c": true, "a.o --static": true, "-static-pie a.o": true, "-static -c a.c": false, "-static-libgcc a.o": false, "-Wl,-Bstatic -lm a.o": false, "-D -static a.c": false,
	} {
		if err := parseCommandLine(strings.Fields(line)).refused(); err != nil != refused || refused && !strings.Contains(err.Error(), "static linking is not supported") {
			t.Errorf("%q: %v", line, err)
		}
	}
}

func TestWhatIsLeftOutIsSaid(t *testing.T) {
	c := parseCommandLine(strings.Fields("-O2 -flto -fsanitize=address,undefined -fno-sanitize=alignment -fprofile-arcs -save-temps a.c"))
	if got := strings.Join(c.leftOut(), " "); got != "-fsanitize=address,undefined -fprofile-arcs" {
		t.Errorf("left out: %s", got)
	}
}

func TestMissingConstructs(t *testing.T) {
	said := "a.o: in function `f':\n(.text+0x10): undefined reference to `__kmpc_doacross_init'\nld.lld: error: undefined symbol: GOMP_target_ext\n/usr/bin/ld: undefined reference to `__kmpc_doacross_init'\nundefined reference to `sin'\n"
	got := strings.Join(missingConstructs(said), "\n")
	want := "doacross loops (ordered(n) with depend(sink)) is not supported when tracing (__kmpc_doacross_init is not there)\n" +
		"target (offloading to a device) is not supported when tracing (GOMP_target_ext is not there)"
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestResponseFiles(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a": "-O2 '-DX=a b'\n\"-I c\\\"d\" @" + dir + "/b", "b": "x\\ y.c\t-c", "loop": "@" + dir + "/loop"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := expandFiles([]string{"-g", "@" + dir + "/a", "@missing"}, 0)
	if want := []string{"-g", "-O2", "-DX=a b", `-I c"d`, "x y.c", "-c", "@missing"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	if _, err := expandFiles([]string{"@" + dir + "/loop"}, 0); err == nil {
		t.Error("a file within itself is read")
	}
}
