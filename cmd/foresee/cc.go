package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"foresee/application/record"
	"foresee/cmd/foresee/cli"
)

func ccCommand(s *cli.Streams) *cobra.Command {
	return compilerCommand(s, "cc", "C", record.C,
		"  foresee cc -O2 -fopenmp -c gemm.c\n"+
			"  foresee cc -O2 -fopenmp gemm.c -o gemm -lm\n"+
			"  foresee cc --with gcc -O3 -march=native gemm.c -o gemm -lm")
}

func fcCommand(s *cli.Streams) *cobra.Command {
	return compilerCommand(s, "fc", "Fortran", record.Fortran,
		"  foresee fc -O3 -march=native solver.f90 -o solver\n"+
			"  foresee fc --with gfortran-12 -O2 -c solver.f90")
}

func cxxCommand(s *cli.Streams) *cobra.Command {
	return compilerCommand(s, "c++", "C++", record.Cxx,
		"  foresee c++ -O3 -march=native -fopenmp solver.cpp -o solver")
}

func rustcCommand(s *cli.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "rustc COMPILER-ARGUMENTS",
		Short: "stands in for the Rust compiler in a build, adds the instrumentation",
		Long: "rustc takes the arguments of the Rust compiler and does what that would do, and adds recording to the machine code that it makes,\n" +
			"which stays as it is. As first argument, --with COMPILER names another one, as does its path alone, which cargo gives. What it builds\n" +
			"runs as usual, and can be traced: foresee trace PROGRAM. In a build: RUSTC_WRAPPER=foresee-rustc cargo build --release. What runs while\n" +
			"others are compiled (build scripts, macros) is compiled as always, and so is Rust's own library.",
		Example: "  foresee rustc -O solver.rs -o solver\n" +
			"  foresee rustc --with rustc -O --edition 2021 solver.rs",
		DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && (args[0] == "--help" || args[0] == "-h") {
				return cmd.Help()
			}
			return runRust(cmd.Context(), s, args)
		},
	}
}

func runRust(ctx context.Context, s *cli.Streams, args []string) error {
	name, args, err := withCompiler(args)
	if err != nil {
		return err
	}
	if name == "" {
		name = record.UsualRust
		if len(args) > 0 && strings.HasPrefix(filepath.Base(args[0]), record.UsualRust) && filepath.Ext(args[0]) != ".rs" {
			name, args = args[0], args[1:]
		}
	}
	rustc, err := record.RustCompiler(ctx, name)
	if err != nil {
		return err
	}
	c, err := record.Linker(ctx)
	if err != nil {
		return err
	}
	b := &record.Builder{Compiler: c, Rustc: rustc, Stdin: s.In, Stdout: s.Programs.Out, Stderr: s.Programs.Err}
	return ofCompiler(b.BuildRust(ctx, args))
}

// ofCompiler is the error of building, where a compiler said it itself: its exit code alone.
func ofCompiler(err error) error {
	var exit *record.ExitError
	if errors.As(err, &exit) {
		return saidError{exit.Code}
	}
	return err
}

// compilerCommand stands in for a compiler: all arguments are the compiler's.
func compilerCommand(s *cli.Streams, verb, name string, language record.Language, example string) *cobra.Command {
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
	return "with gcc, with OpenMP clang, or the other where that is not there, or as\nfirst argument --with COMPILER. It adds recording to the machine code that the compiler makes, which stays as it is, so that times are\nthose of its own code; --with ir, and other processors than x86-64, have the optimised IR of clang 13 or later recorded;"
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

// ofIR, in place of a compiler, has clang's optimised IR recorded.
const ofIR = "ir"

// withCompiler gives the compiler that the first argument names, empty if it names none, and the arguments behind it.
func withCompiler(args []string) (string, []string, error) {
	if len(args) == 0 {
		return "", args, nil
	}
	if name, ok := strings.CutPrefix(args[0], withFlag+"="); ok && name != "" {
		return name, args[1:], nil
	}
	if args[0] != withFlag && args[0] != withFlag+"=" {
		return "", args, nil
	}
	if len(args) < 2 || args[1] == "" || args[0] != withFlag {
		return "", nil, cli.Usagef("%s is given without a compiler; name one, such as gcc", withFlag)
	}
	return args[1], args[2:], nil
}

// noCompilerFirst refuses a command that names a compiler as make's CC would, behind foresee cc; a file of that name is an input.
func noCompilerFirst(args []string) error {
	if len(args) > 1 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 || strings.HasPrefix(args[0], "-") || filepath.Ext(args[0]) != "" && !compilerWithVersion.MatchString(args[0]) {
		return nil
	}
	if _, err := os.Stat(args[0]); err == nil && filepath.Base(args[0]) == args[0] {
		return nil
	}
	if _, err := exec.LookPath(args[0]); err != nil {
		return nil
	}
	return cli.Usagef("%s is no source; to record the code that it makes, write %s %s before the other arguments", args[0], withFlag, args[0])
}

// compilerWithVersion is a name such as gcc-12.2, whose ending is none of a file.
var compilerWithVersion = regexp.MustCompile(`-\d+(\.\d+)+$`)

// chosen is the compiler of a command line, and what follows of it.
func chosen(ctx context.Context, language record.Language, args []string) (*record.Compiler, []string, error) {
	name, args, err := withCompiler(args)
	if err == nil {
		err = noCompilerFirst(args)
	}
	if err != nil {
		return nil, nil, err
	}
	var c *record.Compiler
	switch name {
	case "":
		c, err = record.UsualCompiler(ctx, language, record.UsesOpenMP(args))
	case ofIR:
		c, err = record.FindCompiler(ctx, language == record.Cxx)
	default:
		c, err = record.OwnCompiler(ctx, name, language)
	}
	return c, args, err
}

func runCompiler(ctx context.Context, s *cli.Streams, language record.Language, args []string) error {
	c, args, err := chosen(ctx, language, args)
	if err != nil {
		return err
	}
	if !c.Clang && !c.Own && !hasMode(args) {
		cli.Warn(s.Err, "%v: the code stays scalar, arrays private to a function may be missed, and operations are not counted; clang 13 or later does better", c)
	}
	if i := slices.IndexFunc(args, record.IsCxx); language == record.C && i >= 0 && !hasMode(args) {
		cli.Warn(s.Err, "%s is C++, whose library cc does not link, as C compilers do not: foresee c++ does", args[i])
	}
	b := &record.Builder{Compiler: c, Stdin: s.In, Stdout: s.Programs.Out, Stderr: s.Programs.Err}
	return ofCompiler(b.Build(ctx, args))
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
