package accuracy

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"foresee/application/trace/synthetic"
	"foresee/internal/oracle/compiler"
	"foresee/internal/oracle/textbook"
	"foresee/model/cache"
	"foresee/model/reuse"
)

// recorded is a stream of addresses to measure engines on.
type recorded struct {
	name      string
	addresses []uint64
}

// engineLines is the footprint of the random streams. Chosen: 64 MiB of lines, more than caches close to a core hold.
const engineLines = 1 << 20

// engineStreams are a matrix product, a stencil, uniform and Zipf-distributed lines, and a compiler's data references.
// missing says which of them could not be made, and why.
func engineStreams(ctx context.Context, short bool) (streams []recorded, missing []string) {
	scale := 1
	if short { // for a test, which looks at nothing but that it works
		scale = 100
	}
	streams = []recorded{
		{"matrix product", synthetic.Take(&synthetic.MatrixProduct{N: 200}, 32_000_000/scale)},
		{"stencil", synthetic.Take(&synthetic.Stencil{N: 1000}, 24_000_000/scale)},
		{"uniform", synthetic.Take(synthetic.NewUniform(engineLines, 1), 20_000_000/scale)},
		{"zipf 0.99", synthetic.Take(synthetic.NewZipf(engineLines, 0.99, 1), 20_000_000/scale)},
	}
	if short {
		return streams, nil
	}
	compiler, err := compiler.Record(ctx, 20_000_000)
	if err != nil {
		return streams, []string{"no compiler's references: " + err.Error()}
	}
	return append(streams, recorded{"compiler", compiler}), nil
}

// engineRun is one way of analysing a stream. A slow one takes only the first of so many parts of it.
type engineRun struct {
	name string
	part int
	run  func(addresses []uint64)
}

// machineLevels are 8-way 32 KiB, 8-way 256 KiB and 20-way 20 MiB: the caches of the i7-5960X, of one core.
var machineLevels = []cache.Level{
	{Name: "L1", Geometry: cache.Geometry{Lines: 512, Ways: 8}},
	{Name: "L2", Geometry: cache.Geometry{Lines: 4096, Ways: 8}},
	{Name: "L3", Geometry: cache.Geometry{Lines: 327680, Ways: 20}},
}

// distances measures the reuse distance of every reference.
func distances(r reuse.Resolution) func([]uint64) {
	return func(a []uint64) { reuse.NewStack(64).Add(a, reuse.NewHistogram(r)) }
}

// shards estimates the distances from a part of the lines.
func shards(o reuse.ShardsOptions) func([]uint64) {
	return func(a []uint64) {
		s := reuse.NewShards(64, o)
		s.Add(a)
		s.Estimate()
	}
}

// withLast is machineLevels with a last level that includes or excludes what the others hold.
func withLast(i cache.Inclusion) []cache.Level {
	levels := slices.Clone(machineLevels)
	levels[len(levels)-1].Inclusion = i
	return levels
}

// withTrees is withLast where the levels before replace by tree-PLRU, as those of Intel's cores do.
func withTrees(i cache.Inclusion) []cache.Level {
	levels := withLast(i)
	for j := range levels[:len(levels)-1] {
		levels[j].Replacement = cache.PLRU
	}
	return levels
}

// simulateLines simulates caches, without writes or with every fourth reference a write, which the simulator takes in the lowest bit.
func simulateLines(levels []cache.Level, write bool) func([]uint64) {
	return func(a []uint64) {
		s, err := cache.NewSimulator(cache.Hierarchy{Levels: levels})
		if err != nil {
			panic(err)
		}
		if !write {
			s.Addresses(a, 64)
			return
		}
		references := make([]uint64, 0, 4096)
		for i, x := range a {
			if references = append(references, x>>6<<1|uint64(i>>1&i&1)); len(references) == cap(references) {
				s.Run(0, references)
				references = references[:0]
			}
		}
		s.Run(0, references)
	}
}

// Names of runs that others are compared with.
const (
	textbookDistance   = "baseline: hash table and Fenwick tree"
	fullDistance       = "distance, a bin for each value"
	twoCores           = "distance, two cores"
	textbookSimulation = "baseline: simple simulation, 3 levels"
	plainSimulation    = "simulation, 3 levels"
	inclusive          = "simulation, inclusive L3"
	exclusive          = "simulation, exclusive L3"
)

