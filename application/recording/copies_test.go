package recording

import (
	"testing"

	"foresee/application/trace"
)

// TestCopiesOfOneSegment gives a segment with two copies, of which each may be larger than any access, and wants all bytes of both, once.
func TestCopiesOfOneSegment(t *testing.T) {
	const from, to, fromLater, toLater = 0x10000000, 0x20000000, 0x30000000, 0x40000000
	for _, bytes := range []struct{ first, later uint64 }{{100, 100}, {5<<20 + 7, 64}, {64, 5<<20 + 7}, {5 << 20, 0}, {0, 3 << 20}, {40 << 20, 40 << 20}} {
		p := &tape{}
		p.record(typeHeader, 0, varints(Version, 1, 1, 1, 0, pageSize))
		p.record(typeModule, 0, append(varints(0), "N\tx.c\nS\t0\t1\t0\t0\t9\t0\tr0:9,w0:9,r0:9,w0:9\t\t\t\n"...))
		p.enter()
		p.piece(0, 1)
		p.run(0, from, bytes.first, to, bytes.first, fromLater, bytes.later, toLater, bytes.later)
		p.leave()
		p.end()
		got := map[uint64]uint64{} // bytes by the beginning of their block
		next := map[uint64]uint64{}
		for _, e := range team(t, p, Options{Threads: 1}) {
			if e.Kind > trace.Write {
				continue
			}
			base := e.Address &^ 0xfffffff
			if e.Address != base+next[base] || e.Size > trace.MostAccess || (e.Kind == trace.Write) != (base == to || base == toLater) {
				t.Fatalf("%+v: %+v, after %d bytes", bytes, e, next[base])
			}
			next[base] += uint64(e.Size)
			got[base] += uint64(e.Size)
		}
		for base, want := range map[uint64]uint64{from: bytes.first, to: bytes.first, fromLater: bytes.later, toLater: bytes.later} {
			if got[base] != want {
				t.Errorf("%+v: %d bytes at %#x, want %d", bytes, got[base], base, want)
			}
		}
	}
}
