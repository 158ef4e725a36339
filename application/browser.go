//go:build js

package application

import (
	"context"
	"errors"
	"slices"
)

// A browser has no compilers, and what reads LLVM IR is left out of the engine that it loads.

// errNoCompiler is a source that compilers read.
var errNoCompiler = errors.New("C++, Fortran and Rust are read through compilers, of which a browser has none")

func isModule(path string, _ []byte) bool {
	return slices.Contains([]What{Cxx, Fortran, Rust}, languageOf(path))
}

func (in *Input) module(context.Context, Options) (*Signature, error) { return nil, errNoCompiler }

// observedModule refuses a source that compilers read.
func (in *Input) observedModule(context.Context, Options) (*Signature, error) {
	return nil, errNoCompiler
}
