package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"foresee/application/database"
	"foresee/internal/claims"
)

// fromDatabase takes the definitions and folders of the operands from a compilation database, those that were given going first. Without operands
// it gives the C sources of the database, which are taken for one program.
func (r *Reading) fromDatabase(operands []string) ([]string, error) {
	path := r.database
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, database.Name)
	}
	d, base, err := readDatabase(path)
	if err != nil {
		return nil, err
	}
	if len(operands) == 0 {
		for i := range d.Entries {
			if file := relative(d.Entries[i].Path(base)); filepath.Ext(file) == ".c" && !slices.Contains(operands, file) {
				operands = append(operands, file)
			}
		}
		if len(operands) == 0 {
			return nil, fmt.Errorf("%s: it has no C source", path)
		}
	}
	var all database.Reading
	for _, o := range operands {
		e := d.Of(base, o)
		if e == nil {
			return nil, fmt.Errorf("%s: it does not say how %s is compiled; leave out -p, or give a file that it has, such as %s", path, o, relative(d.Entries[0].Path(base)))
		}
		all.Join(e.Reading(base))
	}
	given := map[string]bool{}
	for _, x := range r.Defines {
		name, _, _ := strings.Cut(x, "=")
		given[name] = true
	}
	for _, x := range all.Defines {
		if name, _, _ := strings.Cut(x, "="); !given[name] {
			r.build = append(r.build, x)
		}
	}
	r.Includes = append(r.Includes, all.Includes...)
	return operands, nil
}

// readDatabase reads a database, and gives the folder that it is in.
func readDatabase(path string) (*database.Database, string, error) {
	f, err := claims.Open(path)
	if err != nil {
		return nil, "", fmt.Errorf("-p: %w; CMake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, and bear -- make beside others", err)
	}
	defer f.Close()
	d, err := database.Parse(f)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", path, err)
	}
	if len(d.Entries) == 0 {
		return nil, "", fmt.Errorf("%s: it has no entry", path)
	}
	base, err := filepath.Abs(filepath.Dir(path))
	return d, base, err
}

// relative is a path from the working folder, where it lies below that.
func relative(path string) string {
	here, err := os.Getwd()
	if err != nil {
		return path
	}
	if r, err := filepath.Rel(here, path); err == nil && !strings.HasPrefix(r, "..") {
		return r
	}
	return path
}
