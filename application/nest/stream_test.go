package nest_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"foresee/application/nest"
	"foresee/application/nest/expr"
	"foresee/internal/oracle/interpreter"
	"foresee/model/schedule"
)

// builder makes small programs.
type builder struct{ p nest.Program }

func (b *builder) object(name string, private bool) *nest.Object {
	o := &nest.Object{Name: name, Elem: 8, Private: private}
	b.p.Objects = append(b.p.Objects, o)
	return o
}

func (b *builder) loop(lo, hi *expr.Expr, step int64, body func(i *expr.Expr) []nest.Node) *nest.Loop {
	v := expr.Var(len(b.p.Vars))
	b.p.Vars = append(b.p.Vars, fmt.Sprintf("i%d", v))
	return &nest.Loop{Var: v, Lo: lo, Hi: hi, Step: step, Body: body(expr.Ref(v))}
}

func work(l *nest.Loop, w nest.Work) *nest.Loop {
	if w.Collapse == 0 {
		w.Collapse = 1
	}
	l.Work = &w
	return l
}

func refs(as ...*nest.Access) []nest.Node {
	for _, a := range as {
		a.Size = 8
	}
	return []nest.Node{&nest.Stmt{Accesses: as}}
}

func at(o *nest.Object, off *expr.Expr) *nest.Access { return &nest.Access{Object: o, Offset: off} }

func add(a, b *expr.Expr) *expr.Expr       { return expr.Binary(expr.OpAdd, a, b) }
func sub(a, b *expr.Expr) *expr.Expr       { return expr.Binary(expr.OpSub, a, b) }
func mul(k int64, a *expr.Expr) *expr.Expr { return expr.Binary(expr.OpMul, expr.Int(k), a) }

func nodes(ns ...nest.Node) []nest.Node { return ns }

