package sweep

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Missing are the units that are not done.
func (p *Plan) Missing(store *Store) ([]Unit, error) {
	var all []Unit
	for _, u := range p.Units() {
		key, err := p.Key(u)
		if err != nil {
			return nil, err
		}
		part, err := store.Part(key)
		if err != nil {
			return nil, err
		}
		if part == nil {
			all = append(all, u)
		}
	}
	return all, nil
}

// Local does units in this process, several side by side. progress is told how many of them are done; it may be nil.
func Local(ctx context.Context, p *Plan, store *Store, units []Unit, progress func(done, total int)) error {
	workers := min(runtime.GOMAXPROCS(0), len(units))
	if workers == 0 {
		return nil
	}
	group, ctx := errgroup.WithContext(ctx)
	next, done := make(chan Unit), 0
	var mu sync.Mutex
	group.Go(func() error {
		defer close(next)
		for _, u := range units {
			select {
			case next <- u:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	for range workers {
		group.Go(func() error {
			w := &Worker{Plan: p, Store: store, Workers: max(1, runtime.GOMAXPROCS(0)/workers)}
			for u := range next {
				if err := w.Do(ctx, u); err != nil {
					return err
				}
				mu.Lock()
				if done++; progress != nil {
					progress(done, len(units))
				}
				mu.Unlock()
			}
			return nil
		})
	}
	return group.Wait()
}

// Done is how many units are there, by their files alone.
func (p *Plan) Done(store *Store) (done int) {
	for _, u := range p.Units() {
		if key, err := p.Key(u); err == nil && store.has(key) {
			done++
		}
	}
	return done
}

// Task does the units of a plan that are one task's of several, and are not there yet: every tasks-th from its own number on. Those that fail do not
// keep the others from being done.
func Task(ctx context.Context, p *Plan, store *Store, task, tasks int) error {
	w := &Worker{Plan: p, Store: store}
	units := p.Units()
	var failed []error
	for i := task; i < len(units); i += tasks {
		key, err := p.Key(units[i])
		if err != nil {
			return err
		}
		part, err := store.Part(key)
		if err != nil {
			return err
		}
		if part != nil {
			continue
		}
		if err := w.Do(ctx, units[i]); err != nil {
			failed = append(failed, err)
		}
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(failed...)
}
