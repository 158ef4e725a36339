package reuse

import (
	"cmp"
	"slices"
)

const (
	// fewFollowed is the threshold above which following lines costs more than telling them apart. Chosen: one line in eight.
	fewFollowed = allLines / 8
	// expandedRun is how many accesses of a run are taken one by one at once. Chosen: half a batch.
	expandedRun = 256
)

// AddRun records accesses to from[i] + j·stride[i], of sizes[i] bytes, for j = 1 … times and, within each, for all i: what Add
// does with the first bytes of all lines that they touch, but without looking at each access.
func (s *Shards) AddRun(from, stride []uint64, sizes []uint32, times int) {
	if len(from) == 0 {
		return
	}
	most := int64(0) // lines touched at a time
	for _, b := range sizes {
		most += 2 + int64(b-1)>>s.shift
	}
	for done := 0; done < times; {
		n := 0
		if s.threshold < fewFollowed {
			n = min(times-done, int(s.idle()/most))
		}
		switch n {
		case 0:
			n = min(times-done, max(1, expandedRun/len(from)))
			s.expandRun(from, stride, sizes, done, n)
		case 1:
			s.once(from, stride, sizes, done+1)
		default:
			s.skipRun(from, stride, sizes, done, n)
		}
		done += n
	}
}

// idle is for how many accesses the head wants to see none.
func (s *Shards) idle() int64 {
	if s.head == nil {
		return 1 << 30
	}
	return s.head.idle()
}

// passed counts accesses that the head does not see.
func (s *Shards) passed(accesses int64) {
	s.seen += accesses
	if s.head != nil {
		s.head.now += accesses
	}
}

// expandRun adds n of the times of a run, access by access.
func (s *Shards) expandRun(from, stride []uint64, sizes []uint32, done, n int) {
	out := s.expanded[:0]
	for j := range n {
		for i, a := range from {
			a += uint64(done+j+1) * stride[i]
			last := (a + uint64(sizes[i]) - 1) >> s.shift
			for line := a >> s.shift; line <= last; line++ {
				out = append(out, line<<s.shift)
			}
		}
	}
	s.expanded = out
	s.Add(out)
}

// once adds one of the times of a run.
func (s *Shards) once(from, stride []uint64, sizes []uint32, j int) {
	shift, accesses := s.shift&63, int64(len(from))
	for i, a := range from {
		a += uint64(j) * stride[i]
		line, last := a>>shift, (a+uint64(sizes[i])-1)>>shift
		for ; ; line++ {
			if mix(line, s.seed)>>32 < s.threshold {
				s.add(line)
			}
			if line == last {
				break
			}
			accesses++
		}
	}
	s.passed(accesses)
}

// add follows a line.
func (s *Shards) add(line uint64) {
	s.pending[s.count] = line
	if s.count++; s.count >= batch {
		s.follow()
	}
}

// visit is the use of a followed line by a slot of a run, from one time to another.
type visit struct {
	from, to int
	slot     int
	line     uint64
}

// skipRun adds n of the times of a run: it finds the lines that each slot comes to, and looks at accesses to followed ones only.
func (s *Shards) skipRun(from, stride []uint64, sizes []uint32, done, n int) {
	s.visits = s.visits[:0]
	accesses := int64(n) * int64(len(from))
	for i := range from {
		accesses += s.slot(i, from[i]+uint64(done+1)*stride[i], stride[i], uint64(sizes[i]), n)
	}
	s.passed(accesses)
	if len(s.visits) == 0 {
		return
	}
	if len(s.visits) > 1 {
		slices.SortFunc(s.visits, func(a, b visit) int { return cmp.Compare(a.from, b.from) })
	}
	s.replay(n)
}

// replay follows the visits, of which some go on at the same time.
func (s *Shards) replay(n int) {
	rest, now := s.visits, s.current[:0]
	for j := 0; ; {
		if len(now) == 0 {
			if len(rest) == 0 {
				break
			}
			j = rest[0].from
		}
		for len(rest) > 0 && rest[0].from == j {
			v := rest[0]
			at := len(now)
			for at > 0 && (now[at-1].slot > v.slot || now[at-1].slot == v.slot && now[at-1].line > v.line) {
				at--
			}
			now, rest = slices.Insert(now, at, v), rest[1:]
		}
		until := n
		if len(rest) > 0 {
			until = rest[0].from
		}
		for _, v := range now {
			until = min(until, v.to+1)
		}
		for ; j < until; j++ {
			for _, v := range now {
				if mix(v.line, s.seed)>>32 < s.threshold { // it may have been lowered meanwhile
					s.add(v.line)
				}
			}
		}
		now = slices.DeleteFunc(now, func(v visit) bool { return v.to < j })
	}
	s.current = now
}

// slot gathers the visits of one slot of a run and gives how many lines its accesses touch but for their first.
func (s *Shards) slot(i int, a, stride, bytes uint64, n int) (more int64) {
	shift, line := s.shift&63, uint64(1)<<(s.shift&63)
	if stride+line > 2*line { // lines between are left out
		for j := range n {
			first, last := a>>shift, (a+bytes-1)>>shift
			for l := first; l <= last; l++ {
				if mix(l, s.seed)>>32 < s.threshold {
					s.visits = append(s.visits, visit{j, j, i, l})
				}
			}
			more += int64(last - first)
			a += stride
		}
		return more
	}
	end := a + uint64(n-1)*stride
	low, high := min(a, end)>>shift, (max(a, end)+bytes-1)>>shift
	for l := low; l <= high; l++ {
		if mix(l, s.seed)>>32 < s.threshold {
			s.visit(i, a, stride, bytes, l, n)
		}
	}
	if bytes&(bytes-1) == 0 && bytes <= line && (a|stride)&(bytes-1) == 0 {
		return 0
	}
	return straddles(a, stride, bytes, shift, n)
}

// visit gathers that of a line by a slot that moves by no more than a line.
func (s *Shards) visit(i int, a, stride, bytes, l uint64, n int) {
	shift := s.shift & 63
	low, high := int64(l<<shift-(bytes-1)-a), int64((l+1)<<shift-1-a) // of the first bytes of what touches it, from a
	v := visit{to: n - 1, slot: i, line: l}
	switch d := int64(stride); {
	case d > 0:
		v.from, v.to = int(max(0, low+d-1)/d), min(v.to, int(high/d))
	case d < 0:
		v.from, v.to = int(max(0, -high-d-1)/-d), min(v.to, int(-low/-d))
	}
	if v.from <= v.to {
		s.visits = append(s.visits, v)
	}
}

// straddles sums how many lines the accesses touch but for their first.
func straddles(a, stride, bytes uint64, shift uint8, n int) (sum int64) {
	count := func(n uint64) (sum int64) {
		for b := a; n > 0; n-- {
			sum += int64((b+bytes-1)>>shift - b>>shift)
			b += stride
		}
		return sum
	}
	line := uint64(1) << shift
	if stride&(line-1) == 0 {
		return int64(n) * count(1)
	}
	if step := uint64(max(int64(stride), -int64(stride))); line%step == 0 { // the same after so many
		period := line / step
		return int64(uint64(n)/period)*count(period) + count(uint64(n)%period)
	}
	return count(uint64(n))
}
