package readers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"foresee/accuracy"
	"foresee/application"
	"foresee/application/csource"
	"foresee/application/ir"
	"foresee/application/nest"
	"foresee/examples"
	"foresee/internal/workspace"
	"foresee/predict"
)

// ErrNoCompiler says that there is no compiler that writes LLVM IR.
var ErrNoCompiler = errors.New("comparing what is read of LLVM IR needs clang; install it: apt-get install clang")

// Readers compares the nests of LLVM IR with runs of the same IR, and those of C with what csource reads.
func Readers(ctx context.Context, o accuracy.Options) (*accuracy.Section, error) {
	if _, err := exec.LookPath("clang++"); err != nil {
		return nil, ErrNoCompiler
	}
	work, err := workspace.New("readers")
	if err != nil {
		return nil, err
	}
	defer work.Remove()
	if err := errors.Join(examples.Extract(work.Path), examples.ExtractReal(work.Path)); err != nil {
		return nil, err
	}
	s := &accuracy.Section{Name: "readers"}
	if len(o.Kernels) == 0 {
		accesses, curves, err := programs(ctx, work.Path, o.Seed)
		if err != nil {
			return nil, err
		}
		s.Tables = append(s.Tables, accesses, curves)
	}
	t, err := kernels(ctx, work.Path, o)
	s.Tables = append(s.Tables, t)
	return s, err
}

// tally sums agreements up.
type tally struct {
	regions, exact, refused int
	told, made, equal       int64
}

func (t *tally) add(a agreement) {
	t.regions++
	if a.told == a.made && a.equal == a.made {
		t.exact++
	}
	t.told, t.made, t.equal = t.told+a.told, t.made+a.made, t.equal+a.equal
}

func (t *tally) line() string {
	return fmt.Sprintf("%d regions: %d with every access as in the run; %d accesses told, %d made, %d at the same place; %d regions refused", t.regions, t.exact, t.told, t.made, t.equal, t.refused)
}

// compilation is a way to compile the programs of a language.
type compilation struct {
	ending   string
	language ir.Language
	commands [][]string // of which the first that is here, and whose IR clang reads, is taken
	flags    [][]string // each is tried; of openmp programs with -fopenmp
}

// compilations are those that are compared.
var compilations = []compilation{
	{".cpp", ir.Cxx, [][]string{{"clang++"}, {"clang++-19"}, {"clang++-18"}, {"clang++-17"}, {"clang++-16"}}, [][]string{{"-O1"}, {"-O2"}}},
	{".f90", ir.Fortran, [][]string{{"flang-new"}, {"flang-new-19"}, {"flang-19"}}, [][]string{{"-O1"}, {"-O2"}}},
	{".rs", ir.Rust, [][]string{{"rustc"}, {"/usr/bin/rustc"}}, [][]string{nil}},
}

// compilationOf tells how a program is compiled.
func compilationOf(name string) compilation {
	return compilations[slices.IndexFunc(compilations, func(c compilation) bool { return c.ending == filepath.Ext(name) })]
}

// programs compares those in C++, Fortran and Rust, access by access and by the curves of the last of the flags.
func programs(ctx context.Context, folder string, seed uint64) (accesses, curves *accuracy.Table, err error) {
	found := newCurvesOf()
	t := &accuracy.Table{
		Title: "Programs in C++, Fortran and Rust, access by access",
		Text: "The programs of `examples/real` by the IR that clang++, flang and rustc make of them, against runs of that same IR with a call in front of each load and store, one thread. " +
			"An access is equal where the run makes it at the same position, of the same size and direction, at the same place of its object.",
		Columns: []string{"program", "region", "flags", "told", "made", "equal"},
	}
	sums := map[ir.Language]*tally{}
	for _, name := range examples.Real() {
		how := compilationOf(name)
		sum := sums[how.language]
		if sum == nil {
			sum = &tally{}
			sums[how.language] = sum
		}
		for tried, flags := range how.flags {
			s, err := how.look(ctx, filepath.Join(folder, name), flags)
			level := cmp.Or(strings.Join(flags, " "), "opt-level=2")
			switch {
			case ctx.Err() != nil:
				return nil, nil, ctx.Err()
			case errors.Is(err, errMissing):
				t.Rows = append(t.Rows, []string{name, err.Error(), level, "", "", ""})
				continue
			case err != nil:
				sum.refused++
				t.Rows = append(t.Rows, []string{name, firstLine(err, folder), level, "", "", ""})
				continue
			}
			for i, p := range s.programs {
				a := compare(p, s.made[i])
				sum.add(a)
				t.Rows = append(t.Rows, []string{name, p.Region, level, fmt.Sprint(a.told), fmt.Sprint(a.made), fmt.Sprint(a.equal)})
				if tried < len(how.flags)-1 {
					continue
				}
				if err := found.add(ctx, how.language, name, p, s.made[i], seed); err != nil {
					return nil, nil, err
				}
			}
		}
	}
	for _, c := range compilations {
		t.Summary = append(t.Summary, string(c.language)+": "+sums[c.language].line())
	}
	return t, found.summed(), nil
}

// errMissing says that no compiler of a language is here, or none whose IR can be run.
var errMissing = errors.New("its compiler is not here")

