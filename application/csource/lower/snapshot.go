package lower

import "maps"

// snapshot gives a function that brings the lowerer back to what it is now, but for the loop variables that were made since, whose numbers stay taken.
func (l *lowerer) snapshot() (restore func()) {
	saved, known, size := *l, l.Save(), len(*l.out)
	hidden, inside, inlining := maps.Clone(l.Hidden), maps.Clone(l.Inside), maps.Clone(l.Inlining)
	why, released, unstable := maps.Clone(l.Why), maps.Clone(l.Released), maps.Clone(l.Unstable)
	return func() {
		ranges, limits := l.Ranges, l.Limits
		*l = saved
		l.Ranges, l.Limits = ranges, limits
		l.Restore(known)
		l.Hidden, l.Inside, l.Inlining = hidden, inside, inlining
		l.Why, l.Released, l.Unstable = why, released, unstable
		*l.out = (*l.out)[:size]
		l.stmt, l.live, l.once = nil, nil, -1
	}
}
