// Package advice measures what package advise says: whether what an expert would change is among its first changes, whether programs with its patches
// compute the same, and whether they gain what was predicted.
//
// The programs are the kernels that foresee carries and loops that are written badly on purpose (examples/slow), each with what an expert would do. Every
// change that is shown is applied, compiled with gcc -O2 -fopenmp and run. Ratios of times are those of one thread, by the processor's time, runs of the
// program before and after taking turns.
package advice

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"foresee/accuracy"
	"foresee/advise"
	"foresee/application/csource"
	"foresee/examples"
	"foresee/internal/workspace"
	"foresee/predict"
)

// clock stands for OpenMP's: the time that the processor worked for the thread, which others that share the core are no part of.
const clock = `#define _POSIX_C_SOURCE 199309L
#include <time.h>
double omp_get_wtime(void) { struct timespec t; clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
`

// Constants of the measurement. Chosen: threads so that a parallel loop shows; runs so that the least of them is of a quiet moment; changes, as the goal is among the
// first three; ratios and gains, as the goals are.
const (
	teamThreads = 8
	runs        = 5
	firstFew    = 3
	notable     = 1.1
	tolerance   = 1e-9 // of checksums of what adds up in another order, relative
)

// Sizes of the programs: the slow ones at a size at which memory matters.
const (
	kernelSize = "MEDIUM"
	slowSize   = "LARGE"
)

// program is one that is advised on.
type program struct {
	name, path, size string
	expert           []string // changes, each as good as the others; empty: none is known
}

// tried is a change that was applied and run.
type tried struct {
	program, change  string
	rank             int     // 0: all together
	predicted, ratio float64 // times before / after of one thread
	equal, timed     bool
}

// Advise measures the advice on all programs.
func Advise(ctx context.Context, o accuracy.Options) (*accuracy.Section, error) {
	if _, err := exec.LookPath("gcc"); err != nil {
		return nil, accuracy.ErrNoCompiler
	}
	work, err := workspace.New("advise")
	if err != nil {
		return nil, err
	}
	defer work.Remove()
	all, err := programs(work.Path, o)
	if err != nil {
		return nil, err
	}
	m := &measurement{Options: o, dir: work.Path}
	for i, p := range all {
		if o.Progress != nil {
			o.Progress(i, len(all))
		}
		if err := m.add(ctx, p); err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return m.section(), nil
}

// programs extracts them, all or those that are asked for.
func programs(dir string, o accuracy.Options) (all []program, err error) {
	if err := examples.ExtractSlow(dir); err != nil {
		return nil, err
	}
	for _, set := range []struct {
		names        []string
		folder, size string
	}{{examples.Slow(), "slow", slowSize}, {examples.Kernels(), "kernels", kernelSize}} {
		size := set.size
		if o.Size != "" {
			size = o.Size
		}
		for _, n := range set.names {
			if len(o.Kernels) > 0 && !slices.Contains(o.Kernels, n) {
				continue
			}
			p := program{name: n, path: filepath.Join(dir, set.folder, n+".c"), size: size}
			text, err := os.ReadFile(p.path)
			if err != nil {
				return nil, err
			}
			p.expert = expertOf(string(text))
			all = append(all, p)
		}
	}
	return all, nil
}

// expertOf reads what an expert would change from a line of a program: // Expert: interchange, tiling.
func expertOf(text string) []string {
	_, rest, found := strings.Cut(text, "\n// Expert: ")
	if !found {
		return nil
	}
	line, _, _ := strings.Cut(rest, "\n")
	return strings.Split(strings.TrimSpace(line), ", ")
}

// measurement collects what is found.
type measurement struct {
	accuracy.Options
	dir     string
	changes []tried
	rows    []row
}

// row is one program.
type row struct {
	program
	shown []string
	hit   bool
}

// add advises on a program, and tries what comes of it.
func (m *measurement) add(ctx context.Context, p program) error {
	text, err := os.ReadFile(p.path)
	if err != nil {
		return err
	}
	out, err := advise.Run(ctx, advise.Request{
		Name: p.path, Folder: filepath.Dir(p.path), Text: string(text), Source: csource.Options{Defines: []string{p.size}}, Machine: m.Machine,
		Threads: []int{1, teamThreads}, Options: predict.Options{Seed: m.Seed},
	})
	if none := (*advise.NoTimeError)(nil); errors.As(err, &none) {
		return nil
	}
	if err != nil {
		return err
	}
	r := row{program: p}
	for _, region := range out.Regions {
		for i, a := range region.Changes {
			r.shown = append(r.shown, a.Change)
			if i < firstFew {
				r.hit = r.hit || slices.ContainsFunc(p.expert, func(e string) bool { return strings.Contains(a.Change, e) })
			}
			if err := m.try(ctx, p, string(text), &region.Changes[i], &region, i+1); err != nil {
				return err
			}
		}
		if region.Together != nil {
			if err := m.try(ctx, p, string(text), region.Together, &region, 0); err != nil {
				return err
			}
		}
	}
	m.rows = append(m.rows, r)
	return nil
}

// try applies one change, and compares what the program prints and takes.
func (m *measurement) try(ctx context.Context, p program, before string, a *advise.Advice, r *advise.Region, rank int) error {
	t := tried{program: p.name, change: a.Change, rank: rank, predicted: r.Before[0].TimeS / a.After[0].TimeS}
	patched, err := applied(ctx, m.dir, before, a.Patch)
	if err != nil {
		return fmt.Errorf("the patch of %s does not apply: %w", a.Title, err)
	}
	if patched != a.Text {
		return fmt.Errorf("the patch of %s makes another text than was predicted", a.Title)
	}
	one, err := m.compiled(ctx, p, before, "before")
	if err != nil {
		return err
	}
	two, err := m.compiled(ctx, p, patched, "after")
	if err != nil {
		return err
	}
	if t.equal, err = sameResults(ctx, one, two, a.Reorders || strings.Contains(before, "reduction(")); err != nil {
		return err
	}
	if t.timed = t.predicted > 1.005 || t.predicted < 0.995; t.timed {
		if t.ratio, err = ratioOf(ctx, one, two); err != nil {
			return err
		}
	}
	m.changes = append(m.changes, t)
	return nil
}

// applied makes a text of another one and a patch by the program patch; where that is not here, by nothing but what was predicted.
func applied(ctx context.Context, dir, before, patch string) (string, error) {
	path := filepath.Join(dir, "patched.c")
	if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, "patch", "-s", path)
	cmd.Stdin = strings.NewReader(patch)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	text, err := os.ReadFile(path)
	return string(text), err
}

