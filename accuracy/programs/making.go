package programs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"foresee/application"
	"foresee/application/record"
	"foresee/application/recording"
	"foresee/machine"
	"foresee/predict"
)

// way is how programs are made: by a compiler of C and one of C++, with flags.
type way struct {
	c, cxx  string
	flags   []string
	ownOnly bool // only the programs of examples/programs, as what others need of a compiler is not known
}

var making = []way{{"gcc", "g++", []string{"-O2"}, false}, {"gcc", "g++", []string{"-O3", "-march=native"}, false}, {"clang", "clang++", []string{"-O2"}, true}}

// OutputError is a program that prints something else when it is recorded.
type OutputError struct{ Program, Plain, Recorded string }

func (e *OutputError) Error() string {
	return fmt.Sprintf("%s prints something else when its code is rewritten: %q instead of %q", e.Program, e.Recorded, e.Plain)
}

// build makes a program plainly, and one that records; false where the compiler is not here.
func (o *outcome) build(ctx context.Context, by way) (bool, error) {
	language, compiler := record.C, by.c
	if o.cxx {
		language, compiler = record.Cxx, by.cxx
	}
	if _, err := exec.LookPath(compiler); err != nil {
		return false, nil
	}
	o.by, o.recorded = strings.Join(append([]string{compiler}, by.flags...), " "), o.plain+".recorded"
	args := append(append(slices.Clone(by.flags), "-w"), o.words...)
	if out, err := exec.CommandContext(ctx, compiler, append(args, "-o", o.plain)...).CombinedOutput(); err != nil {
		return false, fmt.Errorf("%w\n%s", err, out)
	}
	c, err := record.OwnCompiler(ctx, compiler, language)
	if err != nil {
		return false, err
	}
	var said bytes.Buffer
	b := &record.Builder{Compiler: c, Stdin: strings.NewReader(""), Stdout: &said, Stderr: &said}
	if err := b.Build(ctx, append(args, "-o", o.recorded)); err != nil {
		return false, fmt.Errorf("%w\n%s", err, &said)
	}
	return true, nil
}

// leftOut are parts of a prediction, and machines without what they need.
var leftOut = []struct {
	name string
	of   func(m *machine.Machine)
}{
	{"without page faults", func(m *machine.Machine) { m.Memory.PageFaultNs = nil }},
	{"without mispredicted branches", func(m *machine.Machine) { m.Instructions.MispredictedCycles = 0 }},
	{"without forwarding", func(m *machine.Machine) {
		x := m.Instructions
		x.ForwardCycles, x.VectorForwardCycles, x.BlockedForwardCycles = x.LoadCycles, x.VectorLoadCycles, x.LoadCycles
	}},
	{"mathematics and copies as any call", func(m *machine.Machine) {
		m.Instructions.Functions, m.Instructions.CopiedBytes, m.Instructions.SetBytes = nil, 0, 0
	}},
}

// machines are a machine and those without parts, of those that are known of it.
func machines(m *machine.Machine) []*machine.Machine {
	all := []*machine.Machine{m}
	for _, part := range leftOut {
		if m.Instructions == nil {
			break
		}
		less, instructions := *m, *m.Instructions
		less.Instructions = &instructions
		part.of(&less)
		less.Name = m.Name + ", " + part.name
		all = append(all, &less)
	}
	return all
}

// predict records a program, counts what that costs, and predicts its time.
func (o *outcome) predict(ctx context.Context, m *machine.Machine) error {
	if err := o.record(ctx); err != nil {
		return err
	}
	begun := ownSeconds()
	if err := o.predictOn(ctx, &o.predicted, m); err != nil {
		return err
	}
	o.whole = ownSeconds() - begun
	others := machines(m)[1:]
	if o.by != dissected && o.by != dissectedCxx || len(others) == 0 {
		return nil
	}
	o.without = make([]times, len(others))
	var less []*times
	for i := range o.without {
		less = append(less, &o.without[i])
	}
	return o.predictAll(ctx, less, others)
}

// dissected is the code of which parts of the prediction are left out: of all it would take too long.
const dissected, dissectedCxx = "gcc -O2", "g++ -O2"

func (o *outcome) predictOn(ctx context.Context, t *times, m *machine.Machine) error {
	return o.predictAll(ctx, []*times{t}, []*machine.Machine{m})
}

// predictAll predicts a program's times on machines, from one run of it.
func (o *outcome) predictAll(ctx context.Context, out []*times, on []*machine.Machine) error {
	p, err := record.Start(ctx, o.run(nil))
	if err != nil {
		return err
	}
	s := application.OfRun(o.name, p, true)
	if run, ok := s.Streams.(*application.Recorded); ok {
		run.ByFunction = true
	}
	result, failed := predict.Run(ctx, predict.Request{Signature: s, Machines: on, Threads: []int{1}, Options: predict.Options{Seed: 1}})
	if err := errors.Join(failed, ended(p.Wait())); err != nil {
		return err
	}
	first := o.accesses == 0
	for i := range result.Predictions {
		f := &result.Predictions[i]
		k := slices.IndexFunc(on, func(m *machine.Machine) bool { return m.Name == f.Machine })
		if first && k == 0 {
			o.accesses += float64(f.Accesses)
		}
		if f.TimeS == nil {
			return fmt.Errorf("%s has no time: %s", f.Region, strings.Join(f.Warnings, "; "))
		}
		out[k].time, out[k].low, out[k].high = out[k].time+*f.TimeS, out[k].low+*f.TimeLowS, out[k].high+*f.TimeHighS
		out[k].core, out[k].faults = out[k].core+f.Terms.ComputeS, out[k].faults+f.Terms.FaultsS
	}
	return nil
}

// run is a recorded run of the program.
func (o *outcome) run(stdout *bytes.Buffer) record.Run {
	r := record.Run{Program: o.recorded, Args: o.args, Dir: o.dir, Cuts: []int{1}, Serial: true}
	if stdout != nil {
		r.Stdout = stdout
	}
	return r
}

// ended leaves out that a program says by its exit code what it thinks of its own results: that is compared with the plain run's.
func ended(err error) error {
	var exit *record.ExitError
	if errors.As(err, &exit) && exit.Code < signalled {
		return nil
	}
	return err
}

// signalled is what exit codes of programs that a signal ended begin at.
const signalled = 128

// counter counts the bytes of a recording.
type counter struct{ n float64 }

// Write implements io.Writer.
func (c *counter) Write(p []byte) (int, error) {
	c.n += float64(len(p))
	return len(p), nil
}

// record records a program, counts what that costs, and compares what it prints with what it prints plainly.
func (o *outcome) record(ctx context.Context) error {
	var printed bytes.Buffer
	plainly := [2]bytes.Buffer{}
	for i := range plainly {
		if _, err := o.once(ctx, o.plain, &plainly[i]); err != nil {
			return err
		}
	}
	p, err := record.Start(ctx, o.run(&printed))
	if err != nil {
		return err
	}
	var c counter
	w, err := recording.NewWriter(&c)
	if err != nil {
		return errors.Join(err, ended(p.Wait()))
	}
	err = recording.Drain(&recording.Tee{Source: p, Writer: w})
	if err := errors.Join(err, ended(p.Wait()), w.Close()); err != nil {
		return err
	}
	o.bytes, o.recording = c.n, spent(p.State())
	return same(o.name, plainly[0].String(), plainly[1].String(), printed.String())
}

// environment has one thread at work.
func environment() []string { return append(os.Environ(), "OMP_NUM_THREADS=1") }
