package predict

import (
	"context"
	"slices"

	"foresee/application"
	"foresee/application/trace"
)

// ActivitySchema is that of foresee trace.
const ActivitySchema = "foresee.activity/v1"

// ActivityResult is the result of foresee trace: what a program did in its regions, as it ran.
type ActivityResult struct {
	Header
	Command string `json:"command"`
	Threads int    `json:"threads"`           // virtual threads that ran; 1 where one run serves all numbers
	Partial bool   `json:"partial,omitempty"` // of what was seen until it was interrupted or cut off
	// Uncounted says that accesses and operations were not recorded, of a run of which regions and iterations alone are known: their counts are 0.
	Uncounted bool       `json:"uncounted,omitempty"`
	Regions   []Activity `json:"regions"`
}

// Activity is what the code of one region did.
type Activity struct {
	Region       string          `json:"region"`
	Entries      int64           `json:"entries"`
	Chunks       int64           `json:"chunks"`     // of worksharing loops, as they were handed out
	Iterations   int64           `json:"iterations"` // of worksharing loops
	Accesses     int64           `json:"accesses"`
	Loads        int64           `json:"loads"`
	Stores       int64           `json:"stores"`
	LoadedBytes  int64           `json:"loaded_bytes"`
	StoredBytes  int64           `json:"stored_bytes"`
	Flops        int64           `json:"flops"`
	Instructions int64           `json:"instructions"` // operations of the optimised code, besides loads and stores
	Arrays       []ArrayActivity `json:"arrays,omitempty"`
}

// ArrayActivity is what a region did to one array.
type ArrayActivity struct {
	Name   string `json:"name"`
	Loads  int64  `json:"loads"`
	Stores int64  `json:"stores"`
	Bytes  int64  `json:"bytes"` // loaded and stored
}

// Activities reads a run to its end and counts what it did. Where it was cut off or interrupted, it gives what is whole, and the error.
func Activities(ctx context.Context, input string, r *application.Recorded, o Options, threads int) (out *ActivityResult, err error) {
	err = r.Each(ctx, o.dealing(), []int{threads}, func(ctx context.Context, _ int, t application.Team, _ int) error {
		a := &activity{objects: objects{wanted: true}, regions: map[int]*regionActivity{}}
		err := eachEvent(ctx, t, func(events []trace.Event) error {
			a.objects.learn(t.Names())
			a.add(events)
			return nil
		})
		out = a.result(t, r.ByFunction)
		out.Input, out.Threads, out.Partial = input, threads, err != nil
		return err
	})
	return out, err
}

// result is what the regions of a run did.
func (a *activity) result(team application.Team, byFunction bool) *ActivityResult {
	t := team.Ran()
	_, code, _, _, meta := t.Info()
	out := &ActivityResult{Header: newHeader(ActivitySchema, &application.Signature{Warnings: team.Notes()}), Command: meta["command"], Uncounted: len(code.Segments) == 0, Regions: []Activity{}}
	for i, s := range t.Regions() {
		region := a.of(i + 1)
		region.Activity.Region, region.Entries, region.Chunks, region.Iterations = s.Name, s.Entries, s.Chunks, s.Iterations
		for k, n := range s.Counts {
			region.Flops += n * code.Segments[k].Ops.Flops()
			for op, each := range code.Segments[k].Ops {
				if name, call := op.Call(); !call || name != "" { // a call counts where it stands for a function of mathematics
					region.Instructions += n * int64(each)
				}
			}
		}
		region.Arrays = a.arrays(region)
		if byFunction && region.Accesses == 0 && region.Flops == 0 {
			continue
		}
		out.Regions = append(out.Regions, region.Activity)
	}
	return out
}

// TraceActivity counts the accesses of a trace by region.
func TraceActivity(ctx context.Context, src trace.Source) (*ActivityResult, error) {
	a := &activity{objects: objects{wanted: true}, regions: map[int]*regionActivity{}}
	err := eachEvent(ctx, src, func(events []trace.Event) error {
		a.objects.learn(src.Names())
		a.add(events)
		return nil
	})
	out := &ActivityResult{Header: newHeader(ActivitySchema, &application.Signature{}), Threads: 1, Partial: err != nil, Regions: []Activity{}}
	for i := range len(src.Names().Regions) + 1 {
		r := a.regions[i]
		if r == nil {
			continue
		}
		r.Region = regionName(i, src.Names())
		r.Arrays = a.arrays(r)
		out.Regions = append(out.Regions, r.Activity)
	}
	return out, err
}

