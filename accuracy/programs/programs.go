// Package programs measures how well the times of whole programs are foretold that were recorded as their compiler made them: the example programs are
// built plainly and with recording, what both print is compared, and the sum of the predicted times of all functions of one thread is set against the clock.
package programs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"foresee/accuracy"
	"foresee/application"
	"foresee/application/record"
	"foresee/application/recording"
	"foresee/examples"
	"foresee/internal/quantile"
	"foresee/internal/workspace"
	"foresee/machine"
	"foresee/predict"
)

// making is how programs are made: by compilers of C and C++, of those that are here, with flags.
var making = []struct {
	c, cxx string
	flags  []string
}{{"gcc", "g++", []string{"-O2"}}, {"gcc", "g++", []string{"-O3", "-march=native"}}, {"clang", "clang++", []string{"-O2"}}}

// passes is how often each program is timed, in passes over all of them, of which the quartile counts: others who run make times longer, and clocks of virtual machines that are
// put right now and then make one shorter. Chosen.
const (
	passes   = 12
	quartile = 0.25
)

// ErrNoCompiler says that there is no compiler to make code with.
var ErrNoCompiler = errors.New("measuring programs needs gcc; install it: apt-get install gcc g++ libc6-dev")

// OutputError is a program that prints something else when it is recorded.
type OutputError struct{ Program string }

func (e *OutputError) Error() string {
	return e.Program + " prints something else when its code is rewritten"
}

// half says to which half of the programs one belongs, by the name's FNV hash.
func half(program string) string {
	h := fnv.New32()
	_, _ = h.Write([]byte(program)) // never fails
	return string(rune('A' + h.Sum32()%2))
}

// outcome is a program as a compiler made it.
type outcome struct {
	program, half, by              string
	plain                          string // path
	measured, predicted, low, high float64
	core, faults                   float64
	recorded, bytes, accesses      float64
}

// Programs compares times on the machine at hand.
func Programs(ctx context.Context, o accuracy.Options) (*accuracy.Section, error) {
	if _, err := exec.LookPath("gcc"); err != nil {
		return nil, ErrNoCompiler
	}
	work, err := workspace.New("programs")
	if err != nil {
		return nil, err
	}
	defer work.Remove()
	names := examples.Programs()
	if len(o.Kernels) > 0 {
		names = o.Kernels
	}
	var all []*outcome
	for i, name := range names {
		if o.Progress != nil {
			o.Progress(i, len(names))
		}
		made, err := predicted(ctx, work.Path, name, o.Machine)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, made...)
	}
	if err := measure(ctx, work.Path, all); err != nil {
		return nil, err
	}
	return &accuracy.Section{Name: "programs", Tables: tables(all)}, nil
}

