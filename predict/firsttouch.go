package predict

import "foresee/application/trace"

// firstTouch counts the pages of a run by the region that touched them first.
type firstTouch struct {
	current regionStacks
	seen    map[uint64]struct{} // pages
	recent  [pagesRemembered]uint64
	counts  map[int]float64 // by region, as regionStacks has it
}

func newFirstTouch() *firstTouch {
	return &firstTouch{seen: map[uint64]struct{}{}, counts: map[int]float64{}}
}

// mostPages bounds the pages that are remembered. Chosen: 64 GiB of memory.
const mostPages = 1 << 24

// add takes the next accesses.
func (t *firstTouch) add(events []trace.Event) {
	for i := range events {
		e := &events[i]
		if e.Kind > trace.Write {
			t.current.mark(*e)
			continue
		}
		page := e.Address >> pageBits
		if t.recent[page%pagesRemembered] == page+1 {
			continue
		}
		t.recent[page%pagesRemembered] = page + 1
		if _, there := t.seen[page]; !there && len(t.seen) < mostPages {
			t.seen[page] = struct{}{}
			t.counts[t.current.of(e.Thread)]++
		}
	}
}

// of are the pages that a region of some names touched first.
func (t *firstTouch) of(name string, names *trace.Names) (pages float64) {
	for region, n := range t.counts {
		if regionName(region, names) == name {
			pages += n
		}
	}
	return pages
}
