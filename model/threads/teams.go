package threads

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"
)

// dealt is what questions about one number of threads have in common, whichever of them share a cache.
type dealt struct {
	threads int
	plans   []plan // by shape
	seed    uint64
	walkers *walkers
	group   int // of threads, that the walkers are in order for
}

// teams keeps what the last question found out for its team.
type teams struct {
	mutex sync.Mutex
	last  dealt
}

// dealt deals every execution to the threads of a team, and draws their walks.
func (m *Model) dealt(t Team) dealt {
	m.teams.mutex.Lock()
	d := m.teams.last
	m.teams.mutex.Unlock()
	if d.threads != t.Threads {
		d = dealt{threads: t.Threads, plans: m.plans(t.Threads)}
	}
	if d.walkers == nil || d.seed != t.Seed || d.group != t.Group {
		d.seed, d.group, d.walkers = t.Seed, t.Group, newWalkers(t)
		if t.Threads > 1 && t.Group > 1 && m.likes {
			d.walkers.arrange(t.Group)
		}
	}
	m.teams.mutex.Lock()
	m.teams.last = d
	m.teams.mutex.Unlock()
	return d
}

// fewShapes are so few that many samples are of each. Chosen: a sorted list costs as much as a few dozen sums.
const fewShapes = 64

// plans deals every execution to a number of threads.
func (m *Model) plans(count int) []plan {
	plans := make([]plan, len(m.s.Shapes))
	inParallel(len(plans), func(first, end int) {
		for i := first; i < end; i++ {
			plans[i] = newPlan(m.work[i], &m.s.Loops[m.s.Shapes[i].Loop], count)
			if len(plans) <= fewShapes {
				plans[i].arrange()
			}
		}
	})
	return plans
}

// walkers are vectors of standard normal numbers, one for each thread, and the threads of each group in their descending order.
type walkers struct {
	threads int
	number  []float64
	order   []int32
}

// manyWalkers is how many vectors are drawn, of which each sample takes two. Chosen: a prime, so that all pairs occur.
const manyWalkers = 61

func (w *walkers) of(k int) []float64 { return w.number[k*w.threads : (k+1)*w.threads] }

// descending are the threads, group by group, in the order of vector k.
func (w *walkers) descending(k int) []int32 { return w.order[k*w.threads : (k+1)*w.threads] }

// newWalkers draws the vectors of a team; nil of one thread.
func newWalkers(t Team) *walkers {
	if t.Threads == 1 {
		return nil
	}
	w := &walkers{threads: t.Threads, number: make([]float64, manyWalkers*t.Threads)}
	rng := rand.New(rand.NewPCG(t.Seed, 0x3a1c))
	for i := range w.number {
		w.number[i] = rng.NormFloat64()
	}
	return w
}

// arrange orders the threads of each group.
func (w *walkers) arrange(group int) {
	w.order = make([]int32, len(w.number))
	keys := make([]uint64, w.threads)
	index := uint64(1)<<bits.Len(uint(w.threads)) - 1
	for k := range manyWalkers {
		walk, order := w.of(k), w.descending(k)
		for first := 0; first < w.threads; first += group {
			end := min(first+group, w.threads)
			for t := first; t < end; t++ {
				keys[t] = descendingBits(walk[t])&^index | uint64(t) // what the index takes is less than rounding moves
			}
			slices.Sort(keys[first:end])
			for t := first; t < end; t++ {
				order[t] = int32(keys[t] & index)
			}
		}
	}
}

// descendingBits are less the greater a number is.
func descendingBits(x float64) uint64 {
	b := math.Float64bits(x)
	if x < 0 {
		return b
	}
	return ^b &^ (1 << 63)
}
