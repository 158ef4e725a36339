package core

// ahead tells which lines prefetchers bring before they are asked for: those next to others that came before, and those as far from the last line that the
// same instruction asked for as that was from the one before it.
type ahead struct {
	recent [recentLines]uint64
	next   int
	last   []struct { // by instruction
		line, step uint64
		again      bool // the step came twice in a row
	}
}

// recentLines is how many lines are looked at for neighbours: of as many streams as prefetchers follow at once, and some. Chosen.
const recentLines = 32

// widestStep is the most lines from one access to the next that prefetchers follow: they stay within pages of 4 KiB.
const widestStep = 4096 / lineBytes

// arrival says how a line comes.
type arrival uint8

const (
	late      arrival = iota // once it is asked for
	stepped                  // before, as an instruction goes on by the same step
	neighbour                // before, as lines next to it came
)

// brought takes the next line that an instruction asks for.
func (a *ahead) brought(at int32, line uint64) arrival {
	for int(at) >= len(a.last) {
		a.last = append(a.last, make([]struct {
			line, step uint64
			again      bool
		}, int(at)+1-len(a.last))...)
	}
	x := &a.last[at]
	if x.line == line { // it was asked for by the access before
		return late
	}
	step := line - x.line
	how := late
	if x.again && step == x.step {
		how = stepped
	}
	x.again = step == x.step && step+widestStep <= 2*widestStep
	x.line, x.step = line, step
	for _, r := range a.recent {
		if r == line {
			return how
		}
		if d := line - r; d+2 <= 4 && r != 0 {
			how = neighbour
		}
	}
	a.recent[a.next] = line
	a.next = (a.next + 1) % recentLines
	return how
}