// predicted makes a program in each way, and predicts it.
func predicted(ctx context.Context, dir, name string, m *machine.Machine) (all []*outcome, err error) {
	text, err := examples.Program(name)
	if err != nil {
		return nil, err
	}
	source := filepath.Join(dir, name)
	if err := os.WriteFile(source, text, 0o600); err != nil {
		return nil, err
	}
	for i, by := range making {
		language, compiler := record.C, by.c
		if filepath.Ext(name) != ".c" {
			language, compiler = record.Cxx, by.cxx
		}
		if _, err := exec.LookPath(compiler); err != nil {
			continue
		}
		o := &outcome{program: name, half: half(name), by: strings.Join(append([]string{compiler}, by.flags...), " ")}
		o.plain = filepath.Join(dir, fmt.Sprintf("%s-%d", name, i))
		recorded, err := o.build(ctx, compiler, language, append(slices.Clone(by.flags), source, "-lm"))
		if err != nil {
			return nil, err
		}
		if err := o.predict(ctx, recorded, m); err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return all, nil
}

// build makes a program plainly, and one that records, whose path it gives.
func (o *outcome) build(ctx context.Context, compiler string, language record.Language, args []string) (recorded string, err error) {
	if out, err := exec.CommandContext(ctx, compiler, append(args, "-o", o.plain)...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	c, err := record.OwnCompiler(ctx, compiler, language)
	if err != nil {
		return "", err
	}
	recorded = o.plain + ".recorded"
	var said bytes.Buffer
	b := &record.Builder{Compiler: c, Stdin: strings.NewReader(""), Stdout: &said, Stderr: &said}
	if err := b.Build(ctx, append(args, "-o", recorded)); err != nil {
		return "", fmt.Errorf("%w\n%s", err, &said)
	}
	return recorded, nil
}

// predict records a program, counts what that costs, and predicts its time.
func (o *outcome) predict(ctx context.Context, program string, m *machine.Machine) error {
	var printed, plainly bytes.Buffer
	plain := exec.CommandContext(ctx, o.plain)
	plain.Stdout = &plainly
	if err := plain.Run(); err != nil {
		return err
	}
	if err := o.record(ctx, program); err != nil {
		return err
	}
	p, err := record.Start(ctx, record.Run{Program: program, Cuts: []int{1}, Serial: true, Stdout: &printed, Stderr: os.Stderr})
	if err != nil {
		return err
	}
	s := application.OfRun(o.program, p, true)
	if run, ok := s.Streams.(*application.Recorded); ok {
		run.ByFunction = true
	}
	result, failed := predict.Run(ctx, predict.Request{Signature: s, Machines: []*machine.Machine{m}, Threads: []int{1}, Options: predict.Options{Seed: 1}})
	if err := errors.Join(failed, p.Wait()); err != nil {
		return err
	}
	if !bytes.Equal(printed.Bytes(), plainly.Bytes()) {
		return &OutputError{o.program}
	}
	for i := range result.Predictions {
		f := &result.Predictions[i]
		o.accesses += float64(f.Accesses)
		if f.TimeS == nil {
			return fmt.Errorf("%s has no time: %s", f.Region, strings.Join(f.Warnings, "; "))
		}
		o.predicted, o.low, o.high = o.predicted+*f.TimeS, o.low+*f.TimeLowS, o.high+*f.TimeHighS
		o.core, o.faults = o.core+f.Terms.ComputeS, o.faults+f.Terms.FaultsS
	}
	return nil
}

// counter counts the bytes of a recording.
type counter struct{ n float64 }

// Write implements io.Writer.
func (c *counter) Write(p []byte) (int, error) {
	c.n += float64(len(p))
	return len(p), nil
}

// record records a program, and counts seconds and bytes.
func (o *outcome) record(ctx context.Context, program string) error {
	begun := time.Now()
	p, err := record.Start(ctx, record.Run{Program: program, Cuts: []int{1}, Serial: true, Stderr: os.Stderr})
	if err != nil {
		return err
	}
	var c counter
	w, err := recording.NewWriter(&c)
	if err != nil {
		return errors.Join(err, p.Wait())
	}
	err = recording.Drain(&recording.Tee{Source: p, Writer: w})
	if err := errors.Join(err, p.Wait(), w.Close()); err != nil {
		return err
	}
	o.recorded, o.bytes = time.Since(begun).Seconds(), c.n
	return nil
}

// seconds is how long a program runs.
func seconds(ctx context.Context, program string) (float64, error) {
	cmd := exec.CommandContext(ctx, program)
	begun := time.Now()
	if err := startUrgently(cmd); err != nil {
		return 0, err
	}
	err := cmd.Wait()
	return time.Since(begun).Seconds(), err
}

// measure times all programs, and takes off what it takes to start one that does nothing.
func measure(ctx context.Context, dir string, all []*outcome) error {
	nothing := filepath.Join(dir, "nothing")
	cmd := exec.CommandContext(ctx, "gcc", "-x", "c", "-", "-o", nothing)
	cmd.Stdin = strings.NewReader("int main(void) { return 0; }\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	var start []float64
	took := make([][]float64, len(all))
	for range passes {
		s, err := seconds(ctx, nothing)
		if err != nil {
			return err
		}
		start = append(start, s)
		for i, o := range all {
			s, err := seconds(ctx, o.plain)
			if err != nil {
				return fmt.Errorf("%s: %w", o.program, err)
			}
			took[i] = append(took[i], s)
		}
	}
	for i, o := range all {
		o.measured = quantile.Of(took[i], quartile) - quantile.Of(start, quartile)
	}
	return nil
}
