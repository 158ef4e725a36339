package cli

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
	"foresee/application/record"
	"foresee/application/trace"
	"foresee/cmd/foresee/remedy"
)

// Reading are the flags that say what an input is and how it is read.
type Reading struct {
	Defines, Includes []string
	build             []string // definitions of the compilation database
	database          string
	others            []string // files of C that belong to the first
	By                string   // "": of a source functions, of a run parallel regions
	traceFormat       string
	Partial           bool
	Words             bool   // numbers of threads may be words: all, best
	Run               bool   // a source is compiled and run
	Observe           string // the command of a run of a source for values
	AtThreads         VirtualThreads
	Compile, Compiler string
	Checking, dealing string

	values   *application.ForValues // the run of a source for values; nil: there is none
	unread   bool                   // functions with loops could not be read
	recorded bool                   // what the values do not tell is recorded, however long it takes
	script   string                 // command of the shell by which the program is run
	quiet    bool                   // what it prints was shown
	second   bool                   // it was run for values before
}

// Values of --dealing.
const (
	dealCut   = "cut"
	DealMimic = "mimic"
)

// Values of --by.
const (
	byFunction = "function"
	ByLoop     = "loop"
)

const (
	DefineUsage      = "of a source: define `NAME=VALUE`: a macro, a parameter or a global variable, repeatable"
	byUsage          = "what is a region: `UNIT` is function, or loop: each loop nest and parallel region (default function; of a recorded run, its parallel regions)"
	CheckUsage       = "of a program that is run: compare what it prints with a plain run: auto (where that is short), on or off"
	CompileUsage     = "of a source that is run: `FLAGS` of the compiler, where --cc gives none; -fopenmp for what uses OpenMP alone; of Rust -O"
	compilerUsage    = "of a C++, Fortran or Rust source: the `COMPILER` with its flags that is asked for LLVM IR, such as 'clang++ -O2 -std=c++20'; with --trace, of any source, the one whose machine code is recorded"
	RunCompilerUsage = "of a source that is run: the `COMPILER` whose machine code is recorded, with its flags, such as 'gcc -O3 -march=native' (default: gcc, g++, gfortran or rustc)"
	OfCodeUsage      = "of a source: times of the code that this `COMPILER` makes with its flags, such as 'gcc -O3 -march=native'; it is compiled and followed, not run; where the compiler is not here, code is made as its flags ask for; of C++, Fortran and Rust: the compiler that is asked for LLVM IR; with --trace, the one whose machine code is recorded"
	observeUsage     = "of a source: run `COMMAND` once, such as './app 100 input.txt', for the values that the analysis lacks: sizes, bounds, strides and how often each region is entered; the program is built from the source (--cc), for whatever name stands first"
	AtUsage          = "of a program that is run: with `NUMBER` of virtual threads, for code that splits its work by thread number"
	PartialUsage     = "of a trace or recording that is cut off or damaged, take what is whole"
)

// Add adds the flags.
func (r *Reading) Add(f *pflag.FlagSet) {
	r.AddSource(f)
	f.StringVar(&r.Compiler, "cc", "", compilerUsage)
	f.StringVar(&r.traceFormat, "trace-format", "", "of a trace: "+strings.Join(trace.Formats(), ", ")+" (default: told by the content)")
	f.BoolVar(&r.Partial, "partial", false, PartialUsage)
	f.BoolVar(&r.Run, "trace", false, "compile the source, run it and trace it, instead of reading it; arguments follow --")
	f.StringVar(&r.Observe, "run", "", observeUsage)
	f.Var(&r.AtThreads, "at-threads", AtUsage)
	f.StringVar(&r.Checking, "check", string(application.CheckAuto), CheckUsage)
	f.StringVar(&r.Compile, "compile", application.UsualFlags, CompileUsage)
	f.StringVar(&r.dealing, "dealing", dealCut, "of a recorded run: cut (iterations are dealt to threads by the loops' schedules), or mimic as in PPT-Multicore (basic blocks by how often they run)")
}

