package observe

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"foresee/application/csource"
	"foresee/application/nest/expr"
	"foresee/internal/claims"
)

//go:embed runtime/told.h
var toldHeader string

//go:embed runtime/told.c
var toldSource string

//go:embed runtime/arrays.c
var arraysSource string

//go:embed runtime/blocks.c
var blocksSource string

//go:embed runtime/module.c
var moduleSource string

// BuildError is what a compiler says of a program that is to be run.
type BuildError struct {
	Command string
	Text    string
}

func (e *BuildError) Error() string { return e.Command + ": " + e.Text }

// Program is a program, how it is built and how it is run.
type Program struct {
	// Make builds it in a folder so that it tells what a plan asks, and gives its path; nil: it is of C, and made of Sources.
	Make func(ctx context.Context, folder string, plan *csource.Plan) (string, error)

	Sources  []string // the files that are compiled
	Includes []string
	Compiler []string // with its flags; empty: gcc -O2
	Command  string   // of the shell; its first word that is no assignment stands for the program

	Failed *RunError     // how the last run ended that told something, where not well
	Runs   int           // how often it was run
	Took   time.Duration // the last run
	// Tables are arrays of integers, by the values that were told for them.
	Tables map[int64]*expr.Table
	// Arguments are those that the last run was given, with the program's name first.
	Arguments []string
}

// usualCompiler builds where nobody says otherwise.
var usualCompiler = []string{"gcc", "-O2"}

// build makes the program in a folder, with what it is to tell, and gives its path.
func (p *Program) build(ctx context.Context, folder string, plan *csource.Plan) (string, error) {
	if p.Make != nil {
		return p.Make(ctx, folder, plan)
	}
	copies, err := p.rewrite(folder, plan)
	if err != nil {
		return "", err
	}
	command := p.Compiler
	if len(command) == 0 {
		command = usualCompiler
	}
	made := filepath.Join(folder, "program")
	args, libraries := slices.Clone(command[1:]), []string{"-lm", "-lpthread"}
	for i := len(args) - 1; i >= 0; i-- {
		if strings.HasPrefix(args[i], "-l") || strings.HasPrefix(args[i], "-Wl,") {
			libraries = slices.Insert(libraries, 0, args[i])
			args = slices.Delete(args, i, i+1)
		}
	}
	for _, d := range plan.Macros {
		args = append(args, "-D"+d)
	}
	if includesOpenMP(p.Sources) && !slices.ContainsFunc(args, func(a string) bool { return strings.Contains(a, "openmp") }) {
		args = append(args, "-fopenmp")
	}
	args = append(args, "-w", "-o", made)
	for _, dir := range p.Includes {
		args = append(args, "-I"+inFolder(folder, absolute(dir)), "-I"+dir)
	}
	for _, source := range p.Sources {
		if args = append(args, "-iquote", filepath.Dir(absolute(source))); copies[source] != "" {
			source = copies[source]
		}
		args = append(args, source)
	}
	if args = append(args, filepath.Join(folder, "told.c")); asksArrays(plan) {
		args, libraries = append(args, filepath.Join(folder, "arrays.c")), append(libraries, "-ldl")
	}
	return made, compile(ctx, command[0], append(args, libraries...))
}

// compile runs a compiler.
func compile(ctx context.Context, name string, args []string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &said, &said, time.Second
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("%s: no such compiler is installed", name)
	case err != nil:
		return &BuildError{name, FirstErrors(said.String(), err)}
	}
	return nil
}

// FirstErrors are the first lines in which a compiler or linker says what is wrong; err is how it ended.
func FirstErrors(said string, err error) string {
	var out []string
	for line := range strings.Lines(said) {
		line = strings.TrimSpace(line)
		if tells := strings.Contains(line, "error") || strings.Contains(line, "undefined reference") || strings.Contains(line, "cannot find"); !tells || slices.Contains(out, line) {
			continue
		}
		if out = append(out, line); len(out) == 3 {
			break
		}
	}
	if len(out) == 0 {
		return err.Error()
	}
	return strings.Join(out, "; ")
}

