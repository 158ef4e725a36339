// Package remedy puts what libraries say, which know nothing of flags and verbs, into words of the command foresee: errors with what its
// user can do about them, and the advice of results.
package remedy

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"foresee/application"
	"foresee/application/counters/ranks"
	"foresee/application/counters/reuse"
	"foresee/application/csource"
	"foresee/application/ir"
	"foresee/application/nest"
	"foresee/application/observe"
	"foresee/application/record"
	"foresee/application/record/mpi"
	"foresee/application/trace"
	"foresee/machine"
	"foresee/machine/probe"
	"foresee/model/threads"
	"foresee/model/timing"
	"foresee/predict"
	"foresee/predict/compiled"
	"foresee/predict/hierarchy"
	"foresee/predict/scale"
	"foresee/report/figure"
	"foresee/sweep"
	"foresee/sweep/slurm"
)

// Of is what the user of this command can do about an error of a library, which knows nothing of flags and verbs; it follows the error.
// It is empty where the error says all there is.
func Of(err error) string {
	var notSource *application.NotSourceError
	var lacking *csource.LackingError
	switch {
	case errors.As(err, &lacking):
		return "; give them together: " + Definitions(lacking.Definitions)
	case errors.As(err, &notSource):
		return remedyOf(notSource)
	case errors.Is(err, application.ErrDamaged), errors.Is(err, threads.ErrDamaged):
		return "; make it again: foresee profile -o NAME.sig.json FILE.c"
	case errors.As(err, new(*ir.MissingError)), errors.As(err, new(*ir.UnfitError)), errors.As(err, new(*ir.CompilerError)):
		return remedyOfCompiler(err)
	case errors.As(err, new(*application.OverriddenError)):
		return "; put its definitions between #ifndef NAME and #endif, so that those of -D hold"
	case errors.As(err, new(*observe.BuildError)):
		return "; name all files of the program (foresee predict main.c solver.c --run …), and the compiler with its flags and libraries: --cc 'gcc -O2 -lfftw3', -I DIR, -D NAME=VALUE"
	case errors.As(err, new(*ir.LinkError)):
		return "; name all files of the program, and the compiler with its flags, libraries and objects of parts in other languages: --cc 'clang++ -O2 -lfftw3', 'flang-new-19 -O2 parts.o'; Rust links with its own library alone"
	case errors.As(err, new(*ir.UnreadError)):
		return "; install a clang as new as it (Debian: apt install clang-19), or name an older compiler: --cc /usr/bin/rustc"
	case errors.As(err, new(*observe.RunError)):
		return "; --run names the program and its arguments as they are typed, in the folder where they are"
	case errors.As(err, new(*application.CutError)):
		return "; use --partial to take what is whole"
	case errors.As(err, new(*application.NoMainError)):
		return "; add one that calls what is to be seen, or build the whole program with foresee cc and give it"
	case errors.As(err, new(*application.NoCompilerError)):
		return "; install it, or name another one: --cc gcc"
	case errors.As(err, new(*application.NotCompiledError)):
		return "; build others with foresee cc or foresee c++ and give the program"
	case errors.Is(err, application.ErrLongCheck):
		return "; --check=on waits for it"
	case errors.As(err, new(*application.UnsureError)):
		return "; --check=on compares it, and questions of code that foresee cc builds are followed"
	case isOutputError(err), errors.As(err, new(*application.RepeatedError)):
		return " (--check=off takes it nevertheless)"
	case errors.Is(err, record.ErrNotInstrumented):
		return "; build it so (foresee cc and foresee c++ stand in for the compiler), or see foresee trace --valgrind"
	case errors.As(err, new(*mpi.TakenError)):
		return "; name another folder with -o"
	}
	return cmp.Or(remedyOfMachine(err), remedyOfScale(err), remedyOfSweep(err), remedyOfPrediction(err))
}

// Definitions are those of values, as flags.
func Definitions(all []string) string {
	var flags []string
	for _, d := range all {
		flags = append(flags, "-D "+quoted(d))
	}
	return strings.Join(flags, " ")
}

