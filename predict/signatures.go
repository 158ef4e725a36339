//go:build !js

package predict

import (
	"context"
	"encoding/base64"

	"foresee/application"
	"foresee/application/nest"
)

// SignatureRequest asks for signatures.
type SignatureRequest struct {
	Signature *application.Signature // of loops
	Line      int64                  // bytes; 0: 64
	Options   Options
}

// NoLoopsError is a signature that is to be saved, and knows accesses of a run instead of loops.
type NoLoopsError struct{ Kind application.Kind }

func (e *NoLoopsError) Error() string {
	return "a signature is made from a C source; a " + e.Kind.String() + " holds accesses of its own"
}

// Signatures analyses loops once, for any number of threads. Alone says which regions have no locality, and why.
func Signatures(ctx context.Context, r SignatureRequest) (file *application.SavedFile, alone []string, err error) {
	if r.Signature.Streams != nil {
		return nil, nil, &NoLoopsError{r.Signature.Kind}
	}
	line := lineOf(r.Line, nil)
	h := newHeader(application.SavedSchema, r.Signature)
	out := &application.SavedFile{Schema: h.Schema, Version: h.Version, Input: h.Input, Warnings: h.Warnings, LineBytes: line, Regions: []application.SavedRegion{}}
	progress := newMeter(r.Options.Progress, len(r.Signature.Loops))
	o, err := r.Options.of(r.Signature)
	if err != nil {
		return nil, nil, err
	}
	found := newLocalities(ctx, o, func(done, total int) { progress.part(float64(done) / float64(total)) })
	for i, p := range r.Signature.Loops {
		region, err := found.region(p, line)
		if warning, ok := without(r.Signature, p, err); ok && (len(out.Regions) > 0 || i+1 < len(r.Signature.Loops)) {
			out.Warnings = append(out.Warnings, warning)
			continue
		}
		if err != nil {
			return nil, nil, inRegion(p, err)
		}
		out.Regions = append(out.Regions, *region)
		progress.next()
	}
	return out, found.warnings, nil
}

// region is a region as it is saved, with what two threads show of it where any number can be answered from that.
func (l *localities) region(p *nest.Program, line int64) (*application.SavedRegion, error) {
	out := &application.SavedRegion{Region: p.Region}
	n, err := out.SetProgram(p)
	if err != nil {
		return nil, err
	}
	if l.written += n; l.written > application.MostPrograms {
		return nil, application.ErrLongPrograms
	}
	model, _, err := l.choose(p, 2, line)
	if err != nil {
		return nil, err
	}
	if model != ThreadsSymbolic {
		s, err := nest.NewStream(p, nest.Options{Threads: 1, Group: 1, Line: line})
		if err != nil {
			return nil, err
		}
		out.Accesses = s.Len()
		out.Lines, _, err = s.Footprint(l.options.Seed)
		return out, err
	}
	m, err := l.model(p, line)
	if err != nil {
		return nil, err
	}
	s := m.Signature()
	data, err := s.MarshalBinary()
	out.Accesses, out.Lines, out.Loops, out.Samples = s.Accesses, s.Lines, len(s.Loops), len(s.Samples)
	out.Locality = base64.StdEncoding.EncodeToString(data)
	return out, err
}
