package programs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// passes is how often each program is timed, in passes over all of them. The least counts, of the time that the thread has the CPU: whoever runs beside
// it only adds. Chosen.
const passes = 12

// spent is the CPU time of a process, its own and the system's for it, in seconds.
func spent(s *os.ProcessState) float64 { return s.UserTime().Seconds() + s.SystemTime().Seconds() }

// once runs a program, and tells its CPU time.
func (o *outcome) once(ctx context.Context, path string, stdout *bytes.Buffer) (seconds float64, err error) {
	cmd := exec.CommandContext(ctx, path, o.args...)
	cmd.Dir, cmd.Env = o.dir, environment()
	if stdout != nil {
		cmd.Stdout = stdout
	}
	if err := startUrgently(cmd); err != nil {
		return 0, err
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Exited() { // it says so of its results
		err = nil
	}
	return spent(cmd.ProcessState), err
}

// measure times all programs, and takes off what it takes to start one that does nothing.
func measure(ctx context.Context, dir string, all []*outcome) error {
	nothing := &outcome{program: &program{name: "nothing"}, plain: filepath.Join(dir, "nothing")}
	cmd := exec.CommandContext(ctx, "gcc", "-x", "c", "-", "-o", nothing.plain)
	cmd.Stdin = strings.NewReader("int main(void) { return 0; }\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	timed := append(slices.Clone(all), nothing)
	for pass := range passes {
		for _, o := range timed {
			seconds, err := o.once(ctx, o.plain, nil)
			if err != nil {
				return fmt.Errorf("%s: %w", o.name, err)
			}
			if pass == 0 || seconds < o.measured {
				o.measured = seconds
			}
		}
	}
	for _, o := range all {
		o.measured -= nothing.measured
	}
	return nil
}
