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
const passes = 20

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

// nothing is a program that does nothing, which starts as another does: with its language's library and those that it is linked with.
func nothing(ctx context.Context, dir string, p *program) (*outcome, error) {
	compiler, language, text := "gcc", "c", "int main(void) { return 0; }\n"
	if p.cxx {
		compiler, language, text = "g++", "c++", "#include <iostream>\nint main() { return 0; }\n"
	}
	var linked []string
	for _, w := range p.words {
		if w == "-fopenmp" || strings.HasPrefix(w, "-l") {
			linked = append(linked, w)
		}
	}
	o := &outcome{program: &program{name: "nothing" + language + strings.Join(linked, "")}}
	o.plain = filepath.Join(dir, o.name)
	args := append([]string{"-x", language, "-", "-o", o.plain, "-Wl,--no-as-needed"}, linked...)
	cmd := exec.CommandContext(ctx, compiler, args...)
	cmd.Stdin = strings.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	return o, nil
}

// measure times all programs, and takes off what it takes to start one that does nothing.
func measure(ctx context.Context, dir string, all []*outcome) error {
	start := map[string]*outcome{}
	timed := slices.Clone(all)
	for _, o := range all {
		n, err := nothing(ctx, dir, o.program)
		if err != nil {
			return err
		}
		if start[n.name] == nil {
			start[n.name] = n
			timed = append(timed, n)
		}
		o.start = start[n.name]
	}
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
		o.measured -= o.start.measured
	}
	return nil
}
