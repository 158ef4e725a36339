package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"foresee/application/trace"
	"foresee/application/trace/synthetic"
)

// soaked are the commands that read the long stream: those that may go on for ever in a memory that does not grow with it.
var soaked = [][]string{
	{"simulate", "--machine", "i7-5960x", "-"},
	{"mrc", "--line", "64", "--method", "shards", "-"},
}

// grown is how much memory may differ between the parts of a stream, in bytes: what a garbage collector may leave for later.
const grown = 32 << 20

// trySoak reads a long stream by pipe and watches memory.
func trySoak(ctx context.Context, b *bench, e effort) (*section, error) {
	s := &section{
		text: fmt.Sprintf("A trace of %.0e references (the product of two matrices, again and again) in foresee's format, read by pipe. Resident memory is looked at ten times a second; "+
			"it is flat where no tenth of the time after the first takes %d MiB more than the first.", float64(e.accesses), grown>>20),
		columns: []string{"command", "references", "seconds", "memory in the first tenth, MiB", "most later, MiB", "flat"},
	}
	if e.accesses < full.accesses {
		s.part = fmt.Sprintf("%.0e of %.0e references", float64(e.accesses), float64(full.accesses))
	}
	for _, args := range soaked {
		name := "`foresee " + strings.Join(args, " ") + "`"
		r, err := soak(ctx, b, args, e.accesses)
		if err != nil {
			s.fail("%s: %v", name, err)
			continue
		}
		first, later := r.memory()
		flat := "yes"
		if later > first+grown {
			flat = "no"
			s.fail("%s: memory grows from %d to %d MiB", name, first>>20, later>>20)
		}
		if r.counted != e.accesses {
			s.fail("%s: it counts %d references of %d", name, r.counted, e.accesses)
		}
		s.add(name, r.counted, fmt.Sprintf("%.0f", r.took.Seconds()), first>>20, later>>20, flat)
	}
	return s, nil
}

// soaking is what was seen of a command that reads a stream.
type soaking struct {
	samples []int64 // bytes of resident memory
	took    time.Duration
	counted uint64 // references that it says it has read
}

// memory is the most in the first tenth of the time, and in what follows.
func (r *soaking) memory() (first, later int64) {
	for i, n := range r.samples {
		if 10*i < len(r.samples) {
			first = max(first, n)
		} else {
			later = max(later, n)
		}
	}
	return first, later
}

// soak runs a command on a trace of so many references, which comes by pipe, and watches it.
func soak(ctx context.Context, b *bench, args []string, accesses uint64) (*soaking, error) {
	cmd := b.command(ctx, b.dir, "", append([]string{args[0], "--format", "json"}, args[1:]...))
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	var out, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &stderr
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	r := &soaking{}
	done, sampled := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(sampled)
		r.sample(cmd, done)
	}()
	wrote := stream(ctx, in, accesses)
	failed := cmd.Wait()
	close(done)
	<-sampled
	r.took = time.Since(begin)
	if failed != nil {
		return nil, fmt.Errorf("%w: %s", failed, stderr.String())
	}
	r.counted = accessesIn(out.String())
	return r, wrote
}

// lookEvery is the time between looks at the memory.
const lookEvery = 100 * time.Millisecond

// sample looks at the memory of a command until done.
func (r *soaking) sample(cmd *exec.Cmd, done chan struct{}) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
			if n := residentNow(cmd.Process.Pid); n > 0 {
				r.samples = append(r.samples, n)
			}
		}
	}
}

// residentNow is the memory that a process has now, in bytes; 0 where it cannot be told.
func residentNow(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

// stream writes a trace of so many references: the product of two matrices of 200 by 200 doubles, 1 MB in all, again and again.
func stream(ctx context.Context, to io.WriteCloser, accesses uint64) error {
	w, err := trace.NewWriter(to, nil)
	if err != nil {
		return err
	}
	source := &synthetic.MatrixProduct{N: 200}
	addresses, events := make([]uint64, 1<<14), make([]trace.Event, 1<<14)
	for left := accesses; left > 0; {
		n := int(min(left, uint64(len(events))))
		source.Fill(addresses[:n])
		for i, a := range addresses[:n] {
			events[i] = trace.Event{Kind: trace.Read, Address: a, Size: 8}
		}
		if err := errors.Join(w.Write(events[:n]), ctx.Err()); err != nil {
			to.Close()
			return err
		}
		left -= uint64(n)
	}
	return errors.Join(w.Close(), to.Close())
}

// accessesIn finds how many accesses a result in JSON tells of first.
func accessesIn(result string) uint64 {
	_, rest, _ := strings.Cut(result, `"accesses":`)
	rest = strings.TrimSpace(rest)
	end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	n, _ := strconv.ParseUint(rest[:max(end, 0)], 10, 64)
	return n
}
