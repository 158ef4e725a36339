package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"foresee/internal/longtest"
)

// goldenFolder holds the net: a file for each group of command lines, with a line for each of them.
const goldenFolder = "cmd/foresee/testdata/golden"

// goldenHead begins each file of the net.
const goldenHead = "# name, exit code, hash of the numbers, hash of the words or the error: go test ./cmd/foresee -run TestGolden -update\n"

// goldenCase is a command line under a name that stays when files move. $OUT stands for the folder of what is written; <FILE at the end
// is standard input.
type goldenCase struct{ name, line string }

// goldenGroup is what one file of the net is of. The first cases run before the others and write what those read.
type goldenGroup struct {
	name         string
	first, cases []goldenCase
	long         []goldenCase // for long tests, and where the net is written
}

// TestGolden compares what foresee says of all kinds of inputs with what it said when testdata/golden was written: where the structure
// of the code changes, no number does. FORESEE_GOLDEN=DIR keeps what lies behind the hashes in DIR/actual, to be compared with that of
// another commit.
//
// Results do not depend on where the test runs, as every command names its machine, but for the last digit of floating-point numbers:
// see roundsAlike.
func TestGolden(t *testing.T) {
	if !roundsAlike() {
		t.Skip("testdata/golden is of amd64, where multiplications and additions are fused by math.Exp alone; last digits differ here")
	}
	if testing.Short() {
		t.Skip("takes a minute")
	}
	t.Chdir("../..") // names in messages are then as those of a user in the root of the repository
	out := goldenOut(t)
	for _, g := range goldenGroups(t, out) {
		t.Run(g.name, func(t *testing.T) { g.test(t, out) })
	}
}

// roundsAlike says whether floating-point numbers are rounded here as where the net was made. Compilers for other architectures, and for
// GOAMD64=v3, fuse a multiplication and an addition into one operation, which rounds once; on amd64 math.Exp does so by itself on
// processors that can, which all are since 2013.
func roundsAlike() bool {
	const x, exp = 12.0 / 7, 0x401635f90da7dff5 // the bits of its exponential, which end in 4 without such an operation
	fused := timesPlus(x, x, -timesPlus(x, x, 0)) != 0
	return runtime.GOARCH == "amd64" && !fused && math.Float64bits(math.Exp(x)) == exp
}

//go:noinline
func timesPlus(x, y, z float64) float64 { return x*y + z }

// goldenOut is the folder that $OUT stands for.
func goldenOut(t *testing.T) string {
	keep := os.Getenv("FORESEE_GOLDEN")
	if keep == "" {
		return t.TempDir()
	}
	out := filepath.Join(keep, "files")
	if err := os.RemoveAll(out); err != nil { // of an earlier run
		t.Fatal(err)
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		t.Fatal(err)
	}
	return out
}

// test runs a group and compares it with its file, or writes that.
func (g *goldenGroup) test(t *testing.T, out string) {
	began, before := time.Now(), usedTime()
	results := append(runGolden(g.first, out), runGolden(g.cases, out)...)
	left := g.long
	if *update || longtest.Asked() {
		results, left = append(results, runGolden(g.long, out)...), nil
	}
	t.Logf("%d cases, %.1f s of CPU, %.1f s; longest %s", len(results), (usedTime() - before).Seconds(), time.Since(began).Seconds(), longest(results))
	for i := range results {
		results[i].check(t)
		results[i].keep(t, g.name)
	}
	file := filepath.Join(goldenFolder, g.name+".txt")
	if *update {
		writeGolden(t, file, results)
		return
	}
	compareGolden(t, file, results, left)
}

// runGolden runs commands beside one another, as far as there are processors: all that they share is the list of open files, which
// guards itself.
func runGolden(cases []goldenCase, out string) []goldenResult {
	results := make([]goldenResult, len(cases))
	next := make(chan int)
	var running sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		running.Go(func() {
			for i := range next {
				results[i] = cases[i].run(out)
			}
		})
	}
	for i := range cases {
		next <- i
	}
	close(next)
	running.Wait()
	return results
}

// notLong is what is said of work that takes long, as it does where others work beside.
var notLong = regexp.MustCompile(`(?m)^foresee: at work for .*\n`)

// run runs one command line.
func (c goldenCase) run(out string) goldenResult {
	began := time.Now()
	args := strings.Fields(strings.ReplaceAll(c.line, "$OUT", out))
	var stdin []byte
	if name, given := strings.CutPrefix(args[len(args)-1], "<"); given {
		stdin, _ = os.ReadFile(name)
		args[len(args)-1] = name
	}
	names := shortNames(args, out)
	if stdin != nil {
		args = args[:len(args)-1]
	}
	var stdout, stderr bytes.Buffer
	r := goldenResult{goldenCase: c, code: run(args, bytes.NewReader(stdin), &stdout, &stderr)}
	r.take(stdout.Bytes(), names)
	for _, name := range resultsIn(args) {
		if text, err := os.ReadFile(name); err == nil && !isPicture(name) {
			r.take(text, names)
		} else if err == nil {
			r.words = append(r.words, picture(text, names))
		}
	}
	if said := strings.TrimSpace(names.Replace(notLong.ReplaceAllString(stderr.String(), ""))); said != "" {
		r.words = append(r.words, said)
	}
	r.took = time.Since(began)
	return r
}

// shortNames leaves out the folders of files that a command line names: they may move.
func shortNames(args []string, out string) *strings.Replacer {
	var pairs []string
	for _, arg := range args {
		if i := strings.LastIndex(arg, ":"); i > 0 && strings.Contains(arg[:i], "=") { // p=16:FILE
			arg = arg[i+1:]
		}
		if folder, name := filepath.Split(arg); folder != "" && name != "" {
			pairs = append(pairs, arg, name)
		}
	}
	return strings.NewReplacer(append(pairs, out, "$OUT")...)
}

// resultsIn are the files that a command line writes.
func resultsIn(args []string) (names []string) {
	for i, arg := range args[:len(args)-1] {
		if slices.Contains([]string{"-o", "--plot", "--html", "--write-extrap"}, arg) {
			names = append(names, args[i+1])
		}
	}
	return names
}

// usedTime is the processor time of this process.
func usedTime() time.Duration {
	var use syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &use) != nil {
		return 0
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

// longest names the cases that took longest.
func longest(results []goldenResult) string {
	sorted := slices.SortedFunc(slices.Values(results), func(a, b goldenResult) int { return int(b.took - a.took) })
	var names []string
	for _, r := range sorted[:min(3, len(sorted))] {
		names = append(names, fmt.Sprintf("%s (%.1f s)", r.name, r.took.Seconds()))
	}
	return strings.Join(names, ", ")
}
