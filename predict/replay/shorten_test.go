package replay

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"foresee/application/messages"
)

// ringOf is a ring of ranks that compute unevenly, exchange and sum up, in loops of so many iterations.
func ringOf(t *testing.T, n int, iterations ...int) *messages.Program {
	var all []string
	for r := range n {
		var text strings.Builder
		for _, times := range iterations {
			computed := times * (1000000 + 400000*(r%3))
			fmt.Fprintf(&text, "Barrier 1 0 0 0 0 0 c0\n( %d\nSendrecv %d %d %d %d %d 0 p%d t1 s%d u1 c0\n( 3\nAllreduce %d %d 0 0 0 0 c0\n)\n)\n",
				times, times, 20000*times, computed, computed, computed/times, (r+1)%n, (r+n-1)%n, 3*times, 24*times)
		}
		all = append(all, text.String())
	}
	return ranks(t, n, all...)
}

// Oracle: the same program with all its iterations. What is said to be apart holds, and what is counted is exact.
func TestShortened(t *testing.T) {
	for _, iterations := range [][]int{{1000}, {50, 400}, {16, 16, 3}} {
		p, c, o := ringOf(t, 8, iterations...), described(t, small), Options{RanksPerNode: 1}
		whole, err := Run(p, c, o)
		if err != nil {
			t.Fatal(err)
		}
		e := &estimate{program: p, loops: loopsOf(p)}
		if e.loops == nil {
			t.Fatal("no loops")
		}
		r, err := e.run(func(p *messages.Program, _ int64) (*Result, error) { return Run(p, c, o) })
		if err != nil || e.loops == nil {
			t.Fatalf("%v, %+v", err, e)
		}
		if off := math.Abs(r.Seconds/whole.Seconds - 1); off > max(e.apart, 1e-9) || off > steadyTo {
			t.Errorf("%v: %g s, not %g: off by %.3g, said to be %.3g", iterations, r.Seconds, whole.Seconds, off, e.apart)
		}
		if r.Messages != whole.Messages || r.Bytes != whole.Bytes || len(r.Calls) != len(whole.Calls) {
			t.Errorf("%v: %d messages of %d bytes, not %d of %d", iterations, r.Messages, r.Bytes, whole.Messages, whole.Bytes)
		}
		if e.events > whole.Events/2 && iterations[0] == 1000 {
			t.Errorf("%d events simulated of %d", e.events, whole.Events)
		}
		for i, one := range r.ByRank {
			if math.Abs(one.Compute/whole.ByRank[i].Compute-1) > 1e-6 || math.Abs(one.Seconds/whole.ByRank[i].Seconds-1) > 2*steadyTo {
				t.Errorf("rank %d: %+v, not %+v", i, one, whole.ByRank[i])
			}
		}
	}
}

// Ranks with loops of their own are simulated as a whole, and so are short ones.
func TestNotShortened(t *testing.T) {
	p := ranks(t, 2, "( 100\nSend 100 800 0 0 0 0 p1 t1 c0\n)\n", "( 50\nRecv 50 400 0 0 0 0 p0 t1 c0\nRecv 50 400 0 0 0 0 p0 t1 c0\n)\n")
	if loopsOf(p) != nil {
		t.Error("loops that are not of all ranks are shortened")
	}
	if loopsOf(ringOf(t, 2, 15)) != nil || newEstimate(ringOf(t, 2, 100), Options{}).loops != nil {
		t.Error("what is short is shortened")
	}
	if newEstimate(ringOf(t, 2, 2_000_000), Options{}).loops == nil || newEstimate(ringOf(t, 2, 2_000_000), Options{Noise: 0.1}).loops != nil {
		t.Error("what is long is not, or noise is")
	}
}

// TestBudget: what all simulations may take together is used up.
func TestBudget(t *testing.T) {
	b := budget{all: 100, used: 60}
	if n, err := b.left(10); n != 30 || err != nil {
		t.Error(n, err)
	}
	if _, err := b.left(40); err == nil {
		t.Error("more is left than there is")
	}
	if n, err := (&budget{}).left(1e9); n != 0 || err != nil {
		t.Error(n, err)
	}
}

// A rank that ran much longer than another by its clock has one that jumped.
func TestJumped(t *testing.T) {
	line := "( 10\nSendrecv 10 8000 %d 100 100 1000 p%d t1 s%d u1 c0\n)\n"
	usual, far := fmt.Sprintf(line, 1000000000, 1, 1), fmt.Sprintf(line, 1000000000, 0, 0)
	if said := jumped(ranks(t, 2, usual, far)); said != "" {
		t.Error(said)
	}
	far = fmt.Sprintf(line, 900000000000, 0, 0)
	r, err := Run(ranks(t, 2, usual, far), described(t, small), Options{RanksPerNode: 1})
	if err != nil || !strings.Contains(strings.Join(r.Warnings, " "), "by its clock rank 1 ran for 900 s") {
		t.Errorf("%v, %q", err, r.Warnings)
	}
	r, err = Run(ranks(t, 2, usual, far), described(t, small), Options{RanksPerNode: 1, Compute: CPU})
	if err != nil || strings.Contains(strings.Join(r.Warnings, " "), "clock") {
		t.Errorf("%v, %q", err, r.Warnings)
	}
}
