//go:build !js

package application

import (
	"context"

	"foresee/application/csource"
	"foresee/application/ir"
	"foresee/application/ir/place"
	"foresee/application/observe"
)

// optimised are the flags by which a program is made of a module that is run for the values that its analysis lacks.
var optimised = []string{"-O2", "-w"}

// observedModule runs a program in a language that LLVM compiles once, and reads its regions with the values that they were entered with.
func (in *Input) observedModule(ctx context.Context, o Options) (*Signature, error) {
	c, err := in.compiled(ctx, o)
	if err != nil {
		return nil, err
	}
	defer c.folder.Remove()
	module, err := ir.Observe(in.Name, c.made)
	if err != nil {
		return nil, err
	}
	alone := false
	p := &observe.Program{Command: o.Values.Command, Make: func(ctx context.Context, folder string, plan *csource.Plan) (string, error) {
		sources, err := observe.OfModule(folder, plan)
		if err != nil {
			return "", err
		}
		made, err := c.compilation.Link(ctx, folder, module.Telling(plan), sources, optimised)
		alone = ir.OneThread(folder)
		return made, err
	}}
	told, err := p.Values(ctx, module, c.rest, o.Values.Streams)
	o.Values.ran(p)
	if err != nil {
		return nil, err
	}
	if len(told) == 0 { // there is nothing to enter, and this says why
		if _, err := ir.Load(in.Name, c.made, c.rest); err != nil {
			return nil, &NothingReadError{[]error{err}}
		}
	}
	for _, e := range told {
		e.Steady(place.IsPhase)
	}
	out, _, err := in.gathered(o, p, told, func(function string) (string, readWith) {
		region, with := module.Region(function), c.rest
		with.Tables = p.Tables
		with.Regions = wantedIn(with.Regions, region)
		return region, func(values map[csource.Place]int64) (*csource.Unit, []csource.Place, map[csource.Place]bool, error) {
			with.Told = values
			u, took, err := module.Load(function, with)
			return u, took, nil, err
		}
	})
	if err != nil {
		return nil, err
	}
	out.Warnings = append(append(out.Warnings, module.Definitions(c.rest)...), c.notes...)
	if alone {
		out.Warnings = append(out.Warnings, "clang's OpenMP library (libomp) is not installed: the program ran on one thread")
	}
	if out.Asked = len(o.Source.Regions) > 0; c.code != nil {
		c.code.Arguments = p.Arguments
		out.Warnings = append(out.Warnings, c.code.overrides()...)
	}
	out.Code = c.code
	return out, nil
}
