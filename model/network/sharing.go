package network

import "math"

// demand is what a flow asks of its links.
type demand struct {
	links  []int32
	weight float64 // its share is in proportion to
	bound  float64 // B/s that it can take at most
}

// sharer shares links max-min fairly among flows: no flow can have more without another having less that has no more by its weight. It fills
// progressively (D. Bertsekas, R. Gallager: Data Networks, 2nd ed., section 6.5.2): all rates rise in proportion to the weights until a link is
// full or a flow has what it can take; those flows are done, the others rise on. It has the room to do so again and again.
type sharer struct {
	local  []int32 // number here of each link, plus one; 0: not here
	links  []int32 // those that are here
	left   []float64
	weight []float64 // of the flows of each link that still rise
	users  [][]int32 // flows of each link
	flows  []demand
	done   []bool
}

// begin forgets the flows.
func (s *sharer) begin(links int) {
	for len(s.local) < links {
		s.local = append(s.local, 0)
	}
	for _, l := range s.links {
		s.local[l] = 0
	}
	s.links, s.left, s.weight, s.flows, s.done = s.links[:0], s.left[:0], s.weight[:0], s.flows[:0], s.done[:0]
}

func (s *sharer) addFlow(links []int32, weight, bound float64) {
	number := int32(len(s.flows))
	s.flows = append(s.flows, demand{links, weight, bound})
	s.done = append(s.done, false)
	for _, l := range links {
		if s.local[l] == 0 {
			s.links = append(s.links, l)
			s.local[l] = int32(len(s.links))
			s.left, s.weight = append(s.left, 0), append(s.weight, 0)
			if n := len(s.links); n > len(s.users) {
				s.users = append(s.users, nil)
			} else {
				s.users[n-1] = s.users[n-1][:0]
			}
		}
		here := s.local[l] - 1
		s.weight[here] += weight
		s.users[here] = append(s.users[here], number)
	}
}

// solve gives the rates of all flows.
func (s *sharer) solve(capacity, rates []float64) {
	for i, l := range s.links {
		s.left[i] = capacity[l]
	}
	for remaining := len(s.flows); remaining > 0; {
		level := s.level()
		if math.IsInf(level, 1) { // nothing holds back those that are left
			for i := range s.flows {
				if !s.done[i] {
					rates[i] = math.Inf(1)
				}
			}
			return
		}
		remaining -= s.fix(level, rates)
	}
}

// tolerance is how near to the level links and flows are taken to reach it together. Chosen: above what rounding adds up to, and below what
// a time is printed to.
const tolerance = 1e-12

// level is the rate by weight at which the next link is full, or the next flow has what it can take.
func (s *sharer) level() float64 {
	level := math.Inf(1)
	for i := range s.links {
		if s.weight[i] > 0 {
			level = min(level, s.left[i]/s.weight[i])
		}
	}
	for i := range s.flows {
		if !s.done[i] {
			level = min(level, s.flows[i].bound/s.flows[i].weight)
		}
	}
	return level
}

// fix ends the flows that rise no more at a level, and says how many.
func (s *sharer) fix(level float64, rates []float64) (n int) {
	reached := level * (1 + tolerance)
	for i := range s.flows {
		if !s.done[i] && s.flows[i].bound/s.flows[i].weight <= reached {
			rates[i] = s.flows[i].bound
			s.end(i, rates[i])
			n++
		}
	}
	for i := range s.links {
		if s.weight[i] <= 0 || s.left[i]/s.weight[i] > reached {
			continue
		}
		for _, f := range s.users[i] {
			if !s.done[f] {
				rates[f] = level * s.flows[f].weight
				s.end(int(f), rates[f])
				n++
			}
		}
		s.weight[i] = 0
	}
	return n
}

// end takes a flow's rate from its links.
func (s *sharer) end(flow int, rate float64) {
	s.done[flow] = true
	for _, l := range s.flows[flow].links {
		here := s.local[l] - 1
		s.left[here] = max(s.left[here]-rate, 0)
		s.weight[here] -= s.flows[flow].weight
		if s.weight[here] < tolerance*s.flows[flow].weight {
			s.weight[here] = 0
		}
	}
}
