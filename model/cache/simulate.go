package cache

// Simulator is one set-associative LRU cache that sees every access. Line numbers choose the set modulo the
// number of sets, which need not be a power of two.
type Simulator struct {
	sets     int64
	ways     int
	lines    []int64 // sets × ways, most recent first; −1 is empty
	Accesses int64
	Misses   int64
}

// NewSimulator makes an empty cache; the geometry must be valid.
func NewSimulator(g Geometry) *Simulator {
	s := &Simulator{sets: g.Lines / g.Ways, ways: int(g.Ways)}
	s.lines = make([]int64, s.sets*int64(s.ways))
	for i := range s.lines {
		s.lines[i] = -1
	}
	return s
}

// Touch accesses a line and tells whether it hit.
func (s *Simulator) Touch(line int64) bool {
	s.Accesses++
	set := line % s.sets * int64(s.ways)
	ways := s.lines[set : set+int64(s.ways)]
	for i, l := range ways {
		if l == line {
			copy(ways[1:i+1], ways[:i])
			ways[0] = line
			return true
		}
	}
	copy(ways[1:], ways)
	ways[0] = line
	s.Misses++
	return false
}

// HitRate is the share of accesses that hit.
func (s *Simulator) HitRate() float64 {
	if s.Accesses == 0 {
		return 0
	}
	return 1 - float64(s.Misses)/float64(s.Accesses)
}
