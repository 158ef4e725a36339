package hostile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// Limit is what an input may cost.
type Limit struct {
	Time   time.Duration
	Memory int64 // bytes of resident memory
}

// Most is what any of the inputs may cost. Inputs here have 80 MiB at most, so there is no reason for more.
var Most = Limit{Time: 10 * time.Second, Memory: 1 << 30}

// Result is how a program ended on a case.
type Result struct {
	Exit   int // -1: it was stopped, or a signal ended it
	Wall   time.Duration
	CPU    time.Duration // of all its threads
	Memory int64         // most bytes of resident memory
	Stdout string
	Stderr string
	Killed string        // why it was stopped: "time" or "memory"; "": it ended by itself
	Told   bool          // to stop
	Obeyed time.Duration // how long after it was told it ended
}

// stopAfter is how many times the limit of time may pass before a program is stopped: other work may leave it a part of a processor only.
const stopAfter = 4

// longestOutput is how much of standard output and error is kept.
const longestOutput = 16 << 10

// A case that may take longer than Most, and says no time of its own, is told to stop after a while, and must have ended soon after.
const (
	toldAfter = 2 * time.Second
	soon      = time.Second
)

// most is the time that the case may take, where it is not told to stop.
func (c Case) most(limit time.Duration) time.Duration { return max(limit, c.Ends) }

// stops says that the case is one that is told to stop.
func (c Case) stops() bool { return c.Why != "" && c.Ends == 0 }

// Run makes the case's files in dir, which must be empty, and runs the program there.
func (c Case) Run(ctx context.Context, program, dir string, most Limit) (Result, error) {
	if err := c.write(dir); err != nil {
		return Result{}, err
	}
	ctx, stop := context.WithTimeout(ctx, stopAfter*c.most(most.Time))
	defer stop()
	cmd := exec.Command(program, c.Args...)
	cmd.Dir = dir
	var out, stderr tail
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if c.Stdin != nil {
		cmd.Stdin = bytes.NewReader(c.Stdin())
	}
	cmd.WaitDelay = time.Second
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return Result{}, err
	}
	w := watch(ctx, cmd.Process, most.Memory)
	told := c.tell(cmd.Process)
	err := cmd.Wait()
	r := Result{
		Exit: cmd.ProcessState.ExitCode(), Wall: time.Since(begin), CPU: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(),
		Stdout: string(out.kept), Stderr: string(stderr.kept),
	}
	if at := told(); !at.IsZero() {
		r.Told, r.Obeyed = true, time.Since(at)
	}
	r.Memory, r.Killed = w.end()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		return r, err
	}
	return r, nil
}

// tell tells a process of a case that stops to do so after a while. The function that it gives ends that, and says when it was told.
func (c Case) tell(p *os.Process) func() time.Time {
	if !c.stops() {
		return func() time.Time { return time.Time{} }
	}
	at := make(chan time.Time, 1)
	timer := time.AfterFunc(toldAfter, func() {
		at <- time.Now()
		p.Signal(syscall.SIGTERM)
	})
	return func() time.Time {
		if timer.Stop() {
			return time.Time{}
		}
		return <-at
	}
}

// write makes the files of the case.
func (c Case) write(dir string) error {
	for name, content := range c.Files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Wrong says what is wrong with how the program ended; "" where nothing is.
func (c Case) Wrong(r Result, most Limit) string {
	switch {
	case r.Killed == "memory", r.Memory > most.Memory:
		return fmt.Sprintf("it took %d MiB of memory", r.Memory>>20)
	case r.Killed == "time" && r.Told, r.Obeyed > stopAfter*soon:
		return fmt.Sprintf("told to stop, it went on for %.0f s", r.Obeyed.Seconds())
	case r.Killed == "time" || r.CPU > c.most(most.Time):
		return fmt.Sprintf("it took %.0f s", max(r.CPU, r.Wall).Seconds())
	case strings.Contains(r.Stderr, "internal error"), strings.Contains(r.Stderr, "goroutine "), strings.Contains(r.Stderr, "runtime error"):
		return "it crashed: " + firstLine(r.Stderr)
	case r.Told && r.Exit == interrupted:
		if !strings.Contains(strings.ToLower(r.Stdout), "partial") {
			return "told to stop, it gives no partial result: " + firstLine(r.Stdout)
		}
	case !slices.Contains(c.Exit, r.Exit):
		return fmt.Sprintf("exit code %d, not %v: %s", r.Exit, c.Exit, firstLine(r.Stderr))
	case r.Exit != 0 && !strings.Contains(r.Stderr, c.Says):
		return fmt.Sprintf("standard error lacks %q: %s", c.Says, firstLine(r.Stderr))
	case r.Exit != 0 && !strings.HasPrefix(lastLine(r.Stderr), "foresee: "):
		return "the error is not foresee's: " + lastLine(r.Stderr)
	}
	return ""
}

// interrupted is the exit code of a command that was told to stop.
const interrupted = 130

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line[:min(len(line), 200)]
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}

// tail keeps the first and drops the rest of what is written; nothing that a program prints may fill memory here.
type tail struct{ kept []byte }

func (t *tail) Write(b []byte) (int, error) {
	t.kept = append(t.kept, b[:min(len(b), longestOutput-len(t.kept))]...)
	return len(b), nil
}

// watcher looks at a process while it runs.
type watcher struct {
	most   atomic.Int64
	why    atomic.Value
	closed chan struct{}
	done   chan struct{}
}

// watch looks at a process's memory until end is called, and stops it when it takes too much, or ctx ends.
func watch(ctx context.Context, p *os.Process, most int64) *watcher {
	w := &watcher{closed: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(w.done)
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		for {
			if n := resident(p.Pid); n > w.most.Load() {
				w.most.Store(n)
			}
			switch {
			case ctx.Err() != nil:
				w.stop(p, "time")
			case w.most.Load() > most:
				w.stop(p, "memory")
			}
			select {
			case <-tick.C:
			case <-w.closed:
				return
			}
		}
	}()
	return w
}

func (w *watcher) stop(p *os.Process, why string) {
	w.why.CompareAndSwap(nil, why)
	p.Signal(syscall.SIGKILL)
}

func (w *watcher) end() (most int64, why string) {
	close(w.closed)
	<-w.done
	why, _ = w.why.Load().(string)
	return w.most.Load(), why
}

// resident is the most memory that a process has had so far, in bytes; 0 where it cannot be told. What the kernel tells of a child
// that has ended will not do: it counts the parent's memory before the child's program began.
func resident(pid int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, ok := strings.Cut(string(status), "\nVmHWM:")
	if !ok {
		return 0
	}
	kib, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
	return kib << 10
}
