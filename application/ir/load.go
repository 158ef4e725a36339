package ir

import (
	"slices"
	"strings"

	"foresee/application/csource"
	"foresee/application/csource/parse"
	"foresee/application/ir/lower"
	"foresee/application/ir/text"
)

// Load reads the module name of LLVM IR and gives one nest.Program for each region, in source order.
func Load(name, src string, o csource.Options) (*csource.Unit, error) {
	m, err := text.Read(src)
	if err != nil {
		return nil, &csource.Error{Message: name + ": " + err.Error(), Remedy: "give LLVM IR as clang -S -emit-llvm writes it"}
	}
	return load(name, m, o)
}

// mostAsked is how often a module is read again for what it lacks. Chosen: what comes to light in a loop once the bounds around it are known.
const mostAsked = 3

// Lacking are definitions, such as n=1000, of the values that functions which cannot be read lack, those of headers aside: what comes to light only once
// others are given is found by giving them. u and err are what Load gave.
func Lacking(name, src string, o csource.Options, u *csource.Unit, err error) (all []string) {
	m, failed := text.Read(src)
	if failed != nil {
		return nil
	}
	for range mostAsked {
		before := len(all)
		for _, d := range csource.Lacked(name, u, err) {
			name, _, _ := strings.Cut(d, "=")
			if !slices.ContainsFunc(all, func(other string) bool { return strings.HasPrefix(other, name+"=") }) && len(all) < csource.MostLacking {
				all = append(all, d)
			}
		}
		if len(all) == before {
			break
		}
		with := o
		with.Defines = slices.Concat(o.Defines, all)
		u, err = load(name, m, with)
	}
	return all
}

func load(name string, m *text.Module, o csource.Options) (unit *csource.Unit, err error) {
	unit = &csource.Unit{}
	err = parse.Guard(name, func() (err error) {
		unit, err = lower.Module(name, m, o)
		return err
	})
	return unit, err
}
