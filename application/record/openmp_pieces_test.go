package record

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Equal code has its locals at equal places of the stacks, of every thread and in every run, and the runtime allocates
// nothing on the heap of the program.
func (r *openmpRuntime) stacks(t *testing.T) {
	for _, compiler := range compilersFor("stacks.c") {
		t.Run(filepath.Base(compiler), func(t *testing.T) {
			t.Parallel()
			program := r.build(t, compiler, "stacks.c")
			env := []string{"FORESEE_STUB_STACKS=1", "FORESEE_STUB_THREADS=7"}
			got := runProgram(t, env, program)
			low := map[string]uint64{}
			for _, m := range regexp.MustCompile(`stack (\d+) (\w+) `).FindAllStringSubmatch(got.log, -1) {
				low[m[1]] = hexadecimal(t, m[2])
			}
			offsets := map[uint64]bool{}
			for _, m := range regexp.MustCompile(`local (\d+) (\w+)`).FindAllStringSubmatch(got.out, -1) {
				offsets[hexadecimal(t, m[2])-low[m[1]]] = true
			}
			if len(low) != 7 || len(offsets) != 1 {
				t.Errorf("stacks at %x, locals at offsets %v", low, offsets)
			}
			if !strings.Contains(got.out, "heap moved 0 wrong 0") {
				t.Error(got.out)
			}
			tls := regexp.MustCompile(`(tls|thread-local) (\w+)`)
			if a, b := tls.FindStringSubmatch(got.log), tls.FindStringSubmatch(got.out); a == nil || b == nil || a[2] != b[2] {
				t.Errorf("thread-local variable: the recorder is told %v, it is at %v", a, b)
			}
		})
	}
}

func hexadecimal(t *testing.T, s string) uint64 {
	t.Helper()
	x, err := strconv.ParseUint(s, 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func (r *openmpRuntime) pieces(t *testing.T) {
	const task, loop = "one 0|task 0|one 0|each 0|barrier|", "chunk 0 2 0 2 8 2 1|chunk 0 2 2 4 8 2 1|chunk 0 2 4 6 8 2 1|chunk 0 2 6 8 8 2 1|each 0|"
	for compiler, sections := range map[string]string{
		"gcc":   "note 3|uncut 0|note 3|uncut 0|each 0|barrier|",
		"clang": "note 3|uncut 0|each 0|barrier|",
	} {
		t.Run(compiler, func(t *testing.T) {
			t.Parallel()
			program := r.build(t, needCompiler(t, compiler), "pieces.c")
			env := []string{"FORESEE_STUB_PIECES=1", "FORESEE_STUB_REWRITTEN=1", "FORESEE_STUB_CUT=1,3,4"}
			got := strings.ReplaceAll(runProgram(t, env, program).log, "\n", "|")
			want := "serial 0|region 1|each 0|" + task + loop + sections + "note 4|barrier|serial 0|" +
				"note 5|region 1|each 0|note 2|note 1|barrier|serial 0|"
			if got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func (r *openmpRuntime) cut(t *testing.T) {
	threads := []int{1, 3, 4, 16, 64}
	var sizes []int
	for n := range 71 {
		sizes = append(sizes, n)
	}
	sizes = append(sizes, 1000)
	for _, compiler := range compilersFor("cut.c") {
		t.Run(filepath.Base(compiler), func(t *testing.T) {
			t.Parallel()
			program := r.build(t, compiler, "cut.c")
			for _, c := range []struct{ kind, chunk int }{{1, 0}, {1, 1}, {1, 7}, {2, 0}, {2, 5}, {3, 0}, {3, 4}, {5, 0}} {
				got := runCut(t, program, c.kind, c.chunk, sizes)
				var want []string
				for _, n := range sizes {
					places := cutsOf(ruleOf(c.kind, int64(c.chunk)), int64(n), threads)
					for range 3 { // the program has three loops
						want = append(want, fmt.Sprint(places))
					}
				}
				compareCuts(t, fmt.Sprint(c), got, want)
			}
		})
	}
}

func compareCuts(t *testing.T, what string, got, want []string) {
	t.Helper()
	// A loop without iterations may not reach the runtime at all.
	want = slices.DeleteFunc(want, func(s string) bool { return s == "[0]" })
	if len(got) != len(want) {
		t.Errorf("%s: %d loops, want %d", what, len(got), len(want))
		return
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%s: cut at %s, want %s", what, got[i], want[i])
			return
		}
	}
}

// runCut gives, for each loop that was run, where it was cut.
func runCut(t *testing.T, program string, kind, chunk int, sizes []int) []string {
	t.Helper()
	args := []string{strconv.Itoa(kind), strconv.Itoa(chunk)}
	sum := 0
	for _, n := range sizes {
		args = append(args, strconv.Itoa(n))
		sum += n*(n-1)/2 + n*(n-1) + 10*n + n*(n+1)/2
	}
	env := []string{"FORESEE_STUB_PIECES=1", "FORESEE_STUB_REWRITTEN=1", "FORESEE_STUB_CUT=1,3,4,16,64"}
	got := runProgram(t, env, program, args...)
	if got.code != 0 || got.out != fmt.Sprintln(sum) {
		t.Fatalf("exit code %d, sum %swant %d\n%s", got.code, got.out, sum, got.log)
	}
	var loops [][]int
	last := ""
	for line := range strings.Lines(got.log) {
		f := strings.Fields(line)
		if f[0] != "chunk" {
			continue
		}
		first, _ := strconv.Atoi(f[3])
		end, _ := strconv.Atoi(f[4])
		if f[7] != last {
			last = f[7]
			loops = append(loops, []int{0})
		}
		l := &loops[len(loops)-1]
		if (*l)[len(*l)-1] != first {
			t.Errorf("chunk begins at %d, the one before ended at %d", first, (*l)[len(*l)-1])
		}
		*l = append(*l, end)
	}
	var texts []string
	for _, l := range loops {
		texts = append(texts, fmt.Sprint(l))
	}
	return texts
}
