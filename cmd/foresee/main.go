// Command foresee tells how a parallel C program will perform on a machine, before it is run there, and why.
//
// It holds no model: flags and files go in, reports come out.
package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	os.Exit(run(named(os.Args), os.Stdin, os.Stdout, os.Stderr))
}

// compilers are the verbs that stand in for compilers. Each is also there as one word, a link to foresee: build systems take compilers of one.
var compilers = []string{"cc", "c++", "fc", "rustc"}

// named gives the arguments of foresee, with the verb first that it is called by, as in foresee-cc.
func named(args []string) []string {
	if len(args) == 0 {
		return nil
	}
	verb, ok := strings.CutPrefix(filepath.Base(args[0]), "foresee-")
	if ok && slices.Contains(compilers, verb) {
		return append([]string{verb}, args[1:]...)
	}
	return args[1:]
}
