package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"foresee/application/record"
)

func ccCommand(s *streams) *cobra.Command {
	return compilerCommand(s, "cc", "C", record.C,
		"  foresee cc -O2 -fopenmp -c gemm.c\n"+
			"  foresee cc -O2 -fopenmp gemm.c -o gemm -lm\n"+
			"  foresee cc --with gcc -O3 -march=native gemm.c -o gemm -lm")
}

func fcCommand(s *streams) *cobra.Command {
	return compilerCommand(s, "fc", "Fortran", record.Fortran,
		"  foresee fc -O3 -march=native solver.f90 -o solver\n"+
			"  foresee fc --with gfortran-12 -O2 -c solver.f90")
}

func cxxCommand(s *streams) *cobra.Command {
	return compilerCommand(s, "c++", "C++", record.Cxx,
		"  foresee c++ -O3 -march=native -fopenmp solver.cpp -o solver")
}

// compilerCommand stands in for a compiler: all arguments are the compiler's.
func compilerCommand(s *streams, verb, name string, language record.Language, example string) *cobra.Command {
	return &cobra.Command{
		Use:   verb + " COMPILER-ARGUMENTS",
		Short: "stands in for the " + name + " compiler in a build, adds the instrumentation",
		Long: verb + " takes the arguments of a " + name + " compiler and does what that would do, " + how(language) + "\n" +
			"and links a virtual OpenMP instead of the compiler's. What it builds runs as usual, and\n" +
			"can be traced: foresee trace PROGRAM. In a build: make CC=\"foresee cc\" CXX=\"foresee c++\", or these two in the environment of\n" +
			"cmake or configure." + ofCompilers(language),
		Example:            example,
		DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && (args[0] == "--help" || args[0] == "-h") {
				return cmd.Help()
			}
			return runCompiler(cmd.Context(), s, language, args)
		},
	}
}

// how says what is recorded of the code.
func how(language record.Language) string {
	if language == record.Fortran {
		return "with gfortran, or as\nfirst argument --with COMPILER. It adds recording to the machine code that the compiler makes, which stays as it is,"
	}
	return "with clang 13 or later (else with gcc). It adds\nrecording to the optimised code, or with --with COMPILER as first argument to the machine code that this compiler makes, which stays\nas it is: so times are those of its own code;"
}

// ofCompilers says how compilers are named otherwise.
func ofCompilers(language record.Language) string {
	if language == record.Fortran {
		return ""
	}
	return " " + record.CompilerVariable + " and " + record.CxxCompilerVariable + " name the compilers to be used."
}

// withFlag names, as the first argument, the compiler whose own machine code is recorded.
const withFlag = "--with"

// usualFortran is the compiler of Fortran that is taken where none is named.
const usualFortran = "gfortran"

// chosen is the compiler of a command line, and what follows of it.
func chosen(ctx context.Context, language record.Language, args []string) (*record.Compiler, []string, error) {
	name, given := "", false
	if len(args) > 0 {
		if name, given = strings.CutPrefix(args[0], withFlag+"="); given {
			args = args[1:]
		} else if args[0] == withFlag {
			if len(args) < 2 {
				return nil, nil, usagef("%s is given without a compiler; name one, such as gcc", withFlag)
			}
			name, args, given = args[1], args[2:], true
		}
	}
	if language == record.Fortran && !given {
		name, given = usualFortran, true
	}
	if given {
		c, err := record.OwnCompiler(ctx, name, language)
		return c, args, err
	}
	c, err := record.FindCompiler(ctx, language == record.Cxx)
	return c, args, err
}

func runCompiler(ctx context.Context, s *streams, language record.Language, args []string) error {
	c, args, err := chosen(ctx, language, args)
	if err != nil {
		return err
	}
	if !c.Clang && !c.Own && !hasMode(args) {
		warn(s.err, "%v: the code stays scalar, arrays private to a function may be missed, and operations are not counted; clang 13 or later does better, or --with %s, which records its own machine code", c, filepath.Base(c.Path))
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
