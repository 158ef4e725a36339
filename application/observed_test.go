package application

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"foresee/application/csource"
	"foresee/application/nest"
	"foresee/application/observe"
)

// heapCounter takes the place of ThreadSanitizer's runtime and prints, at the end, how often memory on the heap was read and written between
// accesses_on and accesses_off, and how often these were called.
const heapCounter = `
#include <stdio.h>
#include <unistd.h>
extern char __executable_start, _end;
static long counts[3];
static int on;
static void count(void *p, int write) {
  char *here = __builtin_frame_address(0), *at = p;
  if (on && (at < &__executable_start || at >= &_end) && !(at > here && at < here + (8 << 20))) counts[write]++;
}
#define A(n) void __tsan_read##n(void *p) { count(p, 0); } void __tsan_write##n(void *p) { count(p, 1); } \
  void __tsan_unaligned_read##n(void *p) { count(p, 0); } void __tsan_unaligned_write##n(void *p) { count(p, 1); }
A(1) A(2) A(4) A(8) A(16)
void __tsan_init(void) {}
void __tsan_func_entry(void *p) {}
void __tsan_func_exit(void) {}
void accesses_on(void) { on = 1; counts[2]++; }
void accesses_off(void) { on = 0; }
__attribute__((destructor)) static void end(void) { fprintf(stderr, "counted %ld %ld %ld\n", counts[0], counts[1], counts[2]); }
`

const runMark = "/* region */"

// TestValuesOfRun compares what programs access whose sizes only a run knows with what they access when they run: gcc -O0, reads and writes of the
// heap, and how often the region is entered.
func TestValuesOfRun(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("gcc is missing; apt-get install gcc")
	}
	t.Chdir("../examples/real/run")
	dir := t.TempDir()
	counter := filepath.Join(dir, "counter.o")
	compileC(t, heapCounter, "-c", "-o", counter)
	files, err := filepath.Glob("*.c")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(file, ".c"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			first, _, _ := strings.Cut(string(text), "\n")
			command, elsewhere, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(first, "/* run: "), " */"), "; not on the heap: ")
			region, marked := markedRegion(string(text))
			binary := filepath.Join(dir, file+".bin")
			compileC(t, marked, "-O0", "-fsanitize=thread", "-fno-pie", "-c", "-o", binary+".o")
			if out, err := exec.Command("gcc", "-no-pie", binary+".o", counter, "-lm", "-o", binary).CombinedOutput(); err != nil {
				t.Fatalf("%v %s", err, out)
			}
			var want, got counts
			said, err := exec.Command("sh", "-c", observe.CommandOf(command, binary)).CombinedOutput()
			_, told, _ := strings.Cut(string(said), "counted ")
			if _, e := fmt.Sscan(told, &want.reads, &want.writes, &want.entries); e != nil {
				t.Fatal(err, e, string(said))
			}
			in, err := Find(t.Context(), file, nil, Told{})
			if err != nil {
				t.Fatal(err)
			}
			o, err := in.Open(t.Context(), Options{
				Source: csource.Options{Regions: []string{region}, AsWritten: true},
				Values: &ForValues{Command: command, Streams: observe.Streams{Out: io.Discard, Err: io.Discard}},
			})
			if err != nil {
				t.Fatal(err)
			}
			defer o.Close()
			for _, w := range o.Warnings {
				if strings.Contains(w, "was run") {
					t.Error(w)
				}
			}
			for _, p := range o.Loops {
				got.add(t, p, elsewhere)
			}
			if got != want {
				t.Errorf("%+v, want %+v", got, want)
			}
		})
	}
}

// counts are accesses and entries.
type counts struct{ reads, writes, entries int64 }

// add counts the accesses of a region, but for those of one array, as often as it was entered.
func (c *counts) add(t *testing.T, p *nest.Program, but string) {
	runs, err := nest.CountRuns(p)
	if err != nil {
		t.Fatal(err)
	}
	for s, n := range runs.Statement {
		for _, a := range s.Accesses {
			switch {
			case a.Object.Name == but:
			case a.Write:
				c.writes += n * p.Entered
			default:
				c.reads += n * p.Entered
			}
		}
	}
	c.entries += p.Entered
}

// markedRegion is the function that is called on marked lines, and the text with these lines counted.
func markedRegion(text string) (region, marked string) {
	var b strings.Builder
	b.WriteString("void accesses_on(void); void accesses_off(void);\n")
	for line := range strings.Lines(text) {
		if code, ok := strings.CutSuffix(strings.TrimSpace(line), runMark); ok {
			before, _, _ := strings.Cut(code, "(")
			words := strings.Fields(before)
			region = words[len(words)-1]
			line = "accesses_on(); " + code + " accesses_off();\n"
		}
		b.WriteString(line)
	}
	return region, b.String()
}

func compileC(t *testing.T, text string, args ...string) {
	t.Helper()
	cmd := exec.Command("gcc", append([]string{"-w", "-x", "c", "-"}, args...)...)
	cmd.Stdin = strings.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatal(errors.Join(err, errors.New(string(out))))
	}
}

// TestMeanIterations runs loops that end after none to eight iterations, as data say, in C and C++: their mean is taken, and told of.
func TestMeanIterations(t *testing.T) {
	t.Chdir(t.TempDir())
	const source = `#include <stdlib.h>
static void search(const int *a, int *found, int n) {
  for (int i = 0; i < n; i++) {
    int k = 0;
    while (k < 100 && a[k] != i % 9) {
      k++;
    }
    found[i] = k;
  }
}
int main(void) {
  int *a = malloc(100 * sizeof *a), *found = malloc(900 * sizeof *found);
  for (int i = 0; i < 100; i++)
    a[i] = i;
  search(a, found, 900);
  return found[8] != 8;
}
`
	for _, c := range []struct {
		compiler, file, said string
	}{
		{"gcc", "search.c", "iterations of while are 0 to 8"},
		{"clang++", "search.cpp", "the mean of the run"},
	} {
		t.Run(c.file, func(t *testing.T) {
			if _, err := exec.LookPath(c.compiler); err != nil {
				t.Skipf("%s is missing", c.compiler)
			}
			text := source
			if c.compiler == "clang++" {
				text = strings.ReplaceAll(source, "*a = malloc(", "*a = (int *)malloc(")
				text = strings.ReplaceAll(text, "*found = malloc(", "*found = (int *)malloc(")
				text = strings.Replace(text, "static void", "__attribute__((noinline)) void", 1)
			}
			if err := os.WriteFile(c.file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			in, err := Find(t.Context(), c.file, nil, Told{})
			if err != nil {
				t.Fatal(err)
			}
			s, err := in.Open(t.Context(), Options{Source: csource.Options{Regions: []string{"search"}}, Values: &ForValues{Command: "./search", Streams: observe.Streams{Out: io.Discard, Err: io.Discard}}})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			var got counts
			for _, p := range s.Loops {
				got.add(t, p, "")
			}
			if want := (counts{5 * 900, 900, 1}); got != want {
				t.Errorf("%+v, want %+v", got, want)
			}
			if said := strings.Join(slices.Concat(s.Warnings, s.Loops[0].Warnings), "\n"); !strings.Contains(said, c.said) {
				t.Error(said)
			}
		})
	}
}
