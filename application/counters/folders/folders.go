// Package folders tells what tools put into folders: the profiles of a run that TAU measured, and the runs of a series whose folders' names tell their parameters, as
// Extra-P wants it.
package folders

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// profile is the name of a profile of TAU: node, context and thread.
var profile = regexp.MustCompile(`^profile\.(\d+)\.\d+\.\d+$`)

// metric begins the name of a folder that has the profiles of one metric.
const metric = "MULTI__"

// TAU are the profiles of the run in a folder, of all metrics, and on how many nodes, which are its ranks, it ran; none where TAU did not measure it.
func TAU(dir string) (files []string, ranks int, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, 0, err
	}
	nodes := map[string]bool{}
	add := func(path string) {
		if m := profile.FindStringSubmatch(filepath.Base(path)); m != nil {
			files, nodes[m[1]] = append(files, path), true
		}
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if !e.IsDir() || !strings.HasPrefix(e.Name(), metric) {
			add(path)
			continue
		}
		within, err := os.ReadDir(path)
		if err != nil {
			return nil, 0, err
		}
		for _, one := range within {
			add(filepath.Join(path, one.Name()))
		}
	}
	return files, len(nodes), nil
}

// named is a folder whose name tells the parameters of its run: "lulesh.p8n30.r2" or "p8.n30"; parts are its parts. A number may have a decimal point or
// comma.
var (
	named = regexp.MustCompile(`^(?:[^.]*\.)?((?:[A-Za-z_]+\d+(?:[.,]\d+)?[.,_-]?)+?)(?:\.?r(\d+))?$`)
	parts = regexp.MustCompile(`([A-Za-z_]+)(\d+(?:[.,]\d+)?)`)
)

// Parameters are those that a folder's name tells; nil where it tells none.
func Parameters(name string) map[string]float64 {
	m := named.FindStringSubmatch(name)
	if m == nil {
		return nil
	}
	out := map[string]float64{}
	for _, part := range parts.FindAllStringSubmatch(m[1], -1) {
		v, err := strconv.ParseFloat(strings.Replace(part[2], ",", ".", 1), 64)
		if _, twice := out[part[1]]; err != nil || twice || !(v > 0) {
			return nil
		}
		out[part[1]] = v
	}
	return out
}

// Series are the parameters of folders that tell some, all the same ones. Those that all share vary nothing, and are left out.
func Series(names []string) ([]map[string]float64, error) {
	points := make([]map[string]float64, len(names))
	for i, name := range names {
		points[i] = Parameters(name)
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
		if !slices.Equal(slices.Sorted(maps.Keys(points[i])), told) {
			return nil, fmt.Errorf("%s tells other parameters than %s; name the folders of one series alike, as app.p8.n30 and app.p16.n30", name, names[0])
		}
	}
	return points, nil
}

// besides are the endings of files that tools put beside their profiles.
var besides = []string{".cfg", ".ini", ".md", ".log", ".err", ".sh", ".bak"}

// cube is the ending of Score-P's profiles, each of which is a whole run.
const cube = ".cubex"

// Runs are the files of measurements in a folder, run by run: each profile of Score-P is one, other files are one together.
func Runs(dir string) ([][]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var whole [][]string
	var files []string
	for _, e := range entries {
		path, ending := filepath.Join(dir, e.Name()), filepath.Ext(e.Name())
		switch {
		case !e.Type().IsRegular() || strings.HasPrefix(e.Name(), ".") || slices.Contains(besides, ending):
		case ending == cube:
			whole = append(whole, []string{path})
		default:
			files = append(files, path)
		}
	}
	if len(whole) == 0 && len(files) > 0 {
		whole = append(whole, files)
	}
	return whole, nil
}
