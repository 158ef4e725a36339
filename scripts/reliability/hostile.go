package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"foresee/internal/hostile"
)

// area adds up the cases of one part of foresee.
type area struct {
	name          string
	tried, failed int
	slowest       time.Duration
	most          int64
}

// tryHostile runs foresee on inputs that are made to bring it down.
func tryHostile(ctx context.Context, b *bench, e effort) (*section, error) {
	s := &section{
		text: fmt.Sprintf("Inputs and command lines that ask for endless work or more memory than there is, and numbers, nestings and bytes that cannot be (`internal/hostile`). "+
			"Each must end by itself within %.0f s and %d MiB, without a crash, with the right exit code and an error that says where; the columns of time and memory are the worst of the row.",
			hostile.Most.Time.Seconds(), hostile.Most.Memory>>20),
		columns: []string{"area", "inputs", "as they should", "slowest, s", "most memory, MiB"},
	}
	var areas []*area
	byName := map[string]*area{}
	var cases []hostile.Case
	for i, c := range hostile.Cases() {
		if i%e.cases == 0 {
			cases = append(cases, c)
		}
	}
	s.text += longer(cases)
	if e.cases > full.cases {
		s.part = fmt.Sprintf("%d of %d inputs", len(cases), len(hostile.Cases()))
	}
	wrongs, results, err := runCases(ctx, b, cases)
	if err != nil {
		return nil, err
	}
	all := &area{name: "**all**"}
	for i, c := range cases {
		a := byName[c.Area()]
		if a == nil {
			a = &area{name: c.Area()}
			areas, byName[c.Area()] = append(areas, a), a
		}
		for _, to := range []*area{a, all} {
			to.add(results[i], wrongs[i] != "")
		}
		if wrongs[i] != "" {
			s.fail("%s: %s", c.Name, wrongs[i])
		}
	}
	for _, a := range append(areas, all) {
		s.add(a.name, a.tried, a.tried-a.failed, fmt.Sprintf("%.1f", a.slowest.Seconds()), a.most>>20)
	}
	return s, nil
}

// longer says which cases may take longer than the others, why, and what is asked of them instead.
func longer(cases []hostile.Case) (text string) {
	var reasons []string
	counts, bounds := map[string]int{}, map[string]string{}
	for _, c := range cases {
		if c.Why == "" {
			continue
		}
		if counts[c.Why]++; counts[c.Why] == 1 {
			reasons = append(reasons, c.Why)
		}
		bounds[c.Why] = "must end within a second of being told to, with what they have"
		if c.Ends > 0 {
			bounds[c.Why] = fmt.Sprintf("have %.0f s", c.Ends.Seconds())
		}
	}
	for _, why := range reasons {
		text += fmt.Sprintf(" Of these, %d %s: %s.", counts[why], bounds[why], why)
	}
	return text
}

func (a *area) add(r hostile.Result, failed bool) {
	a.tried++
	if failed {
		a.failed++
	}
	a.slowest, a.most = max(a.slowest, r.Wall), max(a.most, r.Memory)
}

// runCases runs half as many at a time as there are cores, so that the limit of time is one of foresee's.
func runCases(ctx context.Context, b *bench, cases []hostile.Case) ([]string, []hostile.Result, error) {
	wrongs, results, errs := make([]string, len(cases)), make([]hostile.Result, len(cases)), make([]error, len(cases))
	var group sync.WaitGroup
	next := make(chan int)
	for range max(1, runtime.NumCPU()/2) {
		group.Go(func() {
			for i := range next {
				results[i], errs[i] = runCase(ctx, b, cases[i], i)
				wrongs[i] = cases[i].Wrong(results[i], hostile.Most)
			}
		})
	}
	for i := range cases {
		next <- i
	}
	close(next)
	group.Wait()
	for i, err := range errs {
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", cases[i].Name, err)
		}
	}
	return wrongs, results, ctx.Err()
}

func runCase(ctx context.Context, b *bench, c hostile.Case, i int) (hostile.Result, error) {
	if ctx.Err() != nil {
		return hostile.Result{}, ctx.Err()
	}
	dir := filepath.Join(b.dir, fmt.Sprintf("hostile-%d", i))
	if err := os.Mkdir(dir, 0o755); err != nil {
		return hostile.Result{}, err
	}
	defer os.RemoveAll(dir)
	return c.Run(ctx, b.program, dir, hostile.Most)
}
