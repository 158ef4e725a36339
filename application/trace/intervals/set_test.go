package intervals_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"foresee/application/trace/intervals"
)

type interval = intervals.Interval[string]

// list is intervals that are searched one by one.
type list []interval

func (l list) find(a uint64) (best *interval) {
	for i := range l {
		if o := &l[i]; o.First <= a && a <= o.Last && (best == nil || o.First > best.First || o.First == best.First && o.Number > best.Number) {
			best = o
		}
	}
	return best
}

func (l list) without(first, number uint64) list {
	return slices.DeleteFunc(slices.Clone(l), func(o interval) bool { return o.First == first && o.Number == number })
}

// compare looks whether a set holds what a list does.
func compare(t *rapid.T, what string, s intervals.Set[string], l list) {
	all := list{}
	s.Each(0, math.MaxUint64, func(i *interval) { all = append(all, *i) })
	sorted := slices.Clone(l)
	slices.SortFunc(sorted, func(a, b interval) int { return int(a.First-b.First)*1000 + int(a.Number-b.Number) })
	if !slices.Equal(all, sorted) || s.Empty() != (len(l) == 0) {
		t.Fatalf("%s: %v, want %v", what, all, sorted)
	}
	for a := range uint64(50) {
		found, from, until := s.Find(a)
		for b := from; b < min(until, 50); b++ {
			if want := l.find(b); (found == nil) != (want == nil) || found != nil && *found != *want {
				t.Fatalf("%s: at %d, said of %d to %d: %v, want %v", what, b, from, until, found, want)
			}
		}
		if a < from || a >= until {
			t.Fatalf("%s: of %d it is said what is from %d to %d", what, a, from, until)
		}
		var over, want []interval
		s.Each(a, a+5, func(i *interval) { over = append(over, *i) })
		for _, i := range sorted {
			if i.First <= a+5 && i.Last >= a {
				want = append(want, i)
			}
		}
		if !slices.Equal(over, want) {
			t.Fatalf("%s: from %d to %d there are %v, want %v", what, a, a+5, over, want)
		}
	}
}

// TestSet compares sets that are changed in place, and those that are not, with a list.
func TestSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var changed, kept intervals.Set[string]
		var all list
		sets, lists := []intervals.Set[string]{kept}, []list{nil}
		for number := range uint64(rapid.IntRange(0, 30).Draw(t, "steps")) {
			if len(all) > 0 && rapid.IntRange(0, 2).Draw(t, "what") == 0 {
				o := rapid.SampledFrom(all).Draw(t, "removed")
				changed.Remove(o.First, o.Number)
				kept, all = kept.Without(o.First, o.Number), all.without(o.First, o.Number)
			} else {
				first := rapid.Uint64Range(0, 40).Draw(t, "first")
				o := interval{first, first + rapid.Uint64Range(0, 9).Draw(t, "more"), number, "x"}
				changed.Add(o)
				kept, all = kept.With(o), append(slices.Clone(all), o)
			}
			changed.Remove(99, 0) // is not there
			sets, lists = append(sets, kept), append(lists, all)
		}
		compare(t, "in place", changed, all)
		for i := range sets {
			compare(t, "kept", sets[i], lists[i])
		}
	})
}
