package nest_test

import (
	"fmt"
	"testing"

	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// products are regions whose subscripts hold more than quotients of affine forms by constants.
func products(w nest.Work) map[string]*nest.Program {
	out := map[string]*nest.Program{}
	region := func(name string, f func(b *builder) []nest.Node) {
		b := &builder{p: nest.Program{Region: name}}
		b.p.Body = f(b)
		out[name] = &b.p
	}
	K, op := expr.Int, expr.Binary
	times := func(x, y *expr.Expr) *expr.Expr { return op(expr.OpMul, x, y) }
	half := func(x *expr.Expr) *expr.Expr { return op(expr.OpFloorDiv, x, K(2)) }
	region("packed", func(b *builder) []nest.Node { // triangles stored row by row, of both kinds, and transposed
		A, X := b.object("A", false), b.object("X", false)
		n := int64(19)
		lower := func(i, j *expr.Expr) *nest.Access { return at(A, mul(8, add(half(times(i, add(i, K(1)))), j))) }
		return nodes(&nest.Parallel{Body: nodes(
			work(b.loop(K(0), K(n-1), 1, func(i *expr.Expr) []nest.Node {
				return nodes(b.loop(K(0), i, 1, func(j *expr.Expr) []nest.Node { return refs(lower(i, j), at(X, mul(8, j))) }))
			}), w),
			work(b.loop(K(0), K(n-1), 1, func(j *expr.Expr) []nest.Node {
				return nodes(b.loop(j, K(n-1), 1, func(i *expr.Expr) []nest.Node {
					upper := sub(add(mul(n, j), sub(i, j)), half(times(j, sub(j, K(1)))))
					return refs(lower(i, j), at(X, mul(8, upper)))
				}))
			}), w))})
	})
	region("multiples", func(b *builder) []nest.Node { // steps and shares that are loop variables
		A, X := b.object("A", false), b.object("X", false)
		n := int64(90)
		return nodes(&nest.Parallel{Body: nodes(work(b.loop(K(2), K(9), 1, func(i *expr.Expr) []nest.Node {
			last := op(expr.OpFloorDiv, sub(K(n-1), times(i, i)), i)
			return nodes(b.loop(K(0), last, 1, func(k *expr.Expr) []nest.Node {
				j := add(times(i, i), times(k, i))
				return refs(at(A, mul(8, j)), at(X, mul(8, op(expr.OpMod, j, i))), at(X, mul(8, op(expr.OpDiv, j, add(i, K(1))))))
			}))
		}), w))})
	})
	region("wrapped", func(b *builder) []nest.Node { // remainders of negative numbers, choices, the least of two
		A := b.object("A", false)
		n := int64(23)
		return nodes(&nest.Parallel{Body: nodes(b.loop(K(0), K(3), 1, func(t *expr.Expr) []nest.Node {
			return nodes(work(b.loop(K(0), K(n-1), 1, func(i *expr.Expr) []nest.Node {
				back := op(expr.OpMod, add(op(expr.OpMod, sub(i, mul(3, t)), K(n)), K(n)), K(n))
				around := expr.Conditional(op(expr.OpLt, i, add(t, K(1))), sub(add(i, K(n-1)), t), sub(i, add(t, K(1))))
				return refs(at(A, mul(8, back)), at(A, mul(8, around)), at(A, mul(8, op(expr.OpMin, times(i, t), K(30)))),
					at(A, mul(8, op(expr.OpMax, op(expr.OpDiv, sub(K(5), i), K(3)), sub(K(0), t)))))
			}), w))
		}))})
	})
	region("filtered", func(b *builder) []nest.Node { // a condition on the remainder of a negative number, one on a product
		A := b.object("A", false)
		return nodes(&nest.Parallel{Body: nodes(work(b.loop(K(0), K(30), 1, func(i *expr.Expr) []nest.Node {
			return nodes(
				&nest.If{Cond: op(expr.OpEq, op(expr.OpMod, sub(i, K(14)), K(3)), K(-1)), Then: refs(at(A, mul(8, i))), Else: refs(at(A, mul(16, i)))},
				&nest.If{Cond: op(expr.OpLt, times(i, i), K(300)), Then: refs(at(A, mul(8, i)))},
			)
		}), w))})
	})
	return out
}

// TestProducts compares all next uses of such regions with the interpreter.
func TestProducts(t *testing.T) {
	for schedule, w := range schedules {
		for name, p := range products(w) {
			for _, o := range teams {
				t.Run(fmt.Sprintf("%s/%s/%d-%d-%d", name, schedule, o.Threads, o.Group, o.Line), func(t *testing.T) {
					checkStream(t, p, o, 0)
				})
			}
		}
	}
}