// activity counts loads and stores.
type activity struct {
	objects objects
	current regionStacks
	regions map[int]*regionActivity     // by number as regionStacks has it: 0 outside all, else one more than the trace's
	pages   [pagesRemembered]pageObject // by the lowest bits of their numbers
}

// regionActivity is what is counted of a region.
type regionActivity struct {
	Activity
	byArray accounts
}

// of is the activity of a region, made when it is new.
func (a *activity) of(region int) *regionActivity {
	r := a.regions[region]
	if r == nil {
		r = &regionActivity{}
		a.regions[region] = r
	}
	return r
}

// add counts events.
func (a *activity) add(events []trace.Event) {
	thread := -1
	var r *regionActivity
	for i := range events {
		e := &events[i]
		if e.Kind > trace.Write {
			a.current.mark(*e)
			thread = -1
			continue
		}
		if int(e.Thread) != thread {
			thread = int(e.Thread)
			r = a.of(a.current.of(e.Thread))
		}
		array := r.byArray.of(a.object(e.Address))
		array.Bytes += int64(e.Size)
		if e.Kind == trace.Write {
			array.Stores++
			r.StoredBytes += int64(e.Size)
		} else {
			array.Loads++
			r.LoadedBytes += int64(e.Size)
		}
	}
}

// object is objects.find with a memory for pages that lie in one object as a whole.
func (a *activity) object(address uint64) int {
	page := address >> pageBits
	m, known := &a.pages[page%uint64(len(a.pages))], a.objects.places.Len()+a.objects.change
	if m.page == page+1 && m.known == known {
		return m.object
	}
	object := a.objects.find(address)
	if whole := a.objects.from <= page<<pageBits && a.objects.until-1 >= (page+1)<<pageBits-1; object != elsewhere && whole {
		*m = pageObject{page + 1, object, known}
	}
	return object
}

// pagesRemembered is how many pages are remembered with their object. Chosen: 6 KiB, which stay in the first level of a cache.
const pagesRemembered = 256

// pageBits is the binary logarithm of the pages, in bytes, whose objects are remembered. Chosen: those of most systems.
const pageBits = 12

// pageObject says which object a page is part of.
type pageObject struct {
	page          uint64 // plus one
	object, known int    // known: how many objects there were, and changes of them
}

// accounts are those of a region by object, after elsewhere, in pieces of which there are those that are used.
type accounts [][]ArrayActivity

// accountsOfPiece is how many objects a piece of accounts is of. Chosen: regions use few of many objects, often neighbours.
const accountsOfPiece = 64

// of gives the account of an object.
func (r *accounts) of(object int) *ArrayActivity {
	object -= elsewhere // which comes first
	piece := object / accountsOfPiece
	for piece >= len(*r) {
		*r = append(*r, nil)
	}
	if (*r)[piece] == nil {
		(*r)[piece] = make([]ArrayActivity, accountsOfPiece)
	}
	return &(*r)[piece][object%accountsOfPiece]
}

// used gives the objects with accesses.
func (r accounts) used() (objects []int) {
	for piece, all := range r {
		for i := range all {
			if all[i].Loads+all[i].Stores > 0 {
				objects = append(objects, piece*accountsOfPiece+i+elsewhere)
			}
		}
	}
	return objects
}

// arrays gives those of a region in the order of their addresses, those of one name together, the rest last.
func (a *activity) arrays(r *regionActivity) []ArrayActivity {
	var out []ArrayActivity
	index := map[string]int{}
	used := r.byArray.used()
	slices.SortFunc(used, a.objects.byAddress)
	for _, i := range used {
		name, n := a.objects.name(i), r.byArray.of(i)
		r.Accesses += n.Loads + n.Stores
		r.Loads += n.Loads
		r.Stores += n.Stores
		k, known := index[name]
		if !known {
			k = len(out)
			index[name] = k
			out = append(out, ArrayActivity{Name: name})
		}
		out[k].Loads += n.Loads
		out[k].Stores += n.Stores
		out[k].Bytes += n.Bytes
	}
	return out
}

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
