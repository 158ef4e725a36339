package conflict

import (
	"math/bits"

	"foresee/application/nest"
	"foresee/model/cache"
)

// walker follows single reuses.
type walker struct {
	sweep
	cursor *nest.Cursor
	levels int
	others []int64 // ways of the levels that do not replace by LRU, 0 of those that do
	target uint64
	most   int64   // work of one walk
	losses int     // of the target, when its holder was last looked for
	served int     // level that served the reuse; −1 while that is not known
	holder int     // innermost level that still has the line
	before []int64 // how often the sets were filled before the use
	whole  bool    // the walk began with the stream
}

// newWalker makes a walker through a stream.
func newWalker(s *nest.Stream, o *Options) *walker {
	w := &walker{cursor: s.Cursor(), levels: len(o.Levels)}
	w.chain = cache.NewChain(o.Levels)
	w.shift = uint(bits.TrailingZeros64(uint64(s.Options().Line)))
	w.spread = o.spread(s.Options().Line)
	w.others, w.before = make([]int64, w.levels), make([]int64, w.levels)
	for l := range o.Levels {
		if o.Levels[l].Replacement != cache.LRU {
			w.others[l] = o.Levels[l].Ways
		}
	}
	if o.Page > 0 {
		w.colouring = cache.NewColouring(o.Page, s.Options().Line)
	}
	return w
}

// outcome is what is known of a reuse: by level whether it or one further in had the line; unknown where the walk was cut off before.
type outcome struct {
	work   int64
	served int // innermost level that has the line at the reuse, where ended
	holder int // innermost level that had it when the walk was cut off
	ended  bool
}

// hit tells of a level whether it or one further in serves the reuse.
func (o *outcome) hit(level int) (hit, known bool) {
	switch {
	case o.ended:
		return o.served <= level, true
	case o.holder > level:
		return false, true
	}
	return false, false
}

// reuse follows an access at a position to the next use of its line, at another; warm accesses before it fill the levels.
func (w *walker) reuse(from, to, warm int64) (outcome, error) {
	place := w.cursor.At(from)
	s := w.cursor.Stream()
	w.target = w.aim(s.Address(place))
	w.work, w.missed, w.served, w.holder = 0, 0, -1, 0
	w.touch = w.fill
	start := s.GroupStart(s.GroupOf(from))
	if w.whole = from-warm <= start; !w.whole {
		start = from - warm
		w.chain.Fill()
	}
	if err := w.cursor.Runs(start, from+1, w.limited); err != nil {
		return outcome{}, err
	}
	if w.work >= w.most { // cut off before the line was used: nothing is known of it
		return outcome{work: w.work}, nil
	}
	w.holder, w.losses = w.chain.Holder(), w.chain.Losses()
	for l := range w.before {
		w.before[l] = w.chain.Fills(l)
	}
	w.touch = w.watch
	if err := w.cursor.Runs(from+1, to+1, w.limited); err != nil {
		return outcome{}, err
	}
	return outcome{work: w.work, served: w.served, holder: w.holder, ended: w.served >= 0}, nil
}

// doubtful tells whether the outcome of a walk hangs on what a set held before it: on one that does not replace by LRU, was filled too seldom before
// the use, and so often after it that the line may be lost, or not.
func (w *walker) doubtful() bool {
	for l, ways := range w.others {
		after := w.chain.Fills(l) - w.before[l]
		if !w.whole && l <= w.served && ways > 0 && w.before[l] < timesFilled*ways && after >= int64(bits.Len64(uint64(ways)))-1 && after <= surelyLost*ways {
			return true
		}
	}
	return false
}

// limited is feed until the work is too much.
func (w *walker) limited(r *nest.Run) bool { return w.feed(r) && w.work < w.most }

// missWork is the work of an access that the first level does not serve, beside that of any access. Measured.
const missWork = 3

// fill is an access before the use.
func (w *walker) fill(line uint64) bool {
	if w.chain.Touch(line) > 0 {
		w.missed++
		w.work += missWork
	}
	return true
}

// watch is an access after the use: the next one to the line, or the loss of it, ends the walk.
func (w *walker) watch(line uint64) bool {
	if line == w.target {
		w.served = w.chain.Holder()
		return false
	}
	if w.chain.Touch(line) == 0 {
		return true
	}
	w.missed++
	w.work += missWork
	if n := w.chain.Losses(); n != w.losses {
		w.losses = n
		if w.holder = w.chain.Holder(); w.holder == w.levels {
			w.served = w.levels
			return false
		}
	}
	return true
}

// spread is the number of sets that all levels and pages agree on: a power of two.
func (o *Options) spread(line int64) int64 {
	spread := int64(1) << 40
	least := func(n int64) { spread = min(spread, n&-n) }
	for _, l := range o.Levels {
		least(l.Lines / l.Ways)
	}
	if o.Page > line {
		least(o.Page / line)
	}
	return spread
}
