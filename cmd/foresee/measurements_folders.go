package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"foresee/application/counters"
)

// tauProfile is the name of a profile of TAU: node, context and thread.
var tauProfile = regexp.MustCompile(`^profile\.(\d+)\.\d+\.\d+$`)

// namedFolder is a folder whose name tells the parameters of its run, as Extra-P wants it: "lulesh.p8n30.r2" or "p8.n30"; named are its parts. A
// number may have a decimal point or comma.
var (
	namedFolder = regexp.MustCompile(`^(?:[^.]*\.)?((?:[A-Za-z_]+\d+(?:[.,]\d+)?[.,_-]?)+?)(?:\.?r(\d+))?$`)
	namedParts  = regexp.MustCompile(`([A-Za-z_]+)(\d+(?:[.,]\d+)?)`)
)

// isTAU says whether a folder holds a run that TAU profiled: profiles, or a folder of them for each metric.
func isTAU(entries []os.DirEntry) bool {
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		return tauProfile.MatchString(e.Name()) || e.IsDir() && strings.HasPrefix(e.Name(), "MULTI__")
	})
}

// tau takes the run in a folder of TAU, all metrics of which belong to the same ranks. Where nothing else tells their number, there are as many as
// have profiles.
func (r *measurements) tau(ctx context.Context, at map[string]float64, dir string) error {
	files, err := filepath.Glob(filepath.Join(globbed(dir), "profile.*"))
	if err != nil {
		return err
	}
	more, err := filepath.Glob(filepath.Join(globbed(dir), "MULTI__*", "profile.*"))
	if err != nil {
		return err
	}
	nodes := map[string]bool{}
	files = slices.DeleteFunc(append(files, more...), func(path string) bool {
		m := tauProfile.FindStringSubmatch(filepath.Base(path))
		if m != nil {
			nodes[m[1]] = true
		}
		return m == nil
	})
	point := maps.Clone(at)
	if point == nil {
		point = map[string]float64{}
	}
	if !tellsProcesses(point) && !tellsProcesses(r.shared) {
		point["p"] = float64(len(nodes))
	}
	return r.files(ctx, point, dir, files)
}

// globbed is a path in which no character stands for others.
func globbed(path string) string {
	return regexp.MustCompile(`[*?[\\]`).ReplaceAllString(path, `\$0`)
}

func tellsProcesses(at map[string]float64) bool {
	for name := range at {
		if counters.IsProcesses(name) {
			return true
		}
	}
	return false
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

// parametersOf are those that a folder's name tells; nil where it tells none.
func parametersOf(name string) map[string]float64 {
	m := namedFolder.FindStringSubmatch(name)
	if m == nil {
		return nil
	}
	out := map[string]float64{}
	for _, part := range namedParts.FindAllStringSubmatch(m[1], -1) {
		v, err := strconv.ParseFloat(strings.Replace(part[2], ",", ".", 1), 64)
		if _, twice := out[part[1]]; err != nil || twice || !(v > 0) {
			return nil
		}
		out[part[1]] = v
	}
	return out
}

// series takes folders whose names tell the parameters of their runs. Parameters that all share vary nothing, and are left out.
func (r *measurements) series(ctx context.Context, at map[string]float64, dir string, names []string) error {
	points := make([]map[string]float64, len(names))
	for i, name := range names {
		points[i] = parametersOf(name)
	}
	for parameter, v := range points[0] {
		if len(points) > 1 && !slices.ContainsFunc(points, func(p map[string]float64) bool { return p[parameter] != v }) {
			for _, p := range points {
				delete(p, parameter)
			}
		}
	}
	told := slices.Sorted(maps.Keys(points[0]))
	for i, name := range names {
		if i > 0 && !slices.Equal(slices.Sorted(maps.Keys(points[i])), told) {
			return fmt.Errorf("%s tells other parameters than %s; name the folders of one series alike, as app.p8.n30 and app.p16.n30", filepath.Join(dir, name), names[0])
		}
		maps.Copy(points[i], at)
		if err := r.namedRun(ctx, points[i], filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// namedRun takes the run of a folder whose name tells its parameters: all that was measured is of it, and its number of processes is what the name says.
func (r *measurements) namedRun(ctx context.Context, at map[string]float64, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	r.told = true
	defer func() { r.told = false }()
	if isTAU(entries) {
		return r.tau(ctx, at, dir)
	}
	var files []string
	for _, e := range entries {
		if e.Type().IsRegular() && isMeasurement(e.Name()) {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	if len(files) == 0 {
		r.set.Warnings = append(r.set.Warnings, dir+" holds no measurement, and is left out")
		return nil
	}
	if strings.HasSuffix(files[0], ".cubex") { // each is a whole run
		for _, file := range files {
			if err := r.files(ctx, at, file, []string{file}); err != nil {
				return err
			}
		}
		return nil
	}
	return r.files(ctx, at, dir, files)
}

// besides are the endings of files that tools put beside their profiles.
var besides = []string{".cfg", ".ini", ".md", ".log", ".err", ".sh", ".bak"}

// isMeasurement leaves out hidden files, and what tools put beside profiles.
func isMeasurement(name string) bool {
	return !strings.HasPrefix(name, ".") && !slices.Contains(besides, cmp.Or(filepath.Ext(name), "."))
}
