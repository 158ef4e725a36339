package cache_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"foresee/model/cache"
)

// shareStep is an access to one of a few lines of 64 bytes, in units of 8 bytes.
type shareStep struct {
	thread, word, region int
	write                bool
}

// Transfers as the definition has them, found by looking back through all accesses, and ahead to where the line is lost.
func TestSharingAgainstTheDefinition(t *testing.T) {
	var kinds [2]int64
	for seed := range 2000 {
		rng := rand.New(rand.NewPCG(uint64(seed), 94))
		var all []shareStep
		for range 60 {
			all = append(all, shareStep{rng.IntN(3), rng.IntN(16), rng.IntN(2), rng.IntN(2) == 0})
		}
		s := cache.NewSharing(64)
		for _, a := range all {
			s.Access(a.thread, uint64(a.word)*8, 8, a.write, a.region)
		}
		got := map[[2]int][2]int64{}
		for _, f := range s.Found() {
			got[[2]int{int(f.Line), f.Region}] = [2]int64{f.True, f.False}
			kinds[0], kinds[1] = kinds[0]+f.True, kinds[1]+f.False
		}
		if want := transfersOf(all); !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: %v, want %v: %v", seed, got, want, all)
		}
	}
	if kinds[0] < 1000 || kinds[1] < 1000 {
		t.Errorf("%v true and false transfers show little", kinds)
	}
}

// transfersOf counts true and false transfers by line and region.
func transfersOf(all []shareStep) map[[2]int][2]int64 {
	out := map[[2]int][2]int64{}
	for i, a := range all {
		before := -1 // the thread's last access to the line
		for k := range i {
			if all[k].thread == a.thread && all[k].word/8 == a.word/8 {
				before = k
			}
		}
		if before < 0 {
			continue
		}
		lost := before + 1
		for lost < i && !takes(all[lost], a) {
			lost++
		}
		if lost == i {
			continue
		}
		written := map[int]bool{}
		for _, b := range all[lost:i] {
			if takes(b, a) {
				written[b.word] = true
			}
		}
		needed := 0
		for _, b := range all[i:] {
			if takes(b, a) {
				break
			}
			if b.thread == a.thread && written[b.word] {
				needed = 1
			}
		}
		key := [2]int{a.word / 8, a.region}
		n := out[key]
		n[1-needed]++
		out[key] = n
	}
	return out
}

// takes says whether an access takes the line of another one away from its thread.
func takes(b, a shareStep) bool { return b.write && b.thread != a.thread && b.word/8 == a.word/8 }

// TestWritten names what another thread wrote, not what begins the line.
func TestWritten(t *testing.T) {
	s := cache.NewSharing(64)
	for range 3 {
		s.Access(0, 128+40, 8, true, 0)
		s.Access(1, 128+16, 8, true, 0)
	}
	if f := s.Found(); len(f) != 1 || f[0].Line != 2 || f[0].Written != 128+16 || f[0].False == 0 {
		t.Errorf("%+v", f[0])
	}
}