// AddSource adds the flags of sources.
func (r *Reading) AddSource(f *pflag.FlagSet) {
	f.StringArrayVarP(&r.Defines, "define", "D", nil, DefineUsage)
	f.StringArrayVarP(&r.Includes, "include", "I", nil, "of a source: look for headers in `DIR`, repeatable")
	f.StringVar(&r.By, "by", "", byUsage)
	f.StringVarP(&r.database, "project", "p", "", "of C sources: take -D and -I from `FILE`, the compilation database of a build (compile_commands.json) or its folder; without operands also the files")
}

var define = regexp.MustCompile(`^[A-Za-z_]\w*((\[\d+\]|(\.|->)\w+)*=|\(|$)`)

// check reports values that cannot be meant.
func (r *Reading) check() error {
	if r.traceFormat != "" {
		if err := OneOf("--trace-format", r.traceFormat, trace.Formats()...); err != nil {
			return err
		}
	}
	if r.Run && r.traceFormat != "" {
		return Usagef("--trace compiles and runs a source, and --trace-format is of a trace that is read; give one")
	}
	if r.Compiler != "" && strings.TrimSpace(r.Compiler) == "" {
		return Usagef("--cc: name a compiler with its flags, such as 'gcc -O3 -march=native'")
	}
	if r.Observe != "" && strings.TrimSpace(r.Observe) == "" {
		return Usagef("--run names a command such as './app 100'")
	}
	if r.Observe != "" {
		if err := observe.Check(r.Observe); err != nil {
			return Usagef("--run: %w", err)
		}
	}
	if r.Observe != "" && r.Run {
		r.Run, r.recorded = false, true
	}
	if err := refuseSizes(r.Defines); err != nil {
		return err
	}
	for _, d := range r.Defines {
		if !define.MatchString(d) {
			return Usagef("-D %q: give NAME or NAME=VALUE", d)
		}
	}
	return cmp.Or(
		OneOf("--by", cmp.Or(r.By, byFunction), byFunction, ByLoop),
		OneOf("--check", cmp.Or(r.Checking, string(application.CheckAuto)), string(application.CheckAuto), string(application.CheckOn), string(application.CheckOff)),
		OneOf("--dealing", cmp.Or(r.dealing, dealCut), dealCut, DealMimic),
	)
}

const maxVirtualThreads = 1024

// VirtualThreads is a flag for how many virtual threads run; 0, which is not given: one run serves all numbers.
type VirtualThreads int

// String implements pflag.Value, as Type and Set do.
func (v *VirtualThreads) String() string { return strconv.Itoa(int(*v)) }

// Type names the value in help.
func (v *VirtualThreads) Type() string { return "NUMBER" }

// Set reads a number of threads.
func (v *VirtualThreads) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxVirtualThreads {
		return fmt.Errorf("give a number of threads from 1 to %d", maxVirtualThreads)
	}
	*v = VirtualThreads(n)
	return nil
}

// Find looks into the input.
func (r *Reading) Find(ctx context.Context, s *Streams, input string) (*application.Input, error) {
	return application.Find(ctx, input, s.In, application.Told{Run: r.Run, TraceFormat: r.traceFormat})
}

// Running says how a program is run, for numbers of threads, and where what it prints goes.
func (r *Reading) Running(s *Streams, threads []int, args []string, stdout io.Writer) application.Running {
	stderr := s.Programs.Err
	if r.quiet {
		stdout, stderr = io.Discard, io.Discard
	}
	return application.Running{
		Arguments: args, Command: r.script, AtThreads: int(r.AtThreads), Threads: threads, ByFunction: r.By == byFunction, Mimic: r.dealing == DealMimic,
		Compile: application.Compiling{Compiler: strings.Fields(r.Compiler), Flags: r.Compile, Defines: slices.Concat(r.Defines, r.build), Includes: r.Includes, Others: r.others},
		Check:   application.Check(r.Checking), Stdin: s.In, Stdout: stdout, Stderr: stderr,
		Warn: func(err error) { Warn(s.Err, "%s", remedy.Said(err)) },
	}
}

// First takes the first of the operands for the input, and the others for files of the same program.
func (r *Reading) First(operands []string) (string, error) {
	if r.database != "" {
		var err error
		if operands, err = r.fromDatabase(operands); err != nil {
			return "", err
		}
	}
	r.others = operands[1:]
	return operands[0], nil
}

