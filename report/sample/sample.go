// Package sample holds small results for the tests of reports: some are invented, none is measured.
package sample

import (
	"fmt"
	"math"

	"foresee/application/counters"
	"foresee/model/xmodel"
	"foresee/predict"
)

func header(schema string) predict.Header {
	return predict.Header{Schema: schema, Version: predict.Version, Input: "gemm.c"}
}

func ptr(v float64) *float64 { return &v }

// prediction is an invented result: 1/T and a serial part, rates that fall with threads.
func prediction(region, machine string, threads int) predict.Prediction {
	t := float64(threads)
	time := math.Round(1e9*(0.0012/t+0.00005+0.000004*t)) / 1e9
	one := 0.0012 + 0.00005 + 0.000004
	return predict.Prediction{
		Region: region, Machine: machine, Threads: threads, Accesses: 1352400, Flops: 800000,
		HitRates: []predict.HitRate{
			{Level: "L1", Scope: "private", HitRate: 0.97 - 0.0004*t, StandardError: 0.0006},
			{Level: "L2", Scope: "private", HitRate: 0.985, StandardError: 0.0002},
			{Level: "L3", Scope: "shared", HitRate: 0.99965},
		},
		TimeS: ptr(time), TimeLowS: ptr(0.8 * time), TimeHighS: ptr(1.3 * time), Speedup: ptr(one / time),
		Terms: &predict.Terms{
			ComputeS: 0.0004 / t, MemoryS: 0.0008/t + 0.00005, ParallelS: 0.000004 * t,
			Levels: []predict.LevelTerm{
				{Level: "L2", Lines: 40572 / t, TimeS: 0.0003 / t},
				{Level: "L3", Lines: 20286 / t, TimeS: 0.0003/t + 0.00002},
				{Level: "memory", Lines: 473 / t, TimeS: 0.0002/t + 0.00003},
			},
		},
		ThreadsModel: predict.ThreadsSymbolic, Interleave: "uniform", SharedCache: sharedCache(threads),
		BoundBy: []string{"compute", "L2", "L3", "memory", "parallel"}[int(math.Log2(t))%5], Model: "overlap",
	}
}

// sharedCache is invented too: the more threads, the larger; with 8 and more the L3 overflows.
func sharedCache(threads int) *predict.SharedCache {
	if threads == 1 {
		return nil
	}
	smallest, overflow := int64(threads)<<19, 8
	return &predict.SharedCache{
		Level: "L3", Bytes: 20 << 20, Cores: 8, MissRatio: 0.0125, SmallestBytes: &smallest, OverflowThreads: &overflow,
	}
}

// Predictions are invented: every region on every machine at every number of threads.
func Predictions(regions, machines []string, threads ...int) *predict.PredictionResult {
	r := &predict.PredictionResult{Header: header(predict.PredictionSchema)}
	for _, region := range regions {
		for _, m := range machines {
			for _, t := range threads {
				r.Predictions = append(r.Predictions, prediction(region, m, t))
			}
		}
	}
	return r
}

// Timeless is a prediction for a machine without the values for times.
func Timeless() *predict.PredictionResult {
	r := Predictions([]string{"kernel_gemm"}, []string{"bare"}, 1, 2)
	r.Warnings = []string{"machine bare lacks memory.latency_ns; no times"}
	for i := range r.Predictions {
		p := &r.Predictions[i]
		p.TimeS, p.TimeLowS, p.TimeHighS, p.Speedup, p.Terms, p.BoundBy = nil, nil, nil, nil, nil, ""
	}
	return r
}

// Curves are invented: two working sets above a floor, the smaller one shrinking with threads.
func Curves(top float64, regions []string, threads ...int) *predict.CurveResult {
	r := &predict.CurveResult{Header: header(predict.CurveSchema), LineBytes: 64, Levels: Marks("i7-5960x")}
	for i, region := range regions {
		for _, t := range threads {
			c := predict.Curve{Region: region, Threads: t, Scope: "shared", Accesses: 1352400}
			for e := 10.0; e <= 28; e += 0.5 {
				first := 1 / (1 + math.Exp(2*(e-13-0.4*float64(i)-math.Log2(float64(t))/2)))
				second := 1 / (1 + math.Exp(3*(e-21)))
				ratio := math.Round(1e9*top*(0.6*first+0.3*second+0.002)) / 1e9 // the same on every architecture
				c.Points = append(c.Points, predict.CurvePoint{CacheBytes: int64(math.Exp2(e)), MissRatio: ratio, StandardError: ratio * 0.05})
			}
			r.Curves = append(r.Curves, c)
		}
	}
	return r
}

// Marks are the caches of a machine as curves show them.
func Marks(machine string) []predict.LevelMark {
	return []predict.LevelMark{
		{Machine: machine, Level: "L1", Bytes: 32 << 10},
		{Machine: machine, Level: "L2", Bytes: 256 << 10},
		{Machine: machine, Level: "L3", Bytes: 20 << 20},
	}
}

// Profiles are one invented histogram of reuse distances, with gaps.
func Profiles() *predict.ProfileResult {
	p := predict.Profile{
		Region: "kernel_gemm", Threads: 4, Scope: "shared", Measure: "distance", Accesses: 1352400, Cold: 1825, Samples: 4096,
		Histogram: []predict.Bin{{Low: 0, High: 0, Count: 900000}, {Low: 1, High: 1, Count: 50000}, {Low: 2, High: 3, Count: 300000}, {Low: 256, High: 511, Count: 100575}},
	}
	return &predict.ProfileResult{Header: header(predict.ProfileSchema), LineBytes: 64, Profiles: []predict.Profile{p}}
}

// Names are n names, numbered from 1.
func Names(n int, format string) []string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf(format, i+1))
	}
	return all
}

// TwoRanks waited, computed 6 and 2 s, and sent to each other.
func TwoRanks() *counters.Run {
	call := func(name string, comm, class int, count, bytes, seconds float64) counters.Call {
		return counters.Call{Name: name, Comm: comm, Class: class, Count: count, Bytes: bytes, Seconds: seconds, Min: seconds / count / 2, Max: seconds / count * 2}
	}
	return &counters.Run{
		Params: map[string]float64{"p": 2}, Command: []string{"mpirun", "-n", "2", "./a"},
		Messages: []counters.Messages{
			{
				Rank: 0, Size: 2, Wall: 10, CPU: 9, MPI: "mpich", Library: "MPICH 4", Complete: true,
				Calls: []counters.Call{call("MPI_Bcast", 2, 4, 10, 80, 1), call("MPI_Send", 2, 4, 4, 32, 2), call("MPI_Send", 2, 11, 1, 1024, 1)},
				Peers: []counters.Peer{{Rank: 1, Count: 5, Bytes: 1056}},
			},
			{
				Rank: 1, Size: 2, Wall: 10, CPU: 9, MPI: "mpich", Library: "MPICH 4", Complete: true,
				Calls: []counters.Call{call("MPI_Bcast", 2, 4, 10, 80, 8)},
			},
		},
	}
}

// XGraph has two scenarios, of which one has several states.
func XGraph() *predict.XResult {
	p := xmodel.Params{
		N: 105, Z: 1, E: 0.003, M: 0.35, R: 0.15, L: 600,
		Cache: &xmodel.Cache{Size: 16384, Latency: 20, Alpha: 10, Beta: 3072},
	}
	q := p
	q.N = 60
	return predict.XGraph(predict.Header{Schema: predict.XSchema}, "example", "invented", p, xmodel.Scale{}, predict.XThreadLimits{Most: 500}, &q)
}
