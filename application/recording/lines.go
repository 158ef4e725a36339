package recording

import (
	"math"
	"slices"

	"foresee/application/trace"
)

// Lines ask for the accesses of one thread without most of those that change nothing in caches of such lines: where a segment runs many times over
// and its words move on evenly, a word that stays in its line is a hit of the first cache. What is left out is counted by trace.Repeat. In caches that
// replace by LRU or tree-PLRU, hits and misses of each level are as if all were given: lines of one set are given again before and when one of them
// changes, in the order in which they are used. Only where an inclusive level takes a line away while a loop uses it, it comes back later than it does in truth.
type Lines struct {
	Bytes uint64 // of a line, a power of two; 0: all accesses are given
	Kept  int    // how many lines of one set the first cache keeps for certain, if others come once between two uses of each
}

// LineSets is what the sets of caches must be a multiple of: two lines of one set are of one of these as well.
const LineSets = 64

// fewRuns is up to how many runs of a segment in a row are given whole. Chosen: of so few, the first and the last are half.
const fewRuns = 4

// never is the run in which a word that stays where it is comes to another line.
const never = math.MaxUint64

// lineRun is a segment that runs many times over, of whose accesses those to other lines are given.
type lineRun struct {
	Lines
	shift   uint
	words   []lineWord
	at      uint64 // runs that are given or left out
	times   uint64
	whole   uint64           // up to which run all words are given
	part    bool             // of the run that came last, not all words are given
	skipped int64            // accesses to lines, left out and not told yet
	each    int64            // accesses to lines in one run
	line    [LineSets]uint64 // by set: one that is used; for crowd
	inUse   []lineWord       // in the next run; for full
}

// lineWord is a word of it.
type lineWord struct {
	address     uint64 // in the run that came last
	stride      uint64
	size        uint32
	kind        trace.Kind
	first, last uint64 // lines
	next        uint64 // the run in which these change
	given       uint64 // the run in which it was given last
}

func newLineRun(l Lines) *lineRun {
	r := &lineRun{Lines: l}
	for 1<<r.shift < l.Bytes {
		r.shift++
	}
	return r
}

// begin takes so many runs of a segment, whose words are before the first of them.
func (r *lineRun) begin(s *state, times uint64) {
	r.words = r.words[:0]
	for i, a := range s.last {
		w := lineWord{address: a, stride: s.stride[i], size: s.sizes[i], kind: s.kinds[i]}
		r.words = append(r.words, w)
	}
	r.at, r.times, r.whole, r.part, r.each = 0, times, 1, false, 0
	for i := range r.words {
		w := &r.words[i]
		w.address += w.stride
		r.settle(w, 1)
		w.address -= w.stride
		r.each += w.lines()
	}
	wide := func(w lineWord) bool { return uint64(w.size) > r.Bytes } // which may use lines between its first and last one
	if times <= fewRuns || r.full(1) || slices.ContainsFunc(r.words, wide) {
		r.whole = times
	}
}

// going says that accesses are left to be given.
func (r *lineRun) going() bool { return r.at < r.times }

// lines are how many a word touches.
func (w *lineWord) lines() int64 { return int64(w.last-w.first) + 1 }

// settle finds a word's lines where it is, and when they change.
func (r *lineRun) settle(w *lineWord, at uint64) {
	shift, end := r.shift&63, w.address+uint64(w.size)-1
	w.first, w.last = w.address>>shift, end>>shift
	var n uint64
	switch down := -w.stride; {
	case w.stride == 0:
		w.next = never
		return
	case int64(w.stride) > 0:
		n = min(((w.first+1)<<shift-w.address+w.stride-1)/w.stride, ((w.last+1)<<shift-end+w.stride-1)/w.stride)
	default:
		n = min((w.address-w.first<<shift)/down, (end-w.last<<shift)/down) + 1
	}
	w.next = at + n
}

// fill writes what there is room for; it needs room for more than twice the words.
func (r *lineRun) fill(events []trace.Event) (n int) {
	for r.going() && len(events)-n > 2*len(r.words) {
		next := r.at + 1
		if r.at >= r.whole {
			next = uint64(never)
			for i := range r.words {
				next = min(next, r.words[i].next)
			}
			next = min(next, r.times)
		}
		r.skip(next - 1)
		crowd := r.crowd()
		if crowd != 0 && r.part {
			n += r.again(crowd, events[n:])
		}
		if crowd != 0 && r.full(next) {
			r.whole = r.times
		}
		if next <= r.whole || next == r.times { // the last run leaves the lines in their order
			crowd = allSets
		}
		n += r.run(crowd, events[n:])
	}
	return n
}

