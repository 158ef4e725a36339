package trace

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Numbers that are read eight digits at a time, against reading digit by digit: any bytes around them, and those that differ from a digit in one bit.
func TestHexadecimalAgainstDigitByDigit(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	check := func(text []byte) {
		value, next, ok := hexadecimal(text, 2)
		wantValue, wantNext, wantOK := digitByDigit(text, 2)
		if next != wantNext || ok != wantOK || ok && value != wantValue {
			t.Fatalf("%q: %x %d %v, want %x %d %v", text, value, next, ok, wantValue, wantNext, wantOK)
		}
	}
	for c := range 256 {
		for place := range 18 {
			text := []byte("xx1234567890abcdefAF\n 111")
			text[2+place] = byte(c)
			check(text)
		}
	}
	for range 200_000 {
		text := fmt.Appendf(nil, "0x%x,8\n 0 r 0x12345", rng.Uint64()>>rng.IntN(64))
		if rng.IntN(2) == 0 {
			text[rng.IntN(len(text))] ^= 1 << rng.IntN(8)
		}
		text[len(text)-1] = '\n'
		check(text)
	}
}

// Lines of the usual shape, and such as are nearly so, against the parser of any line.
func TestUsualLinesAgainstAnyLine(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	taken := 0
	for range 300_000 {
		line := fmt.Sprintf("%c 0x%x", "rwfRWFlsx"[rng.IntN(9)], rng.Uint64()>>rng.IntN(64))
		if rng.IntN(2) == 0 {
			line = fmt.Sprint(rng.IntN(1<<rng.IntN(18)), " ", line)
		}
		if rng.IntN(2) == 0 {
			line += fmt.Sprint(" ", rng.IntN(12))
		}
		text := []byte(line + "\n" + "0 r 0x0000000000000000000000000000000000000000000000000000\n")
		if rng.IntN(4) == 0 {
			text[rng.IntN(len(line))] ^= 1 << rng.IntN(8)
		}
		var e Event
		next := usual(text, 0, &e)
		if next == 0 {
			continue
		}
		taken++
		p := new(parserOfText)
		want, wantNext, isEvent, f := p.one(text, 0)
		if f != nil || !isEvent || e != want || next != wantNext {
			t.Fatalf("%q: %+v to %d, want %+v to %d, %v", line, e, next, want, wantNext, f)
		}
	}
	if taken < 100_000 {
		t.Errorf("only %d lines were of the usual shape", taken)
	}
}

// parserOfText is text, which is a name of variables here.
type parserOfText = text
