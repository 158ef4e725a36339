package probe

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"foresee/application/csource"
	"foresee/application/ir/text"
)

// sums has a variable, a loop, a call that may throw, and a load of where a vector ends, in IR that each LLVM reads that has opaque pointers or not.
const sums = `
@index = internal global [10 x i32] zeroinitializer
declare i32 @size(i32)
declare i32 @__gxx_personality_v0(...)

define i64 @sums(i32 %n, i8 %small, i1 %flag, i8** %end) personality i32 (...)* @__gxx_personality_v0 {
entry:
  %last = load i8*, i8** %end, align 8
  %s = invoke i32 @size(i32 %n)
          to label %go unwind label %failed

go:                                               ; preds = %entry
  %some = icmp sgt i32 %s, 0
  br i1 %some, label %loop, label %done

loop:                                             ; preds = %go, %loop
  %i = phi i32 [ 0, %go ], [ %next, %loop ]
  %sum = phi i64 [ 0, %go ], [ %more, %loop ]
  %wide = sext i32 %i to i64
  %more = add i64 %sum, %wide
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %s
  br i1 %again, label %loop, label %done

done:                                             ; preds = %loop, %go
  %total = phi i64 [ 0, %go ], [ %more, %loop ]
  ret i64 %total

failed:                                           ; preds = %entry
  %e = landingpad { i8*, i32 }
          cleanup
  resume { i8*, i32 } %e
}
`

func instrumented(t *testing.T) (string, *text.Module) {
	t.Helper()
	m, err := text.Read(sums)
	if err != nil {
		t.Fatal(err)
	}
	plan := &csource.Plan{Regions: []csource.Region{{Function: "sums"}}}
	for _, of := range []string{"%n", "%small", "%flag", "%s", "%total", "iterations from %loop", "bytes before %last", "foresee_table(%last, 4, 0, 1)", "foresee_table(@index, 4, 0, 1)", "foresee_rows(%last, 1, 3, 4, 0)", "foresee_in_order(%s)", "foresee_where(%last)", "bytes into a line of %last"} {
		plan.Places = append(plan.Places, csource.Place{Function: "sums", Text: of})
		plan.Regions[0].Places = append(plan.Regions[0].Places, len(plan.Places)-1)
	}
	return Instrument(sums, m, plan), m
}

// TestInstrument: each value is told where it is known: parameters first, what a call that may throw gives behind it, what is chosen by the way behind all of these.
func TestInstrument(t *testing.T) {
	made, _ := instrumented(t)
	at := 0
	for _, want := range []string{
		"entry:", "call void @foresee_ir_enter(i32 0)", "sext i32 %n to i64", "foresee_ir_told(i32 0,", "sext i8 %small", "foresee_ir_told(i32 1,", "zext i1 %flag", "foresee_ir_told(i32 2,",
		"bitcast [10 x i32]* @index to i8*", "foresee_ir_table(i32 8, i8* %foresee.",
		"load i8*", "bitcast i8** %end to i8*", "foresee_ir_span(i32 6,", "bitcast i8* %last to i8*", "foresee_ir_table(i32 7, i8* %foresee.", "foresee_ir_rows(i32 9, i8* %foresee.", "i32 1, i32 3, i32 4, i32 0)", "ptrtoint i8* %last to i64", "foresee_ir_where_told(i32 11,", "ptrtoint i8* %last to i64", ".in = and i64 %foresee.", "foresee_ir_told(i32 12, i64 %foresee.", "invoke", "\ngo:", "sext i32 %s to i64", "foresee_ir_told(i32 3,", "sext i32 %s to i64", "foresee_ir_in_order(i32 10,", "%some =", "foresee_ir_iterations(i32 5)", "br i1 %some",
		"\nloop:", "%i = phi", "%sum = phi", "foresee_ir_iteration(i32 5)", "%wide", "br i1 %again",
		"\ndone:", "%total = phi", "foresee_ir_told(i32 4, i64 %total)", "foresee_ir_iterations(i32 5)", "foresee_ir_leave(i32 0)", "ret i64",
		"landingpad", "foresee_ir_leave(i32 0)", "resume",
	} {
		i := strings.Index(made[at:], want)
		if i < 0 {
			t.Fatalf("no %q from here on:\n%s", want, made[at:])
		}
		at += i + len(want)
	}
	if n := strings.Count(made, "foresee_ir_iterations(i32 5)"); n != 3 { // before the loop, and where the function is left
		t.Errorf("iterations are told %d times in\n%s", n, made)
	}
	if _, err := text.Read(made); err != nil {
		t.Error(err)
	}
}

// TestCompilers: what is written is IR that clang takes.
func TestCompilers(t *testing.T) {
	clang, err := exec.LookPath("clang")
	if err != nil {
		t.Skip("clang is missing; apt-get install clang")
	}
	made, _ := instrumented(t)
	c := exec.Command(clang, "-x", "ir", "-", "-c", "-w", "-o", filepath.Join(t.TempDir(), "made.o"))
	c.Stdin = strings.NewReader(made)
	if said, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, said)
	}
}
