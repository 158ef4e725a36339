package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// tryKills kills every writer at many moments.
func tryKills(ctx context.Context, b *bench, e effort) (*section, error) {
	s := &section{
		text: fmt.Sprintf("`kill -9` at %d moments of each command that writes over an earlier result: half of them spread over its time, half over the last tenth, where it writes. "+
			"What lies there afterwards must be the earlier result or the whole new one. The next run must work and clear what the killed one has left, beside the result and in the folder for temporary files.", e.kills),
		columns: []string{"writer", "killed", "ended before", "earlier kept", "new whole", "damaged", "next runs", "that failed", "that left something"},
	}
	if err := b.inputs(); err != nil {
		return nil, err
	}
	all := e.some(writers(), s)
	if e.kills < full.kills {
		s.part = joined(s.part, fmt.Sprintf("%d of %d moments", e.kills, full.kills))
	}
	for i := range all {
		w := &all[i]
		if name := w.lacks(); name != "" {
			s.skip("%s: needs %s", w.name, name)
			continue
		}
		v := &victim{bench: b, w: w, s: s, dir: filepath.Join(b.dir, fmt.Sprintf("kill-%d", i))}
		if err := v.run(ctx, e.kills); err != nil {
			return nil, fmt.Errorf("%s: %w", w.name, err)
		}
		v.row()
	}
	return s, nil
}

// victim is a writer that is killed again and again.
type victim struct {
	*bench
	w   *writer
	s   *section
	dir string

	known                            []byte
	takes                            time.Duration
	killed, before, old, new, broken int
	runs, failed, littered           int
}

func (v *victim) row() {
	v.s.add(v.w.name, v.killed, v.before, v.old, v.new, v.broken, v.runs, v.failed, v.littered)
}

// slow is how long a command takes of which not every kill is followed by a whole run.
const slow = time.Second

func (v *victim) run(ctx context.Context, kills int) error {
	if err := os.Mkdir(v.dir, 0o755); err != nil {
		return err
	}
	if ok, err := v.first(ctx); err != nil || !ok {
		return err
	}
	for i := range kills {
		if err := v.kill(ctx, v.moment(i, kills)); err != nil {
			return err
		}
		if v.takes > slow && i%10 != 9 && i != kills-1 {
			continue
		}
		if err := v.next(ctx); err != nil {
			return err
		}
	}
	return os.RemoveAll(v.dir)
}

// first runs the command twice, the second time to see how long it takes where all is at hand.
func (v *victim) first(ctx context.Context) (bool, error) {
	for range 2 {
		begin := time.Now()
		e, err := finish(v.command(ctx, v.dir, v.w.out, v.w.args))
		if err != nil {
			return false, err
		}
		if e.code != 0 {
			v.s.fail("%s: a run ended with %d: %s", v.w.name, e.code, e.stderr)
			return false, nil
		}
		v.takes = time.Since(begin)
	}
	if v.w.check == nil {
		data, err := os.ReadFile(filepath.Join(v.dir, v.w.out))
		v.known = data
		return true, err
	}
	return true, nil
}

// moment spreads half of the kills over the whole time and half over the last tenth, a little beyond the end.
func (v *victim) moment(i, kills int) time.Duration {
	share := float64(i/2+1) / float64(kills/2+1)
	if i%2 == 1 {
		share = 0.9 + share*0.15
	}
	return time.Duration(share * float64(v.takes))
}

// kill starts the command over an earlier result, kills it, and looks at what is there.
func (v *victim) kill(ctx context.Context, after time.Duration) error {
	if err := v.putEarlier(); err != nil {
		return err
	}
	cmd := v.command(ctx, v.dir, v.w.out, v.w.args)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	timer := time.AfterFunc(after, func() { cmd.Process.Kill() })
	err := cmd.Wait()
	timer.Stop()
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what it had started
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return err
	}
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		v.killed++
	} else {
		v.before++
	}
	at, err := v.look(ctx, v.w, v.dir, v.known)
	v.count(at, after)
	return err
}

func (v *victim) count(at state, after time.Duration) {
	switch at {
	case kept:
		v.old++
	case whole:
		v.new++
	default:
		v.broken++
		v.s.fail("%s: killed after %.3f s of %.3f, the result is %s", v.w.name, after.Seconds(), v.takes.Seconds(), at)
	}
}

// putEarlier lays an earlier file there; a folder stays what it is, as no other would be written over.
func (v *victim) putEarlier() error {
	path := filepath.Join(v.dir, v.w.out)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil
	}
	return os.WriteFile(path, []byte(earlier), 0o644)
}

// next runs the command to its end.
func (v *victim) next(ctx context.Context) error {
	e, err := finish(v.command(ctx, v.dir, v.w.out, v.w.args))
	if err != nil {
		return err
	}
	v.runs++
	at, err := v.look(ctx, v.w, v.dir, v.known)
	if err != nil {
		return err
	}
	if e.code != 0 || at != whole {
		v.failed++
		v.s.fail("%s: the run after a kill ended with %d, its result is %s: %s", v.w.name, e.code, at, e.stderr)
	}
	left, err := v.leftovers(v.w, v.dir)
	if len(left) > 0 {
		v.littered++
		v.s.fail("%s: the run after a kill leaves %s", v.w.name, strings.Join(left, " "))
		return errors.Join(err, v.clear(left))
	}
	return err
}

// clear removes what was left, so that it is told once.
func (v *victim) clear(left []string) error {
	var err error
	for _, name := range left {
		err = errors.Join(err, os.RemoveAll(filepath.Join(v.dir, name)), os.RemoveAll(filepath.Join(v.temp, name)))
	}
	return err
}
