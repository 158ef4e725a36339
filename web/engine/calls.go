package engine

import (
	"context"
	"errors"
	"fmt"

	"foresee/machine"
	"foresee/predict"
	"foresee/report"
)

// predict is foresee predict.
func (e *Engine) predict(ctx context.Context, r *Request, progress func(done, total int)) (any, error) {
	s, err := e.read(r)
	if err != nil {
		return nil, err
	}
	m, err := e.on(r)
	if err != nil {
		return nil, err
	}
	out, err := predict.Run(ctx, predict.Request{
		Signature: s, Machines: []*machine.Machine{m}, Threads: r.threads(), Model: predict.ModelAuto, Options: e.options(r, progress),
	})
	if err != nil {
		return nil, err
	}
	out.Answer = report.Answer(out, false)
	return out, nil
}

// curves is foresee mrc.
func (e *Engine) curves(ctx context.Context, r *Request, progress func(done, total int)) (any, error) {
	s, err := e.read(r)
	if err != nil {
		return nil, err
	}
	m, err := e.on(r)
	if err != nil {
		return nil, err
	}
	return predict.Curves(ctx, predict.CurveRequest{
		Signature: s, Machines: []*machine.Machine{m}, Threads: r.threads(), Scope: "shared", Options: e.options(r, progress),
	})
}

// accesses tells what becomes of each access.
func (e *Engine) accesses(ctx context.Context, r *Request, progress func(done, total int)) (any, error) {
	s, err := e.read(r)
	if err != nil {
		return nil, err
	}
	m, err := e.on(r)
	if err != nil {
		return nil, err
	}
	return predict.Accesses(ctx, predict.AccessRequest{
		Signature: s, Machine: m, Threads: r.most(), Model: predict.ModelAuto, Options: e.options(r, progress),
	})
}

// beyond is up to how many threads the X-graph looks for a better number. Chosen: as the command does.
const beyond = 4096

// xgraph is foresee xgraph.
func (e *Engine) xgraph(ctx context.Context, r *Request, progress func(done, total int)) (any, error) {
	var regions []string
	if r.Region != "" {
		regions = []string{r.Region}
	}
	s, err := e.read(r, regions...)
	if err != nil {
		return nil, err
	}
	m, err := e.on(r)
	if err != nil {
		return nil, err
	}
	o := e.options(r, nil)
	o.Rate = 0
	p, err := predict.XModel(ctx, predict.XRequest{Signature: s, Regions: regions, Machine: m, Threads: r.most(), Options: o})
	if err != nil {
		return nil, err
	}
	params := p.Params
	if err := params.Validate(); err != nil {
		return nil, err
	}
	limits := predict.XThreadLimits{Most: beyond}
	if p.Cores > 0 {
		limits = predict.XThreadLimits{Most: p.Cores, Beyond: beyond}
	}
	out := predict.XGraph(
		predict.Header{Schema: predict.XSchema, Version: predict.Version, Input: r.name(), Warnings: []string{}},
		fmt.Sprintf("%s on %s", p.Region, m.Name), "threads are cores' threads; a request is a line that a core's private caches lack",
		params, p.Scale, limits, nil,
	)
	out.Program = p
	out.Warnings = append(out.Warnings, p.Warnings...)
	return out, nil
}

// threads are the numbers that are asked for, or one.
func (r *Request) threads() []int {
	if len(r.Threads) == 0 {
		return []int{1}
	}
	return r.Threads
}

// most is the last number of threads.
func (r *Request) most() int {
	all := r.threads()
	return all[len(all)-1]
}

// errNoHost is a machine that cannot be described.
var errNoHost = errors.New("this page does not know the machine that it runs on; name one of the library, or drop a machine file here")

// on is the machine that is asked for, with what differs in it.
func (e *Engine) on(r *Request) (*machine.Machine, error) {
	m, err := e.load(r)
	if err != nil {
		return nil, err
	}
	return m, change(m, r.Levels)
}

func (e *Engine) load(r *Request) (*machine.Machine, error) {
	switch {
	case r.Described != "":
		return machine.Parse("machine file", []byte(r.Described))
	case r.Machine == Local && e.Host == nil:
		return nil, errNoHost
	case r.Machine == Local:
		return e.Host()
	case machine.IsFile(r.Machine): // no file is read by its name
		return nil, &machine.UnknownError{Name: r.Machine}
	}
	return machine.Load(r.Machine)
}