// look looks at a program with the first compiler that is here and whose libraries are.
func (c compilation) look(ctx context.Context, path string, flags []string) (*subject, error) {
	first := errMissing
	for _, command := range c.commands {
		if _, err := exec.LookPath(command[0]); err != nil {
			continue
		}
		command = slices.Concat(command, flags)
		if strings.HasPrefix(filepath.Base(path), "openmp") {
			command = append(command, "-fopenmp")
		}
		s, err := look(ctx, ir.Compilation{Language: c.language, Path: path, Command: command})
		if err == nil || ctx.Err() != nil {
			return s, err
		}
		if errors.Is(first, errMissing) {
			first = err
		}
	}
	return nil, first
}

// firstLine is the beginning of an error, without the folder of the sources.
func firstLine(err error, folder string) string {
	line, _, _ := strings.Cut(strings.ReplaceAll(err.Error(), folder+"/", ""), "\n")
	return line
}

// kernels compares those in C, also with csource.
func kernels(ctx context.Context, folder string, o accuracy.Options) (*accuracy.Table, error) {
	size := o.Size
	if size == "" {
		size = "MINI"
	}
	t := &accuracy.Table{
		Title: "Kernels in C, by their IR and by their source",
		Text: "The kernels by the IR that clang makes of them, against runs of that IR as above, and their miss ratio curves against those of what is read of the source itself (exact stack distances, " +
			"64-byte lines, 1 KiB to 1 MiB). Where the compiler keeps an element in a register that the source reads again, or reads again what the source keeps, accesses differ, and with them the curve; " +
			"the mean is of the absolute differences of the miss ratio. Misses are compared besides: those of the IR over those of the source, the most and the least of the sizes.",
		Columns: []string{"kernel", "accesses, IR", "made", "equal", "accesses, source", "curve: mean difference", "misses: least", "most"},
	}
	names := o.Kernels
	if len(names) == 0 {
		names = examples.Kernels()
	}
	var sum tally
	var same, all []float64
	for i, name := range names {
		if o.Progress != nil {
			o.Progress(i, len(names))
		}
		k, err := kernelOf(ctx, folder, name, size, o.Seed)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			sum.refused++
			t.Rows = append(t.Rows, []string{name, firstLine(err, folder), "", "", "", "", "", ""})
			continue
		}
		sum.add(k.agreement)
		if k.told == k.source {
			same = append(same, k.mean)
		}
		all = append(all, k.mean)
		t.Rows = append(t.Rows, []string{
			name, fmt.Sprint(k.told), fmt.Sprint(k.made), fmt.Sprint(k.equal), fmt.Sprint(k.source),
			fmt.Sprintf("%.4f", k.mean), fmt.Sprintf("%.2f", k.least), fmt.Sprintf("%.2f", k.most),
		})
	}
	t.Summary = []string{
		"clang -O2, " + size + ": " + sum.line(),
		"mean difference of curves, of kernels with as many accesses in both: " + worst(same),
		"of all: " + worst(all),
	}
	return t, nil
}

// worst gives the mean, the worst and the number of differences.
func worst(all []float64) string {
	if len(all) == 0 {
		return "none"
	}
	sum := 0.0
	for _, x := range all {
		sum += x
	}
	return fmt.Sprintf("mean %.4f, worst %.4f, n = %d", sum/float64(len(all)), slices.Max(all), len(all))
}

// kernel is one of C with what was found.
type kernel struct {
	agreement
	source            int64 // accesses as csource reads them
	mean, least, most float64
}

// kernelOf compares one kernel.
func kernelOf(ctx context.Context, folder, name, size string, seed uint64) (*kernel, error) {
	path := filepath.Join(folder, name+".c")
	s, err := look(ctx, ir.Compilation{Language: ir.C, Path: path, Command: []string{"clang", "-O2"}, Defines: []string{size}})
	if err != nil {
		return nil, err
	}
	unit, err := csource.Load(path, nil, csource.Options{Defines: []string{size}})
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(s.programs, func(p *nest.Program) bool { return p.Region == unit.Programs[0].Region })
	if i < 0 {
		return nil, fmt.Errorf("%s is no region of its IR", unit.Programs[0].Region)
	}
	k := &kernel{agreement: compare(s.programs[i], s.made[i])}
	one, err := curve(ctx, s.programs[i], seed)
	if err != nil {
		return nil, err
	}
	other, err := curve(ctx, unit.Programs[0], seed)
	if err != nil {
		return nil, err
	}
	k.source = other.Accesses
	k.differences(one, other)
	return k, nil
}

// differences compares two curves.
func (k *kernel) differences(one, other *predict.Curve) {
	for i, p := range one.Points {
		d := p.MissRatio - other.Points[i].MissRatio
		k.mean += max(d, -d) / float64(len(one.Points))
		misses := other.Points[i].MissRatio * float64(other.Accesses)
		if misses == 0 {
			continue
		}
		share := p.MissRatio * float64(one.Accesses) / misses
		if k.most == 0 {
			k.least, k.most = share, share
		}
		k.least, k.most = min(k.least, share), max(k.most, share)
	}
}

// curve is the miss ratio curve of a program on one thread.
func curve(ctx context.Context, p *nest.Program, seed uint64) (*predict.Curve, error) {
	r, err := predict.Curves(ctx, predict.CurveRequest{
		Signature: application.OfLoops(p.Region, p), Threads: []int{1}, Scope: "shared", Sizes: curveSizes(), Line: 1 << lineShift, Method: predict.MethodExact, Options: predict.Options{Seed: seed},
	})
	if err != nil {
		return nil, err
	}
	return &r.Curves[0], nil
}
