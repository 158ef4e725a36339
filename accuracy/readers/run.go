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
var logger []byte

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

// run compiles a module that logs, runs it with arguments, and gives the accesses by region.
func run(ctx context.Context, c ir.Compilation, module string, regions int, args ...string) ([][]access, error) {
	folder, err := workspace.New("readers")
	if err != nil {
		return nil, err
	}
	defer folder.Remove()
	if err := folder.Executable(); err != nil {
		return nil, err
	}
	source := filepath.Join(folder.Path, "probe.c")
	if err := os.WriteFile(source, logger, 0o600); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	program, err := c.Link(ctx, folder.Path, module, []string{source}, asItIs)
	if err != nil {
		return nil, err
	}
	var failed *exec.ExitError
	if err := execute(ctx, folder.Path, program, args); err != nil && !errors.As(err, &failed) {
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

// asItIs compiles a module as it is.
var asItIs = []string{"-O1", "-w", "-Xclang", "-disable-llvm-passes"}

// execute runs a program in a folder.
func execute(ctx context.Context, dir, program string, args []string) error {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "OMP_NUM_THREADS=1", "LC_ALL=C")
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w: %s", filepath.Base(program), err, strings.TrimSpace(said.String()))
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
