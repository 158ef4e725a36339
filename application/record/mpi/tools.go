package mpi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"foresee/application/counters/ranks"
)

// Tools that ranks can run under; see Options.Counters.
const (
	Callgrind = "callgrind"
	Perf      = "perf"
)

// Cache is a cache that callgrind simulates. Valgrind wants a power of two of sets.
type Cache struct {
	Name              string // D1, I1 or LL
	Bytes, Ways, Line int64
}

// perfEvents are counted by perf stat; what the machine lacks is reported as not supported.
const perfEvents = "task-clock,cycles,instructions,cache-references,cache-misses,L1-dcache-loads,L1-dcache-load-misses,branches,branch-misses"

// underTool gives the command that is put before each rank, with %r for the rank and files in a folder.
func underTool(ctx context.Context, o *Options, folder string) ([]string, error) {
	switch o.Counters {
	case "":
		return nil, nil
	case Callgrind:
		valgrind, err := exec.LookPath("valgrind")
		if err != nil {
			return nil, errors.New("valgrind is not installed (Debian: apt-get install valgrind)")
		}
		words := []string{valgrind, "--tool=callgrind", "--cache-sim=yes", "-q", "--callgrind-out-file=" + filepath.Join(folder, "callgrind.out.%r")}
		for _, c := range o.Caches {
			words = append(words, fmt.Sprintf("--%s=%d,%d,%d", c.Name, c.Bytes, c.Ways, c.Line))
		}
		return words, nil
	case Perf:
		perf, err := exec.LookPath("perf")
		if err != nil {
			return nil, errors.New("perf is not installed (Debian: apt-get install linux-perf)")
		}
		if err := tryPerf(ctx, perf); err != nil {
			return nil, err
		}
		return []string{
			perf, "record", "-q", "-o", filepath.Join(folder, "perf.data.%r"), "--",
			perf, "stat", "-x,", "-e", perfEvents, "-o", filepath.Join(folder, "perf.stat.%r.csv"), "--",
		}, nil
	}
	return nil, fmt.Errorf("counters of %q are not known; use %s or %s", o.Counters, Callgrind, Perf)
}

// tryPerf finds out before the run whether users may count here.
func tryPerf(ctx context.Context, perf string) error {
	out, err := exec.CommandContext(ctx, perf, "stat", "-x,", "-e", "task-clock", "--", "true").CombinedOutput()
	if err != nil {
		return fmt.Errorf("perf cannot count here; sysctl kernel.perf_event_paranoid=2 may allow it: %w: %s", err, bytes.TrimSpace(out))
	}
	return nil
}

// finishTool makes readable files of what the tool left.
func finishTool(ctx context.Context, o *Options, folder string) error {
	if o.Counters != Perf {
		return nil
	}
	recorded, err := filepath.Glob(filepath.Join(folder, "perf.data.*"))
	if err != nil {
		return err
	}
	for _, data := range recorded {
		if strings.HasSuffix(data, ".old") {
			continue
		}
		rank := strings.TrimPrefix(filepath.Base(data), "perf.data.")
		if err := perfScript(ctx, data, filepath.Join(folder, "perf.script."+rank+".txt")); err != nil {
			return err
		}
		if err := os.Remove(data); err != nil {
			return err
		}
	}
	return nil
}

// perfScript writes the samples of a rank as text.
func perfScript(ctx context.Context, data, to string) error {
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, "perf", "script", "-i", data)
	cmd.Stdout, cmd.Stderr = f, &said
	if err := errors.Join(cmd.Run(), f.Close()); err != nil {
		return fmt.Errorf("perf script -i %s: %w: %s", data, err, bytes.TrimSpace(said.Bytes()))
	}
	return nil
}

// describeTool is what run.json says of the tool: its command without the folder, which moves.
func describeTool(o *Options, under []string, folder string) *ranks.Counters {
	if len(under) == 0 {
		return nil
	}
	c := &ranks.Counters{Tool: o.Counters}
	for _, w := range under {
		c.Command = append(c.Command, strings.ReplaceAll(w, folder+string(filepath.Separator), ""))
	}
	return c
}
