package predict

import (
	"cmp"
	"fmt"
	"maps"
	"math/bits"
	"slices"

	"foresee/application/recording"
	"foresee/application/trace"
	"foresee/model/cache"
	"foresee/predict/followed"
)

// Sharing is lines of an array that threads take from one another. A transfer is a line that a thread comes back to and another one has written since; it is a false one where it needs
// nothing of what was written.
type Sharing struct {
	Array          string   `json:"array"`
	TrueTransfers  int64    `json:"true_transfers"`
	FalseTransfers int64    `json:"false_transfers"`
	Lines          int      `json:"lines"`             // of memory
	Writers        []string `json:"writers,omitempty"` // file:line of what writes lines that are shared falsely; absent of a trace
}

// sharedLines find transfers in the accesses of a team.
type sharedLines struct {
	line    int64 // bytes
	sharing *cache.Sharing
	current regionStacks
	arrays  map[uint64]int // object of which threads wrote parts, of each line that was transferred, found while it is there
	known   int            // transfers whose object is known
}

// share has transfers of lines of so many bytes looked for.
func (t *together) share(line int64) {
	t.shared = &sharedLines{line: line, sharing: cache.NewSharing(line), arrays: map[uint64]int{}}
}

// events takes the next events.
func (s *sharedLines) events(events []trace.Event, where *objects) {
	for i := range events {
		e := &events[i]
		if !e.IsAccess() {
			s.current.mark(*e)
			continue
		}
		region, write := s.current.of(e.Thread), e.Kind == trace.Write
		for from, end := e.Address, e.Address+uint64(e.Size); from < end; {
			until := min(end, (from|uint64(s.line-1))+1)
			s.sharing.Access(int(e.Thread), from, uint32(until-from), write, region)
			from = until
		}
	}
	all := s.sharing.Begun()
	for _, t := range all[s.known:] {
		if _, known := s.arrays[t.Line]; !known {
			s.arrays[t.Line] = where.find(t.Written)
		}
	}
	s.known = len(all)
}

// ownLines is where lines of threads lie that they would share falsely: above all addresses of programs, which have 47 bits on most systems. Chosen.
const ownLines = 48

// own is the line of a thread, of so many bytes, where one that it shares falsely is its own.
func (s *sharedLines) own(line uint64, bytes int64, thread int) uint64 {
	if !s.sharing.False(line * uint64(bytes) / uint64(s.line)) {
		return line
	}
	return line + uint64(thread+1)<<ownLines>>bits.TrailingZeros64(uint64(bytes))
}

// sharing is what was transferred in a region, by array, most first.
func (t *together) sharing(region int, of *sites) []Sharing {
	if t.shared == nil {
		return nil
	}
	found := map[string]*Sharing{}
	writers := map[string]map[int]bool{}
	for _, x := range t.shared.sharing.Found() {
		if x.Region != region || x.True+x.False == 0 {
			continue
		}
		name := t.objects.name(t.shared.arrays[x.Line])
		s := found[name]
		if s == nil {
			s = &Sharing{Array: name}
			found[name], writers[name] = s, map[int]bool{}
		}
		s.TrueTransfers, s.FalseTransfers, s.Lines = s.TrueTransfers+x.True, s.FalseTransfers+x.False, s.Lines+1
		if of != nil && x.False > 0 {
			for _, w := range of.lines[x.Line] {
				writers[name][w] = true
			}
		}
	}
	var out []Sharing
	for _, name := range slices.Sorted(maps.Keys(found)) {
		s := found[name]
		for w := range writers[name] {
			s.Writers = append(s.Writers, of.names[w])
		}
		slices.Sort(s.Writers)
		out = append(out, *s)
	}
	slices.SortStableFunc(out, func(a, b Sharing) int {
		return cmp.Compare(b.FalseTransfers+b.TrueTransfers, a.FalseTransfers+a.TrueTransfers)
	})
	return out
}

// sites are the places of a program that write lines of memory.
type sites struct {
	line    int64 // bytes
	lines   map[uint64][]int
	names   []string // file:line
	numbers map[string]int
	of      map[int32][]int // by segment: the site of each access; -1 of what reads
}

func newSites(line int64) *sites {
	return &sites{line: line, lines: map[uint64][]int{}, numbers: map[string]int{}, of: map[int32][]int{}}
}

// Bounds of what is kept. Chosen: few places write one line, and so many lines take some 300 MiB.
const (
	mostSites    = 8 // of a line
	mostSiteLine = 1 << 22
)

// siteFollower follows one thread.
type siteFollower struct {
	*sites
	machines *followed.Machines // that follow it as well; nil: none do
}

// Wants implements recording.Follower.
func (f *siteFollower) Wants() bool { return true }

// Idle implements recording.Follower.
func (f *siteFollower) Idle(*recording.Code, int32) uint64 { return 0 }

// Pass implements recording.Follower.
func (f *siteFollower) Pass(code *recording.Code, region int, segment int32, times uint64) {
	if f.machines != nil {
		f.machines.Pass(code, region, segment, times)
	}
}

// Follow implements recording.Follower.
func (f *siteFollower) Follow(code *recording.Code, region int, segment int32, words []uint64) {
	switch {
	case f.machines == nil:
	case f.machines.Wants():
		f.machines.Follow(code, region, segment, words)
	default:
		f.machines.Pass(code, region, segment, 1)
	}
	of := f.of[segment]
	if of == nil {
		of = f.places(code, segment)
	}
	w := 0
	for i, a := range code.Segments[segment].Accesses {
		address := words[w]
		w++
		if a.Size == 0 {
			w++ // the length
		}
		if of[i] >= 0 {
			f.write(address/uint64(f.line), of[i])
		}
	}
}

// places are the sites of a segment.
func (f *sites) places(code *recording.Code, segment int32) []int {
	s := code.Segments[segment]
	of := make([]int, len(s.Accesses))
	for i, a := range s.Accesses {
		of[i] = -1
		if !a.Write || a.Line == 0 && s.Place.Line == 0 {
			continue
		}
		name := fmt.Sprintf("%s:%d", s.Place.File, cmp.Or(a.Line, s.Place.Line))
		n, known := f.numbers[name]
		if !known {
			n = len(f.names)
			f.names, f.numbers[name] = append(f.names, name), n
		}
		of[i] = n
	}
	f.of[segment] = of
	return of
}

// write notes that a site writes a line.
func (f *sites) write(line uint64, site int) {
	all, known := f.lines[line]
	if slices.Contains(all, site) || len(all) == mostSites || !known && len(f.lines) == mostSiteLine {
		return
	}
	f.lines[line] = append(all, site)
}
