package lower

import (
	"math/rand/v2"
	"testing"

	"foresee/application/nest/expr"
)

// rows are more of loops: addresses of rows lie in memory.
var rows = []struct{ name, src, want string }{
	{"rows of rows of which nothing is known", `define void @f(ptr %blocks) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %in, %latch ]
  %at = getelementptr ptr, ptr %blocks, i64 %i
  %rows = load ptr, ptr %at
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %jn, %inner ]
  %of = getelementptr ptr, ptr %rows, i64 %j
  %row = load ptr, ptr %of
  %p = getelementptr double, ptr %row, i64 3
  store double 0.0, ptr %p
  %jn = add i64 %j, 1
  %jd = icmp eq i64 %jn, 20
  br i1 %jd, label %latch, label %inner
latch:
  %in = add i64 %i, 1
  %id = icmp eq i64 %in, 5
  br i1 %id, label %end, label %outer
end:
  ret void
}`, "f\n for i1 = 0..4\n  r blocks[i1]\n  for i2 = 0..19\n   r blocks[][((i1 * 22) + i2)]\n   w blocks[][][(((i1 * 142) + (i2 * 6)) + 3)]\n"},
	{"a loop down to 0 without a sign", `define void @f(ptr %a) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 9, %entry ], [ %next, %loop ]
  %p = getelementptr double, ptr %a, i64 %i
  store double 0.0, ptr %p
  %next = add nsw i64 %i, -1
  %more = icmp ugt i64 %i, 1
  br i1 %more, label %loop, label %end
end:
  ret void
}`, "f\n for i1 = 0..8\n  w a[(9 - i1)]\n"},
	{"rows of which nothing is known", `define void @f(ptr %rows) {
entry:
  %second = getelementptr ptr, ptr %rows, i64 1
  %alone = load ptr, ptr %second
  store double 0.0, ptr %alone
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %in, %latch ]
  %at = getelementptr ptr, ptr %rows, i64 %i
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %jn, %inner ]
  %row = load ptr, ptr %at
  %p = getelementptr double, ptr %row, i64 %j
  store double 0.0, ptr %p
  %jn = add i64 %j, 1
  %jd = icmp eq i64 %jn, 20
  br i1 %jd, label %latch, label %inner
latch:
  %in = add i64 %i, 1
  %id = icmp eq i64 %in, 5
  br i1 %id, label %end, label %outer
end:
  ret void
}`, "f\n r rows (members)[1]\n w rows[][22]\n for i1 = 0..4\n  for i2 = 0..19\n   r rows (members)[i1]\n   w rows[][((i1 * 22) + i2)]\n"},
	{"a table of which data choose the elements", `define void @f(ptr %a, ptr %times) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i8, ptr %a, i64 %i
  %x = load i8, ptr %p
  %few = lshr i8 %x, 2
  %wide = zext i8 %few to i64
  %q = getelementptr i64, ptr %times, i64 %wide
  store i64 1, ptr %q
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 500
  br i1 %done, label %end, label %loop
end:
  ret void
}`, "f\n for i1 = 0..499\n  r a[i1]\n  w byte ((i1 % 64) * 8) of times\n"},
	{"rows of varying lengths", `declare ptr @malloc(i64)
define void @f(ptr %rows) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %in, %latch ]
  %in = add i64 %i, 1
  %bytes = shl i64 %in, 3
  %row = call ptr @malloc(i64 %bytes)
  %at = getelementptr ptr, ptr %rows, i64 %i
  store ptr %row, ptr %at
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %jn, %inner ]
  %p = getelementptr double, ptr %row, i64 %j
  store double 0.0, ptr %p
  %jn = add i64 %j, 1
  %jd = icmp eq i64 %jn, %in
  br i1 %jd, label %latch, label %inner
latch:
  %id = icmp eq i64 %in, 5
  br i1 %id, label %end, label %outer
end:
  ret void
}`, "f\n for i1 = 0..4\n  w rows[i1]\n  for i2 = 0..i1\n   w rows[][((i1 * 6) + i2)]\n"},
	{"narrow numbers that wrap", `define void @f(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %low = trunc i64 %i to i16
  %far = shl i16 %low, 12
  %wide = zext i16 %far to i64
  %p = getelementptr i8, ptr %a, i64 %wide
  store i8 0, ptr %p
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 100
  br i1 %done, label %end, label %loop
end:
  ret void
}`, "f\n for i1 = 0..99\n  w byte ((i1 * 4096) % 65536) of a\n"},
	{"a multiple that is cut to 32 bits, and one with a number beside it", `define void @f(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %far = shl i64 %i, 3
  %cut = and i64 %far, 4294967288
  %p = getelementptr double, ptr %a, i64 %cut
  store double 0.0, ptr %p
  %twice = mul i64 %i, %i
  %four = shl i64 %twice, 2
  %one = or i64 %four, 1
  %q = getelementptr double, ptr %a, i64 %one
  store double 0.0, ptr %q
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 100
  br i1 %done, label %end, label %loop
end:
  ret void
}`, "f\n for i1 = 0..99\n  w a[(i1 * 8)]\n  w byte (((i1 * i1) * 32) + 8) of a\n"},
}

// Oracle: all bytes that are written. Bytes at an address are found to be among them whenever they may be, and of elements that lie far enough apart, or
// of arrays in elements, only then.
func TestMayBeWritten(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	outer, inner, apart, wrong := expr.Ref(0), expr.Ref(1), 0, 0
	for range 20000 {
		form := func() (from, step int64) { return int64(r.IntN(61) - 20), []int64{0, 8, 12, 16, 24, 40}[r.IntN(6)] }
		size, other, within, n := int64(1)<<r.IntN(4), int64(1)<<r.IntN(4), int64(4*r.IntN(3)), int64(r.IntN(4))
		from, step := form()
		at, steps := form()
		o := &object{}
		o.write(plus(expr.Int(from), times(outer, expr.Int(step))), size)
		address := plus(plus(expr.Int(at), times(outer, expr.Int(steps))), times(inner, expr.Int(within)))
		overlaps := false
		for i := range int64(80) {
			for j := range int64(80) {
				for k := range n + 1 {
					begin, read := from+step*(i-40), at+steps*(j-40)+within*k
					overlaps = overlaps || begin < read+other && read < begin+size
				}
			}
		}
		got := o.mayBeWritten(address, other, func(v expr.Var) expr.Range {
			if v == 1 {
				return expr.Range{Lo: 0, Hi: n}
			}
			return expr.Whole
		})
		switch {
		case overlaps && !got || got != overlaps && (within == 0 || n == 0):
			t.Fatalf("%d bytes at %d + %d·i are written, %d at %d + %d·j + %d·k, k up to %d: %v, want %v", size, from, step, other, at, steps, within, n, got, overlaps)
		case !overlaps && got:
			wrong++
		case !overlaps:
			apart++
		}
	}
	if apart < 1000 || wrong > apart/4 {
		t.Errorf("%d pairs are apart, %d more are not seen to be", apart, wrong)
	}
}