// rewrite writes copies of the files in which something is told, and what takes it; the copies by the names of the files.
func (p *Program) rewrite(folder string, plan *csource.Plan) (map[string]string, error) {
	copies := map[string]string{}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(plan.Files(), p.Sources)))) {
		original, err := claims.ReadFile(name)
		text := csource.Overridden(string(original), plan.Overrides)
		if err != nil || text == string(original) && !slices.Contains(plan.Files(), name) {
			continue // a header of foresee's own, or nothing is to be told in it
		}
		to := inFolder(folder, absolute(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return nil, err
		}
		told := toldHeader + fmt.Sprintf("#line 1 %q\n", name) + plan.Rewrite(name, text)
		if err := os.WriteFile(to, []byte(told), 0o600); err != nil {
			return nil, err
		}
		copies[name] = to
	}
	return copies, write(folder, map[string]string{"tables.h": tables(plan), "told.c": toldSource, "arrays.c": arraysSource, "blocks.c": blocksSource})
}

// OfModule writes into a folder the sources in C of what a module calls that tells what a plan asks, and gives their paths.
func OfModule(folder string, plan *csource.Plan) ([]string, error) {
	files := map[string]string{"tables.h": tables(plan), "told.h": toldHeader, "told.c": toldSource, "module.c": moduleSource}
	sources := []string{filepath.Join(folder, "told.c"), filepath.Join(folder, "module.c")}
	if asksArrays(plan) {
		files["arrays.c"], files["blocks.c"] = arraysSource, blocksSource
		sources = append(sources, filepath.Join(folder, "arrays.c"))
	}
	return sources, write(folder, files)
}

func write(folder string, files map[string]string) error {
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// asksArrays tells whether a plan asks for more than numbers.
func asksArrays(plan *csource.Plan) bool {
	return slices.ContainsFunc(plan.Places, csource.Place.IsOfMemory)
}

// Bounds of what a program keeps: groups of values of a region, and values in all. Chosen: some hundred MiB at the most, of which little is used.
const (
	mostGroups = 4096
	mostKept   = 4 << 20
)

// tables are the declarations of what is told, for told.c.
func tables(plan *csource.Plan) string {
	type want struct{ region, slot int }
	var wants, first, team []int
	by := make([][]want, len(plan.Places))
	slots, most := 0, 0
	for r, region := range plan.Regions {
		wants, first = append(wants, len(region.Places)), append(first, slots)
		team = append(team, 0)
		if region.Team {
			team[r] = 1
		}
		for i, place := range region.Places {
			by[place] = append(by[place], want{r, slots + i})
			most = max(most, len(by[place]))
		}
		slots += len(region.Places)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "enum { REGIONS = %d, PLACES = %d, SLOTS = %d, MOST = %d, GROUPS = %d };\n", max(len(wants), 1), len(plan.Places), max(slots, 1), most+1, min(mostGroups, max(mostKept/max(slots, 1), 64)))
	fmt.Fprintf(&b, "static const int wants[] = {%s0};\nstatic const int first[] = {%s0};\nstatic const int team[] = {%s0};\n", listed(wants), listed(first), listed(team))
	b.WriteString("static const struct { int region, slot; } wanted_by[][MOST] = {")
	for _, all := range by {
		b.WriteString("{")
		for _, w := range all {
			fmt.Fprintf(&b, "{%d, %d}, ", w.region, w.slot)
		}
		b.WriteString("{-1, 0}}, ")
	}
	b.WriteString("{{-1, 0}}};\n")
	return b.String()
}

func listed(all []int) string {
	s := ""
	for _, n := range all {
		s += fmt.Sprintf("%d, ", n)
	}
	return s
}

// inFolder is where the copy of a file lies: below the folder as the file below the root.
func inFolder(folder, path string) string { return filepath.Join(folder, "src", path) }

func absolute(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}

// includesOpenMP tells whether a program asks OpenMP's library something, which is then needed.
func includesOpenMP(sources []string) bool {
	return slices.ContainsFunc(sources, func(name string) bool {
		text, err := claims.ReadFile(name)
		return err == nil && bytes.Contains(text, []byte("omp_"))
	})
}
