package timing

import "slices"

// windows is how long a phase takes, in seconds, whose scattered lines wait for the core's window: that holds so many instructions, which leave it in order, so
// that the lines of one window are under way together and those of the next one come a latency later (the interval model of Karkhanis and Smith, ISCA 2004,
// of long misses). Of less than one line a window the rest are windows without a wait. A worked number: 150 instructions for each line, a window of 450
// and a latency of 180 ns make 60 ns a line, and 600 instructions 180 ns and a quarter of the time that they take themselves. What loops within do lies
// between the lines as well: inner is the core's time of these, which is not in core.
func (v *convolver) windows(p Phase, core, walks float64) (full, inner float64, err error) {
	size, known := v.m.Core.ReorderBuffer.Get()
	if !known || !slices.ContainsFunc(p.Traffic, func(t Traffic) bool { return t.Lines*t.Scattered > 0 }) {
		return 0, 0, nil
	}
	within := slices.DeleteFunc(slices.Clone(v.in.Blocks), func(b *Block) bool { return !b.isWithin(p.Blocks) })
	instructions := 0.0
	for _, b := range append(within, p.Blocks...) {
		instructions += b.Executions * b.Instructions() * slowestShare(b, v.in)
	}
	if size <= 0 || instructions == 0 {
		return 0, 0, nil
	}
	if inner, _, err = coreSeconds(v.in, within, v.m, v.costs); err != nil {
		return 0, 0, err
	}
	all := instructions / float64(size)
	left, time, asked := all, 0.0, 0.0
	for _, t := range slices.Backward(p.Traffic) { // the farthest first
		lines := t.Lines * t.Scattered * (1 - t.Dependent)
		if lines <= 0 {
			continue
		}
		_, _, latency := v.costs.lineCost(t.Level)
		seconds, err := v.m.Seconds(latency)
		if err != nil {
			return 0, 0, err
		}
		waited := min(lines, left)
		left -= waited
		time += waited * seconds
		asked += lines
	}
	if asked == 0 {
		return 0, 0, nil
	}
	return time + min(1, (all-left)/asked)*walks + left/all*(core+inner), inner, nil
}

// isWithin tells whether a block is that of a loop inside of one of some others: by loops, as blocks are copied.
func (b *Block) isWithin(others []*Block) bool {
	for a := b.Around; a != nil && a.Loop != nil; a = a.Around {
		if slices.ContainsFunc(others, func(o *Block) bool { return o.Loop == a.Loop }) {
			return true
		}
	}
	return false
}
