package cache_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"foresee/model/cache"
)

type step struct {
	thread int
	line   uint64
	write  bool
}

// steps reads "r5" as thread 0 reading line 5, and "1w5" as thread 1 writing it.
func steps(script string) (list []step) {
	for _, f := range strings.Fields(script) {
		var s step
		if f[0] >= '0' && f[0] <= '9' {
			s.thread, f = int(f[0]-'0'), f[1:]
		}
		s.write = f[0] == 'w'
		if _, err := fmt.Sscan(f[1:], &s.line); err != nil {
			panic(err)
		}
		list = append(list, s)
	}
	return list
}

func (s step) String() string {
	kind := "r"
	if s.write {
		kind = "w"
	}
	return fmt.Sprintf("%d%s%d", s.thread, kind, s.line)
}

// shape is an instance of that many sets and ways.
func shape(sets, ways int64) cache.Level {
	return cache.Level{Geometry: cache.Geometry{Lines: sets * ways, Ways: ways}}
}

func with(l cache.Level, change func(*cache.Level)) cache.Level {
	change(&l)
	return l
}

func replacement(r cache.Replacement) func(*cache.Level) {
	return func(l *cache.Level) { l.Replacement = r }
}

func inclusion(i cache.Inclusion) func(*cache.Level) {
	return func(l *cache.Level) { l.Inclusion = i }
}

func writeThrough(l *cache.Level)    { l.WriteThrough = true }
func noWriteAllocate(l *cache.Level) { l.NoWriteAllocate = true }
func shared(l *cache.Level)          { l.SharedBy = 2 }

func prefetching(p cache.Prefetcher, degree int) func(*cache.Level) {
	return func(l *cache.Level) { l.Prefetcher, l.Degree = p, degree }
}

type byHand struct {
	name   string
	h      cache.Hierarchy
	script string
	served string // the level that served each access, the number of levels for memory
	want   cache.Counts
}

func levels(l ...cache.Level) cache.Hierarchy { return cache.Hierarchy{Levels: l} }

// TestSimulatorByHand holds both simulators to counts worked out on paper.
func TestSimulatorByHand(t *testing.T) {
	for _, cases := range [][]byHand{replacementByHand(), hierarchyByHand(), prefetchByHand(), coherenceByHand()} {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				n := newNaive(c.h)
				s, err := cache.NewSimulator(c.h)
				if err != nil {
					t.Fatal(err)
				}
				var got, naive strings.Builder
				for _, a := range steps(c.script) {
					fmt.Fprint(&got, s.Access(a.thread, a.line, a.write))
					fmt.Fprint(&naive, n.access(a.thread, a.line, a.write))
				}
				if got.String() != c.served || !reflect.DeepEqual(s.Counts(), c.want) {
					t.Errorf("%s: served by %s, want %s\n%+v, want\n%+v", c.script, &got, c.served, s.Counts(), c.want)
				}
				if naive.String() != c.served || !reflect.DeepEqual(n.counts(), c.want) {
					t.Errorf("the naive one: %s: served by %s, want %s\n%+v, want\n%+v", c.script, &naive, c.served, n.counts(), c.want)
				}
			})
		}
	}
}

func TestSimulatorRefusesImpossibleHierarchies(t *testing.T) {
	inclusiveNoAllocate := with(with(shape(1, 4), inclusion(cache.Inclusive)), noWriteAllocate)
	for _, h := range []cache.Hierarchy{
		{},
		levels(cache.Level{}),
		levels(cache.Level{Geometry: cache.Geometry{Lines: 7, Ways: 2}}),
		{LineBytes: 96, Levels: []cache.Level{shape(1, 1)}},
		{LineBytes: 8192, Levels: []cache.Level{shape(1, 1)}},
		{Threads: 4, Levels: []cache.Level{with(shape(1, 1), shared), shape(1, 1)}},
		levels(shape(1, 2), inclusiveNoAllocate),
		levels(with(shape(1, 1), func(l *cache.Level) { l.VictimLines = -1 })),
	} {
		if s, err := cache.NewSimulator(h); err == nil {
			t.Errorf("%+v is simulated by %v", h, s)
		}
	}
}