// remedyOfCompiler is what to do where no LLVM IR could be made of a source.
func remedyOfCompiler(err error) string {
	var missing *ir.MissingError
	var unfit *ir.UnfitError
	switch {
	case errors.As(err, &missing):
		return "; install one (Debian: apt install " + map[ir.Language]string{ir.Cxx: "clang", ir.Fortran: "flang-19", ir.Rust: "rustc"}[missing.Language] + "), or name another: --cc 'COMPILER FLAGS'"
	case errors.As(err, &unfit) && unfit.Language == ir.Fortran:
		return "; flang reads Fortran (Debian: apt install flang-19): --cc 'flang-new-19 -O2', or leave --cc out; gfortran's programs can be run: foresee fc"
	case errors.As(err, new(*ir.UnfitError)):
		return "; clang++ stands in for g++ where it is installed (Debian: apt install clang); or name one that does: --cc 'clang++ -O2', 'flang-new-19 -O2' or rustc"
	}
	if strings.Contains(err.Error(), "omp.h") {
		return "; install OpenMP's header (Debian: apt install libomp-dev), or name a compiler that has it: --cc 'clang++ -O2 -fopenmp'"
	}
	if strings.Contains(err.Error(), "mpi.h") {
		return "; say where MPI's headers are: -I DIR (mpicc -show names it; Debian: apt install libopenmpi-dev)"
	}
	if strings.Contains(err.Error(), "redefinition of") {
		return "; files that are given together are compiled as one: what is static in two of them needs two names, or give them one by one"
	}
	var failed *ir.CompilerError
	if errors.As(err, &failed) && strings.Contains(failed.Command, "flang") {
		return "; give it its flags: --cc 'flang-new-19 -O2 -DNAME=VALUE', -I DIR; files whose modules it uses are given with it: foresee predict FILE.f90 MODULES.f90"
	}
	if errors.As(err, &failed) && strings.Contains(failed.Command, "rustc") {
		return "; give it its flags: --cc 'rustc -O --edition 2021'"
	}
	return "; give it its flags: --cc 'clang++ -O2 -std=c++20', -I DIR, -D NAME=VALUE"
}

// remedyOfMachine is remedy of errors about machines.
func remedyOfMachine(err error) string {
	switch {
	case errors.As(err, new(*timing.MissingError)):
		return "; add it to a machine file (foresee machine measure makes one of this machine), or name another machine (--machine)"
	case errors.As(err, new(*timing.NoFitError)):
		return "; make its file with foresee machine measure, or take --model overlap"
	case errors.As(err, new(*machine.UnknownError)):
		return " (foresee machine list shows all; the path of a .yaml file works too)"
	case errors.As(err, new(*machine.NoFileError)):
		return "; foresee machine list shows the machines that need none"
	case errors.Is(err, probe.ErrNoCaches):
		return "; say what there is: --caches 48KiB,1MiB,32MiB"
	case errors.Is(err, probe.ErrNotMeasured):
		return "; make it with foresee machine measure -o FILE"
	case errors.As(err, new(*figure.NotMeasuredError)):
		return "; foresee machine measure -o FILE makes a file that does"
	}
	return ""
}

// remedyOfSweep is what to do about a design space that is not predicted whole.
func remedyOfSweep(err error) string {
	var axis *sweep.AxisError
	switch {
	case errors.As(err, &axis):
		return "; there are " + strings.Join(axis.Known, ", ")
	case errors.As(err, new(*slurm.MissingError)):
		return "; give the command on a node where Slurm's commands are, or leave out --slurm"
	case errors.As(err, new(*slurm.RejectedError)):
		return " (--sbatch OPTION gives it what the cluster asks for, such as --sbatch=--partition=NAME)"
	case errors.As(err, new(*slurm.LeftError)):
		return "; give the same command again to wait for it, or end it with scancel"
	}
	return ""
}

