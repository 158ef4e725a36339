package ir

import (
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
	unit := &csource.Unit{}
	err = parse.Guard(name, func() (err error) {
		unit, err = lower.Module(name, m, o)
		return err
	})
	return unit, err
}
