package predict

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"foresee/application"
	"foresee/application/nest"
	"foresee/model/reuse"
	"foresee/model/threads"
)

// Models of threads: how the locality at a number of threads is found.
const (
	ThreadsAuto      = "auto"
	ThreadsSymbolic  = "symbolic" // from one signature of the program
	ThreadsPublished = "pluss"    // from private intervals at four threads, as in the paper
	ThreadsExact     = "exact"    // from the interleaved stream itself
)

// ThreadsModels are their names.
var ThreadsModels = []string{ThreadsAuto, ThreadsSymbolic, ThreadsPublished, ThreadsExact}

// Interleavings are the names of how threads' accesses mix between barriers.
var Interleavings = []string{threads.Uniform, threads.RoundRobin}

// publishedAt is the number of threads that private intervals are collected at for ThreadsPublished. Chosen: the
// model's own extrapolation takes over from there.
const publishedAt = 4

// localities finds out once what each program does, and answers for any number of threads.
type localities struct {
	ctx       context.Context
	options   Options
	progress  func(done, total int)
	models    map[localityKey]*threads.Model
	published map[localityKey]*threads.Published
	program   *nest.Program                 // that the streams are of: those of others were let go
	streams   map[nest.Options]*nest.Stream // which several ways to find out take
	touched   map[localityKey]float64       // lines of one thread's accesses, where they are counted to the last
	warnings  []string
	written   int // bytes of programs in signatures
}

// localityKey tells what was analysed: a program, and the length of lines in bytes.
type localityKey struct {
	program *nest.Program
	line    int64
}

func newLocalities(ctx context.Context, o Options, progress func(done, total int)) *localities {
	return &localities{
		ctx: ctx, options: o, progress: progress,
		models: map[localityKey]*threads.Model{}, published: map[localityKey]*threads.Published{},
		streams: map[nest.Options]*nest.Stream{}, touched: map[localityKey]float64{},
	}
}

// checkThreads refuses options that do not go together.
func (o Options) checkThreads() error {
	if o.ThreadsModel != "" && !slices.Contains(ThreadsModels, o.ThreadsModel) {
		return fmt.Errorf("unknown model of threads %q; there are auto, symbolic, pluss and exact", o.ThreadsModel)
	}
	if o.Interleave != "" && !slices.Contains(Interleavings, o.Interleave) {
		return fmt.Errorf("unknown interleaving %q; there are %s and %s", o.Interleave, threads.Uniform, threads.RoundRobin)
	}
	if o.ThreadsModel == ThreadsPublished && o.Interleave == threads.RoundRobin {
		return PublishedRandom
	}
	if o.ThreadsModel == ThreadsSymbolic && o.Interleave == threads.RoundRobin {
		return SymbolicRandom
	}
	return nil
}

// checkMethod refuses methods that walk together with models that do not.
func (o Options) checkMethod(method string) error {
	walks := method == MethodExact || method == MethodShards
	if walks && (o.ThreadsModel == ThreadsSymbolic || o.ThreadsModel == ThreadsPublished) {
		return &WalkError{Method: method, ThreadsModel: o.ThreadsModel}
	}
	return nil
}

// choose names the model and the interleaving that a program's locality at a number of threads is found with.
func (l *localities) choose(p *nest.Program, count int, line int64) (model, interleave string, err error) {
	o := l.options
	interleave = o.Interleave
	switch o.ThreadsModel {
	case ThreadsPublished:
		return ThreadsPublished, threads.Uniform, nil
	case ThreadsExact:
		if interleave == "" {
			interleave = threads.RoundRobin
		}
		if interleave == threads.RoundRobin {
			l.warnOfFree(p, count)
		}
		return ThreadsExact, interleave, nil
	case ThreadsSymbolic:
		_, err = l.model(p, line)
	default:
		if count == 1 || interleave == threads.RoundRobin { // also of what was saved: it answers as its source does
			l.warnOfFree(p, count)
			return ThreadsExact, threads.RoundRobin, nil
		}
		_, err = l.model(p, line)
		if errors.As(err, new(*nest.RedundantError)) || errors.As(err, new(*nest.ToldError)) {
			l.warn(fmt.Sprintf("%s cannot be analysed once for all numbers of threads: %v; each is analysed by itself", p.Region, err))
			if interleave == threads.Uniform {
				return ThreadsExact, interleave, nil
			}
			l.warnOfFree(p, count)
			return ThreadsExact, threads.RoundRobin, nil
		}
	}
	if interleave == "" {
		interleave = threads.Uniform
	}
	return ThreadsSymbolic, interleave, err
}

