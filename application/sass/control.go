package sass

// Control is what the compiler tells the scheduler about an instruction.
type Control struct {
	Known bool
	Dual  bool // issued together with the next instruction
	Stall int  // cycles before the next instruction of the warp is issued
	// Of Maxwell and later.
	Yield        bool // the scheduler should look at another warp
	WriteBarrier int  // that is set when the result is there; -1: none
	ReadBarrier  int  // that is set when the operands were read; -1: none
	Wait         int  // mask of barriers to wait for
	Reuse        int  // mask of operands kept in the reuse cache
}

// Places of control in words: bits of an instruction's control, of the lowest one, and bytes of a group that begins with a word.
const (
	keplerBits, maxwellBits       = 8, 21
	gk104Shift, gk110Shift        = 4, 2
	keplerGroup, maxwellGroup     = 64, 32
	voltaShift                    = 41 // in the upper 64 bits of an instruction
	keplerUnknown, keplerPair     = 0x00, 0x04
	keplerStall, keplerStallCount = 0x20, 0x1f
	noBarrier                     = 7
)

// group is how many bytes one control word governs, itself included; 0: none.
func (g Generation) group() uint64 {
	switch g {
	case Kepler:
		return keplerGroup
	case Maxwell:
		return maxwellGroup
	}
	return 0
}

// control takes the control of the instruction at a place 0, 1, … after its word. sm_30 has the seven bytes from bit 4 on, between 0x2
// and 0x7; sm_32 and later from bit 2 on, below 0x08: their compiler writes the same values there.
func (k *Kernel) control(word uint64, place int) Control {
	if k.Generation() == Maxwell {
		return laterControl(word>>(maxwellBits*place), true)
	}
	shift := gk110Shift
	if k.Architecture < 32 {
		shift = gk104Shift
	}
	return keplerControl(uint8(word >> (shift + keplerBits*place)))
}

// keplerControl: 0x04 pairs, 0x20 | n stalls for n cycles, 0x00 tells nothing and stalls for 32.
func keplerControl(code uint8) Control {
	c := Control{Known: true, WriteBarrier: -1, ReadBarrier: -1}
	switch {
	case code == keplerUnknown:
		c.Stall = 32
	case code&keplerStall != 0:
		c.Stall = int(code & keplerStallCount)
	case code&keplerPair != 0:
		c.Dual = true
	}
	return c
}

// laterControl reads the 21 bits of Maxwell and later, the lowest first: 4 of the stall, the yield hint (0: yield), 3 and 3 of the
// barriers to set, 6 of those to wait for, 4 of reuse. A stall of 0 pairs where pairs can be.
func laterControl(bits uint64, pairs bool) Control {
	barrier := func(v uint64) int {
		if v == noBarrier {
			return -1
		}
		return int(v)
	}
	c := Control{
		Known: true, Stall: int(bits & 0xf), Yield: bits>>4&1 == 0,
		WriteBarrier: barrier(bits >> 5 & 7), ReadBarrier: barrier(bits >> 8 & 7),
		Wait: int(bits >> 11 & 0x3f), Reuse: int(bits >> 17 & 0xf),
	}
	c.Dual = pairs && c.Stall == 0
	return c
}
