// Package gather puts measurements that were taken at several numbers of processes or sizes, each of them a file, a folder of files or a run that was
// recorded with its messages, into one set.
package gather

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"foresee/application"
	"foresee/application/counters"
	"foresee/application/counters/folders"
	"foresee/application/counters/open"
	"foresee/application/counters/ranks"
	"foresee/internal/claims"
)

// Request says what is gathered.
type Request struct {
	Inputs     []string           // files, folders, "-" for standard input; each with its parameters before it (p=16,n=64:FILE) or without
	Shared     map[string]float64 // parameters of all inputs that do not tell them otherwise
	Quantities counters.Quantities
	Stdin      io.Reader
}

// ParameterError is of a parameter that is not NAME=VALUE with a positive number.
type ParameterError struct{ Text string }

func (e *ParameterError) Error() string {
	return fmt.Sprintf("%q: give NAME=VALUE with a positive number, as n=64", e.Text)
}

// TwiceToldError is of a file that tells the parameters of its runs itself, and whose name had some before it.
type TwiceToldError struct{ File string }

func (e *TwiceToldError) Error() string {
	return e.File + " tells the parameters itself; leave them out before its name"
}

// Read gathers inputs into one set. Errors name the input, and are [*TwiceToldError] where that is the reason.
func Read(ctx context.Context, q Request) (*counters.Set, error) {
	r := &measurements{set: &counters.Set{}, quantities: q.Quantities, shared: q.Shared, runs: map[string]*profiledRun{}}
	for _, input := range q.Inputs {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := r.input(ctx, q.Stdin, input); err != nil {
			return nil, err
		}
	}
	for _, name := range r.order {
		run := r.runs[name]
		if err := counters.AddProfiles(r.set, run.at, run.profiles, q.Quantities); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if len(r.set.Series) == 0 && len(r.set.Reuse) == 0 {
		return nil, fmt.Errorf("%s: nothing was measured in it", strings.Join(q.Inputs, ", "))
	}
	return r.set, nil
}

// Parameters reads NAME=VALUE of each item; an error is a [*ParameterError].
func Parameters(items []string) (map[string]float64, error) {
	out := map[string]float64{}
	for _, item := range items {
		name, value, ok := strings.Cut(item, "=")
		v, err := strconv.ParseFloat(value, 64)
		if !ok || name == "" || err != nil || !(v > 0) {
			return nil, &ParameterError{item}
		}
		out[name] = v
	}
	return out, nil
}

// measurements gathers inputs. Profiles wait until all of one run's ranks are there.
type measurements struct {
	set        *counters.Set
	quantities counters.Quantities
	shared     map[string]float64
	runs       map[string]*profiledRun
	order      []string
	of         string // the run that files are of; "" where their parameters alone tell it
	told       bool   // a folder's name tells the parameters, and not the file
}

type profiledRun struct {
	at       map[string]float64
	profiles []counters.Profile
}

func (r *measurements) input(ctx context.Context, stdin io.Reader, input string) error {
	at, path := prefixed(input)
	if path == "-" {
		return r.file(at, "standard input", application.Interruptible(ctx, stdin))
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: there is no such file; give measurements, a folder of them, or a recorded run of MPI", path)
	}
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return r.open(at, path)
	}
	if _, err := os.Stat(filepath.Join(path, ranks.FileName)); err == nil {
		return r.run(path)
	}
	return r.folder(ctx, at, path)
}

var parameterPrefix = regexp.MustCompile(`^((?:[A-Za-z_]\w*=[0-9.eE+]+)(?:,[A-Za-z_]\w*=[0-9.eE+]+)*):(.+)$`)

// prefixed splits p=16,n=64:FILE.
func prefixed(input string) (map[string]float64, string) {
	parts := parameterPrefix.FindStringSubmatch(input)
	if parts == nil {
		return nil, input
	}
	at, err := Parameters(strings.Split(parts[1], ","))
	if err != nil {
		return nil, input
	}
	return at, parts[2]
}

func (r *measurements) run(dir string) error {
	run, err := ranks.Read(dir)
	if err != nil {
		return err
	}
	for name, v := range r.shared {
		if _, there := run.Params[name]; !there {
			run.Params[name] = v
		}
	}
	if err := run.AddTo(r.set, r.quantities); err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	return nil
}

// folder takes the recorded runs in a folder, or else its files.
func (r *measurements) folder(ctx context.Context, at map[string]float64, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if found, err := r.tau(ctx, at, dir); found || err != nil {
		return err
	}
	var runs, files, named []string
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir() && strings.HasSuffix(e.Name(), ".partial"):
			r.set.Warnings = append(r.set.Warnings, path+" is of a run that did not come to its end, and is left out")
		case e.IsDir():
			if _, err := os.Stat(filepath.Join(path, ranks.FileName)); err == nil {
				runs = append(runs, path)
			} else if folders.Parameters(e.Name()) != nil {
				named = append(named, e.Name())
			}
		case e.Type().IsRegular():
			files = append(files, path)
		}
	}
	if len(runs) == 0 && len(named) > 0 {
		return r.series(ctx, at, dir, named)
	}
	if len(runs) == 0 && len(files) == 0 {
		return fmt.Errorf("%s: neither a recorded run of MPI nor a folder with such runs or with profiles", dir)
	}
	for _, path := range runs {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := r.run(path); err != nil {
			return err
		}
	}
	if len(runs) > 0 {
		return nil
	}
	if profiles := slices.DeleteFunc(slices.Clone(files), func(path string) bool { return filepath.Ext(path) != ".cubex" }); len(profiles) > 0 {
		files = profiles // beside which Score-P puts its configuration
	}
	for _, path := range files {
		if err := r.open(at, path); err != nil {
			return err
		}
	}
	return nil
}

