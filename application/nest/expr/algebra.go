package expr

import (
	"sync/atomic"

	"foresee/model/schedule"
)

// Algebra lets package schedule compute with expressions.
type Algebra struct{}

func (Algebra) Int(v int64) *Expr         { return Int(v) }
func (Algebra) Add(a, b *Expr) *Expr      { return Binary(OpAdd, a, b) }
func (Algebra) Sub(a, b *Expr) *Expr      { return Binary(OpSub, a, b) }
func (Algebra) Mul(a, b *Expr) *Expr      { return Binary(OpMul, a, b) }
func (Algebra) Min(a, b *Expr) *Expr      { return Binary(OpMin, a, b) }
func (Algebra) Max(a, b *Expr) *Expr      { return Binary(OpMax, a, b) }
func (Algebra) FloorDiv(a, b *Expr) *Expr { return Binary(OpFloorDiv, a, b) }

func (Algebra) BlockStart(thread, n *Expr, threads int64) *Expr {
	return BlockStart(thread, n, threads)
}

func (Algebra) GuidedStart(chunk, n *Expr, threads, least int64) *Expr {
	return guidedStart(chunk, n, &guided{threads: threads, least: least})
}

// guided is how loops are dealt in chunks that shrink. The chunks of some are kept, as the same few numbers of
// iterations are asked for again and again.
type guided struct {
	threads, least int64
	recent         [64]atomic.Pointer[schedule.Shrinking] // by iterations, modulo their number
}

// start is where a chunk of n ≥ 0 iterations begins.
func (g *guided) start(chunk, n int64) int64 {
	slot := &g.recent[uint64(n)%uint64(len(g.recent))]
	s := slot.Load()
	if s == nil || s.N() != n {
		made := schedule.NewShrinking(n, g.threads, g.least)
		s = &made
		slot.Store(s)
	}
	return s.Start(chunk)
}

// guidedStart is where chunk k ≥ 0 of n ≥ 0 iterations begins. It grows with k and with n.
func guidedStart(k, n *Expr, g *guided) *Expr {
	return fold(&Expr{Op: OpGuidedStart, A: k, B: n, guided: g})
}