// warnOfFree says what the exact model makes of schedules that deal iterations while the threads run.
func (l *localities) warnOfFree(p *nest.Program, count int) {
	nest.Walk(p.Body, func(n nest.Node) {
		if x, ok := n.(*nest.Loop); ok && x.Work != nil && x.Work.Schedule.OnDemand() && count > 1 {
			l.warn(fmt.Sprintf("%s: the exact model deals the chunks of schedule(%s) in turn; the symbolic one deals them to whoever is free", x.Pos, x.Work.Schedule))
		}
	})
}

func (l *localities) warn(w string) {
	if !slices.Contains(l.warnings, w) {
		l.warnings = append(l.warnings, w)
	}
}

// model is the symbolic model of a program, from the signature that was given or from one made now.
func (l *localities) model(p *nest.Program, line int64) (*threads.Model, error) {
	key := localityKey{p, line}
	if m := l.models[key]; m != nil {
		return m, nil
	}
	s := l.options.known[p]
	if s == nil || s.Line != line {
		var err error
		if s, err = l.analysed(p, line); err != nil {
			return nil, err
		}
	}
	l.models[key] = threads.NewModel(s)
	return l.models[key], nil
}

// undealt are options of the stream that a signature is made of.
func undealt(line int64) nest.Options {
	return nest.Options{Threads: 1, Group: 1, Line: line, Undealt: true}
}

// analysed is the signature of a program.
func (l *localities) analysed(p *nest.Program, line int64) (*threads.Signature, error) {
	o := l.analysis(line)
	var err error
	if o.Stream, err = l.stream(p, undealt(line)); err != nil {
		return nil, err
	}
	o.Lines = l.lines(p, undealt(line))
	return threads.Analyse(l.ctx, p, o)
}

// stream is a program's, made once.
func (l *localities) stream(p *nest.Program, o nest.Options) (*nest.Stream, error) {
	if l.program != p {
		clear(l.streams)
		l.program = p
	}
	if known := l.streams[o]; known != nil {
		return known, nil
	}
	s, err := nest.NewStream(p, o)
	if err == nil {
		l.streams[o] = s
	}
	return s, err
}

// lines is how many lines a stream touches, where that is known; 0: it is not.
func (l *localities) lines(p *nest.Program, o nest.Options) float64 {
	if o.Threads > 1 {
		return 0
	}
	return l.touched[localityKey{p, o.Line}]
}

// counted keeps how many lines a stream touches, of one thread: dealt or not, its accesses are the same.
func (l *localities) counted(p *nest.Program, o nest.Options, d *reuse.Distribution) {
	if o.Threads == 1 && d.ColdError == 0 {
		l.touched[localityKey{p, o.Line}] = d.Cold
	}
}

func (l *localities) analysis(line int64) threads.AnalyseOptions {
	return threads.AnalyseOptions{Line: line, Seed: l.options.Seed, Effort: l.options.Effort, Workers: l.options.Workers, Progress: l.progress}
}

// collected is what the published model knows of a program.
func (l *localities) collected(p *nest.Program, line int64) (*threads.Published, error) {
	key := localityKey{p, line}
	if l.published[key] == nil {
		c, err := threads.Collect(l.ctx, p, publishedAt, l.analysis(line))
		if err != nil {
			return nil, err
		}
		l.published[key] = c
	}
	return l.published[key], nil
}

func (l *localities) team(count, group int) threads.Team {
	return threads.Team{Threads: count, Group: group, Seed: l.options.Seed}
}

// sampled is what reuse.Sample would find in the stream of a group of threads, from the signature.
func (l *localities) sampled(p *nest.Program, o nest.Options) (*reuse.Sampled, error) {
	m, err := l.model(p, o.Line)
	if err != nil {
		return nil, err
	}
	return m.Sampled(l.team(o.Threads, o.Group)), nil
}

// known unpacks the localities that were saved with a signature.
func known(s *application.Signature) (map[*nest.Program]*threads.Signature, error) {
	if len(s.Locality) == 0 {
		return nil, nil
	}
	out := map[*nest.Program]*threads.Signature{}
	for _, p := range s.Loops {
		saved, ok := s.Locality[p]
		if !ok {
			continue
		}
		one := &threads.Signature{}
		err := one.UnmarshalBinary(saved.Data)
		if err == nil && (one.Line != saved.Line || one.Accesses != saved.Accesses) {
			err = fmt.Errorf("%w (its parts are of different programs)", threads.ErrDamaged)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: region %s: %w", s.Name, p.Region, err)
		}
		out[p] = one
	}
	return out, nil
}