var engineRuns = []engineRun{
	{textbookDistance, 4, func(a []uint64) { textbook.NewBaseline(len(a)).Distances(a) }},
	{fullDistance, 1, distances(reuse.Full)},
	{"distance, 128 bins an octave", 1, distances(reuse.Fine)},
	{"distance, 4 bins an octave", 1, distances(reuse.Coarse)},
	{twoCores, 1, func(a []uint64) { reuse.NewPaired(64).Add(a, reuse.NewHistogram(reuse.Full)) }},
	{"interval", 1, func(a []uint64) { reuse.NewIntervals(64).Add(a, reuse.NewHistogram(reuse.Fine)) }},
	{"sample at 0.01, with head", 1, shards(reuse.ShardsOptions{Rate: 0.01, Seed: 1})},
	{"sample at 0.01, plain", 1, shards(reuse.ShardsOptions{Rate: 0.01, Seed: 1, Plain: true})},
	{"sample of 8192 lines", 1, shards(reuse.ShardsOptions{MaxLines: 8192, Seed: 1})},
	{textbookSimulation, 8, func(a []uint64) { textbook.Misses(machineLevels, a) }},
	{plainSimulation, 1, simulateLines(machineLevels, false)},
	{"simulation, 3 levels, a quarter writes", 1, simulateLines(machineLevels, true)},
	{inclusive, 1, simulateLines(withLast(cache.Inclusive), false)},
	{exclusive, 1, simulateLines(withLast(cache.Exclusive), false)},
	{"simulation, tree-PLRU and inclusive L3", 1, simulateLines(withTrees(cache.Inclusive), false)},
}

// peers are the speeds of others on like streams, in M references/s of one core, as their programs were measured for foresee on another machine
// of the kind: only their order of magnitude can be compared. The columns are those of engineStreams.
var peers = [][]string{
	{"PARDA, one thread", "4.8", "4.8", "0.4", "0.9", "4.5"},
	{"libCacheSim, stack distance", "9.4", "10.0", "0.7", "1.6", "7.0"},
	{"DynamoRIO, reuse distance", "7.7", "2.5", "0.1", "0.2", "11.4"},
	{"SHARDS-cpp, rate 0.01", "96", "99", "61", "76", "84"},
	{"pycachesim, 3 levels", "119", "133", "12", "17", "118"},
}

// Engines measures how fast references are analysed: medians of several runs, all in one process.
func Engines(ctx context.Context, o Options) (*Section, error) {
	short := o.size("") == "MINI"
	streams, missing := engineStreams(ctx, short)
	t := &Table{
		Title: "References a second",
		Text: "Million references a second: 8-byte addresses in memory, lines of 64 bytes, one core unless said, plain Go, the median of three runs, each with empty structures at first. " +
			"The baselines run in the same process, on a part of the stream; the ratio is the distance with a bin for each value over the first of them. " +
			"A matrix product (n = 200, 32 M references), a five-point stencil (1000 × 1000, 24 M), uniform and Zipf-distributed (0.99) lines (2²⁰ of them, 20 M), and the data references of a C compiler, recorded by Valgrind's lackey (20 M). " +
			"Below the line: the figures of others, from measurements elsewhere on like streams.",
		Columns: []string{"engine"},
		Summary: missing,
	}
	for _, s := range streams {
		t.Columns = append(t.Columns, s.name)
	}
	speeds := map[string][]float64{}
	for i, r := range engineRuns {
		row := []string{r.name}
		for j, s := range streams {
			if o.Progress != nil {
				o.Progress(i*len(streams)+j, len(engineRuns)*len(streams))
			}
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			v := r.speed(s.addresses)
			speeds[r.name] = append(speeds[r.name], v)
			row = append(row, fmt.Sprintf("%.1f", v/1e6))
		}
		t.Rows = append(t.Rows, row)
	}
	t.Rows = append(t.Rows, ratioRow("exact distance over its baseline", speeds[fullDistance], speeds[textbookDistance]))
	t.Rows = append(t.Rows, ratioRow("two cores over one", speeds[twoCores], speeds[fullDistance]))
	t.Rows = append(t.Rows, ratioRow("simulation over its baseline", speeds[plainSimulation], speeds[textbookSimulation]))
	t.Rows = append(t.Rows, ratioRow("inclusive L3 over neither", speeds[inclusive], speeds[plainSimulation]))
	t.Rows = append(t.Rows, ratioRow("exclusive L3 over neither", speeds[exclusive], speeds[plainSimulation]))
	for _, p := range peers {
		t.Rows = append(t.Rows, append([]string{"elsewhere: " + p[0]}, p[1:len(streams)+1]...))
	}
	growth, err := engineGrowth(ctx, short)
	if err != nil {
		return nil, err
	}
	return &Section{Name: "engines", Tables: append([]*Table{t}, growth...)}, nil
}

// ratioRow is how many times faster a is than b, by stream.
func ratioRow(name string, a, b []float64) []string {
	row := []string{name}
	for i := range a {
		row = append(row, fmt.Sprintf("×%.2f", a[i]/b[i]))
	}
	return row
}

// speed is the median of three runs, in references a second.
func (r engineRun) speed(addresses []uint64) float64 {
	addresses = addresses[:len(addresses)/r.part]
	var took []float64
	for range 3 {
		runtime.GC()
		begin := time.Now()
		r.run(addresses)
		took = append(took, time.Since(begin).Seconds())
	}
	slices.Sort(took)
	return float64(len(addresses)) / took[1]
}
