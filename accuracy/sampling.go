package accuracy

import (
	"context"
	"fmt"
	"math"

	"foresee/application/nest"
	"foresee/internal/oracle/kernels"
	"foresee/model/reuse"
)

// samplingSeeds are how many samples of each stream are judged.
const samplingSeeds = 3

// sampling is the accuracy of sampled miss ratio curves.
type sampling struct {
	table          Table
	errors, plain  Errors // mean absolute error of each curve
	inside, points int    // sizes at which the truth lies within the stated error
}

// Sampling validates miss ratio curves from a sample of the lines, on a logarithmic grid from one line up.
func Sampling(ctx context.Context, o Options) (*Section, error) {
	size := o.size("SMALL")
	z := &sampling{table: Table{
		Title: "Sampled miss ratio curves (SHARDS with an exact head)",
		Text: fmt.Sprintf("A sample of the lines at rate 0.01 with the head measured in bursts, and plain SHARDS at the same rate, against the exact stack distances of the same stream; "+
			"four cache sizes an octave, from one line to beyond the footprint; %d seeds. The generated streams and the compiler's references as in performance.md, and the kernels at %s, one thread. "+
			"The stated error is two standard errors.", samplingSeeds, size),
		Columns: []string{"stream", "references", "lines", "mean error", "worst", "within stated error", "rate reached", "plain SHARDS"},
	}}
	short := size == "MINI"
	streams, missing := engineStreams(ctx, short)
	for _, s := range streams {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		z.judge(s.name, s.addresses, 64)
	}
	generated := z.errors
	err := kernels.With(size, o.Kernels, func(ks []kernels.Kernel) error {
		return o.each(ctx, ks, func(k kernels.Kernel) error {
			s, err := nest.NewStream(k.Program, nest.Options{Threads: 1, Group: 1, Line: 64})
			if err != nil {
				return err
			}
			lines := make([]uint64, 0, s.Len())
			s.Each(func(p nest.Place) bool {
				lines = append(lines, uint64(s.Address(p)))
				return ctx.Err() == nil
			})
			z.judge(k.Name, lines, 1)
			return ctx.Err()
		})
	})
	z.table.Summary = append(missing,
		generated.line("generated and recorded streams, mean absolute error of a curve", "%.5f"),
		z.errors.line("all streams", "%.5f"),
		z.plain.line("plain SHARDS, all streams", "%.5f"),
		fmt.Sprintf("within the stated error: %.1f %% of %d points", 100*float64(z.inside)/math.Max(float64(z.points), 1), z.points))
	return &Section{Name: "sampling", Tables: []*Table{&z.table}}, err
}

// logarithmic has four sizes an octave, from one line to twice the footprint.
func logarithmic(lines int64) (sizes []float64) {
	for c := 1.0; c <= 2*float64(lines); c *= math.Pow(2, 0.25) {
		if n := math.Round(c); len(sizes) == 0 || n > sizes[len(sizes)-1] {
			sizes = append(sizes, n)
		}
	}
	return sizes
}

// judge adds a stream.
func (z *sampling) judge(name string, addresses []uint64, line int64) {
	h, exact := reuse.NewHistogram(reuse.Full), reuse.NewStack(line)
	exact.Add(addresses, h)
	sizes := logarithmic(exact.Lines())
	want := h.Distribution().MissRatios(sizes)
	mean, worst, plain, rate := 0.0, 0.0, 0.0, 0.0
	inside := 0
	for seed := range uint64(samplingSeeds) {
		s := reuse.NewShards(line, reuse.ShardsOptions{Rate: 0.01, Seed: seed})
		s.Add(addresses)
		e := s.Estimate()
		got, errs := e.MissRatios(sizes)
		m, w := deviation(got, want)
		mean, worst, rate = mean+m/samplingSeeds, math.Max(worst, w), e.Rate
		for i := range sizes {
			if math.Abs(got[i]-want[i]) <= 2*errs[i]+1e-9 {
				inside++
			}
		}
		p := reuse.NewShards(line, reuse.ShardsOptions{Rate: 0.01, Seed: seed, Plain: true})
		p.Add(addresses)
		published, _ := p.Estimate().MissRatios(sizes)
		m, _ = deviation(published, want)
		plain += m / samplingSeeds
	}
	z.errors.Add(name, mean)
	z.plain.Add(name, plain)
	z.inside += inside
	z.points += samplingSeeds * len(sizes)
	z.table.Rows = append(z.table.Rows, []string{
		name, fmt.Sprint(len(addresses)), fmt.Sprint(exact.Lines()), fmt.Sprintf("%.5f", mean), fmt.Sprintf("%.4f", worst),
		fmt.Sprintf("%.0f %%", 100*float64(inside)/float64(samplingSeeds*len(sizes))), fmt.Sprintf("%.3g", rate), fmt.Sprintf("%.4f", plain),
	})
}
