package followed

import (
	"strings"
	"testing"

	"foresee/application/record/instrument"
)

// TestDoubts follows code with an instruction that nobody measured, and with calls of functions of which nothing is recorded. By hand.
func TestDoubts(t *testing.T) {
	f := follower(t, zen4(t))
	code := codeOf([]instrument.Coded{{Word: -1, Text: "addq $1, %rax"}, {Word: -1, Text: "vpsadbw %ymm1, %ymm2, %ymm3"}, {Word: -1, Text: "addq $1, %rcx"}, {Word: -1, Text: "call hsearch@PLT"}},
		[]instrument.Coded{{Word: -1, Text: "decq %rcx"}, {Word: -1, Text: "call sin@PLT"}}, []instrument.Coded{{Word: -1, Text: "jne .L1"}}, []instrument.Coded{{Word: -1, Text: "call own"}}, []instrument.Coded{{Word: -1, Text: "ret"}})
	for range 1000 {
		for _, s := range []int32{0, 1, 2} {
			f.Follow(code, 0, s, nil)
		}
		f.Follow(code, 1, 3, nil) // what it calls runs next
		f.Follow(code, 1, 0, nil)
		f.Follow(code, 1, 4, nil)
	}
	said := strings.Join(f.Doubts(0), "\n")
	for _, want := range []string{"of 14 % of the instructions the cost was not measured", "psadbw", "one for every 7 instructions: hsearch"} { // 1 of 4 + 2 + 1
		if !strings.Contains(said, want) {
			t.Errorf("%q does not say %q", said, want)
		}
	}
	if strings.Contains(said, "sin") {
		t.Errorf("%q: what sin costs is known", said)
	}
	if said := strings.Join(f.Doubts(1), "\n"); strings.Contains(said, "own") {
		t.Errorf("%q: own is recorded", said)
	}
	if said := f.Doubts(2); said != nil {
		t.Errorf("%q of a region that did not run", said)
	}
}
