package csource

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"foresee/application/csource/parse"
)

// LackingError has definitions, such as n=1000, of all values that a source lacks, of which each error before it names one.
type LackingError struct{ Definitions []string }

func (e *LackingError) Error() string {
	var names []string
	for _, d := range e.Definitions {
		name, _, _ := strings.Cut(d, "=")
		names = append(names, name)
	}
	return "the values of " + strings.Join(names, ", ") + " are lacking in all"
}

// MostLacking is how many values are looked for that functions lack.
const MostLacking = 20

// mostAsked is how many readings look for them.
const mostAsked = 5

// Lacking are definitions, such as n=1000, of the values that the regions which cannot be read lack, where err is what Load gave with them: what comes to light
// only once others are given is found by giving them. The file is not to be loaded any more.
func (f *File) Lacking(o Options, u *Unit, err error) []string {
	var all []string
	for range mostAsked {
		before := len(all)
		for _, d := range Lacked(f.name, u, err) {
			if !slices.Contains(all, d) && len(all) < MostLacking {
				all = append(all, d)
				f.define(d)
			}
		}
		if len(all) == before {
			break
		}
		o.Regions = refused(u, o.Regions)
		u, err = f.Load(o)
	}
	return all
}

// define gives a value to a variable, as the caller would.
func (f *File) define(definition string) {
	name, text, _ := strings.Cut(definition, "=")
	if v, err := strconv.ParseInt(text, 10, 64); err == nil {
		f.source.Defined[name] = v
	} else if v, err := strconv.ParseFloat(text, 64); err == nil {
		f.source.Reals[name] = v
	}
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

// Lacked are the definitions that functions which were left out of a source lack, those of headers aside, and those of an error.
func Lacked(name string, u *Unit, err error) []string {
	all := parse.Lacking(err)
	if u == nil {
		return all
	}
	for _, k := range u.Skipped {
		if filepath.Ext(k.Pos.File) == filepath.Ext(name) {
			all = append(all, k.Lacks...)
		}
	}
	return all
}