// skip leaves runs out up to one.
func (r *lineRun) skip(to uint64) {
	if to <= r.at {
		return
	}
	for i := range r.words {
		w := &r.words[i]
		w.address += (to - r.at) * w.stride
	}
	r.skipped += int64(to-r.at) * r.each
	r.at, r.part = to, true
}

// tell writes how many accesses were left out.
func (r *lineRun) tell(events []trace.Event) int {
	if r.skipped == 0 {
		return 0
	}
	events[0] = trace.Event{Kind: trace.Repeat, Address: uint64(r.skipped)}
	r.skipped = 0
	return 1
}

// allSets are all bits of sets.
const allSets = math.MaxUint64

// sets are the bits of those of a word's lines.
func (w *lineWord) sets() uint64 { return 1<<(w.first%LineSets) | 1<<(w.last%LineSets) }

// crowd are the sets of which words use several lines in this run or the next, in which one of them changes; and such sets of words that reach into both.
func (r *lineRun) crowd() (crowd uint64) {
	next := r.at + 1
	changing, have, several, wide := uint64(0), uint64(0), uint64(0), false
	use := func(w *lineWord) {
		for _, line := range [2]uint64{w.first, w.last} {
			switch bit := uint64(1) << (line % LineSets); {
			case have&bit == 0:
				have |= bit
				r.line[line%LineSets] = line
			case r.line[line%LineSets] != line:
				several |= bit
			}
		}
		wide = wide || w.first != w.last
	}
	for i := range r.words {
		w := &r.words[i]
		use(w)
		if w.next == next {
			to := r.moved(w)
			use(&to)
			changing |= w.sets() | to.sets()
		}
	}
	crowd = several & changing
	for more := crowd != 0 && wide; more; {
		more = false
		for i := range r.words {
			if sets := r.words[i].sets() & several; sets&crowd != 0 && sets&^crowd != 0 {
				crowd |= sets
				more = true
			}
		}
	}
	return crowd
}

// moved is where a word is in the next run.
func (r *lineRun) moved(w *lineWord) lineWord {
	a, shift := w.address+w.stride, r.shift&63
	return lineWord{first: a >> shift, last: (a + uint64(w.size) - 1) >> shift}
}

// event is the access of a word where it is.
func (w *lineWord) event() trace.Event {
	return trace.Event{Address: w.address, Size: w.size, Kind: w.kind}
}

// again writes those words of the run that came last that use some sets and were left out, for the sake of their order: of a set of which several lines were in
// use, all were given or none.
func (r *lineRun) again(sets uint64, events []trace.Event) int {
	left := func(w *lineWord) bool { return w.sets()&sets != 0 && w.given != r.at }
	for i := range r.words {
		if w := &r.words[i]; left(w) {
			r.skipped -= w.lines()
		}
	}
	n := r.tell(events)
	for i := range r.words {
		if w := &r.words[i]; left(w) {
			events[n] = w.event()
			w.given = r.at
			n++
		}
	}
	return n
}

// run writes those words of the next run that use some sets, or come to lines that are not in use.
func (r *lineRun) run(sets uint64, events []trace.Event) int {
	n := 0
	given := int64(0)
	r.at++
	for i := range r.words {
		w := &r.words[i]
		w.address += w.stride
		if w.next == r.at {
			r.each -= w.lines()
			r.settle(w, r.at)
			r.each += w.lines()
			if w.sets()&sets == 0 && r.used(i) {
				continue
			}
		} else if w.sets()&sets == 0 {
			continue
		}
		n += r.tell(events[n:])
		events[n] = w.event()
		w.given = r.at
		n++
		given += w.lines()
	}
	r.part = sets != allSets
	r.skipped += r.each - given
	return n
}

// full says that the words may use more lines of one set in the next run than the first cache keeps for certain.
func (r *lineRun) full(next uint64) bool {
	if 2*len(r.words) <= r.Kept {
		return false
	}
	var of [LineSets]int
	used := r.inUse[:0]
	for i := range r.words {
		w := r.words[i]
		if w.next == next {
			w = r.moved(&w)
		}
		if slices.ContainsFunc(used, func(o lineWord) bool { return o.first == w.first && o.last == w.last }) {
			continue
		}
		used = append(used, w)
		r.inUse = used
		for line := w.first; line <= w.last; line++ {
			if of[line%LineSets]++; of[line%LineSets] > r.Kept {
				return true
			}
		}
	}
	return false
}

// used says whether other words use a word's line as it does.
func (r *lineRun) used(i int) bool {
	w := &r.words[i]
	if w.first != w.last {
		return false
	}
	for k := range r.words {
		o := &r.words[k]
		if k != i && (o.first == w.first || o.last == w.first) && (w.kind == trace.Read || o.kind == w.kind) {
			return true
		}
	}
	return false
}
