package ir

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foresee/application/csource"
	"foresee/application/nest"
)

// dump writes the accesses of a program in a form that a reader can compare with the source.
func dump(p *nest.Program) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", p.Region)
	var nodes func(all []nest.Node, indent string)
	nodes = func(all []nest.Node, indent string) {
		for _, n := range all {
			switch n := n.(type) {
			case *nest.Loop:
				fmt.Fprintf(&b, "%sfor %s = %s..%s", indent, p.Vars[n.Var], n.Lo.Format(p.Vars), n.Hi.Format(p.Vars))
				if w := n.Work; w != nil {
					fmt.Fprintf(&b, " %v %d", w.Schedule, w.Chunk)
				}
				b.WriteString("\n")
				nodes(n.Body, indent+" ")
			case *nest.If:
				fmt.Fprintf(&b, "%sif %s\n", indent, n.Cond.Format(p.Vars))
				nodes(n.Then, indent+" ")
				if len(n.Else) > 0 {
					fmt.Fprintf(&b, "%selse\n", indent)
					nodes(n.Else, indent+" ")
				}
			case *nest.Parallel:
				fmt.Fprintf(&b, "%sparallel\n", indent)
				nodes(n.Body, indent+" ")
			case *nest.Single:
				fmt.Fprintf(&b, "%ssingle\n", indent)
				nodes(n.Body, indent+" ")
			case *nest.Critical:
				fmt.Fprintf(&b, "%scritical\n", indent)
				nodes(n.Body, indent+" ")
			case *nest.Barrier:
				fmt.Fprintf(&b, "%sbarrier\n", indent)
			case *nest.Stmt:
				for _, a := range n.Accesses {
					fmt.Fprintf(&b, "%s%s %s\n", indent, map[bool]string{false: "r", true: "w"}[a.Write], a.Text)
				}
			}
		}
	}
	nodes(p.Body, " ")
	return b.String()
}

const wantGrid = `smooth
 r g (members)[2]
 r g (members)[0]
 r g (members)[1]
 for i = 0..397
  r g.u[i]
  r g.u[(i + 2)]
  w g.v[(i + 1)]
lower
 r g (members)[0]
 for i = 0..19
  for j = 0..floord(i, 2)
   r g.u[((i * 20) + (j * 2))]
   w g.u[((i * 20) + (j * 2))]
`

// TestVersions reads the same program as two versions of LLVM print it, with typed pointers and with opaque ones. The compiler knows that
// table holds zeros and leaves it out.
func TestVersions(t *testing.T) {
	for _, name := range []string{"grid-14.ll", "grid-19.ll"} {
		src, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		u, err := Load(name, string(src), csource.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, p := range u.Programs {
			got += dump(p)
		}
		if got != wantGrid {
			t.Errorf("%s:\n%s", name, got)
		}
		if len(u.Skipped) != 2 || u.Skipped[0].Function != "pick" || !strings.Contains(u.Skipped[0].Reason, "grid.cpp:12:46: the address of this access is not known: it is loaded from at") {
			t.Errorf("%s: left out: %+v", name, u.Skipped)
		}
	}
}

// TestByLoop makes a region of each loop nest, and of those that are asked for.
func TestByLoop(t *testing.T) {
	src, err := os.ReadFile("testdata/grid-14.ll")
	if err != nil {
		t.Fatal(err)
	}
	u, err := Load("grid-14.ll", string(src), csource.Options{By: csource.ByLoop, Regions: []string{"lower:8"}})
	if err != nil || len(u.Programs) != 1 || u.Programs[0].Region != "lower:8" {
		t.Errorf("%v %+v", err, u)
	}
	_, err = Load("grid-14.ll", string(src), csource.Options{Regions: []string{"nobody"}})
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
}

func TestLoops(t *testing.T) {
	for _, c := range loops {
		u, err := Load("a.ll", c.src, csource.Options{Defines: []string{"n=7"}, Regions: []string{"f"}})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := dump(u.Programs[0]); got != c.want {
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
}`, "how often this loop runs depends on data: it is loaded from a; run and trace it instead"},
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
		_, err := Load("a.ll", c.src, csource.Options{Regions: []string{"f"}})
		if e := (*csource.Error)(nil); !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := Load("a.ll", "define void @f() {\n", csource.Options{}); err == nil || !strings.Contains(err.Error(), "a.ll: line 1: a function without an end") {
		t.Errorf("damaged: %v", err)
	}
}

// FuzzLoad: whatever the module, there are programs that can be checked, or an error.
func FuzzLoad(f *testing.F) {
	for _, c := range loops {
		f.Add(c.src)
	}
	for _, c := range refused {
		f.Add(c.src)
	}
	for _, name := range []string{"grid-14.ll", "grid-19.ll"} {
		if src, err := os.ReadFile(filepath.Join("testdata", name)); err == nil {
			f.Add(string(src))
		}
	}
	debugPanics = true
	defer func() { debugPanics = false }()
	f.Fuzz(func(t *testing.T, src string) {
		u, err := Load("a.ll", src, csource.Options{Defines: []string{"n=7"}})
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
