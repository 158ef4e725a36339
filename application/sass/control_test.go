package sass

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// bits reads fields, the highest first, as strings of binary digits.
func bits(t *testing.T, fields ...string) uint64 {
	v, err := strconv.ParseUint(strings.Join(fields, ""), 2, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func binary(v, width int) string { return fmt.Sprintf("%0*b", width, v) }

// Words built from their fields give them back.
func TestControlFields(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var want [3]Control
		words := make([]string, 3)
		for i := range want {
			c := Control{Known: true, Stall: r.IntN(16), Yield: r.IntN(2) == 0, WriteBarrier: r.IntN(7) - 1, ReadBarrier: r.IntN(7) - 1, Wait: r.IntN(64), Reuse: r.IntN(16)}
			yield := "1"
			if c.Yield {
				yield = "0"
			}
			words[2-i] = binary(c.Reuse, 4) + binary(c.Wait, 6) + binary((c.ReadBarrier+8)%8, 3) + binary((c.WriteBarrier+8)%8, 3) + yield + binary(c.Stall, 4)
			want[i] = c
		}
		word := bits(t, append([]string{"0"}, words...)...)
		maxwell := &Kernel{Architecture: 61}
		for i, c := range want {
			if c.Dual = c.Stall == 0; maxwell.control(word, i) != c {
				t.Fatalf("%#x, place %d: got %+v, want %+v", word, i, maxwell.control(word, i), c)
			}
		}
		want[0].Dual = false
		if got := laterControl(bits(t, "00", words[2], binary(r.IntN(1<<30), 41))>>voltaShift, false); got != want[0] {
			t.Fatalf("upper word: got %+v, want %+v", got, want[0])
		}
	}
}

// Seven bytes make a word of sm_30 between 0x2 and 0x7, of sm_35 behind 0x08.
func TestKeplerWords(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		var codes [7]int
		var text [7]string
		for i := range codes {
			codes[i] = []int{0x00, 0x04, 0x20 | r.IntN(32)}[r.IntN(3)]
			text[6-i] = binary(codes[i], 8)
		}
		old := bits(t, "0010", strings.Join(text[:], ""), "0111")
		later := bits(t, "000010", strings.Join(text[:], ""), "00")
		for i, code := range codes {
			want := Control{Known: true, WriteBarrier: -1, ReadBarrier: -1, Stall: code - 0x20}
			switch code {
			case 0x00:
				want.Stall = 32
			case 0x04:
				want.Stall, want.Dual = 0, true
			}
			for sm, word := range map[int]uint64{30: old, 35: later, 37: later} {
				if got := (&Kernel{Architecture: sm}).control(word, i); got != want {
					t.Fatalf("sm_%d, %#x, place %d: got %+v, want %+v", sm, word, i, got, want)
				}
			}
		}
	}
}

// Words of published listings, with what the listing or its text says of them beside the word.
func TestPublishedWords(t *testing.T) {
	// moderngpu's README prints these two before a pair in braces of the second and third, and of the first and second instruction.
	for word, pair := range map[uint64]int{0x001c5800fe0007f6: 1, 0x083fd800e7e007f0: 0} {
		for i := range 3 {
			if got := (&Kernel{Architecture: 52}).control(word, i).Dual; got != (i == pair) {
				t.Errorf("%#x, place %d: pair %v", word, i, got)
			}
		}
	}
	// maxas, Control Codes: the kernel's first words; a MOV needs 6 cycles before its result is used.
	if c := (&Kernel{Architecture: 52}).control(0x001f9400fe2007e6, 0); c.Stall != 6 || c.WriteBarrier != -1 || c.Wait != 0 || !c.Yield {
		t.Errorf("%+v", c)
	}
	// The upper halves that code for sm_80 begins with: S2R sets barrier 0, ISETP, whose result is used at once, waits for it and stalls 13 cycles.
	s2r, isetp := laterControl(0x000e240000002100>>voltaShift, false), laterControl(0x001fda0003f05270>>voltaShift, false)
	if s2r.WriteBarrier != 0 || isetp.Wait != 1 || isetp.Stall != 13 {
		t.Errorf("%+v, %+v", s2r, isetp)
	}
}
