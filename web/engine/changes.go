package engine

import (
	"context"
	"errors"

	"foresee/advise"
	"foresee/application"
	"foresee/machine"
	"foresee/predict"
	"foresee/predict/compare"
	"foresee/predict/rank"
)

// Version is a source that another is compared with.
type Version struct {
	Name    string   `json:"name"`
	Text    string   `json:"text"`
	Defines []string `json:"defines"`
}

// ends are one thread and the most that are asked for.
func (r *Request) ends() []int {
	if n := r.most(); n > 1 {
		return []int{1, n}
	}
	return []int{1}
}

// exact are options of calls whose work is not made coarser.
func (e *Engine) exact(r *Request, progress func(done, total int)) predict.Options {
	o := e.options(r, progress)
	o.Rate = 0
	return o
}

// advise is foresee advise.
func (e *Engine) advise(ctx context.Context, r *Request, progress func(done, total int)) (any, error) {
	m, err := e.on(r)
	if err != nil {
		return nil, err
	}
	if len(r.Data) > 0 {
		return e.with(ctx, r, nil, func(s *application.Signature) (any, error) {
			if s.Streams == nil {
				return nil, errNoSource
			}
			return advise.Recorded(ctx, advise.RecordedRequest{Signature: s, Machine: m, Threads: r.threads(), Options: e.exact(r, progress)})
		})
	}
	o := e.reading(r)
	if r.Region != "" {
		o.Regions = []string{r.Region}
	}
	most := 0 // as the command
	if r.Effort > 0 && r.Effort < 1 {
		most = max(1, int(advise.Usual*r.Effort))
	}
	return advise.Run(ctx, advise.Request{
		Name: r.name(), Folder: e.folder(r), Text: r.Text, Source: o, Compiler: e.compiler(r), Machine: m, Threads: r.ends(), Options: e.exact(r, nil), Most: most, Progress: progress,
	})
}

// errNoSource is a signature, which nobody can change.
var errNoSource = errors.New("a saved signature holds no source to change; open the source that it was made from")

// usualAbove is by how much a version may be worse without being called so: as of the command.
const usualAbove = 0.05

// errNothingBefore is a comparison with one side.
var errNothingBefore = errors.New("there is no other version to compare with; keep one first")

// compare is foresee compare of two sources, the other one first.
func (e *Engine) compare(ctx context.Context, r *Request, progress func(done, total int)) (any, error) {
	if r.Before == nil {
		return nil, errNothingBefore
	}
	m, err := e.on(r)
	if err != nil {
		return nil, err
	}
	before := *r
	before.Name, before.Text, before.Defines = r.Before.Name, r.Before.Text, r.Before.Defines
	side := func(q *Request, samples int, replicate uint64) (*predict.PredictionResult, error) {
		s, err := e.loops(q, nil)
		if err != nil {
			return nil, err
		}
		o := e.exact(q, progress)
		o.Samples, o.Seed = samples, o.Seed+replicate<<32
		return predict.Run(ctx, predict.Request{Signature: s, Machines: []*machine.Machine{m}, Threads: r.ends(), Model: predict.ModelAuto, Compiler: e.compiler(r), Options: o})
	}
	rule := compare.Judge{Above: usualAbove, Of: []string{compare.Time, compare.Misses}}
	return compare.Decide(rule, 0, func(samples int, replicate uint64) (a, b *predict.PredictionResult, err error) {
		if a, err = side(&before, samples, replicate); err == nil {
			b, err = side(r, samples, replicate)
		}
		return a, b, err
	})
}

// rank is foresee rank of the machines of the library, and of the chosen one where it is none of them.
func (e *Engine) rank(ctx context.Context, r *Request, progress func(done, total int)) (any, error) {
	var machines []*machine.Machine
	for _, name := range machine.Library() {
		m, err := e.ofLibrary(name)
		if err != nil {
			return nil, err
		}
		machines = append(machines, m)
	}
	if r.Described != "" || r.Machine == Local || len(r.Levels) > 0 {
		m, err := e.on(r)
		if err != nil {
			return nil, err
		}
		machines = append(machines, m)
	}
	return e.with(ctx, r, nil, func(s *application.Signature) (any, error) {
		return rank.Machines(ctx, rank.Request{Programs: []*application.Signature{s}, Machines: machines, Model: predict.ModelAuto, Compiler: e.compiler(r), Options: e.exact(r, progress)})
	})
}
