package accuracy

import (
	"context"

	"foresee/internal/oracle/kernels"
)

// Measure adds a kernel at some numbers of threads.
func (h *Hits) Measure(ctx context.Context, k kernels.Kernel, threads []int, seed uint64) error {
	store, err := h.measure(ctx, k, threads, seed)
	if err == nil {
		store()
	}
	return err
}

// Measure adds a kernel.
func (c *Curves) Measure(ctx context.Context, k kernels.Kernel, seed uint64) error {
	store, err := c.measure(ctx, k, seed)
	if err == nil {
		store()
	}
	return err
}

// TracedStreams is the part of Trace that compares threads with threads.
func TracedStreams(ctx context.Context, o Options) (*Table, error) {
	t, err := newTracer(ctx, o)
	if err != nil {
		return nil, err
	}
	defer t.close()
	return t.streams(ctx, o)
}

// TracedCounts is the part of Trace that compares counts with callgrind's.
func TracedCounts(ctx context.Context, o Options) (*Table, error) {
	t, err := newTracer(ctx, o)
	if err != nil {
		return nil, err
	}
	defer t.close()
	return t.counts(ctx, o)
}
