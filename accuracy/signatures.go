package accuracy

import (
	"context"
	"fmt"
	"time"

	"foresee/internal/oracle/kernels"
	"foresee/model/threads"
)

// What is asked of a signature. Chosen: a large machine, and so few teams that a table takes minutes.
const (
	askedThreads = 64
	askedTeams   = 9
)

// Signatures measures what signatures cost: to make, to keep, and to ask for one more number of threads.
func Signatures(ctx context.Context, o Options) (*Section, error) {
	sizes := []string{"SMALL", "LARGE"}
	if o.Size != "" {
		sizes = []string{o.Size}
	}
	t := &Table{
		Title: "Signatures and new numbers of threads",
		Text: fmt.Sprintf("What one analysis costs, how long the signature is (encoded, before base64), and what the distances of a cache shared by %d threads cost from it: "+
			"the median of %d teams, on all cores.", askedThreads, askedTeams),
		Columns: []string{"kernel"},
	}
	for _, size := range sizes {
		t.Columns = append(t.Columns, size+" analysis, ms", "signature, KiB", fmt.Sprintf("T=%d, ms", askedThreads))
	}
	costs, lengths := make([]Errors, len(sizes)), make([]Errors, len(sizes))
	rows := map[string][]string{}
	var order []string
	for i, size := range sizes {
		err := kernels.With(size, o.Kernels, func(ks []kernels.Kernel) error {
			return o.each(ctx, ks, func(k kernels.Kernel) error {
				begin := time.Now()
				s, err := threads.Analyse(ctx, k.Program, threads.AnalyseOptions{Seed: o.Seed})
				if err != nil {
					return err
				}
				made := time.Since(begin)
				data, err := s.MarshalBinary()
				if err != nil {
					return err
				}
				ms := costOf(s, askedThreads)
				costs[i].Add(k.Name, ms)
				lengths[i].Add(k.Name, float64(len(data))/1024)
				if i == 0 {
					order = append(order, k.Name)
				}
				rows[k.Name] = append(rows[k.Name], fmt.Sprint(made.Milliseconds()), fmt.Sprintf("%.0f", float64(len(data))/1024), fmt.Sprintf("%.1f", ms))
				return nil
			})
		})
		if err != nil {
			return nil, err
		}
		t.Summary = append(t.Summary,
			costs[i].line(size+", a new number of threads, ms", "%.1f"),
			lengths[i].line(size+", length, KiB", "%.0f"))
	}
	for _, name := range order {
		t.Rows = append(t.Rows, append([]string{name}, rows[name]...))
	}
	return &Section{Name: "signatures", Tables: []*Table{t}}, nil
}

// costOf is the median time, in ms, of teams of so many threads that were not asked for before, as each has another seed.
func costOf(s *threads.Signature, count int) float64 {
	m := threads.NewModel(s)
	var f Errors
	for i := range askedTeams {
		begin := time.Now()
		m.Distances(threads.Team{Threads: count, Group: count, Seed: uint64(i)})
		f.Add("", float64(time.Since(begin).Microseconds())/1000)
	}
	return f.Quantile(0.5)
}
