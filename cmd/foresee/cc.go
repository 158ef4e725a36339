package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"foresee/application/record"
)

func ccCommand(s *streams) *cobra.Command {
	return compilerCommand(s, "cc", "C", false,
		"  foresee cc -O2 -fopenmp -c gemm.c\n"+
			"  foresee cc -O2 -fopenmp gemm.c -o gemm -lm")
}

func cxxCommand(s *streams) *cobra.Command {
	return compilerCommand(s, "c++", "C++", true,
		"  foresee c++ -O3 -march=native -fopenmp solver.cpp -o solver")
}

// compilerCommand stands in for a compiler: all arguments are the compiler's.
func compilerCommand(s *streams, verb, language string, cxx bool, example string) *cobra.Command {
	return &cobra.Command{
		Use:   verb + " COMPILER-ARGUMENTS",
		Short: "stands in for the " + language + " compiler in a build, adds the instrumentation",
		Long: verb + " takes the arguments of a " + language + " compiler and does what that would do, with clang 13 or later (else with gcc). It adds\n" +
			"recording to the optimised code, and links a virtual OpenMP instead of the compiler's. What it builds runs as usual, and\n" +
			"can be traced: foresee trace PROGRAM. In a build: make CC=\"foresee cc\" CXX=\"foresee c++\", or these two in the environment of\n" +
			"cmake or configure. " + record.CompilerVariable + " and " + record.CxxCompilerVariable + " name the compilers to be used.",
		Example:            example,
		DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && (args[0] == "--help" || args[0] == "-h") {
				return cmd.Help()
			}
			return runCompiler(cmd.Context(), s, cxx, args)
		},
	}
}

func runCompiler(ctx context.Context, s *streams, cxx bool, args []string) error {
	c, err := record.FindCompiler(ctx, cxx)
	if err != nil {
		return err
	}
	if !c.Clang && !hasMode(args) {
		warn(s.err, "%v: the code stays scalar, arrays private to a function may be missed, and operations are not counted; clang 13 or later does better", c)
	}
	b := &record.Builder{Compiler: c, Stdin: s.in, Stdout: s.programs.out, Stderr: s.programs.err}
	err = b.Build(ctx, args)
	var exit *record.ExitError
	if errors.As(err, &exit) {
		return saidError{exit.Code}
	}
	return err
}

// hasMode says whether the arguments ask for less than a program.
func hasMode(args []string) bool {
	for _, a := range args {
		switch a {
		case "-c", "-S", "-E", "-M", "-MM", "--version", "-v", "-dumpversion", "-dumpmachine":
			return true
		}
	}
	return false
}

// saidError ends the command with an exit code when the reason was printed by another program.
type saidError struct{ code int }

func (e saidError) Error() string { return fmt.Sprintf("exit code %d", e.code) }