// programs are small regions with every construct.
func programs(w nest.Work) map[string]*nest.Program {
	out := map[string]*nest.Program{}
	make := func(name string, f func(b *builder) []nest.Node) {
		b := &builder{}
		b.p.Region = name
		b.p.Body = f(b)
		out[name] = &b.p
	}
	K := expr.Int
	make("gemm", func(b *builder) []nest.Node {
		A, B, C := b.object("A", false), b.object("B", false), b.object("C", false)
		n, m, l := int64(11), int64(13), int64(9)
		return nodes(&nest.Parallel{Body: nodes(work(b.loop(K(0), K(n-1), 1, func(i *expr.Expr) []nest.Node {
			return nodes(
				b.loop(K(0), K(m-1), 1, func(j *expr.Expr) []nest.Node {
					c := add(mul(8*m, i), mul(8, j))
					return refs(at(C, c), at(C, c))
				}),
				b.loop(K(0), K(l-1), 1, func(k *expr.Expr) []nest.Node {
					return nodes(b.loop(K(0), K(m-1), 1, func(j *expr.Expr) []nest.Node {
						c := add(mul(8*m, i), mul(8, j))
						return refs(at(A, add(mul(8*l, i), mul(8, k))), at(B, add(mul(8*m, k), mul(8, j))), at(C, c), at(C, c))
					}))
				}))
		}), w))})
	})
	make("before and behind", func(b *builder) []nest.Node { // the same element before a loop, in it and behind it
		A := b.object("A", false)
		return append(append(refs(at(A, K(0))), b.loop(K(0), K(9), 1, func(i *expr.Expr) []nest.Node {
			return refs(at(A, mul(8, i)), at(A, add(mul(8, i), K(8))), at(A, mul(64, i)))
		})), refs(at(A, K(0)))...)
	})
	make("band", func(b *builder) []nest.Node { // bounds that change their line, in a loop that stands in another one; a quotient
		A, X := b.object("A", false), b.object("X", false)
		n, width := int64(15), int64(4)
		return nodes(b.loop(K(0), K(2), 1, func(t *expr.Expr) []nest.Node {
			return nodes(&nest.Parallel{Body: nodes(work(b.loop(t, K(n-1), 1, func(i *expr.Expr) []nest.Node {
				first := expr.Binary(expr.OpMax, K(0), add(K(width), mul(-1, i)))
				last := expr.Binary(expr.OpMin, add(K(2*width), mul(-1, t)), add(K(n-1+width), mul(-1, i)))
				return append(nodes(
					b.loop(first, last, 1, func(k *expr.Expr) []nest.Node {
						return refs(at(A, add(mul(8*(2*width+1), i), mul(8, k))), at(X, mul(8, add(i, k))))
					}),
					b.loop(K(1), expr.Binary(expr.OpMin, K(5), expr.Binary(expr.OpFloorDiv, add(i, t), K(2))), 1, func(j *expr.Expr) []nest.Node {
						return refs(at(X, mul(16, j)))
					})), refs(at(X, mul(8, i)))...)
			}), w))})
		}))
	})
	make("lu", func(b *builder) []nest.Node { // parallel loops of changing length in a sequential loop, serial code
		A := b.object("A", false)
		n := int64(14)
		e := func(i, j *expr.Expr) *nest.Access { return at(A, add(mul(8*n, i), mul(8, j))) }
		return nodes(b.loop(K(0), K(n-1), 1, func(k *expr.Expr) []nest.Node {
			return nodes(
				b.loop(add(k, K(1)), K(n-1), 1, func(j *expr.Expr) []nest.Node { return refs(e(k, j), e(k, k), e(k, j)) }),
				&nest.Parallel{Body: nodes(work(b.loop(add(k, K(1)), K(n-1), 1, func(i *expr.Expr) []nest.Node {
					return nodes(b.loop(add(k, K(1)), K(n-1), 1, func(j *expr.Expr) []nest.Node {
						return refs(e(i, k), e(k, j), e(i, j), e(i, j))
					}))
				}), w))})
		}))
	})
	make("sparse", func(b *builder) []nest.Node { // rows of a sparse matrix, whose lengths and columns lie in tables; numbers of a histogram; a condition
		V, X, Y, H := b.object("val", false), b.object("x", false), b.object("y", false), b.object("hist", false)
		rows := expr.NewTable("ptr", []int64{0, 2, 5, 5, 6, 11, 12, 14, 15, 19, 20})
		columns := expr.NewTable("col", []int64{3, 9, 0, 17, 2, 31, 5, 6, 7, 22, 1, 4, 30, 8, 0, 3, 12, 13, 14, 9})
		n := int64(len(rows.Values())) - 1
		return nodes(b.loop(K(0), K(2), 1, func(*expr.Expr) []nest.Node {
			return nodes(
				&nest.Parallel{Body: nodes(work(b.loop(K(0), K(n-1), 1, func(i *expr.Expr) []nest.Node {
					return append(nodes(b.loop(expr.Lookup(rows, i), sub(expr.Lookup(rows, add(i, K(1))), K(1)), 1, func(k *expr.Expr) []nest.Node {
						return refs(at(V, mul(8, k)), at(X, mul(8, expr.Lookup(columns, k))))
					})), refs(at(Y, mul(8, i)))...)
				}), w))},
				&nest.Parallel{Body: nodes(work(b.loop(K(0), K(n+8), 1, func(i *expr.Expr) []nest.Node {
					c := expr.Lookup(columns, i)
					return nodes(&nest.If{
						Cond: expr.Binary(expr.OpLt, c, K(10)), Then: refs(at(H, mul(16, c)), at(H, mul(16, c))),
						Else: refs(at(X, mul(8, expr.Lookup(rows, expr.Binary(expr.OpMod, c, K(11)))))),
					})
				}), w))})
		}))
	})
	make("wavefront", func(b *builder) []nest.Node { return wavefront(b, 17, w) })
	make("time", func(b *builder) []nest.Node { // one region, barriers in a replicated loop, nowait, single, private
		A, B, P := b.object("A", false), b.object("B", false), b.object("tmp", true)
		n := int64(40)
		first := w
		return nodes(&nest.Parallel{Body: nodes(b.loop(K(0), K(2), 1, func(t *expr.Expr) []nest.Node {
			nowait := w
			nowait.Nowait = true
			return nodes(
				work(b.loop(K(1), K(n-2), 1, func(i *expr.Expr) []nest.Node {
					return refs(at(A, mul(8, sub(i, K(1)))), at(A, mul(8, add(i, K(1)))), at(P, mul(8, expr.Binary(expr.OpMod, i, K(5)))), at(B, mul(8, i)))
				}), nowait),
				work(b.loop(K(n-2), K(1), -2, func(i *expr.Expr) []nest.Node {
					return refs(at(B, mul(8, i)), at(P, mul(8, expr.Binary(expr.OpMod, i, K(5)))), at(A, mul(8, i)))
				}), first),
				&nest.Single{Body: refs(at(A, K(0)), at(B, mul(8, t)))},
				work(b.loop(K(0), K(n-1), 3, func(i *expr.Expr) []nest.Node { return refs(at(A, mul(8, i))) }), first))
		}))}, b.loop(K(0), K(7), 1, func(i *expr.Expr) []nest.Node { return refs(at(A, mul(16, i))) }))
	})
	make("collapse", func(b *builder) []nest.Node {
		A, B := b.object("A", false), b.object("B", false)
		two := w
		two.Collapse = 2
		three := w
		three.Collapse = 3
		return nodes(&nest.Parallel{Body: nodes(
			work(b.loop(K(0), K(6), 1, func(i *expr.Expr) []nest.Node {
				return nodes(b.loop(K(2), K(10), 2, func(j *expr.Expr) []nest.Node {
					return nodes(b.loop(K(0), i, 1, func(k *expr.Expr) []nest.Node {
						return refs(at(A, add(mul(96, i), mul(8, j))), at(B, mul(8, add(j, k))))
					}))
				}))
			}), two),
			work(b.loop(K(0), K(3), 1, func(i *expr.Expr) []nest.Node {
				return nodes(b.loop(K(0), K(4), 1, func(j *expr.Expr) []nest.Node {
					return nodes(b.loop(K(0), K(2), 1, func(k *expr.Expr) []nest.Node {
						return refs(at(A, add(mul(120, i), add(mul(24, j), mul(8, k)))), at(B, mul(8, k)))
					}))
				}))
			}), three))})
	})
	make("conditions", func(b *builder) []nest.Node { // ifs, quotients, min and max, triangles
		A := b.object("A", false)
		n := int64(17)
		return nodes(&nest.Parallel{Body: nodes(work(b.loop(K(0), K(n-1), 1, func(i *expr.Expr) []nest.Node {
			return nodes(b.loop(expr.Binary(expr.OpMax, K(0), sub(i, K(4))), expr.Binary(expr.OpMin, K(n-1), add(i, K(6))), 1,
				func(j *expr.Expr) []nest.Node {
					return nodes(
						&nest.If{
							Cond: expr.Binary(expr.OpLt, j, i),
							Then: refs(at(A, add(mul(8*n, i), mul(8, j)))),
							Else: append(refs(at(A, mul(8, expr.Binary(expr.OpFloorDiv, add(i, j), K(3))))),
								&nest.If{Cond: expr.Binary(expr.OpNe, expr.Binary(expr.OpMod, j, K(3)), K(1)), Then: refs(at(A, mul(8, j)))}),
						},
						&nest.Stmt{Accesses: []*nest.Access{at(A, mul(8*n, j))}})
				}))
		}), w))})
	})
	return out
}

