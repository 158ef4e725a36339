package readers

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"foresee/application/csource"
	"foresee/application/ir"
	"foresee/application/ir/text"
	"foresee/application/nest"
	"foresee/internal/workspace"
)

//go:embed program/probe.c
var probe []byte

// patience is how long a program may run. Chosen: those that are carried take milliseconds.
const patience = time.Minute

// subject is a source with what its nests tell and its run did.
type subject struct {
	programs []*nest.Program
	skipped  []csource.Skipped
	made     [][]access // by program
}

// look reads a source by its IR, runs it, and gives both.
func look(ctx context.Context, c ir.Compilation) (*subject, error) {
	module, err := ir.Compile(ctx, c)
	if err != nil {
		return nil, err
	}
	unit, err := ir.Load(c.Path, module, csource.Options{})
	if err != nil {
		return nil, err
	}
	whole := slices.DeleteFunc(slices.Clone(unit.Programs), func(p *nest.Program) bool { return len(p.Left) > 0 }) // runs do not leave out what these do
	s := &subject{programs: whole, skipped: unit.Skipped}
	m, err := text.Read(module)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, p := range whole {
		names = append(names, p.Region)
	}
	s.made, err = run(ctx, c, instrument(module, numbers(m, names)), len(names))
	return s, err
}

// run compiles a module that logs, runs it, and gives the accesses by region.
func run(ctx context.Context, c ir.Compilation, module string, regions int) ([][]access, error) {
	folder, err := workspace.New("readers")
	if err != nil {
		return nil, err
	}
	defer folder.Remove()
	if err := folder.Executable(); err != nil {
		return nil, err
	}
	for name, data := range map[string][]byte{"m.ll": []byte(module), "probe.c": probe} {
		if err := os.WriteFile(filepath.Join(folder.Path, name), data, 0o600); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := build(ctx, c, folder.Path); err != nil {
		return nil, err
	}
	var failed *exec.ExitError
	if err := command(ctx, folder.Path, filepath.Join(folder.Path, "program")); err != nil && !errors.As(err, &failed) {
		return nil, err
	} else if failed != nil {
		return nil, fmt.Errorf("%s: the program says that its results are wrong: %w", c.Path, err)
	}
	data, err := os.ReadFile(filepath.Join(folder.Path, "probe.log"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return byRegion(data, regions)
}

// build makes a program of a module and of the probe in a folder.
func build(ctx context.Context, c ir.Compilation, folder string) error {
	compile := []string{"-O1", "-w", "-Xclang", "-disable-llvm-passes"}
	modules := []string{"m.ll", "-x", "c", "probe.c"}
	switch c.Language {
	case ir.Fortran: // its compiler links, and takes no module
		if err := anyClang(ctx, folder, slices.Concat(compile, []string{"-c"}, modules)); err != nil {
			return err
		}
		link := []string{"m.o", "probe.o", "-o", "program"}
		if slices.Contains(c.Command, "-fopenmp") {
			link = append(link, "-fopenmp")
		}
		return command(ctx, folder, c.Command[0], link...)
	case ir.Rust:
		library, err := rustLibrary(ctx, c.Command[0])
		if err != nil {
			return err
		}
		return anyClang(ctx, folder, slices.Concat(compile, modules, []string{"-x", "none", library, "-Wl,-rpath," + filepath.Dir(library), "-o", "program", "-lm"}))
	}
	if slices.Contains(c.Command, "-fopenmp") {
		compile = append(compile, "-fopenmp")
	}
	return command(ctx, folder, c.Command[0], slices.Concat(compile, modules, []string{"-o", "program", "-lm"})...)
}

// anyClang compiles with the first clang that reads the module: IR of a later LLVM than its own it does not read.
func anyClang(ctx context.Context, folder string, args []string) error {
	err := ErrNoCompiler
	for _, name := range []string{"clang", "clang-19", "clang-18", "clang-17", "clang-16"} {
		if _, missing := exec.LookPath(name); missing != nil {
			continue
		}
		if err = command(ctx, folder, name, args...); err == nil || ctx.Err() != nil {
			return err
		}
	}
	return err
}

// rustLibrary is the shared library of a rustc that programs call.
func rustLibrary(ctx context.Context, rustc string) (string, error) {
	root, err := exec.CommandContext(ctx, rustc, "--print", "sysroot").Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", rustc, err)
	}
	found, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(root)), "lib", "rustlib", "*", "lib", "libstd-*.so"))
	if err != nil || len(found) == 0 {
		return "", fmt.Errorf("%s: its shared library is not here", rustc)
	}
	return found[0], nil
}

func command(ctx context.Context, dir, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "OMP_NUM_THREADS=1", "LC_ALL=C")
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w: %s", filepath.Base(name), err, strings.TrimSpace(said.String()))
	}
	return nil
}

// byRegion sorts what was logged.
func byRegion(data []byte, regions int) ([][]access, error) {
	out := make([][]access, regions)
	size := binary.Size(access{})
	for ; len(data) >= size; data = data[size:] {
		var a access
		if _, err := binary.Decode(data, binary.LittleEndian, &a); err != nil {
			return nil, err
		}
		if int(a.Region) < regions {
			out[a.Region] = append(out[a.Region], a)
		}
	}
	return out, nil
}
