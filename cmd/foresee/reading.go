package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"foresee/application"
	"foresee/application/csource"
	"foresee/application/observe"
	"foresee/application/trace"
)

// reading are the flags that say what an input is and how it is read.
type reading struct {
	defines, includes []string
	build             []string // definitions of the compilation database
	database          string
	others            []string // files of C that belong to the first
	by                string   // "": of a source functions, of a run parallel regions
	traceFormat       string
	partial           bool
	words             bool   // numbers of threads may be words: all, best
	run               bool   // a source is compiled and run
	observe           string // the command of a run of a source for values
	atThreads         virtualThreads
	compile, compiler string
	checking, dealing string
}

// Values of --dealing.
const (
	dealCut   = "cut"
	dealMimic = "mimic"
)

// Values of --by.
const (
	byFunction = "function"
	byLoop     = "loop"
)

const (
	defineUsage   = "of a source: define `NAME=VALUE`: a macro, a parameter or a global variable, repeatable"
	byUsage       = "what is a region: `UNIT` is function, or loop: each loop nest and parallel region (default function; of a recorded run, its parallel regions)"
	checkUsage    = "of a program that is run: compare what it prints with a plain run: auto (where that is short), on or off"
	compileUsage  = "of a source that is run: `FLAGS` of the compiler"
	compilerUsage = "of a C++, Fortran or Rust source: the `COMPILER` with its flags that is asked for LLVM IR, such as 'clang++ -O2 -std=c++20'"
	ofCodeUsage   = "of a source: times of the code that this `COMPILER` makes with its flags, such as 'gcc -O3 -march=native'; it is compiled and followed, not run; where the compiler is not here, code is made as its flags ask for; of C++, Fortran and Rust: the compiler that is asked for LLVM IR"
	observeUsage  = "of a source: run `COMMAND` once, such as './app 100 input.txt', for the values that the analysis lacks: sizes, bounds, strides and how often each region is entered; the program is built from the source (--cc), for whatever name stands first"
	usualFlags    = "-O2 -fopenmp -lm"
	atUsage       = "of a program that is run: with `NUMBER` of virtual threads, for code that splits its work by thread number"
	partialUsage  = "of a trace or recording that is cut off or damaged, take what is whole"
)

func (r *reading) add(f *pflag.FlagSet) {
	r.addSource(f)
	f.StringVar(&r.compiler, "cc", "", compilerUsage)
	f.StringVar(&r.traceFormat, "trace-format", "", "of a trace: "+strings.Join(trace.Formats(), ", ")+" (default: told by the content)")
	f.BoolVar(&r.partial, "partial", false, partialUsage)
	f.BoolVar(&r.run, "trace", false, "compile the C or C++ source, run it and trace it, instead of reading it")
	f.StringVar(&r.observe, "run", "", observeUsage)
	f.Var(&r.atThreads, "at-threads", atUsage)
	f.StringVar(&r.checking, "check", string(application.CheckAuto), checkUsage)
	f.StringVar(&r.compile, "compile", usualFlags, compileUsage)
	f.StringVar(&r.dealing, "dealing", dealCut, "of a recorded run: cut (iterations are dealt to threads by the loops' schedules), or mimic as in PPT-Multicore (basic blocks by how often they run)")
}

// addSource adds the flags of sources.
func (r *reading) addSource(f *pflag.FlagSet) {
	f.StringArrayVarP(&r.defines, "define", "D", nil, defineUsage)
	f.StringArrayVarP(&r.includes, "include", "I", nil, "of a source: look for headers in `DIR`, repeatable")
	f.StringVar(&r.by, "by", "", byUsage)
	f.StringVarP(&r.database, "project", "p", "", "of C sources: take -D and -I from `FILE`, the compilation database of a build (compile_commands.json) or its folder; without operands also the files")
}

var define = regexp.MustCompile(`^[A-Za-z_]\w*((\[\d+\]|(\.|->)\w+)*=|\(|$)`)

// check reports values that cannot be meant.
func (r *reading) check() error {
	if r.traceFormat != "" {
		if err := oneOf("--trace-format", r.traceFormat, trace.Formats()...); err != nil {
			return err
		}
	}
	if r.run && r.traceFormat != "" {
		return usagef("--trace compiles and runs a source, and --trace-format is of a trace that is read; give one")
	}
	if r.compiler != "" && strings.TrimSpace(r.compiler) == "" {
		return usagef("--cc: name a compiler with its flags, such as 'gcc -O3 -march=native'")
	}
	if r.observe != "" && (r.run || strings.TrimSpace(r.observe) == "") {
		return usagef("--run names a command such as './app 100', and goes without --trace, which runs and traces all")
	}
	if err := refuseSizes(r.defines); err != nil {
		return err
	}
	for _, d := range r.defines {
		if !define.MatchString(d) {
			return usagef("-D %q: give NAME or NAME=VALUE", d)
		}
	}
	return cmp.Or(
		oneOf("--by", cmp.Or(r.by, byFunction), byFunction, byLoop),
		oneOf("--check", cmp.Or(r.checking, string(application.CheckAuto)), string(application.CheckAuto), string(application.CheckOn), string(application.CheckOff)),
		oneOf("--dealing", cmp.Or(r.dealing, dealCut), dealCut, dealMimic),
	)
}

const maxVirtualThreads = 1024

// virtualThreads is a flag for how many virtual threads run; 0, which is not given: one run serves all numbers.
type virtualThreads int

func (v *virtualThreads) String() string { return strconv.Itoa(int(*v)) }

func (v *virtualThreads) Type() string { return "NUMBER" }

