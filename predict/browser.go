//go:build js

package predict

import (
	"context"
	"errors"

	"foresee/application/recording"
	"foresee/machine"
	"foresee/model/timing"
	"foresee/predict/compiled"
)

// A browser has no compilers and is given no recordings, and what reads them is left out of the engine that it loads.

// errNoStreams is a signature of accesses that were made.
var errNoStreams = errors.New("accesses that were recorded are not analysed in a browser")

func (r *Request) ofAccesses(context.Context, *PredictionResult, func(demands) error) error {
	return errNoStreams
}

func (r *Request) compile(context.Context, *PredictionResult) (*compiled.Code, error) {
	return nil, nil //nolint:nilnil // no code is no error
}

func (r *Request) order(context.Context, *compiled.Code) (compiled.Reordered, error) {
	return compiled.Reordered{}, nil
}

func (r *Request) compiledOn(context.Context, *machine.Machine, *compiled.Code, [][]*timing.Block, *PredictionResult) ([][]*timing.Block, error) {
	return nil, nil
}

// team takes all events of a team of a recorded run.
func (l *locality) team(context.Context, *recording.Team) error { return errNoStreams }
