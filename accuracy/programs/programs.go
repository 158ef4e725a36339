// Package programs measures how well the times of whole programs are foretold that were recorded as their compiler made them: programs are built plainly
// and with recording, what both print is compared, and the sum of the predicted times of all functions of one thread is set against the clock. The
// programs are those of examples/programs, or those of a folder with a list of them.
package programs

import (
	"context"
	"errors"
	"fmt"
	"os/exec"

	"foresee/accuracy"
	"foresee/internal/workspace"
)

// ErrNoCompiler says that there is no compiler to make code with.
var ErrNoCompiler = errors.New("measuring programs needs gcc; install it: apt-get install gcc g++ libc6-dev")

// outcome is a program as a compiler made it.
type outcome struct {
	*program
	by              string
	plain, recorded string // paths
	measured        float64
	start           *outcome // a program that does nothing, whose time is not counted
	predicted       times
	without         []times // parts of the prediction, in the order of leftOut
	recording       float64 // seconds of the run that records
	whole           float64 // seconds of it and of predicting beside it
	bytes, accesses float64
}

// times are those of a prediction, in seconds.
type times struct{ time, low, high, core, faults float64 }

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
	set, err := chosen(o, work.Path)
	if err != nil {
		return nil, err
	}
	var all []*outcome
	for i, p := range set {
		if o.Progress != nil {
			o.Progress(i, len(set))
		}
		made, err := p.make(ctx, work.Path, fmt.Sprint(i))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		for _, m := range made {
			if err := m.predict(ctx, o.Machine); err != nil {
				return nil, fmt.Errorf("%s: %w", p.name, err)
			}
		}
		all = append(all, made...)
	}
	if err := measure(ctx, work.Path, all); err != nil {
		return nil, err
	}
	if o.Data != "" {
		return &accuracy.Section{Name: "programs --data DIR", Tables: tables("public", all)}, nil
	}
	return &accuracy.Section{Name: "programs", Tables: tables("own", all)}, nil
}
