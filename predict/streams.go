package predict

// streams tell lines that follow one another, which hardware prefetchers have ready, from lines far apart. A miss is in
// sequence where one of the last misses of the same thread was at a neighbouring line.
type streams struct {
	recent [][recentMisses]uint64 // by thread
	next   []int
	levels int
	found  map[int]*sequences // by region
}

// recentMisses is about the number of streams that prefetchers follow.
const recentMisses = 16

// sequences count misses by the level that serves them, the last being memory.
type sequences struct{ all, straight []int64 }

func newStreams(threads, levels int) *streams {
	return &streams{recent: make([][recentMisses]uint64, threads), next: make([]int, threads), levels: levels, found: map[int]*sequences{}}
}

// miss counts a line that a level other than the first one served.
func (s *streams) miss(thread int, line uint64, served, region int) {
	of := s.found[region]
	if of == nil {
		of = &sequences{make([]int64, s.levels+1), make([]int64, s.levels+1)}
		s.found[region] = of
	}
	of.all[served]++
	recent := &s.recent[thread]
	for i := range recent {
		if d := line - recent[i]; d+2 <= 4 && d != 0 { // −2 to 2
			of.straight[served]++
			recent[i] = line
			return
		}
	}
	recent[s.next[thread]%recentMisses] = line
	s.next[thread]++
}

// share of the lines served by a level that came in sequence.
func (s *streams) share(region, served int) float64 {
	of := s.found[region]
	if of == nil || of.all[served] == 0 {
		return 0
	}
	return float64(of.straight[served]) / float64(of.all[served])
}