// remedyOfScale is what to do about measurements that say too little.
func remedyOfScale(err error) string {
	var line *scale.LineError
	var point *scale.PointError
	switch {
	case errors.As(err, &line):
		return fmt.Sprintf("; make it with foresee profile --line %d", line.Machine)
	case errors.As(err, &point):
		return "; write for instance --at " + point.Example
	case errors.Is(err, ranks.ErrNoRun):
		return "; record one with foresee mpi"
	case errors.Is(err, reuse.ErrNone):
		return "; make it with foresee profile --threads 1"
	}
	return ""
}

// remedyOfPrediction is what to do about a prediction that cannot be made as asked.
func remedyOfPrediction(err error) string {
	var conflict predict.Conflict
	var thread *predict.ThreadError
	var level *hierarchy.LevelError
	switch {
	case errors.As(err, new(*compiled.MissingError)):
		return "; measure it (foresee machine measure), or name a machine whose instructions were (zen4, zen5, granite-rapids-vm)"
	case errors.As(err, new(*predict.SeveralRegionsError)):
		return "; name one with --region"
	case errors.Is(err, nest.ErrGaveUp):
		return "; give a smaller problem (-D NAME=VALUE), or run and trace it: --trace"
	case errors.As(err, new(*predict.NoOperationsError)):
		return "; give the operations a request and a cycle: --param Z=…,E=…"
	case errors.As(err, &conflict):
		return remedies[conflict]
	case errors.As(err, new(*predict.WalkError)):
		return "; give one of --method and --threads-model"
	case errors.As(err, new(*predict.LinesError)):
		return "; take --method shards, or a larger --line"
	case errors.As(err, &thread):
		return fmt.Sprintf("; say --threads %d or more", thread.Thread+1)
	case errors.As(err, &level):
		value := map[string]string{"size": "BYTES", "ways": "N"}[level.Lacks]
		return fmt.Sprintf(" (foresee simulate also takes --level %s:%s=%s)", level.Level, level.Lacks, value)
	}
	return ""
}

// remedies are what to do about wishes that do not go together.
var remedies = map[predict.Conflict]string{
	predict.PublishedShared:    "; leave out --scope, or take --threads-model symbolic",
	predict.PublishedIntervals: "; say --measure interval, or take --threads-model symbolic",
	predict.PublishedCurves:    "; take foresee mrc --threads-model pluss",
	predict.PublishedRandom:    "; leave out --interleave round-robin, or take --threads-model exact",
	predict.SymbolicRandom:     "; leave out --interleave round-robin, or take --threads-model exact",
	predict.ExactTurns:         "; leave out --interleave uniform, or take --threads-model symbolic",
	predict.SampledDistances:   "; take --method exact",
}

func isOutputError(err error) bool {
	var output *application.OutputError
	return errors.As(err, &output) && output.Differ
}

func remedyOf(e *application.NotSourceError) string {
	asTrace := "--trace-format " + strings.Join(trace.Formats(), "|")
	switch e.What {
	case application.Empty:
		return "; give a C file, a trace, a recording, a program or a saved signature"
	case application.UTF16:
		return "; convert it: iconv -f UTF-16 -t UTF-8 FILE"
	case application.OtherPacked:
		return ", for a trace: xzcat or bzcat FILE | foresee mrc -"
	case application.OtherJSON:
		return ", or a signature that foresee profile -o NAME.sig.json made"
	case application.Numbers:
		return "; if this is a trace, say " + asTrace + "; mere addresses become one (text) with sed 's/^/r /'"
	case application.UnreadableText:
		return "; if this is a trace, say " + asTrace
	}
	return ""
}

// noteRemedies are what can be done about notes on machines.
var noteRemedies = map[string]string{
	machine.NoMemory:      "; add them: foresee machine show --format yaml host > my.yaml",
	machine.FromKerncraft: ": predict needs them; foresee machine measure finds them on the machine itself",
}

// OfNotes adds to the notes on a machine what can be done about them.
func OfNotes(m *machine.Machine) *machine.Machine {
	for i, note := range m.Notes {
		m.Notes[i] = fmt.Sprint(note, noteRemedies[note])
	}
	return m
}
