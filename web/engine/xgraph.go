package engine

import (
	"context"
	"fmt"

	"foresee/application"
	"foresee/predict"
	"foresee/report"
)

// beyond is up to how many threads the X-graph looks for a better number. Chosen: as the command does.
const beyond = 4096

// XSliders is an X-graph with what the page draws and changes of it.
type XSliders struct {
	predict.Header
	XGraph *predict.XResult `json:"xgraph"`
	Page   *report.XSliders `json:"page"`
}

// XSlidersSchema is that of an X-graph with its sliders.
const XSlidersSchema = "foresee.page-xgraph/v1"

// xsliders is foresee xgraph with the parameters of its page.
func (e *Engine) xsliders(ctx context.Context, r *Request, _ func(done, total int)) (any, error) {
	x, err := e.xresult(ctx, r)
	if err != nil {
		return nil, err
	}
	return &XSliders{predict.Header{Schema: XSlidersSchema, Version: predict.Version, Input: r.name(), Warnings: []string{}}, x, report.XSlidersOf(x)}, nil
}

// xgraph is foresee xgraph.
func (e *Engine) xgraph(ctx context.Context, r *Request, _ func(done, total int)) (any, error) {
	return e.xresult(ctx, r)
}

func (e *Engine) xresult(ctx context.Context, r *Request) (*predict.XResult, error) {
	var regions []string
	if r.Region != "" {
		regions = []string{r.Region}
	}
	m, err := e.on(r)
	if err != nil {
		return nil, err
	}
	var p *predict.XProgram
	_, err = e.with(ctx, r, regions, func(s *application.Signature) (any, error) {
		p, err = predict.XModel(ctx, predict.XRequest{Signature: s, Regions: regions, Machine: m, Threads: r.most(), Options: e.exact(r, nil)})
		return nil, err
	})
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