// compiled is a program that gcc made of a text; its caches hold nothing of the data when it begins, as is predicted.
func (m *measurement) compiled(ctx context.Context, p program, text, as string) (string, error) {
	base := strings.TrimSuffix(p.path, ".c") + "-" + as
	if err := errors.Join(os.WriteFile(base+".c", []byte(text), 0o600), os.WriteFile(base+"-clock.c", []byte(clock), 0o600)); err != nil {
		return "", err
	}
	args := []string{"-O2", "-fopenmp", "-w", "-DTIME", "-D" + p.size, "-o", base, base + ".c", base + "-clock.c", "-lm"}
	if out, err := exec.CommandContext(ctx, "gcc", args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("gcc: %w\n%s", err, out)
	}
	return base, nil
}

// run gives what a program prints of its result, and its seconds.
func run(ctx context.Context, path string, threads int) (result string, seconds float64, err error) {
	cmd := exec.CommandContext(ctx, path)
	cmd.Env = append(os.Environ(), "OMP_NUM_THREADS="+strconv.Itoa(threads), "OMP_DYNAMIC=false")
	out, err := cmd.Output()
	if err != nil {
		return "", 0, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	for line := range bytes.Lines(out) {
		word, value, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		if word == "seconds" {
			seconds, err = strconv.ParseFloat(value, 64)
		} else {
			result += string(line)
		}
	}
	return result, seconds, err
}

// sameResults compares what two programs print, on one thread and on three.
func sameResults(ctx context.Context, one, two string, nearly bool) (bool, error) {
	want, _, err := run(ctx, one, 1)
	if err != nil {
		return false, err
	}
	for _, threads := range []int{1, 3} {
		got, _, err := run(ctx, two, threads)
		if err != nil {
			return false, err
		}
		if got != want && !(nearly && near(got, want)) {
			return false, nil
		}
	}
	return true, nil
}

// near tells checksums that differ by rounding alone.
func near(a, b string) bool {
	var x, y float64
	_, err1 := fmt.Sscanf(a, "checksum %g", &x)
	_, err2 := fmt.Sscanf(b, "checksum %g", &y)
	return err1 == nil && err2 == nil && math.Abs(x-y) <= tolerance*math.Max(math.Abs(x), 1)
}

// ratioOf is the least time of one program over that of another, on one thread, the two taking turns.
func ratioOf(ctx context.Context, one, two string) (float64, error) {
	least := [2]float64{math.Inf(1), math.Inf(1)}
	for range runs {
		for i, path := range []string{one, two} {
			_, s, err := run(ctx, path, 1)
			if err != nil {
				return 0, err
			}
			least[i] = math.Min(least[i], s)
		}
	}
	return least[0] / least[1], nil
}
