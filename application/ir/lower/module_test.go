package lower

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"foresee/application/csource"
	"foresee/application/ir/text"
	"foresee/application/nest"
	"foresee/application/nest/nesttest"
)

// load reads a module and makes nests of it.
func load(name, src string, o csource.Options) (*csource.Unit, error) {
	m, err := text.Read(src)
	if err != nil {
		return nil, err
	}
	return Module(name, m, o)
}

// TestVersions reads the same program as two versions of LLVM print it, with typed pointers and with opaque ones. The compiler knows that
// table holds zeros and leaves it out.
func TestVersions(t *testing.T) {
	want, err := os.ReadFile("../testdata/grid.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"grid-14.ll", "grid-19.ll"} {
		src, err := os.ReadFile(filepath.Join("..", "testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		u, err := load(name, string(src), csource.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, p := range u.Programs {
			got += nesttest.Accesses(p)
		}
		if got != string(want) {
			t.Errorf("%s:\n%s", name, got)
		}
		if len(u.Skipped) != 2 || u.Skipped[0].Function != "pick" || !strings.Contains(u.Skipped[0].Reason, "grid.cpp:12:46: the address of this access is not known: it is loaded from at") {
			t.Errorf("%s: left out: %+v", name, u.Skipped)
		}
	}
}

const wantTeam = `deal
 parallel
  w object1[0]
  w object2[0]
  w object3[0]
  w object4[0]
  r thread number[0]
  r object2[0]
  w object2[0]
  r object1[0]
  for i1 = 0..119 static 0
   w a[i1]
  w object7[0]
  w object8[0]
  w object9[0]
  w object10[0]
  r object8[0]
  r object7[0]
  r object9[0]
  for i2 = 0..48 static 4 nowait
   r a[((i2 * 2) + 2)]
   w b[((i2 * 2) + 2)]
  w object7[0]
  w object8[0]
  barrier
  w object12[0]
  w object13[0]
  w object14[0]
  w object15[0]
  r object12[0]
  r object13[0]
  for i2 = 0..39 dynamic 3
   r b[i2]
   w a[(i2 * 3)]
  single
   w a[0]
  critical
   w b[1]
triangle
 w object1[0]
 parallel
  r object1[0]
  w object2[0]
  w object3[0]
  w object4[0]
  w object5[0]
  r thread number#3[0]
  r object2[0]
  r object3[0]
  for i2 = 0..49 guided 1 nowait
   r b[i2]
   for i3 = 0..i2
    w a[i3]
`

// TestTeam reads loops that clang hands to its OpenMP runtime.
func TestTeam(t *testing.T) {
	src, err := os.ReadFile("../testdata/team-14.ll")
	if err != nil {
		t.Fatal(err)
	}
	u, err := load("team-14.ll", string(src), csource.Options{Defines: []string{"n=50"}})
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, p := range u.Programs {
		got += nesttest.Accesses(p)
	}
	if got != wantTeam {
		t.Errorf("%s", got)
	}
}

// TestByLoop makes a region of each loop nest, and of those that are asked for.
func TestByLoop(t *testing.T) {
	src, err := os.ReadFile("../testdata/grid-14.ll")
	if err != nil {
		t.Fatal(err)
	}
	u, err := load("grid-14.ll", string(src), csource.Options{By: csource.ByLoop, Regions: []string{"lower:8"}})
	if err != nil || len(u.Programs) != 1 || u.Programs[0].Region != "lower:8" {
		t.Errorf("%v %+v", err, u)
	}
	_, err = load("grid-14.ll", string(src), csource.Options{Regions: []string{"nobody"}})
	if err == nil || !strings.Contains(err.Error(), "there is no region nobody; there are: lower, main, pick, smooth") {
		t.Errorf("a region that is not there: %v", err)
	}
}

// loops are functions of IR, and what is read of them.
var loops = []struct{ name, src, want string }{
	{"counts down by two", `define void @f(ptr %a) {
  br label %loop
loop:
  %i = phi i64 [ 20, %0 ], [ %next, %loop ]
  %p = getelementptr double, ptr %a, i64 %i
  store double 0.0, ptr %p
  %next = add i64 %i, -2
  %more = icmp sgt i64 %next, 0
  br i1 %more, label %loop, label %end
end:
  ret void
}`, "f\n for i1 = 0..9\n  w a[(20 - (i1 * 2))]\n"},
	{"tests at the head", `define void @f(ptr %a, i64 %n) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %b = load double, ptr %a
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %end
body:
  %p = getelementptr double, ptr %a, i64 %i
  store double %b, ptr %p
  %next = add i64 %i, 1
  br label %head
end:
  ret void
}`, "f\n for i1 = 0..6\n  r a[0]\n  w a[i1]\n r a[0]\n"},
	{"one side of a condition", `define void @f(ptr %a, ptr %b) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %w = sext i32 %i to i64
  %low = icmp ult i32 %i, 3
  br i1 %low, label %yes, label %no
yes:
  %p = getelementptr float, ptr %a, i64 %w
  br label %latch
no:
  %q = getelementptr float, ptr %b, i64 %w
  store float 1.0, ptr %q
  br label %latch
latch:
  %x = load float, ptr %a
  %next = add nsw i32 %i, 1
  %done = icmp eq i32 %next, 10
  br i1 %done, label %end, label %loop
end:
  ret void
}`, "f\n for i1 = 0..9\n  if (3 <= i1)\n   w b[i1]\n  r a[0]\n"},
	{"a pointer that steps", `define double @f(ptr %a) {
entry:
  %end = getelementptr double, ptr %a, i64 12
  br label %loop
loop:
  %p = phi ptr [ %a, %entry ], [ %q, %loop ]
  %s = phi double [ 0.0, %entry ], [ %t, %loop ]
  %x = load double, ptr %p
  %t = fadd double %s, %x
  %q = getelementptr double, ptr %p, i64 3
  %done = icmp eq ptr %q, %end
  br i1 %done, label %out, label %loop
out:
  ret double %t
}`, "f\n for i1 = 0..3\n  r a[(i1 * 3)]\n"},
	{"a block that is filled", `define void @f(ptr %a) {
  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 804, i1 false)
  ret void
}`, "f\n for word = 0..99\n  w a[word]\n w a[100]\n"},
	{"a triangle", `define void @f(ptr %a) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %in, %latch ]
  %empty = icmp eq i64 %i, 0
  br i1 %empty, label %latch, label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %jn, %inner ]
  %p = getelementptr [8 x double], ptr %a, i64 %i, i64 %j
  store double 0.0, ptr %p
  %jn = add i64 %j, 1
  %jd = icmp eq i64 %jn, %i
  br i1 %jd, label %latch, label %inner
latch:
  %in = add i64 %i, 1
  %id = icmp eq i64 %in, 8
  br i1 %id, label %end, label %outer
end:
  ret void
}`, "f\n for i1 = 0..7\n  for i2 = 0..(i1 - 1)\n   w a[((i1 * 8) + i2)]\n"},
	{"a bound that is the lesser of two", `declare i64 @llvm.smin.i64(i64, i64)
define void @f(ptr %a, i64 %n) {
entry:
  br label %tile
tile:
  %t = phi i64 [ 0, %entry ], [ %tn, %latch ]
  %tn = add i64 %t, 4
  %hi = call i64 @llvm.smin.i64(i64 %tn, i64 %n)
  br label %point
point:
  %i = phi i64 [ %t, %tile ], [ %in, %point ]
  %p = getelementptr double, ptr %a, i64 %i
  store double 0.0, ptr %p
  %in = add i64 %i, 1
  %more = icmp slt i64 %in, %hi
  br i1 %more, label %point, label %latch
latch:
  %again = icmp slt i64 %tn, %n
  br i1 %again, label %tile, label %end
end:
  ret void
}`, "f\n for i1 = 0..1\n  for i2 = 0..((min(((i1 * 4) + 4), 7) - (i1 * 4)) - 1)\n   w a[((i1 * 4) + i2)]\n"},
	{"a function that is called, and a member", `%pair = type { ptr, i64 }
define void @fill(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %in, %loop ]
  %x = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %x
  %in = add i64 %i, 1
  %d = icmp eq i64 %in, %n
  br i1 %d, label %end, label %loop
end:
  ret void
}
define void @f(ptr %s) {
  %field = getelementptr %pair, ptr %s, i64 0, i32 0
  %p = load ptr, ptr %field
  %second = getelementptr i32, ptr %p, i64 5
  call void @fill(ptr %second, i64 5)
  ret void
}`, "f\n r s (members)[0]\n for i1 = 0..4\n  w s[(i1 + 5)]\n"},
	{"a copy", `declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr noalias %a, ptr noalias %b, i64 %n) {
  %bytes = shl i64 %n, 3
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %b, i64 %bytes, i1 false)
  ret void
}`, "f\n r b[0]\n w a[0]\n r b[1]\n w a[1]\n r b[2]\n w a[2]\n r b[3]\n w a[3]\n r b[4]\n w a[4]\n r b[5]\n w a[5]\n r b[6]\n w a[6]\n"},
	{"a choice of values", `define void @f(ptr %a) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %in, %loop ]
  %low = icmp ult i64 %i, 4
  %at = select i1 %low, i64 0, i64 %i
  %p = getelementptr double, ptr %a, i64 %at
  %x = load double, ptr %p
  %in = add i64 %i, 1
  %d = icmp eq i64 %in, 9
  br i1 %d, label %end, label %loop
end:
  ret void
}`, "f\n for i1 = 0..8\n  if (i1 < 4)\n   r a[0]\n  else\n   r a[i1]\n"},
	{"an end in the middle", `define void @f(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %in, %next ]
  %p = getelementptr double, ptr %a, i64 %i
  store double 0.0, ptr %p
  %out = icmp sge i64 %i, %n
  br i1 %out, label %end, label %next
next:
  %x = load double, ptr %p
  %in = add i64 %i, 1
  br label %loop
end:
  ret void
}`, "f\n for i1 = 0..6\n  w a[i1]\n  r a[i1]\n w a[7]\n"},
}

func TestLoops(t *testing.T) {
	for _, c := range slices.Concat(loops, rows) {
		u, err := load("a.ll", c.src, csource.Options{Defines: []string{"n=7"}, Regions: []string{"f"}})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := nesttest.Accesses(u.Programs[0]); got != c.want {
			t.Errorf("%s:\n%s\nwant:\n%s", c.name, got, c.want)
		}
	}
}

// refused are functions that cannot be read, and what is said about them.
var refused = []struct{ name, src, want string }{
	{"a value that nobody gives", `define void @f(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr double, ptr %a, i64 %i
  store double 0.0, ptr %p
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}`, "the value of n is not known; define it, such as n=1000"},
	{"an end that data decides", `define void @f(ptr %a) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i32, ptr %a, i64 %i
  %x = load i32, ptr %p
  %next = add i64 %i, 1
  %more = icmp ne i32 %x, 0
  br i1 %more, label %loop, label %end
end:
  ret void
}`, "how often this loop runs depends on data: it is loaded from a; let a run tell what it is, or run and trace it instead"},
	{"no end", `define void @f(ptr %a) {
entry:
  br label %loop
loop:
  store i32 0, ptr %a
  br label %loop
}`, "this loop does not end"},
	{"a way into a loop", `define void @f(ptr %a, i1 %c) {
entry:
  br i1 %c, label %x, label %y
x:
  store i32 0, ptr %a
  br label %y
y:
  br i1 %c, label %x, label %end
end:
  ret void
}`, "f cannot be followed: it jumps into a loop"},
	{"itself", `define void @f(ptr %a) {
  store i32 0, ptr %a
  call void @f(ptr %a)
  ret void
}`, "f calls itself"},
	{"no loops", `define i32 @f(i32 %x) {
  ret i32 %x
}`, "f makes no accesses in loops"},
}

func TestRefused(t *testing.T) {
	for _, c := range refused {
		_, err := load("a.ll", c.src, csource.Options{Regions: []string{"f"}})
		if e := (*csource.Error)(nil); !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// FuzzModule: whatever the module, there are programs that can be checked, or an error.
func FuzzModule(f *testing.F) {
	for _, c := range slices.Concat(loops, rows) {
		f.Add(c.src)
	}
	for _, c := range refused {
		f.Add(c.src)
	}
	for _, name := range []string{"grid-14.ll", "grid-19.ll"} {
		if src, err := os.ReadFile(filepath.Join("..", "testdata", name)); err == nil {
			f.Add(string(src))
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		u, err := load("a.ll", src, csource.Options{Defines: []string{"n=7"}})
		if err != nil {
			return
		}
		for _, p := range u.Programs {
			if err := nest.Check(p); err != nil {
				t.Errorf("%v of %q", err, src)
			}
		}
	})
}

// TestConversions has numbers that become others: each conversion says of what type, and what comes of the loop's counter is no constant.
func TestConversions(t *testing.T) {
	const src = `@a = global [100 x float] zeroinitializer
@d = global [100 x double] zeroinitializer
define void @f(i32 %outer) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds [100 x float], ptr @a, i64 0, i64 %i
  %x = load float, ptr %p
  %wide = fpext float %x to double
  %small = trunc i64 %i to i32
  %number = sitofp i32 %small to double
  %y = fadd double %wide, %number
  %q = getelementptr inbounds [100 x double], ptr @d, i64 0, i64 %i
  store double %y, ptr %q
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 100
  br i1 %more, label %loop, label %end
end:
  ret void
}
`
	u, err := load("f.ll", src, csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var from []nest.Type
	counters := 0
	nest.Walk(u.Programs[0].Body, func(n nest.Node) {
		s, ok := n.(*nest.Stmt)
		for i := 0; ok && i < len(s.Flow); i++ {
			op := &s.Flow[i]
			if op.Kind == nest.Convert {
				from = append(from, op.From)
			}
			for _, a := range op.Args {
				if a == (nest.Value{Kind: nest.Const, N: nest.Counter}) {
					counters++
				}
			}
		}
	})
	if len(from) != 2 || from[0] != nest.F32 || from[1] != nest.I32 || counters != 1 {
		t.Errorf("conversions from %v, %d counters", from, counters)
	}
}
