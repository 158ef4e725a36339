package ir

import (
	"context"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// writesIR tells compilers that write LLVM IR by their names.
func writesIR(path string) bool {
	name := filepath.Base(path)
	return strings.Contains(name, "clang") || strings.Contains(name, "flang") ||
		slices.ContainsFunc([]string{"icpx", "icx", "ifx"}, func(intel string) bool { return strings.HasPrefix(name, intel) })
}

// shared are the flags of GNU compilers that mean the same to clang and flang, and matter to what a source means or to the loops that are made of it.
var shared = regexp.MustCompile(`^(-O([0-3s]|fast)?|-std=.*|-f(no-)?(openmp|openmp-simd|fast-math|exceptions|rtti|strict-aliasing|math-errno|trapping-math|associative-math)|` +
	`-ffp-contract=.*|-f(default-real-8|default-integer-8|free-form|fixed-form)|-m(arch|tune|cpu)=.*|-m(no-)?(sse|avx|fma).*|-cpp|-pthread|-[DUIJ].+|-isystem.+)$`)

// valued are those whose value is the next argument.
var valued = regexp.MustCompile(`^(-[DUIJ]|-isystem|-include|-iquote)$`)

// forLinker are flags that say nothing of code.
var forLinker = regexp.MustCompile(`^(-L|-l|-Wl,|-rdynamic$)`)

// wrapper tells the commands of MPI that give compilers its headers and libraries.
var wrapper = regexp.MustCompile(`^mpi(gcc|icc|icx|icpc|icpx|g\+\+|cc|CC|cxx|c\+\+|fort|f77|f90|f08|ifort|ifx)([-.][\w.-]+)?$`)

// Unwrapped is a compilation by the compiler that a command of MPI calls, with the flags that it gives it; the same where there is none.
func (c Compilation) Unwrapped(ctx context.Context) Compilation {
	if len(c.Command) == 0 || !wrapper.MatchString(filepath.Base(c.Command[0])) {
		return c
	}
	said, err := exec.CommandContext(ctx, c.Command[0], "-show").Output()
	if words := strings.Fields(string(said)); err == nil && len(words) > 0 {
		c.Command = append(words, c.Command[1:]...)
	}
	return c
}

// StandIn is a compilation by the usual compiler that writes LLVM IR, in the place of a command whose compiler does not, with those of its flags
// that mean the same; dropped are the others. ok is false where none is needed.
func (c Compilation) StandIn() (other Compilation, dropped []string, ok bool) {
	if len(c.Command) == 0 || c.Language == Rust || writesIR(c.Command[0]) {
		return c, nil, false
	}
	usual, err := (&Compilation{Language: c.Language}).find()
	if err != nil {
		return c, nil, false
	}
	flags := c.Command[1:]
	for i := 0; i < len(flags); i++ {
		switch {
		case valued.MatchString(flags[i]) && i+1 < len(flags):
			usual = append(usual, flags[i], flags[i+1])
			i++
		case shared.MatchString(flags[i]):
			usual = append(usual, flags[i])
		case forLinker.MatchString(flags[i]):
		default:
			dropped = append(dropped, flags[i])
		}
	}
	c.Command = usual
	return c, dropped, true
}
