package ir

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"foresee/application/csource"
	"foresee/application/ir/lower"
	"foresee/application/ir/text"
	"foresee/internal/workspace"
)

// Language is what a source is written in.
type Language string

// Languages whose compilers write LLVM IR.
const (
	C       Language = "C"
	Cxx     Language = "C++"
	Fortran Language = "Fortran"
	Rust    Language = "Rust"
)

// Limits of a compiler's run. Chosen: a large file with templates takes some seconds.
const (
	patience  = 2 * time.Minute
	mostNotes = 4 << 10 // bytes of what a compiler says that are kept
)

// Compilation says how a source is compiled to IR.
type Compilation struct {
	Language Language
	Path     string   // of the source
	Text     string   // of a source in Rust: what is compiled in its place; "": what is there
	Command  []string // the compiler with its flags; empty: the usual one with -O2
	OpenMP   bool     // without a command: the usual one takes OpenMP's directives
	Defines  []string // NAME or NAME=VALUE, which the compiler is told
	Includes []string // folders of headers
	Beside   string   // the folder whose headers it includes, where that is not its own; "": its own
	Standard string   // without a command: the flag that names the version of the language; "": the compiler's usual one
	Unused   bool     // inline and static functions that nothing calls are compiled too
	OwnMPI   bool     // where no mpi.h is here, foresee's stands in
}

// CompilerError says that the compiler refused the source.
type CompilerError struct {
	Command string
	Said    string
}

func (e *CompilerError) Error() string {
	return fmt.Sprintf("%s failed: %s", e.Command, strings.TrimSpace(e.Said))
}

// MissingError is a compiler that is not on this machine.
type MissingError struct {
	Language Language
	Name     string // that was asked for; "" where none was
}

func (e *MissingError) Error() string {
	if e.Name != "" {
		return e.Name + " is not here"
	}
	return "no compiler of " + string(e.Language) + " that writes LLVM IR is here"
}

// UnfitError is a compiler, or a flag of one, of whose output nothing can be read.
type UnfitError struct {
	Why      string
	Language Language // of the source
}

func (e *UnfitError) Error() string { return e.Why }

