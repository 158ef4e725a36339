package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"foresee/application/counters"
	"foresee/predict"
)

// MessagesSchema is that of foresee mpi.
const MessagesSchema = "foresee.messages/v1"

// MessagesResult is what the ranks of an MPI program did. Times are seconds, sizes bytes.
type MessagesResult struct {
	predict.Header
	Command    []string           `json:"command"`
	Parameters map[string]float64 `json:"parameters" jsonschema:"p is the number of ranks"`
	MPI        string             `json:"mpi"`
	Library    string             `json:"library"`
	Balance    MPIBalance         `json:"balance"`
	Functions  []MPIFunction      `json:"functions" jsonschema:"by time, the largest first"`
	Calls      []MPICall          `json:"calls" jsonschema:"by name, communicator size and size class"`
	Ranks      []MPIRank          `json:"ranks"`
}

// MPIBalance compares the ranks. Compute is what is outside MPI, wall − MPI.
type MPIBalance struct {
	WallMeanS    float64 `json:"wall_mean_s"`
	WallMaxS     float64 `json:"wall_max_s"`
	MPIMeanS     float64 `json:"mpi_mean_s"`
	MPIMaxS      float64 `json:"mpi_max_s"`
	ComputeMeanS float64 `json:"compute_mean_s"`
	ComputeMaxS  float64 `json:"compute_max_s"`
	CPUMeanS     float64 `json:"cpu_mean_s" jsonschema:"processor time, user and system"`
	Imbalance    float64 `json:"imbalance" jsonschema:"compute_max_s / compute_mean_s; 1 is balanced"`
}

// MPIFunction is one function over all ranks.
type MPIFunction struct {
	Name  string  `json:"name"`
	Calls float64 `json:"calls" jsonschema:"of all ranks"`
	Bytes float64 `json:"bytes" jsonschema:"of all ranks"`
	MeanS float64 `json:"mean_s" jsonschema:"of a rank"`
	MaxS  float64 `json:"max_s" jsonschema:"of the rank with most"`
	Share float64 `json:"share" jsonschema:"of the wall time of all ranks"`
}

// MPICall is one function on communicators of one size with messages of one size class, over all ranks.
type MPICall struct {
	Name       string  `json:"name"`
	Processes  int     `json:"processes" jsonschema:"in the communicator; 0 where the function has none"`
	SizeClass  int     `json:"size_class" jsonschema:"0: no bytes; k: from 2^(k-1) to below 2^k bytes a call"`
	Calls      float64 `json:"calls"`
	Bytes      float64 `json:"bytes"`
	Seconds    float64 `json:"seconds"`
	MinSeconds float64 `json:"min_s"`
	MaxSeconds float64 `json:"max_s"`
}

// MPIRank is one rank: where its time went, and to whom it sent.
type MPIRank struct {
	Rank     int       `json:"rank"`
	Host     string    `json:"host"`
	WallS    float64   `json:"wall_s"`
	CPUS     float64   `json:"cpu_s"`
	MPIS     float64   `json:"mpi_s"`
	ComputeS float64   `json:"compute_s"`
	Complete bool      `json:"complete"`
	Peers    []MPIPeer `json:"peers"`
}

// MPIPeer is the messages to one rank of MPI_COMM_WORLD.
type MPIPeer struct {
	Rank     int     `json:"rank"`
	Messages float64 `json:"messages"`
	Bytes    float64 `json:"bytes"`
}

// Messages sums up a recorded run; input names it.
func Messages(input string, r *counters.Run) *MessagesResult {
	m := &MessagesResult{
		Header:  predict.Header{Schema: MessagesSchema, Version: predict.Version, Input: input, Warnings: r.Warnings},
		Command: r.Command, Parameters: r.Params,
	}
	for _, rank := range r.Messages {
		m.MPI, m.Library = rank.MPI, rank.Library
		m.Ranks = append(m.Ranks, mpiRank(rank))
	}
	m.Calls = mpiCalls(r.Messages)
	m.Balance = mpiBalance(m.Ranks)
	m.Functions = mpiFunctions(r.Messages, m.Balance.WallMeanS*float64(len(m.Ranks)))
	if b := m.Balance; b.CPUMeanS < shareOfCore*b.WallMeanS {
		m.Warnings = append(slices.Clone(m.Warnings), fmt.Sprintf("the ranks had a processor for %s of their time: more ranks than cores, ranks that sleep, or input and output; times outside MPI include waiting for a processor", Percent(b.CPUMeanS/b.WallMeanS)))
	}
	return m
}

