package csource

import (
	"path/filepath"
	"slices"
	"strings"

	"foresee/application/csource/parse"
)

// LackingError names all values that a source lacks, of which each error before it names one.
type LackingError struct{ Names []string }

func (e *LackingError) Error() string {
	return "the values of " + strings.Join(e.Names, ", ") + " are lacking in all"
}

const (
	mostLacking = 20   // names that are looked for
	mostAsked   = 5    // readings that look for them
	guessed     = 1000 // what stands for each meanwhile
)

// Lacking are the names of values that the regions which cannot be read lack, where err is what Load gave with them: what comes to light only once
// others are given is found by giving them. The file is not to be loaded any more.
func (f *File) Lacking(o Options, u *Unit, err error) []string {
	var names []string
	for range mostAsked {
		before := len(names)
		for _, n := range f.lacked(u, err) {
			if !slices.Contains(names, n) && len(names) < mostLacking {
				names = append(names, n)
				f.source.Defined[n] = guessed
			}
		}
		if len(names) == before {
			break
		}
		o.Regions = refused(u, o.Regions)
		u, err = f.Load(o)
	}
	return names
}

// refused are the functions that cannot be read; those asked for where nothing is known of them.
func refused(u *Unit, asked []string) []string {
	if u == nil {
		return asked
	}
	var names []string
	for _, k := range u.Skipped {
		if k.Refused {
			names = append(names, k.Function)
		}
	}
	if len(names) == 0 {
		return asked
	}
	return names
}

// lacked are the names that functions which were left out lack, those of headers aside, and those of an error.
func (f *File) lacked(u *Unit, err error) []string {
	names := parse.Lacking(err)
	if u == nil {
		return names
	}
	for _, k := range u.Skipped {
		if filepath.Ext(k.Pos.File) == filepath.Ext(f.name) {
			names = append(names, k.Lacks...)
		}
	}
	return names
}
