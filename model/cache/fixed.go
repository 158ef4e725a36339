package cache

import "unsafe"

// Plain levels of 8, 12, 16 and 20 ways, the usual ones, are simulated by loops whose number of turns the compiler knows: it unrolls them and
// checks no bounds. Other numbers of ways take the loops of plain.go, which do the same.

// fixedWays are sets of a fixed number of ways, with a word of dirty bits at the end.
type fixedWays interface {
	[9]uint64 | [13]uint64 | [17]uint64 | [21]uint64
}

// setsOf sees tags as sets of a fixed number of ways.
func setsOf[S fixedWays](tags []uint64) []S {
	var set S
	return unsafe.Slice((*S)(unsafe.Pointer(&tags[0])), len(tags)/len(set))
}

// firstFixed is plainLevel.references for sets of a fixed number of ways: it looks up a batch of references in the first level, and puts into out
// what goes on to the second. It gives how many that are, and how many empty ways were filled.
func firstFixed[S fixedWays](sets []S, b []uint64, shift uint8, writes uint64, out []uint64) (n, filled int) {
	for _, r := range b {
		line := r >> (shift & 63)
		set := &sets[line&uint64(len(sets)-1)]
		if (*set)[0] == line {
			if r&writes != 0 {
				(*set)[len(*set)-1] |= 1
			}
			continue
		}
		i, p := promote(set, line)
		d, w := (*set)[len(*set)-1], r&writes
		if i < len(*set)-1 {
			if d|w != 0 {
				upTo := uint64(2)<<(i&63) - 1
				(*set)[len(*set)-1] = d&^upTo | d<<1&upTo | d>>(i&63)&1 | w
			}
			continue
		}
		out[n] = line << 1
		n++
		if p == noTag {
			filled++
		}
		if d|w != 0 {
			(*set)[len(*set)-1] = d<<1&(1<<(len(*set)-1)-1) | w
			if d>>(len(*set)-2) != 0 {
				out[n] = p<<1 | sent
				n++
			}
		}
	}
	return n, filled
}

// furtherFixed is plainLevel.further for sets of a fixed number of ways: the same for a level further out, and what the level before it passes
// on. kept is the number of lines sent here that were found.
func furtherFixed[S fixedWays](sets []S, ops, out []uint64) (n, filled, kept int) {
	for _, op := range ops {
		line := op >> 1
		set := &sets[line&uint64(len(sets)-1)]
		if op&sent != 0 {
			i := 0
			for i < len(*set)-1 && (*set)[i] != line {
				i++
			}
			if i < len(*set)-1 {
				(*set)[len(*set)-1] |= 1 << (i & 63)
				kept++
			} else {
				out[n] = op
				n++
			}
			continue
		}
		if (*set)[0] == line {
			continue
		}
		i, p := promote(set, line)
		d := (*set)[len(*set)-1]
		if i < len(*set)-1 {
			if d != 0 {
				upTo := uint64(2)<<(i&63) - 1
				(*set)[len(*set)-1] = d&^upTo | d<<1&upTo | d>>(i&63)&1
			}
			continue
		}
		out[n] = op
		n++
		if p == noTag {
			filled++
		}
		if d != 0 {
			(*set)[len(*set)-1] = d << 1 & (1<<(len(*set)-1) - 1)
			if d>>(len(*set)-2) != 0 {
				out[n] = p<<1 | sent
				n++
			}
		}
	}
	return n, filled, kept
}

// promote makes a line, which is not the newest, the newest of its set. It gives the way where it was, or the number of
// ways, and what left for it. It is a function of its own for the sake of its registers.
//
//go:noinline
func promote[S fixedWays](set *S, line uint64) (way int, old uint64) {
	p := (*set)[0]
	(*set)[0] = line
	for i := 1; i < len(*set)-1; i++ {
		q := (*set)[i]
		(*set)[i] = p
		if q == line {
			return i, q
		}
		p = q
	}
	return len(*set) - 1, p
}