// tau takes the run in a folder of TAU, where it is one: all metrics belong to the same ranks. Where nothing else tells their number, there are as many as
// have profiles.
func (r *measurements) tau(ctx context.Context, at map[string]float64, dir string) (found bool, err error) {
	files, ranks, err := folders.TAU(dir)
	if err != nil || len(files) == 0 {
		return false, err
	}
	point := maps.Clone(r.shared)
	maps.Copy(point, at)
	if !slices.ContainsFunc(slices.Collect(maps.Keys(point)), counters.IsProcesses) {
		point["p"] = float64(ranks)
	}
	return true, r.files(ctx, point, dir, files)
}

// files takes files that are of one run, whose name tells it from others with the same parameters.
func (r *measurements) files(ctx context.Context, at map[string]float64, run string, paths []string) error {
	r.of = run
	defer func() { r.of = "" }()
	for _, path := range paths {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := r.open(at, path); err != nil {
			return err
		}
	}
	return nil
}

// series takes folders whose names tell the parameters of their runs, and with them the number of processes.
func (r *measurements) series(ctx context.Context, at map[string]float64, dir string, names []string) error {
	points, err := folders.Series(names)
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	r.told = true
	defer func() { r.told = false }()
	for i, name := range names {
		maps.Copy(points[i], at)
		path := filepath.Join(dir, name)
		if found, err := r.tau(ctx, points[i], path); err != nil {
			return err
		} else if found {
			continue
		}
		runs, err := folders.Runs(path)
		if err != nil {
			return err
		}
		if len(runs) == 0 {
			r.set.Warnings = append(r.set.Warnings, path+" holds no measurement, and is left out")
		}
		for _, files := range runs {
			if err := r.files(ctx, points[i], files[0], files); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *measurements) open(at map[string]float64, path string) error {
	f, err := claims.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return r.file(at, path, f)
}

func (r *measurements) file(at map[string]float64, name string, in io.Reader) error {
	file, err := open.Read(name, in)
	if err != nil {
		return err
	}
	if file.Set != nil {
		if at != nil {
			return &TwiceToldError{name}
		}
		if err := r.set.Merge(file.Set); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	}
	if file.Reuse != nil {
		return r.reuse(at, name, file.Reuse)
	}
	if file.Run != nil {
		return r.report(at, name, file.Run)
	}
	for i := range file.Profiles {
		if err := r.profile(at, name, file.Profiles[i]); err != nil {
			return err
		}
	}
	return nil
}

// reuse takes the reuse profiles of a run.
func (r *measurements) reuse(at map[string]float64, name string, profiles []counters.Reuse) error {
	point := maps.Clone(r.shared)
	maps.Copy(point, at)
	if len(point) == 0 {
		return errors.New(name + " does not tell the parameters of its run; write them before it: p=16:" + name)
	}
	if err := r.set.AddReuse(point, profiles); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// report takes a whole run that one file reports.
func (r *measurements) report(at map[string]float64, name string, run *counters.Run) error {
	point := maps.Clone(r.shared)
	if !r.told {
		maps.Copy(point, run.Params)
	}
	maps.Copy(point, at)
	run.Params = point
	if err := run.AddTo(r.set, r.quantities); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// profile files a process's profile under its run.
func (r *measurements) profile(at map[string]float64, name string, p counters.Profile) error {
	point := map[string]float64{}
	own := p.Params
	if r.told {
		own = nil
	}
	for _, source := range []map[string]float64{r.shared, own, at} {
		for k, v := range source {
			point[k] = v
		}
	}
	if len(point) == 0 {
		return errors.New(name + " does not tell the parameters of its run; write them before it: p=16:" + name)
	}
	names := make([]string, 0, len(point))
	for k := range point {
		names = append(names, k)
	}
	slices.Sort(names)
	values := make([]float64, len(names))
	for i, k := range names {
		values[i] = point[k]
	}
	key := counters.FormatPoint(names, values) + strings.TrimSuffix(" of "+r.of, " of ")
	run := r.runs[key]
	if run == nil {
		run = &profiledRun{at: point}
		r.runs[key], r.order = run, append(r.order, key)
	}
	if p.Rank < 0 {
		p.Rank = -1 - len(run.profiles) // another process
	}
	run.profiles = append(run.profiles, p)
	return nil
}
