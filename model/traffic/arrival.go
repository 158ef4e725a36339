package traffic

import (
	"math/bits"

	"foresee/machine/bandwidth"
)

// Arrival tells lines that follow one another, which hardware prefetchers have ready, from lines far apart: by the distance of a
// miss from the nearest of the last misses of the same lane. Package cache (prefetch.go) simulates prefetchers that bring lines.
type Arrival struct {
	followed int                   // how many streams prefetchers follow: as many misses are recent
	recent   [][]uint64            // by lane
	next     []int                 // by lane: the place in recent of the next far miss
	filled   []int                 // by lane: places of recent that are in use, the first ones
	begun    [][]bool              // by lane: of the recent misses, those that were far and that none followed yet
	slots    [][lastSequential]int // by lane: which of the recent misses the last ones in sequence followed
	turn     []int                 // by lane: misses in sequence so far
	last     [][]int64             // by thread and level: the access of the last miss
	levels   int                   // of caches
	found    map[int]*sequences    // by region
	latest   *sequences            // of the region that missed last
	region   int                   // which that is
}

// lanes is how many lists of recent misses a thread has: misses that the second level serves do not drive out the streams of those from beyond.
const lanes = 2

// lane is the list of a thread that a miss belongs to, by the level that serves it.
func lane(thread, served int) int { return lanes*thread + min(served, lanes) - 1 }

// sequences count misses by the level that serves them, the last being memory.
type sequences struct {
	all, written []int64
	sequential   []int64 // in sequence, and
	streams      []int64 // the sum of how many streams they came in at the time
	runs         []int64 // those in sequence that follow a far one
	soon         []int64 // those soon after another of the level, and
	gaps         []int64 // the sum of the accesses between
	steps        [][bandwidth.Steps]int64
}

// soon is within how many accesses two misses count as clustered, so that the work between them is that between neighbours. Chosen: a reorder
// buffer of 512 instructions reaches about as far.
const soon = 512

// NewArrival is for so many threads on a machine with so many caches, whose prefetchers follow so many streams, at most 64.
func NewArrival(threads, levels, followed int) *Arrival {
	last := make([][]int64, threads)
	for i := range last {
		last[i] = make([]int64, levels+1)
	}
	n := lanes * threads
	s := &Arrival{
		followed: followed, recent: make([][]uint64, n), next: make([]int, n), filled: make([]int, n), begun: make([][]bool, n), slots: make([][lastSequential]int, n), turn: make([]int, n),
		last: last, levels: levels, found: map[int]*sequences{},
	}
	for i := range n {
		s.recent[i], s.begun[i] = make([]uint64, followed), make([]bool, followed)
	}
	return s
}

// farthest is the largest distance, in lines, at which a miss goes on from another one. Chosen: with lines of 64 bytes half a KiB, within which
// prefetchers of processors follow.
const farthest = 8

// of is what is counted of a region, made when it is new.
func (s *Arrival) of(region int) *sequences {
	of := s.found[region]
	if of == nil {
		n := s.levels + 1
		of = &sequences{make([]int64, n), make([]int64, n), make([]int64, n), make([]int64, n), make([]int64, n), make([]int64, n), make([]int64, n), make([][bandwidth.Steps]int64, n)}
		s.found[region] = of
	}
	s.latest, s.region = of, region
	return of
}

// Miss counts a line that a level other than the first one served; now is which of its thread's accesses that is.
func (s *Arrival) Miss(thread int, now int64, line uint64, served, region int, write bool) {
	of := s.latest
	if of == nil || s.region != region {
		of = s.of(region)
	}
	of.all[served]++
	if gap := now - s.last[thread][served]; gap <= soon {
		of.soon[served]++
		of.gaps[served] += gap
	}
	s.last[thread][served] = now
	if write {
		of.written[served]++
	}
	lane := lane(thread, served)
	recent := s.recent[lane]
	nearest, at := uint64(farthest+1), 0
	for i := range recent {
		d := line - recent[i]
		if int64(d) < 0 {
			d = -d
		}
		if d != 0 && d < nearest {
			if nearest, at = d, i; d == 1 {
				break
			}
		}
	}
	if nearest <= farthest {
		of.steps[served][bandwidth.StepOfBytes(int64(nearest), 1).Class()]++
		recent[at] = line
		of.sequential[served]++
		if s.begun[lane][at] {
			s.begun[lane][at] = false
			of.runs[served]++
		}
		of.streams[served] += s.beside(lane, at)
		return
	}
	of.steps[served][s.far(lane, line).Class()]++
	slot := s.next[lane]
	recent[slot], s.begun[lane][slot] = line, true
	if s.next[lane]++; s.next[lane] == s.followed {
		s.next[lane] = 0
	}
	s.filled[lane] = min(s.filled[lane]+1, s.followed)
}

// lastSequential is over how many misses in sequence streams are counted, and so how many can be. Chosen: more than loops move at a time, as a rule.
const lastSequential = 8

// beside counts the streams of the last misses in sequence, of which one just followed a recent miss.
func (s *Arrival) beside(lane, at int) (n int64) {
	slots := &s.slots[lane]
	slots[s.turn[lane]%lastSequential] = at
	s.turn[lane]++
	seen := uint64(0)
	for _, slot := range slots[:min(s.turn[lane], lastSequential)] {
		seen |= 1 << slot
	}
	return int64(bits.OnesCount64(seen))
}

// latest is how many of the last misses a far one may have a stride to. Chosen: as many walks may take turns.
const latest = 4

// far is the step of a miss far from all others: where two earlier ones lie in line with it, evenly apart, that is its stride.
func (s *Arrival) far(lane int, line uint64) bandwidth.Step {
	recent := s.recent[lane]
	filled, at := s.filled[lane], s.next[lane]
	for range min(latest, filled) {
		if at--; at < 0 {
			at = s.followed - 1
		}
		d := line - recent[at]
		if d == 0 { // the same line, which others took away
			continue
		}
		for _, r := range recent[:filled] {
			if r == line-2*d {
				return bandwidth.StepOfBytes(int64(d), 1)
			}
		}
	}
	return bandwidth.RandomStep()
}

// Served is how the lines that a level served came.
type Served struct {
	Steps   [bandwidth.Steps]float64 // shares
	Written float64                  // share
	Streams float64                  // side by side, of those in sequence; 0: none are
	Run     float64                  // how many in sequence follow one another
	Gap     float64                  // accesses from one line to the next, where they come soon; 0: they never do
}

// Of is how the lines came that a level served in a region.
func (s *Arrival) Of(region, level int) (out Served) {
	of := s.found[region]
	if of == nil || of.all[level] == 0 {
		return out
	}
	for i, n := range of.steps[level] {
		out.Steps[i] = float64(n) / float64(of.all[level])
	}
	out.Written = float64(of.written[level]) / float64(of.all[level])
	if of.soon[level] > 0 {
		out.Gap = float64(of.gaps[level]) / float64(of.soon[level])
	}
	if of.runs[level] > 0 {
		out.Run = float64(of.sequential[level]) / float64(of.runs[level])
	}
	if of.sequential[level] > 0 {
		out.Streams = float64(of.streams[level]) / float64(of.sequential[level])
	}
	return out
}

// Straight is the share of lines in sequence, by their steps.
func (s Served) Straight() float64 { return bandwidth.SequentialShare(&s.Steps) }
