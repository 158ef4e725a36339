// Package probe measures the machine that it runs on: caches and memory, bandwidth as MultiMAPS does (Tikir et al., SC 2007, figure
// 2), operations, and what OpenMP costs. The measuring is done by a small C program that is compiled with the user's compiler and
// flags; what to measure, how often, and what to make of it is decided here.
//
// Times are in ns, sizes in bytes, bandwidths in GB/s = 1e9 B/s. Every value goes into the machine with its method and the spread of
// its bursts: how far the second fifth of them lies above the least, over the value.
package probe

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"foresee/internal/workspace"
)

//go:embed programs
var programs embed.FS

// Compiler is what the probe is compiled with.
type Compiler struct {
	Path  string
	Flags []string // default: -O2
}

// CompilerVariable of the environment names the compiler.
const CompilerVariable = "FORESEE_CC"

// ErrNoCompiler says that there is none.
var ErrNoCompiler = errors.New("no C compiler to measure with; install gcc or clang (Debian: apt-get install gcc), or name one in " + CompilerVariable)

// FindCompiler takes the compiler that the environment names, else cc, gcc or clang.
func FindCompiler(flags []string) (*Compiler, error) {
	if len(flags) == 0 {
		flags = []string{"-O2"}
	}
	names := []string{"cc", "gcc", "clang"}
	if name := os.Getenv(CompilerVariable); name != "" {
		names = []string{name}
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return &Compiler{path, flags}, nil
		}
	}
	if len(names) == 1 {
		return nil, fmt.Errorf("%s=%s: there is no such program; name a C compiler", CompilerVariable, names[0])
	}
	return nil, ErrNoCompiler
}

// String is its name, version and flags, as sources tell.
func (c *Compiler) String() string {
	name := filepath.Base(c.Path)
	if out, err := exec.Command(c.Path, "-dumpversion").Output(); err == nil {
		name += " " + strings.TrimSpace(string(out))
	}
	return name + " " + strings.Join(c.Flags, " ")
}

// key names a program compiled from the same sources in the same way.
func (c *Compiler) key() (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%q\n", c, c.Flags)
	files, err := programs.ReadDir("programs")
	if err != nil {
		return "", err
	}
	for _, f := range files {
		text, err := programs.ReadFile("programs/" + f.Name())
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s %d\n%s", f.Name(), len(text), text)
	}
	return hex.EncodeToString(h.Sum(nil))[:24], nil
}

// build compiles the probe into a folder.
func (c *Compiler) build(ctx context.Context, dir string) (string, error) {
	files, err := programs.ReadDir("programs")
	if err != nil {
		return "", err
	}
	program := filepath.Join(dir, "probe")
	var sources []string
	for _, f := range files {
		text, err := programs.ReadFile("programs/" + f.Name())
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(dir, f.Name()), text, 0o600); err != nil {
			return "", cmp.Or(noSpace(err, dir, nil), err)
		}
		if strings.HasSuffix(f.Name(), ".c") {
			sources = append(sources, f.Name())
		}
	}
	var said []byte
	for _, openmp := range [][]string{{"-fopenmp"}, {}} { // without, regions cannot be measured
		args := slices.Concat(c.Flags, openmp, []string{"-fno-math-errno", "-o", program}, sources, []string{"-lpthread", "-lm"})
		cmd := exec.CommandContext(ctx, c.Path, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "TMPDIR="+dir) // so that nothing stays of a compiler that is killed
		inGroup(cmd)
		if said, err = cmd.CombinedOutput(); err == nil {
			return program, nil
		}
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if full := noSpace(err, dir, said); full != nil {
			return "", full
		}
	}
	return "", fmt.Errorf("%s cannot compile the probe: %w\n%s", c, err, firstLines(string(said), 10))
}

func firstLines(text string, n int) string {
	lines := strings.SplitAfterN(text, "\n", n+1)
	return strings.Join(lines[:min(n, len(lines))], "")
}

// Asker measures one thing: a command gives numbers.
type Asker interface {
	Ask(command string) ([]float64, error)
}

// RefusedError is why a command cannot be carried out here; other commands can.
type RefusedError struct{ Command, Cause string }

func (e *RefusedError) Error() string { return e.Command + ": " + e.Cause }

// Program is the probe, running.
type Program struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	folder *workspace.Folder
}

// Start compiles the probe and runs it until Close, or until the context ends.
func Start(ctx context.Context, c *Compiler) (*Program, error) {
	work, err := workspace.New("probe")
	if err != nil {
		return nil, cmp.Or(noSpace(err, os.TempDir(), nil), err)
	}
	p := &Program{folder: work}
	path, err := c.build(ctx, work.Path)
	if err == nil {
		err = p.run(ctx, path)
	}
	if err != nil {
		return nil, errors.Join(work.Cause(err), work.Remove())
	}
	return p, nil
}

func (p *Program) run(ctx context.Context, path string) (err error) {
	p.cmd = exec.CommandContext(ctx, path)
	inGroup(p.cmd)
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	p.out = bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		return fmt.Errorf("the probe does not start (is %s mounted noexec? set TMPDIR to another folder): %w", os.TempDir(), err)
	}
	return nil
}

// Close ends the probe.
func (p *Program) Close() error {
	p.in.Close()
	err := p.cmd.Wait()
	return errors.Join(err, p.folder.Remove())
}

// Ask implements Asker.
func (p *Program) Ask(command string) ([]float64, error) {
	if _, err := fmt.Fprintln(p.in, command); err != nil {
		return nil, fmt.Errorf("the probe has ended: %w", err)
	}
	line, err := p.out.ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("the probe ended at %q: %w", command, err)
	}
	return parseAnswer(command, line)
}

func parseAnswer(command, line string) ([]float64, error) {
	line = strings.TrimSpace(line)
	if cause, refused := strings.CutPrefix(line, "error "); refused {
		return nil, &RefusedError{command, cause}
	}
	fields := strings.Fields(line)
	if len(fields) == 0 || fields[0] != "ok" {
		return nil, fmt.Errorf("the probe answered %q to %q", line, command)
	}
	var out []float64
	for _, f := range fields[1:] {
		v, err := strconv.ParseFloat(f, 64)
		if err != nil {
			return nil, fmt.Errorf("the probe answered %q to %q", line, command)
		}
		out = append(out, v)
	}
	return out, nil
}
