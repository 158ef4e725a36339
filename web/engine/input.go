package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"

	"foresee/application"
	"foresee/application/csource"
	"foresee/predict"
)

// MostData is how many bytes of a signature, a recording or a trace are taken. Chosen: some seconds of analysis.
const MostData = 32 << 20

// Opener opens data that were recorded, and says how to end with them.
type Opener func(ctx context.Context, name string, data []byte) (s *application.Signature, finish func(failed error) error, err error)

// errRecorded is data that need the program.
var errRecorded = errors.New("recordings and traces are read by foresee serve alone, not in the browser; it takes them by drag and drop")

// errNoParallel is a run in which no region is known.
var errNoParallel = errors.New("no parallel region ran in this recording; the command shows the functions of such a program")

// with reads what the request is about, of which some region is meant or all, and has it looked at.
func (e *Engine) with(ctx context.Context, r *Request, regions []string, look func(s *application.Signature) (any, error)) (any, error) {
	switch {
	case len(r.Data) == 0:
		s, err := e.loops(r, regions)
		if err != nil {
			return nil, err
		}
		return look(s)
	case application.IsSaved(r.Data):
		s, err := application.ReadSaved(r.Data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.name(), err)
		}
		s.Name = r.name()
		return look(s)
	case e.Recorded == nil:
		return nil, errRecorded
	}
	s, finish, err := e.Recorded(ctx, r.name(), r.Data)
	if err != nil {
		return nil, err
	}
	out, err := look(s)
	if err = finish(err); err != nil {
		return nil, err
	}
	if r, ok := out.(*predict.PredictionResult); ok && len(r.Predictions) == 0 {
		return nil, errNoParallel
	}
	return out, nil
}

// Recorded opens recordings, traces and signatures; it runs nothing and opens no file.
func Recorded(ctx context.Context, name string, data []byte) (*application.Signature, func(failed error) error, error) {
	in, err := application.Find(ctx, "-", bytes.NewReader(data), application.Told{})
	if err != nil {
		return nil, nil, err
	}
	in.Name = name
	if k := in.Kind; k != application.Recording && k != application.Trace {
		in.Close()
		return nil, nil, fmt.Errorf("%s is a %s; this page takes sources in C, signatures, recordings, traces, machine files and results of foresee scale and replay", name, k)
	}
	o, err := in.Open(ctx, application.Options{Running: application.Running{Warn: func(error) {}}})
	if err != nil {
		return nil, nil, err
	}
	finish := func(failed error) error {
		defer o.Close()
		_, err := o.Finish(failed)
		return err
	}
	return o.Signature, finish, nil
}

// loops reads the loop nests of the source.
func (e *Engine) loops(r *Request, regions []string) (*application.Signature, error) {
	o := e.reading(r)
	o.Regions = regions
	s, err := application.OfText(r.name(), []byte(r.Text), o)
	if err == nil {
		s.Code.Folder = e.folder(r)
	}
	return s, err
}

// folder is that of the source, for compilers.
func (e *Engine) folder(r *Request) string {
	if e.Folder == "" {
		return ""
	}
	return filepath.Join(e.Folder, filepath.FromSlash(path.Dir(path.Clean(r.name()))))
}

// reading says how the source is read.
func (e *Engine) reading(r *Request) csource.Options {
	o := csource.Options{Defines: r.Defines, Files: e.files()}
	if r.ByLoop {
		o.By = csource.ByLoop
	}
	return o
}
