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
	c := parseCommandLine(strings.Fields("-O2 -flto -fsanitize=address,undefined -fno-sanitize=alignment -fprofile-arcs -pg --coverage -fsplit-stack -save-temps a.c"))
	if got := strings.Join(c.leftOut(), " "); got != "-fsanitize=address,undefined -fprofile-arcs -pg --coverage -fsplit-stack" {
		t.Errorf("left out: %s", got)
	}
}

func TestMissingConstructs(t *testing.T) {
	said := "a.o: in function `f':\n(.text+0x10): undefined reference to `__kmpc_dist_dispatch_init_4'\nld.lld: error: undefined symbol: __tgt_target_kernel\n/usr/bin/ld: undefined reference to `__kmpc_dist_dispatch_init_4'\nundefined reference to `sin'\nundefined reference to `GOMP_scope_start'\n"
	got := strings.Join(missingConstructs(said), "\n")
	want := "distribute is not supported when tracing (__kmpc_dist_dispatch_init_4 is not there)\n" +
		"target (offloading to a device) is not supported when tracing (__tgt_target_kernel is not there)\n" +
		"reduction(task) is not supported when tracing (GOMP_scope_start is not there); clang's are followed: compile it for recording with clang"
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
	got, err := expandFiles([]string{"-g", "@" + dir + "/a", "@missing"})
	if want := []string{"-g", "-O2", "-DX=a b", `-I c"d`, "x y.c", "-c", "@missing"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	if _, err := expandFiles([]string{"@" + dir + "/loop"}); err == nil {
		t.Error("a file within itself is read")
	}
}

// Response files have bounds: how many arguments they give, how deep they lie in one another, and their bytes.
func TestBoundsOfResponseFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"itself": "@itself", "0": strings.Repeat("@1 ", 1000), "1": strings.Repeat("@2 ", 1000), "2": strings.Repeat("-DX ", 1000), "empty": "",
		"nothing": strings.Repeat("@nothing1 ", 1000), "nothing1": strings.Repeat("@empty ", 1000), "large": strings.Repeat(" ", longestFile+1),
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for args, want := range map[string]string{
		"-c @itself":      "itself: response files within response files",
		"-c @0":           "more than 1048576 arguments or",
		"-c @nothing":     "or more than 10000 response files",
		"-c @large":       "large: a response file of more than 16 MiB",
		"-c @absent @":    "",
		"-c @empty a.c @": "",
	} {
		got, err := expandFiles(strings.Fields(args))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %d arguments, %v, want %s", args, len(got), err, want)
		}
	}
}

// FuzzCommandLine reads command lines of compilers, their words in a response file.
func FuzzCommandLine(f *testing.F) {
	for _, line := range []string{"-O3 -c a.c -o a.o", "-I 'a b' -x c++ b.h -Wl,-z,now -fopenmp", "-DX=\"a\\ b\" -E -", "-o", "-x none a.c -M", "@r @r @@"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		words := splitWords(line)
		c := parseCommandLine(words)
		n := 0
		for i := range c.arguments {
			n += len(c.arguments[i].words)
			c.arguments[i].language(true)
		}
		if n > len(words) {
			t.Errorf("%q: %d arguments became %d", line, len(words), n)
		}
		c.words(always, preprocess, compile, linking, dropped)
	})
}