func (v *virtualThreads) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxVirtualThreads {
		return fmt.Errorf("give a number of threads from 1 to %d", maxVirtualThreads)
	}
	*v = virtualThreads(n)
	return nil
}

// find looks into the input.
func (r *reading) find(ctx context.Context, s *streams, input string) (*application.Input, error) {
	return application.Find(ctx, input, s.in, application.Told{Run: r.run, TraceFormat: r.traceFormat})
}

// running says how a program is run, for numbers of threads, and where what it prints goes.
func (r *reading) running(s *streams, threads []int, args []string, stdout io.Writer) application.Running {
	return application.Running{
		Arguments: args, AtThreads: int(r.atThreads), Threads: threads, ByFunction: r.by == byFunction, Mimic: r.dealing == dealMimic,
		Compile: application.Compiling{Flags: r.compile, Defines: slices.Concat(r.defines, r.build), Includes: r.includes},
		Check:   application.Check(r.checking), Stdin: s.in, Stdout: stdout, Stderr: s.programs.err,
		Warn: func(err error) { warn(s.err, "%s", said(err)) },
	}
}

// first takes the first of the operands for the input, and the others for files of the same program.
func (r *reading) first(operands []string) (string, error) {
	if r.database != "" {
		var err error
		if operands, err = r.fromDatabase(operands); err != nil {
			return "", err
		}
	}
	r.others = operands[1:]
	return operands[0], nil
}

// options say how an input is read; regions are those of a source that are wanted.
func (r *reading) options(s *streams, regions []string, verbose bool) application.Options {
	o := application.Options{Source: csource.Options{Defines: r.defines, Build: r.build, Includes: r.includes, Others: r.others, Regions: regions}, Partial: r.partial, Compiler: strings.Fields(r.compiler)}
	if r.by == byLoop {
		o.Source.By = csource.ByLoop
	}
	if r.observe != "" {
		o.Values = &application.ForValues{Command: r.observe, Streams: observe.Streams{In: s.in, Out: s.programs.err, Err: s.programs.err}}
	}
	o.Skipped = func(name string, all []csource.Skipped, lacking []string) {
		s.leftOut(append([]string{name}, r.others...), all, lacking, verbose)
	}
	return o
}

// leftOut names the functions of the files, and of headers, with loops that are no region, so that nobody takes a part for the whole.
func (s *streams) leftOut(files []string, skipped []csource.Skipped, lacking []string, verbose bool) {
	const most, mostOfHeaders = 3, 5 // of those that cannot be read are shown with their reasons, and by name
	var names, ofHeaders []string
	shown := 0
	for _, k := range skipped {
		loops := k.Reason != csource.NoLoops
		switch own := loops && slices.ContainsFunc(files, func(name string) bool { return isSource(k.Pos.File, name) }); {
		case verbose:
			fmt.Fprintf(s.err, "foresee: %s: no region for %s: %s\n", k.Pos, k.Function, k.Reason)
		case own && k.Refused && k.Function != "main" && shown < most:
			shown++
			fmt.Fprintf(s.err, "foresee: without %s, which cannot be read: %s\n", k.Function, sayHere(k.Reason))
		case own:
			names = append(names, k.Function)
		case loops && k.Refused && !slices.Contains(ofHeaders, k.Function):
			ofHeaders = append(ofHeaders, k.Function)
		}
	}
	if len(names) > 0 && !verbose {
		fmt.Fprintf(s.err, "foresee: left out: %s (-v says why)\n", strings.Join(names, ", "))
	}
	if more := len(ofHeaders) - mostOfHeaders; more > 0 {
		ofHeaders = append(ofHeaders[:mostOfHeaders], fmt.Sprintf("%d more", more))
	}
	if len(ofHeaders) > 0 {
		fmt.Fprintf(s.err, "foresee: left out of headers: %s (-v says why)\n", strings.Join(ofHeaders, ", "))
	}
	if len(lacking) > 0 {
		fmt.Fprintf(s.err, "foresee: what is left out lacks values, which can be given: %s\n", definitions(lacking))
	}
}

// isSource tells whether a place is in a source, or in another of the program, and in no header.
func isSource(file, source string) bool { return filepath.Ext(file) == filepath.Ext(source) }

// threadsOfRun are those of --threads, or with --at-threads that one; nil where neither is given.
func (r *reading) threadsOfRun(given string) ([]int, error) {
	if r.atThreads == 0 {
		if given == "" || r.words && (given == allThreads || given == bestThreads) {
			return nil, nil
		}
		return parseThreads(given)
	}
	if given != "" && given != fmt.Sprint(r.atThreads) {
		return nil, usagef("--at-threads %d runs that number of threads; leave out --threads", r.atThreads)
	}
	return []int{int(r.atThreads)}, nil
}

// threadsThatRan are those of a run that cannot be dealt, where it is one.
func threadsThatRan(e *application.Execution, given string, threads []int) ([]int, error) {
	ran := e.Threads()
	if ran == 0 || e.Decided() {
		return threads, nil
	}
	if given != "" && given != fmt.Sprint(ran) {
		return nil, usagef("%s is of a run by %d threads, which cannot be dealt to others; leave out --threads, or record the program again with --threads %s%s", e.Name, ran, given, oneEach(given))
	}
	return []int{ran}, nil
}

// oneEach says how several numbers of threads are recorded.
func oneEach(threads string) string {
	if strings.Trim(threads, "0123456789") == "" {
		return ""
	}
	return ", each number into a file of its own"
}

// splitArguments separates the operand from what follows "--", the arguments of the program.
func splitArguments(args []string, dash int) (operands, rest []string) {
	if dash < 0 {
		return args, nil
	}
	return args[:dash], args[dash:]
}