var schedules = map[string]nest.Work{
	"block":    {},
	"chunk1":   {Schedule: schedule.StaticChunk, Chunk: 1},
	"chunk4":   {Schedule: schedule.StaticChunk, Chunk: 4},
	"dynamic2": {Schedule: schedule.Dynamic, Chunk: 2},
	"guided":   {Schedule: schedule.Guided, Chunk: 1},
	"guided3":  {Schedule: schedule.Guided, Chunk: 3},
}

var teams = []nest.Options{
	{Threads: 1, Group: 1, Line: 64},
	{Threads: 3, Group: 3, Line: 64},
	{Threads: 4, Group: 4, Line: 32},
	{Threads: 7, Group: 7, Line: 64},
	{Threads: 3, Group: 1, Line: 64},
	{Threads: 4, Group: 1, Line: 8},
	{Threads: 7, Group: 2, Line: 64},
	{Threads: 4, Group: 2, Line: 128},
}

func TestEveryAccess(t *testing.T) {
	for schedule, w := range schedules {
		for name, p := range programs(w) {
			for _, o := range teams {
				t.Run(fmt.Sprintf("%s/%s/%d-%d-%d", name, schedule, o.Threads, o.Group, o.Line), func(t *testing.T) {
					checkStream(t, p, o, 0)
				})
			}
		}
	}
}

// checkStream compares a stream with the interpreter: all accesses, or samples of them.
func checkStream(t *testing.T, p *nest.Program, o nest.Options, samples int) {
	t.Helper()
	s, err := nest.NewStream(p, o)
	if err != nil {
		t.Fatal(err)
	}
	next, all := interpreter.NextUses(interpreter.Streams(p, o))
	if int64(len(all)) != s.Len() {
		t.Fatalf("length %d, want %d", s.Len(), len(all))
	}
	checkEach(t, s, all)
	rng := rand.New(rand.NewPCG(1, 2))
	k := s.Cursor()
	n := len(all)
	if samples > 0 {
		n = min(samples, n)
	}
	wrong := 0
	for i := range n {
		r := int64(i)
		if n < len(all) {
			r = rng.Int64N(int64(len(all)))
		}
		place := k.At(r)
		want := all[r]
		if s.Reference(place.Reference).Object != want.Object || place.Thread != want.Thread {
			t.Fatalf("access %d: %s by thread %d, want %s by thread %d", r, s.Reference(place.Reference).Object.Name, place.Thread, want.Object.Name, want.Thread)
		}
		use, err := k.Next()
		if err != nil {
			t.Fatal(err)
		}
		if use.Position != next[r] {
			if wrong++; wrong < 4 {
				t.Errorf("next use of access %d (%+v): %d, want %d", r, place, use.Position, next[r])
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d next uses are wrong", wrong, n)
	}
}

// checkEach compares the enumeration.
func checkEach(t *testing.T, s *nest.Stream, all []interpreter.Placed) {
	t.Helper()
	i := 0
	type key struct {
		object int
		line   int64
	}
	forward, backward := map[key]interpreter.Touch{}, map[interpreter.Touch]key{}
	s.Each(func(p nest.Place) bool {
		want := all[i]
		k := key{p.Object, p.Line}
		if s.Reference(p.Reference).Object != want.Object || p.Thread != want.Thread || p.Position != int64(i) {
			t.Fatalf("enumeration at %d: %+v, want %+v", i, p, want)
		}
		if f, ok := forward[k]; ok && f != want.Touch {
			t.Fatalf("enumeration at %d: one line for two", i)
		}
		if b, ok := backward[want.Touch]; ok && b != k {
			t.Fatalf("enumeration at %d: two lines for one", i)
		}
		forward[k], backward[want.Touch] = want.Touch, k
		i++
		return true
	})
	if i != len(all) {
		t.Fatalf("enumeration ends after %d of %d", i, len(all))
	}
}
