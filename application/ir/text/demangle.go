package text

import "github.com/ianlancetaylor/demangle"

// Demangled is the name of a function as in the source, with its parameters; a name that is not mangled stands for itself.
func Demangled(name string) string {
	return demangle.Filter(name, demangle.LLVMStyle)
}

// Instance is the name of a function with the arguments of templates, and without its parameters.
func Instance(name string) string {
	return demangle.Filter(name, demangle.NoParams, demangle.NoEnclosingParams, demangle.LLVMStyle)
}

// Plain is the name of a function without its parameters and the arguments of templates.
func Plain(name string) string {
	return demangle.Filter(name, demangle.NoParams, demangle.NoTemplateParams, demangle.NoEnclosingParams, demangle.LLVMStyle)
}
