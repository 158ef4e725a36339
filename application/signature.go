// Package application is what a program does, whatever tells of it: C source, LLVM IR and what compilers make it of, a saved signature, a trace of accesses, a recording of
// a run, or a program that is run for it. Open tells by an input's content which it is, and gives a Signature in every case.
package application

import (
	"context"

	"foresee/application/nest"
	"foresee/application/recording"
	"foresee/application/trace"
)

// Kind is what a signature is read from.
type Kind uint8

// Kinds of inputs.
const (
	Source     Kind = iota // C source, whose loops are analysed and nothing is run
	Module                 // LLVM IR, or a source that a compiler makes it of; its loops are analysed likewise
	Saved                  // a file of signatures, made of C source
	Trace                  // accesses in the order of a run, by the threads that made them
	Recording              // a run that was kept
	Program                // a program that is run, or a source that is compiled and run
	Listing                // what a disassembler prints of GPU code; it has no signature
	Parameters             // a file of the X-model's parameters; it has no signature
)

// Kinds are all of them, in the order of tables.
var Kinds = []Kind{Source, Module, Saved, Trace, Recording, Program, Listing, Parameters}

func (k Kind) String() string {
	return [...]string{"C source", "source that LLVM compiles", "saved signature", "trace", "recording", "program that is run", "listing of GPU code", "file of parameters"}[k]
}

// Signature is what an application gives to the models. Its locality is known in one of two ways: Loops are analysed for any number
// of threads, without walking through their accesses; Streams are accesses that were made.
type Signature struct {
	Name     string // of the input, for results
	Kind     Kind
	Unread   []string // functions of a source with loops that cannot be read
	Asked    bool     // for the regions by name
	Averaged bool     // of a run that told values: loops that data end iterate as often as in the mean
	Warnings []string // what whoever reads a result must know of how it was read

	Loops    []*nest.Program            // by region; nil where accesses were made
	Locality map[*nest.Program]Locality // of a saved signature: what was found out when it was saved
	Streams  Streams                    // nil where there are loops
	Code     *Code                      // of a source that compilers can make code of; nil of others
}

// Code is what a compiler is given to make of a source what its loops were read from.
type Code struct {
	Name      string // of the source
	Folder    string // that it lies in; "" where that is not known
	Path      string // where compilers find it; "" of C source, which they are given as Text
	Fortran   bool   // with a path: what it is written in; else C++
	Text      []byte
	Macros    []string // NAME or NAME=VALUE
	Overrides []string // those of them that are taken instead of definitions of the text
	Includes  []string // folders of headers
	Arguments []string // of the run that told with which values its regions are entered, the program's name first
	Values    bool     // variables or parameters were given values that no compiler is told of
}

// Locality is a threads.Signature as it was saved.
type Locality struct {
	Line     int64  // bytes
	Accesses int64  // of the whole region
	Data     []byte // of its MarshalBinary
}

// Dealing is how one run becomes the accesses of a number of threads.
type Dealing struct {
	Interleave string // how accesses of threads mix between barriers: threads.RoundRobin (default) or threads.Uniform
	Seed       uint64 // of Uniform
	Mimic      bool   // basic blocks are dealt by how often they run, as in PPT-Multicore, not iterations by the loops' schedules
	// Follower gives who follows a thread of a recorded run with a number of threads; nil, as is what it gives: nobody.
	Follower func(threads, thread int) recording.Follower
	// Lines are those of caches, if of a recorded run's accesses, of one thread, those are to be left out that change nothing in them.
	Lines recording.Lines
}

// Streams are accesses that were made by a program.
type Streams interface {
	// Dealable says whether there are accesses for any number of threads; else they are of the threads that ran.
	Dealable() bool
	// OneByOne says whether each number of threads takes a run of its own, one after the other: where one is interrupted, those before
	// it are whole, and those behind it have not begun.
	OneByOne() bool
	// Each gives a team for each number of threads to f, side by side where the accesses are read once for all, and f's first error in
	// the order of threads. f is to take all events of its team; workers is how many goroutines it may use.
	Each(ctx context.Context, d Dealing, threads []int, f func(ctx context.Context, i int, t Team, workers int) error) error
}

// Team is what a number of threads did together.
type Team interface {
	trace.Source
	// Ran is the run with how often each segment of code was executed; nil where accesses alone are known.
	Ran() *recording.Team
	// Mixed names how iterations were dealt to threads, and how accesses of threads were interleaved; both are empty where they come in
	// the order in which they were recorded.
	Mixed() (dealt, interleave string)
	// Notes are what whoever reads a result must know of the team, once its events are read.
	Notes() []string
}

// OfLoops is the signature of loop nests.
func OfLoops(name string, programs ...*nest.Program) *Signature {
	return &Signature{Name: name, Kind: Source, Loops: programs}
}

// OfTrace is the signature of accesses in the order of a source, which can be read once.
func OfTrace(name string, src trace.Source) *Signature {
	return &Signature{Name: name, Kind: Trace, Streams: &events{src}}
}

// OfRun is the signature of a recorded run. With dealt it can be dealt to any number of threads; else it is of those that ran.
func OfRun(name string, src recording.Source, dealt bool) *Signature {
	return &Signature{Name: name, Kind: Recording, Streams: &Recorded{Source: src, Dealt: dealt}}
}