// shareOfCore is the share of a core below which a rank does not run alone on one: MPI libraries wait busily.
const shareOfCore = 0.8

// mpiRank is what one rank did.
func mpiRank(m counters.Messages) MPIRank {
	r := MPIRank{Rank: m.Rank, Host: m.Host, WallS: m.Wall, CPUS: m.CPU, Complete: m.Complete}
	for _, c := range m.Calls {
		r.MPIS += c.Seconds
	}
	r.ComputeS = max(0, r.WallS-r.MPIS) // calls of several threads at a time may take longer than the clock
	for _, p := range m.Peers {
		r.Peers = append(r.Peers, MPIPeer{Rank: p.Rank, Messages: p.Count, Bytes: p.Bytes})
	}
	return r
}

// mpiBalance compares the ranks: means, and the slowest.
func mpiBalance(ranks []MPIRank) MPIBalance {
	b, n := MPIBalance{Imbalance: 1}, float64(len(ranks))
	for _, r := range ranks {
		b.WallMeanS += r.WallS / n
		b.MPIMeanS += r.MPIS / n
		b.ComputeMeanS += r.ComputeS / n
		b.CPUMeanS += r.CPUS / n
		b.WallMaxS, b.MPIMaxS, b.ComputeMaxS = max(b.WallMaxS, r.WallS), max(b.MPIMaxS, r.MPIS), max(b.ComputeMaxS, r.ComputeS)
	}
	if b.ComputeMeanS > 0 {
		b.Imbalance = b.ComputeMaxS / b.ComputeMeanS
	}
	return b
}

// mpiCalls adds up calls by function, communicator and class of size.
func mpiCalls(ranks []counters.Messages) []MPICall {
	type key struct {
		name        string
		comm, class int
	}
	at := map[key]int{}
	var all []MPICall
	for _, rank := range ranks {
		for _, c := range rank.Calls {
			k := key{c.Name, c.Comm, c.Class}
			i, there := at[k]
			if !there {
				i = len(all)
				at[k] = i
				all = append(all, MPICall{Name: c.Name, Processes: c.Comm, SizeClass: c.Class, MinSeconds: c.Min})
			}
			a := &all[i]
			a.Calls += c.Count
			a.Bytes += c.Bytes
			a.Seconds += c.Seconds
			a.MinSeconds, a.MaxSeconds = min(a.MinSeconds, c.Min), max(a.MaxSeconds, c.Max)
		}
	}
	slices.SortFunc(all, func(a, b MPICall) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), cmp.Compare(a.Processes, b.Processes), cmp.Compare(a.SizeClass, b.SizeClass))
	})
	return all
}

// mpiFunctions adds up calls by function; wall is the time of all ranks, of which each has a share.
func mpiFunctions(ranks []counters.Messages, wall float64) []MPIFunction {
	at := map[string]int{}
	var all []MPIFunction
	for _, rank := range ranks {
		here := map[string]float64{}
		for _, c := range rank.Calls {
			i, there := at[c.Name]
			if !there {
				i = len(all)
				at[c.Name] = i
				all = append(all, MPIFunction{Name: c.Name})
			}
			f := &all[i]
			f.Calls += c.Count
			f.Bytes += c.Bytes
			f.MeanS += c.Seconds / float64(len(ranks))
			here[c.Name] += c.Seconds
			f.MaxS = max(f.MaxS, here[c.Name])
			if wall > 0 {
				f.Share += c.Seconds / wall
			}
		}
	}
	slices.SortStableFunc(all, func(a, b MPIFunction) int {
		return cmp.Or(cmp.Compare(b.MeanS, a.MeanS), strings.Compare(a.Name, b.Name))
	})
	return all
}