// usual are the compilers that are looked for, by language.
var usual = map[Language][]string{
	C:       {"clang", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-14"},
	Cxx:     {"clang++", "clang++-19", "clang++-18", "clang++-17", "clang++-16", "clang++-15", "clang++-14"},
	Fortran: {"flang-new", "flang-new-19", "flang-19", "flang", "flang-20"},
	Rust:    {"rustc"},
}

// canonical keeps clang from changing the loops that are read: vectors and unrolled copies of a loop make the same accesses, in another form.
var canonical = []string{"-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops", "-mllvm", "-unroll-allow-peeling=false", "-mllvm", "-keep-loops=true"}

// find gives the compiler with its flags.
func (c *Compilation) find() ([]string, error) {
	if len(c.Command) == 0 {
		for _, name := range usual[c.Language] {
			if path, err := exec.LookPath(name); err == nil {
				return []string{path}, nil
			}
		}
		return nil, &MissingError{Language: c.Language}
	}
	path, err := exec.LookPath(c.Command[0])
	if err != nil {
		return nil, &MissingError{c.Language, c.Command[0]}
	}
	if c.Language != Rust && !writesIR(path) {
		return nil, &UnfitError{c.Command[0] + " writes no LLVM IR", c.Language}
	}
	return append([]string{path}, c.Command[1:]...), nil
}

// Compile gives the IR of a source: optimised, with vectors and unrolling turned off so that loops keep their form, and with the functions that
// are regions kept apart.
func Compile(ctx context.Context, c Compilation) (string, error) {
	command, err := c.find()
	if err != nil {
		return "", err
	}
	if slices.Contains(command, "-O0") {
		return "", &UnfitError{Why: "code without optimisation keeps counters of loops in memory, where they are not followed; ask for -O1 or more"}
	}
	folder, err := workspace.New("ir")
	if err != nil {
		return "", err
	}
	defer folder.Remove()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	b := &compiler{c: c, command: command, folder: folder.Path}
	switch c.Language {
	case Rust:
		return b.rust(ctx)
	case Fortran:
		return b.fortran(ctx)
	}
	return b.cxx(ctx)
}

// compiler is one compilation.
type compiler struct {
	c       Compilation
	command []string
	folder  string
}

// flags are those of the command, with an optimisation.
func (b *compiler) flags() []string {
	flags := slices.DeleteFunc(slices.Clone(b.command[1:]), isLinked)
	if b.c.OpenMP && len(b.c.Command) == 0 {
		flags = append(flags, "-fopenmp")
	}
	if !slices.ContainsFunc(flags, func(f string) bool { return strings.HasPrefix(f, "-O") }) {
		flags = append(flags, "-O2")
	}
	if b.c.Standard != "" && len(b.c.Command) == 0 {
		flags = append(flags, b.c.Standard)
	}
	for _, d := range b.c.Defines {
		flags = append(flags, "-D"+d)
	}
	for _, i := range b.c.Includes {
		flags = append(flags, "-I"+i)
	}
	return flags
}

// cxx compiles in two steps: to IR as it is before optimisation, in which the regions are marked, and that to optimised IR.
func (b *compiler) cxx(ctx context.Context) (string, error) {
	raw := filepath.Join(b.folder, "raw.ll")
	if b.c.OwnMPI {
		header := "extern \"C\" {\n" + csource.MPI() + "}\n"
		if b.c.Language == C {
			header = csource.MPI()
		}
		if err := os.WriteFile(filepath.Join(b.folder, "mpi.h"), []byte(header), 0o600); err != nil {
			return "", err
		}
	}
	args := append(b.flags(), "-g", "-fstandalone-debug", "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", "-o", raw)
	if b.c.Unused {
		args = append(args, "-Xclang", "-femit-all-decls")
	}
	if b.c.Beside != "" {
		args = append(args, "-iquote", b.c.Beside)
	}
	if b.c.OwnMPI {
		args = append(args, "-idirafter", b.folder)
	}
	args = append(args, b.c.Path)
	headers := &guards{folder: b.folder}
	if err := headers.once(args, func(args []string) error { return b.run(ctx, args) }); err != nil {
		return "", err
	}
	return b.optimise(ctx, raw, optimising(b.flags()))
}

// optimise marks the regions of a module and optimises it.
func (b *compiler) optimise(ctx context.Context, raw string, flags []string) (string, error) {
	source, err := read(raw)
	if err != nil {
		return "", err
	}
	m, err := text.Read(source)
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(raw, []byte(unforced(apart(source, lower.Regions(m), b.c.Unused))), 0o600); err != nil {
		return "", err
	}
	out := filepath.Join(b.folder, "out.ll")
	if strings.Contains(source, "@__kmpc_for_static_init") {
		flags = append(slices.Clip(flags), loopsKept...)
	}
	args := slices.Concat(flags, canonical, []string{"-w", "-S", "-emit-llvm", "-o", out, "-x", "ir", raw})
	if err := b.run(ctx, args); err != nil {
		return "", err
	}
	return read(out)
}

// loopsKept keep loops over arrays from becoming calls of memset and memcpy: those that are dealt to threads would be no loops.
var loopsKept = []string{"-mllvm", "-disable-loop-idiom-memset", "-mllvm", "-disable-loop-idiom-memcpy"}

// optimising are the flags that say how code is made, and not what a source means.
func optimising(flags []string) (kept []string) {
	for i := 0; i < len(flags); i++ {
		f := flags[i]
		switch {
		case f == "-I" || f == "-D" || f == "-U" || f == "-include" || f == "-isystem" || f == "-o" || f == "-x" || f == "-L" || f == "-l":
			i++
		case strings.HasPrefix(f, "-O"), strings.HasPrefix(f, "-m"), strings.HasPrefix(f, "-f"), strings.HasPrefix(f, "--target"), strings.HasPrefix(f, "--gcc"):
			kept = append(kept, f)
			if f == "-mllvm" && i+1 < len(flags) {
				i++
				kept = append(kept, flags[i])
			}
		}
	}
	return kept
}

// fortran compiles with flang, which takes no IR as its source: no function is put into another, so that regions stay apart.
func (b *compiler) fortran(ctx context.Context) (string, error) {
	out := filepath.Join(b.folder, "out.ll")
	args := append(modulesInto(b.folder, b.flags()), "-g", "-mllvm", "-vectorize-loops=false", "-mllvm", "-force-vector-width=1", "-mllvm", "-force-vector-interleave=1", "-mllvm", "-vectorize-slp=false", "-mllvm", "-unroll-allow-peeling=false", "-mllvm", "-unroll-threshold=0",
		"-mllvm", "-unroll-allow-partial=false", "-mllvm", "-unroll-runtime=false",
		"-mllvm", "-inline-threshold=-10000", "-S", "-emit-llvm", "-o", out, b.c.Path)
	if slices.Contains(args, "-fopenmp") {
		args = append(args, loopsKept...)
	}
	if err := b.run(ctx, args); err != nil {
		return "", err
	}
	return read(out)
}

// modulesInto has flang write the modules of a source into a folder; those that lie where the flags say are still found.
func modulesInto(folder string, flags []string) []string {
	kept := []string{"-module-dir", folder}
	for i := 0; i < len(flags); i++ {
		f := flags[i]
		switch {
		case (f == "-J" || f == "-module-dir") && i+1 < len(flags):
			i++
			f = "-I" + flags[i]
		case strings.HasPrefix(f, "-J"):
			f = "-I" + f[len("-J"):]
		}
		kept = append(kept, f)
	}
	return kept
}

// run runs the compiler.
func (b *compiler) run(ctx context.Context, args []string) error {
	cmd := exec.CommandContext(ctx, b.command[0], args...)
	said := &limited{}
	cmd.Stdout, cmd.Stderr = said, said
	cmd.Env = append(os.Environ(), "LC_ALL=C", "TMPDIR="+b.folder)
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	switch {
	case err == nil:
		return nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return &CompilerError{filepath.Base(b.command[0]), fmt.Sprintf("it was not ready after %v", patience)}
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return &CompilerError{filepath.Base(b.command[0]), said.String()}
}

// limited keeps the beginning of what is written.
type limited struct{ bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	if room := mostNotes - l.Len(); room > 0 {
		l.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// read reads a file of IR.
func read(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if info.Size() > text.MostBytes {
		return "", &UnfitError{Why: fmt.Sprintf("the compiler wrote more than %d MiB of LLVM IR", text.MostBytes>>20)}
	}
	data, err := os.ReadFile(path)
	return string(data), err
}

// forced are what the source asks of single loops (omp simd, pragma unroll), which holds against canonical, and what takes that back.
var forced = strings.NewReplacer(
	`!"llvm.loop.vectorize.enable", i1 true`, `!"llvm.loop.vectorize.enable", i1 false`, `!"llvm.loop.unroll.enable"`, `!"llvm.loop.unroll.disable"`,
	`!"llvm.loop.unroll.full"`, `!"llvm.loop.unroll.disable"`, `!"llvm.loop.unroll.count", i32 `, `!"llvm.loop.unroll.disable", i32 `,
	`!"llvm.loop.vectorize.width", i32 `, `!"foresee.width", i32 `, `!"llvm.loop.interleave.count", i32 `, `!"foresee.interleave", i32 `,
)

// unforced takes back what the source asks of single loops.
func unforced(source string) string { return forced.Replace(source) }

// apart keeps the compiler from putting functions into others; where unused is set, also from dropping them.
func apart(source string, names []string, unused bool) string {
	keep := map[string]bool{}
	for _, n := range names {
		keep[n] = true
	}
	var b strings.Builder
	b.Grow(len(source))
	for line := range strings.Lines(source) {
		if name := text.Defined(line); keep[name] {
			if i := strings.LastIndex(line, ") "); i >= 0 {
				if k := strings.Index(line[i:], " #"); k >= 0 {
					line = line[:i+k] + " noinline" + line[i+k:]
				}
			}
			if unused {
				line = dropped.ReplaceAllString(line, "define weak_odr ")
			}
		}
		b.WriteString(line)
	}
	return b.String()
}

// dropped begins functions that are left out where nothing calls them.
var dropped = regexp.MustCompile(`^define (linkonce_odr|linkonce|internal) `)
