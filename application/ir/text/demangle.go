package text

import "github.com/ianlancetaylor/demangle"

// Demangled is the name of a function as in the source, with its parameters; a name that is not mangled stands for itself.
func Demangled(name string) string {
	return demangle.Filter(name, demangle.LLVMStyle)
}

// Plain is the name of a function without its parameters and the arguments of templates.
func Plain(name string) string {
	return demangle.Filter(name, demangle.NoParams, demangle.NoTemplateParams, demangle.NoEnclosingParams, demangle.LLVMStyle)
}
