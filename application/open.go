package application

import (
	"context"

	"foresee/application/csource"
)

// Options say how an input is read.
type Options struct {
	Source   csource.Options
	Skipped  func(file string, skipped []csource.Skipped, lacking []string) // takes functions of a source that are no region, and the values that they lack; may be nil
	Running  Running                                                        // of a program
	Compiler []string                                                       // of a module, and of a source that is run for its values: the compiler with its flags; empty: the usual one
	Values   *ForValues                                                     // of a source: run it for the values that its analysis lacks; nil: do not
	Partial  bool                                                           // of a trace or recording that is cut off or damaged, take what is whole
}

// Opened is a signature that may still be read from its input.
type Opened struct {
	*Signature
	Execution *Execution // of a program or a recording

	trace *traceFile
	input *Input
}

// Ending is how an input was read to its end.
type Ending struct {
	Missing string   // what of it was not taken, "" where all was
	Notes   []string // what else should be known
}

// NoSignatureError is an input of which no signature is made.
type NoSignatureError struct {
	Name string
	Kind Kind
}

func (e *NoSignatureError) Error() string { return e.Name + ": is a " + e.Kind.String() }

// Open reads an input. Of a trace, a recording and a program the accesses are read when the models ask for them; Finish is to be
// called then.
func (in *Input) Open(ctx context.Context, o Options) (*Opened, error) {
	out := &Opened{input: in}
	var err error
	switch in.Kind {
	case Source:
		if o.Values != nil {
			out.Signature, err = in.observed(ctx, o)
		} else {
			out.Signature, err = in.source(o)
		}
	case Module:
		if o.Values != nil {
			out.Signature, err = in.observedModule(ctx, o)
		} else {
			out.Signature, err = in.module(ctx, o)
		}
	case Saved:
		out.Signature, err = in.saved(o.Source.Regions)
	case Trace:
		out.Signature, out.trace, err = in.trace(o.Partial)
	case Recording, Program:
		if out.Execution, err = in.Execute(ctx, o.Running); err == nil {
			out.Execution.Partial = o.Partial
			out.Signature = out.Execution.Signature(in.Kind)
		}
	default:
		err = &NoSignatureError{in.Name, in.Kind}
	}
	if err != nil {
		in.Close()
		return nil, err
	}
	return out, nil
}

// ThreadsOfTrace is how many threads a trace has; 0 where that cannot be known before it is read.
func (o *Opened) ThreadsOfTrace(ctx context.Context) (int, error) {
	if o.trace == nil {
		return 0, nil
	}
	return o.trace.Threads(ctx)
}

// Finish says how the input was read; failed is how its analysis ended.
func (o *Opened) Finish(failed error) (Ending, error) {
	switch {
	case o.Execution != nil:
		return o.Execution.Finish(failed)
	case o.trace != nil:
		return o.trace.finish(failed)
	}
	return Ending{}, failed
}

// Close closes the input and ends what runs.
func (o *Opened) Close() {
	if o.Execution != nil {
		o.Execution.Close()
	}
	if o.trace != nil {
		o.trace.close()
	}
	o.input.Close()
}
