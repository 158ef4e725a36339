package recording

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"foresee/application/record/instrument"
)

func moduleRecord(first int, text string) *Record {
	return &Record{Type: typeModule, Data: append(varints(uint64(first)), text...)}
}

// TestMemoryOfCode gives modules, each of which is small enough, until all of them are too large, and what a program says besides.
func TestMemoryOfCode(t *testing.T) {
	var text strings.Builder
	text.WriteString("N\tx\n")
	const n = 100_000
	for i := range n {
		fmt.Fprintf(&text, "S\t0\t1\t0\t0\t0\t0\t\ta.b.1=%d\t\t\n", i)
	}
	c, modules := &Code{}, 0
	var err error
	for ; err == nil && modules < 20; modules++ {
		err = c.addModule(moduleRecord(len(c.Segments), text.String()))
	}
	// A segment takes 256 bytes, its operations 512 + 64 + 11.
	if want := instrument.MostMemory/(n*(256+512+64+11)) + 1; err == nil || !strings.Contains(err.Error(), "256 MiB") || modules != want {
		t.Errorf("%d modules, want %d: %v", modules, want, err)
	}
	c, modules = &Code{}, 0
	for err = nil; err == nil && modules < 20; modules++ { // text that leaves nothing behind
		err = c.addModule(moduleRecord(0, "U\t"+strings.Repeat("0", mostModule-8)+"\n"))
	}
	if err == nil || !strings.Contains(err.Error(), "128 MiB of text") || modules != 3 {
		t.Errorf("%d modules: %v", modules, err)
	}
	i := &info{}
	for n, name := 0, strings.Repeat("x", 1<<20-80); ; n++ {
		if _, err := i.take(NameRecord(uint64(n), name)); err != nil {
			if n != mostKept>>20 || !strings.Contains(err.Error(), "more than 64 MiB") {
				t.Errorf("%d names: %v", n, err)
			}
			break
		}
	}
}

// TestModulesAreParsedOnce wants the readers of one stream to share the code of a module.
func TestModulesAreParsedOnce(t *testing.T) {
	p := newTape(1, true)
	p.end()
	var codes []*Code
	for _, branch := range Fan(NewScanner(bytes.NewReader(p.Bytes())), 2) {
		i := &info{}
		for r, err := branch.Next(); err == nil; r, err = branch.Next() {
			if _, err := i.take(r); err != nil {
				t.Fatal(err)
			}
		}
		codes = append(codes, &i.Code)
	}
	if len(codes[0].Modules) == 0 || codes[0].Modules[0] != codes[1].Modules[0] {
		t.Errorf("%+v", codes)
	}
}

// A loop begins as often as what is before it runs, in modules after others too.
func TestEntries(t *testing.T) {
	m := &instrument.Module{Name: "x.o", Segments: []instrument.Segment{
		{Block: 0, Begins: true}, {Block: 1, Begins: true}, {Block: 2, Begins: true, Before: []int{0, 1}}, {Block: 3, Begins: true},
	}}
	c := &Code{}
	for range 2 {
		if err := c.addModule(moduleRecord(len(c.Segments), m.Text())); err != nil {
			t.Fatal(err)
		}
	}
	counts := []int64{10, 5, 1000, 7, 3, 0, 60, 7}
	for segment, want := range map[int]int64{2: 15, 6: 3, 3: 0} {
		if got := c.Entries(segment, counts); got != want {
			t.Errorf("segment %d: %d entries, want %d", segment, got, want)
		}
	}
	if got := c.Entries(2, []int64{10, 5, 12, 0}); got != 12 {
		t.Errorf("%d entries of a loop with 12 iterations", got)
	}
}