// Options say how an input is read; regions are those of a source that are wanted.
func (r *Reading) Options(s *Streams, regions []string, verbose bool) application.Options {
	o := application.Options{Source: csource.Options{Defines: r.Defines, Build: r.build, Includes: r.Includes, Others: r.others, Regions: regions}, Partial: r.Partial, Compiler: strings.Fields(r.Compiler)}
	if r.By == ByLoop {
		o.Source.By = csource.ByLoop
	}
	if r.Observe != "" {
		again, _ := record.Again(s.In)
		r.values = &application.ForValues{Command: r.Observe, Streams: observe.Streams{In: s.In, Again: again, Out: s.Programs.Err, Err: s.Programs.Err}}
		o.Values = r.values
	}
	o.Skipped = func(name string, all []csource.Skipped, lacking []string) {
		r.unread = s.leftOut(append([]string{name}, r.others...), all, lacking, verbose)
	}
	return o
}

// leftOut names the functions of the files, and of headers, with loops that are no region, so that nobody takes a part for the whole. Unread says that
// those of the files are among them.
func (s *Streams) leftOut(files []string, skipped []csource.Skipped, lacking []string, verbose bool) (unread bool) {
	const most, mostOfHeaders = 3, 5 // of those that cannot be read are shown with their reasons, and by name
	var names, ofHeaders []string
	shown := 0
	for _, k := range skipped {
		loops := k.Reason != csource.NoLoops
		own := loops && slices.ContainsFunc(files, func(name string) bool { return isSource(k.Pos.File, name) })
		unread = unread || own && k.Refused
		switch {
		case verbose:
			place := k.Pos.String()
			if k.Pos.Line == 0 {
				place = k.Pos.File
			}
			fmt.Fprintf(s.Err, "foresee: %s: no region for %s: %s\n", place, k.Function, strings.TrimPrefix(k.Reason, place+": "))
		case own && k.Refused && k.Function != "main" && shown < most:
			shown++
			fmt.Fprintf(s.Err, "foresee: without %s, which cannot be read: %s\n", k.Function, remedy.Here(k.Reason))
		case own:
			names = append(names, k.Function)
		case loops && k.Refused && !slices.Contains(ofHeaders, k.Function):
			ofHeaders = append(ofHeaders, k.Function)
		}
	}
	if len(names) > 0 && !verbose {
		fmt.Fprintf(s.Err, "foresee: left out: %s (-v says why)\n", strings.Join(names, ", "))
	}
	if more := len(ofHeaders) - mostOfHeaders; more > 0 {
		ofHeaders = append(ofHeaders[:mostOfHeaders], fmt.Sprintf("%d more", more))
	}
	if len(ofHeaders) > 0 {
		fmt.Fprintf(s.Err, "foresee: left out of headers: %s (-v says why)\n", strings.Join(ofHeaders, ", "))
	}
	if len(lacking) > 0 {
		fmt.Fprintf(s.Err, "foresee: what is left out lacks values, which can be given: %s\n", remedy.Definitions(lacking))
	}
	return unread
}

// isSource tells whether a place is in a source, or in another of the program, and in no header.
func isSource(file, source string) bool { return filepath.Ext(file) == filepath.Ext(source) }

// ThreadsOfRun are those of --threads, or with --at-threads that one; nil where neither is given.
func (r *Reading) ThreadsOfRun(given string) ([]int, error) {
	if r.AtThreads == 0 {
		if given == "" || r.Words && (given == AllThreads || given == BestThreads) {
			return nil, nil
		}
		return ParseThreads(given)
	}
	if given != "" && given != fmt.Sprint(r.AtThreads) {
		return nil, Usagef("--at-threads %d runs that number of threads; leave out --threads", r.AtThreads)
	}
	return []int{int(r.AtThreads)}, nil
}

// ThreadsThatRan are those of a run that cannot be dealt, where it is one.
func ThreadsThatRan(e *application.Execution, given string, threads []int) ([]int, error) {
	ran := e.Threads()
	if ran == 0 || e.Decided() {
		return threads, nil
	}
	if given != "" && given != fmt.Sprint(ran) {
		return nil, Usagef("%s is of a run by %d threads, which cannot be dealt to others; leave out --threads, or record the program again with --threads %s%s", e.Name, ran, given, oneEach(given))
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
