package nest

import (
	"foresee/application/nest/expr"
)

// touchMap bounds, for one team loop, the bytes of each object that each thread can touch: by object, then by
// thread. A range with Hi < Lo is empty.
type touchMap [][]expr.Range

// findTouches fills the maps of all team loops.
func (s *Stream) findTouches() {
	m := s.model
	s.touches = make([]touchMap, len(m.loops))
	s.inTeam = make([][][]*access, len(m.loops))
	for _, a := range m.accesses {
		d := teamDepth(a)
		if d < 0 {
			continue
		}
		n := a.path[d].number
		if s.touches[n] == nil {
			s.touches[n] = make(touchMap, len(m.objects))
			s.inTeam[n] = make([][]*access, len(m.objects))
		}
		s.inTeam[n][a.object] = append(s.inTeam[n][a.object], a)
		s.touches[n][a.object] = a.widen(s.touches[n][a.object], d, s.options.Threads)
	}
}

// widen adds to ranges, by thread, what a touches when the loop at depth d is at that thread.
func (a *access) widen(ranges []expr.Range, d, threads int) []expr.Range {
	if ranges == nil {
		ranges = make([]expr.Range, threads)
		for i := range ranges {
			ranges[i] = expr.Range{Lo: 1, Hi: 0}
		}
	}
	var z solver
	for t := range ranges {
		z.prepare(&a.system, 0)
		z.lo[d], z.hi[d] = int64(t), int64(t)
		if !z.narrow() {
			continue
		}
		r := expr.Range{Lo: a.system.window.k, Hi: a.system.window.k}
		for i, p := range a.system.window.at {
			co := a.system.window.co[i]
			lo, hi := co*z.lo[p], co*z.hi[p]
			r.Lo += min(lo, hi)
			r.Hi += max(lo, hi)
		}
		if ranges[t].Hi < ranges[t].Lo {
			ranges[t] = r
		}
		ranges[t] = expr.Range{Lo: min(ranges[t].Lo, r.Lo), Hi: max(ranges[t].Hi, r.Hi)}
	}
	return ranges
}

// mayTouch tells whether thread t can touch the line beginning at byte line of an object in a phase.
func (s *Stream) mayTouch(team *loop, t int64, object int, line int64) bool {
	ranges := s.touches[team.number][object]
	if ranges == nil {
		return false
	}
	r := ranges[t]
	return r.Lo < line+s.model.line && r.Hi >= line
}
