package record

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"foresee/model/schedule"
)

// The virtual OpenMP deals iterations by itself, in C. The oracle is package schedule, which is tested against libgomp.

// TestDealing compiles runtime/schedule.c alone and lets it deal all small loops.
func TestDealing(t *testing.T) {
	t.Parallel()
	needCompiler(t, "gcc")
	program := filepath.Join(t.TempDir(), "dealing")
	mustCompile(t, "gcc", "-O2", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Iruntime", sourceOf(t, "dealing.c"), "runtime/schedule.c", "-o", program)
	out, lines := runProgram(t, nil, program).out, 0
	for line := range strings.Lines(out) {
		head, numbers, _ := strings.Cut(line, ":")
		var kind string
		var n, threads, chunk int64
		if _, err := fmt.Sscan(head, &kind, &n, &threads, &chunk); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if got, want := strings.TrimSpace(numbers), dealtBy(t, kind, n, threads, chunk); got != want {
			t.Fatalf("%s: %s, want %s", head, got, want)
		}
		lines++
	}
	if lines != 41*9*(2+7*4) {
		t.Errorf("%d loops were dealt", lines)
	}
}

// dealtBy is what package schedule says, as testdata/openmp/dealing.c prints it.
func dealtBy(t *testing.T, kind string, n, threads, chunk int64) string {
	t.Helper()
	var out []int64
	switch kind {
	case "blocks":
		b := schedule.NewBlocks(n, threads)
		for t := range threads {
			out = append(out, b.Start(t), b.Start(t+1))
		}
	case "guided":
		for _, c := range chunksOf(schedule.Rule{Kind: schedule.Guided, Chunk: chunk}, n, int(threads)) {
			out = append(out, c.end-c.first)
		}
	default:
		number := slices.Index([]string{"", "cut-static", "cut-dynamic", "cut-guided"}, kind)
		out = cutsOf(ruleOf(number, chunk), n, []int{int(threads), int(threads) + 3})[1:]
	}
	return strings.Trim(fmt.Sprint(out), "[]")
}

// ruleOf is a schedule by its number in the runtime; 5 is auto.
func ruleOf(number int, chunk int64) schedule.Rule {
	switch {
	case number == 2:
		return schedule.Rule{Kind: schedule.Dynamic, Chunk: chunk}
	case number == 3:
		return schedule.Rule{Kind: schedule.Guided, Chunk: chunk}
	case chunk > 0:
		return schedule.Rule{Kind: schedule.StaticChunk, Chunk: chunk}
	}
	return schedule.Rule{}
}

// dealtChunk is a range of iterations and the thread that gets it, of those that ask in turn.
type dealtChunk struct {
	thread     int
	first, end int64
}

// chunksOf deals a loop to threads that ask in turn; chunks in the order in which they are handed out.
func chunksOf(r schedule.Rule, n int64, threads int) (out []dealtChunk) {
	deal := schedule.NewDeal(r, n, threads)
	for thread, idle := 0, 0; idle < threads; thread = (thread + 1) % threads {
		idle++
		if first, end := deal.Next(thread); first < end {
			out, idle = append(out, dealtChunk{thread, first, end}), 0
		}
	}
	return out
}

// cutsOf are the places, from 0 to n, at which a chunk begins or ends for any of the thread counts.
func cutsOf(r schedule.Rule, n int64, threads []int) []int64 {
	places := []int64{0}
	for _, count := range threads {
		for _, c := range chunksOf(r, n, count) {
			places = append(places, c.end)
		}
	}
	slices.Sort(places)
	return slices.Compact(places)
}

// dealt runs loops on virtual threads, not cut: who is handed what, of static schedules, and in which chunks, of those
// for which threads ask.
func (r *openmpRuntime) dealt(t *testing.T) {
	sizes := []int64{1, 2, 3, 7, 8, 9, 20, 40, 1000}
	for _, compiler := range compilersFor("cut.c") {
		t.Run(filepath.Base(compiler), func(t *testing.T) {
			t.Parallel()
			program := r.build(t, compiler, "cut.c")
			for _, c := range []struct{ kind, chunk int }{{1, 0}, {1, 1}, {1, 7}, {2, 0}, {2, 5}, {3, 0}, {3, 4}, {5, 0}} {
				for _, threads := range []int{2, 3, 4, 9} {
					rule := ruleOf(c.kind, int64(c.chunk))
					var want [][]dealtChunk
					for _, n := range sizes {
						for range 3 { // the program has three loops
							want = append(want, chunksOf(rule, n, threads))
						}
					}
					compareDealt(t, rule, handedOut(t, program, c.kind, c.chunk, threads, sizes), want)
				}
			}
		})
	}
}

// handedOut gives the chunks of each loop that was run, by their beginnings.
func handedOut(t *testing.T, program string, kind, chunk, threads int, sizes []int64) (loops [][]dealtChunk) {
	t.Helper()
	args := []string{strconv.Itoa(kind), strconv.Itoa(chunk)}
	for _, n := range sizes {
		args = append(args, strconv.FormatInt(n, 10))
	}
	got := runProgram(t, []string{"FORESEE_STUB_PIECES=1", "FORESEE_STUB_REWRITTEN=1", setting("FORESEE_STUB_THREADS", threads)}, program, args...)
	if got.code != 0 {
		t.Fatalf("exit code %d\n%s", got.code, got.log)
	}
	number := map[string]int{}
	for line := range strings.Lines(got.log) {
		var c dealtChunk
		var schedule, total, chunk int64
		var loop string
		if _, err := fmt.Sscanf(line, "chunk %d %d %d %d %d %d %s", &c.thread, &schedule, &c.first, &c.end, &total, &chunk, &loop); err != nil {
			continue
		}
		i, known := number[loop]
		if !known {
			i = len(loops)
			number[loop], loops = i, append(loops, nil)
		}
		loops[i] = append(loops[i], c)
	}
	return loops
}

func compareDealt(t *testing.T, r schedule.Rule, got, want [][]dealtChunk) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%v: %d loops, want %d", r, len(got), len(want))
	}
	for i := range got {
		for _, list := range [][]dealtChunk{got[i], want[i]} {
			slices.SortFunc(list, func(a, b dealtChunk) int { return int(a.first - b.first) })
			for j := range list {
				if r.Kind.OnDemand() { // who asks first depends on the turns of the virtual threads
					list[j].thread = 0
				}
			}
		}
		got[i] = slices.Compact(got[i]) // a chunk that goes on after others is announced again
		if !slices.Equal(got[i], want[i]) {
			t.Fatalf("%v, loop %d: %v, want %v", r, i, got[i], want[i])
		}
	}
}
