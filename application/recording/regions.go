package recording

import (
	"encoding/binary"
	"fmt"
	"strings"

	"foresee/application/trace"
)

// Region counts what ran in a region.
type Region struct {
	recorded, repeated uint64   // words of the recording
	threads            []uint64 // of functions: words of each thread
	executed           []uint64 // of functions before their first word: segments of each thread

	Name               string
	Entries            int64
	Forks              int64   // parallel regions opened; none of functions
	Barriers           int64   // passed within regions; their ends are none
	Chunks, Iterations int64   // of worksharing loops, as they were handed out
	Counts             []int64 // executions by segment, of all threads
	Dealt              []Dealt // by segment; empty of functions
	Busiest            uint64  // words of the slowest thread, summed over the phases
	Words              uint64  // of all threads
}

// Slowest is the share of the region's work that the thread has which has most: by words, and by executions of code that accesses nothing. Of regions of
// which neither is known, so many threads have the same.
func (r *Region) Slowest(threads int) float64 {
	if r.Words > 0 {
		return float64(r.Busiest) / float64(r.Words)
	}
	var most, all uint64
	for _, n := range r.executed {
		most, all = max(most, n), all+n
	}
	if all > 0 {
		return float64(most) / float64(all)
	}
	return 1 / float64(threads)
}

// Dealt is the chunks of worksharing loops, as they were handed out, in which a segment ran at least once.
type Dealt struct{ Chunks, Iterations int64 }

func (d *Dealt) add(o Dealt) {
	d.Chunks += o.Chunks
	d.Iterations += o.Iterations
}

// name enters the region under the name that its first segment has.
func (t *Team) name(data []byte) {
	if !t.inRegion || t.named {
		return
	}
	t.named = true
	name := ""
	if x, n := binary.Uvarint(data); n > 0 && x&3 == tokenBoth && x>>2 < uint64(len(t.Code.Segments)) {
		name = t.Code.Segments[x>>2].Region
	}
	if name == "" {
		p := t.placeOf(t.regionPC)
		if x, n := binary.Uvarint(data); n > 0 && x>>2 < uint64(len(t.Code.Segments)) {
			if inner := t.Code.Segments[x>>2].Place; strings.Contains(inner.Function, gccBody) {
				p = inner // the body of the region, as gcc calls it
				p.Function, _, _ = strings.Cut(p.Function, gccBody)
			}
		}
		name = fmt.Sprintf("%s:%d", p.Function, p.Line)
		if p.Function == "" {
			name = fmt.Sprintf("region at %#x", t.regionPC)
		}
	}
	t.enter(name)
}

// gccBody is between the function and the number of the parallel region in it.
const gccBody = "._omp_fn."

// enter begins a region, where regions are parallel ones.
func (t *Team) enter(name string) {
	if t.options.ByFunction {
		return
	}
	t.region = t.key(name)
	t.stats[t.region].Entries++
	t.stats[t.region].Forks++
	t.ready = append(t.ready[:0:0], trace.Event{Kind: trace.Enter, Address: uint64(t.region)})
}

// key is the number of a region by its name.
func (t *Team) key(name string) int {
	i, ok := t.byKey[name]
	if !ok {
		i = len(t.stats)
		t.byKey[name] = i
		t.names.Regions = append(t.names.Regions, name)
		t.stats = append(t.stats, &Region{Name: name})
	}
	return i
}

// Repeated is what each thread does outside worksharing loops, after the first of them, as a share of a region's accesses: above a
// little it may depend on what one thread did in all iterations, and then cannot be dealt.
func (r *Region) Repeated() float64 {
	if r.recorded == 0 {
		return 0
	}
	return float64(r.repeated) / float64(r.recorded)
}

// leave ends a region.
func (t *Team) leave() {
	if t.inRegion && !t.named && !t.options.ByFunction {
		t.name(nil) // nothing was recorded in it
	}
	if t.inRegion && t.region >= 0 && !t.options.ByFunction {
		t.ready = append(t.ready, trace.Event{Kind: trace.Leave, Address: uint64(t.region)})
	}
	if t.region >= 0 {
		t.stats[t.region].Chunks += t.chunks
		t.stats[t.region].Iterations += t.iterations
	}
	if t.region >= 0 {
		t.stats[t.region].recorded += t.recorded
		t.stats[t.region].repeated += t.repeated
		t.stats[t.region].Barriers += max(t.barriers-1, 0)
	}
	t.barriers = 0
	t.chunks, t.iterations, t.recorded, t.repeated = 0, 0, 0, 0
	t.collect()
	t.inRegion, t.region, t.current = false, -1, nil
}

// count adds words to the region's statistics.
func (t *Team) count(all, busiest uint64) {
	if t.region >= 0 {
		t.stats[t.region].Words += all
		t.stats[t.region].Busiest += busiest
	}
}

// mostCounts bounds the counts of segments, of all regions: 1 GiB, and 3 GiB with what was dealt of them.
const mostCounts = 1 << 27

// room makes room for the counts of so many segments.
func (t *Team) room(s *Region, segments int) {
	more := segments - len(s.Counts)
	if more <= 0 {
		return
	}
	if t.counted += more; t.counted > mostCounts {
		t.crowded = fmt.Errorf("%d regions, up to %s, and %d segments: more than %d counts", len(t.stats), s.Name, segments, mostCounts)
		t.counted -= more
		s.Counts = make([]int64, segments) // this one is the last
		return
	}
	s.Counts = append(s.Counts, make([]int64, more)...)
}

// tally counts so many runs of a segment for a function.
func (t *Team) tally(region, thread int, segment int32, times uint64) {
	s := t.stats[region]
	if int(segment) >= len(s.Counts) {
		t.room(s, len(t.Code.Segments))
	}
	s.Counts[segment] += int64(times)
	words := times * uint64(t.Code.first[segment+1]-t.Code.first[segment])
	s.Words += words
	if s.threads == nil {
		s.threads = make([]uint64, t.options.Threads)
	}
	s.threads[thread] += words
	s.Busiest = max(s.Busiest, s.threads[thread])
	if s.Words == 0 { // of code that accesses nothing, its executions say who does how much
		if s.executed == nil {
			s.executed = make([]uint64, t.options.Threads)
		}
		s.executed[thread] += times
	}
}

// collect adds what the decoders counted to the region.
func (t *Team) collect() {
	var all, busiest uint64
	for _, r := range t.runners {
		counts := r.decoder.counts
		words := uint64(0)
		for i, n := range counts {
			words += uint64(n) * uint64(t.Code.first[i+1]-t.Code.first[i])
		}
		all, busiest = all+words, max(busiest, words)
		if t.region >= 0 && !t.options.ByFunction {
			s := t.stats[t.region]
			t.room(s, len(counts))
			s.Dealt = append(s.Dealt, make([]Dealt, max(0, len(s.Counts)-len(s.Dealt)))...)
			for i, n := range counts {
				s.Counts[i] += n
				s.Dealt[i].add(r.decoder.dealt[i])
			}
		}
		clear(counts)
		clear(r.decoder.dealt)
	}
	if t.mimic != nil {
		t.count(all, busiest)
	}
}
