package cluster

import "math"

// Fabric is the links of a network and the routes over them.
type Fabric struct {
	Bandwidth []float64 // of each link, B/s
	Latency   []float64 // of each link, s
	Nodes     int

	route  func(from, to int, into []int32) []int32
	inside int32 // the first link of nodes to themselves
	cards  int32 // the first link of cards; −1: none
}

// Fabric lays out the links of a cluster.
func (c *Cluster) Fabric() *Fabric {
	n := &c.Network
	f := &Fabric{Nodes: c.Nodes.Value, cards: -1}
	latency, bandwidth := n.LatencyUS.Value*1e-6, n.BandwidthGBs.Value*1e9
	f.inside = f.nodeLinks(n.Node, 1)
	if n.NIC != nil {
		f.cards = f.nodeLinks(n.NIC, 2)
	}
	switch n.Topology {
	case FatTree:
		f.fatTree(n, latency, bandwidth)
	case Torus:
		f.torus(n.Dimensions, latency, bandwidth)
	case Dragonfly:
		f.dragonfly(*n.Groups, latency, bandwidth)
	default:
		first := f.add(2*f.Nodes, latency, bandwidth)
		f.route = func(from, to int, into []int32) []int32 {
			return append(into, first+int32(2*from), first+int32(2*to+1))
		}
	}
	return f
}

// add adds links of one kind, and gives the first.
func (f *Fabric) add(n int, latency, bandwidth float64) int32 {
	first := int32(len(f.Bandwidth))
	for range n {
		f.Bandwidth = append(f.Bandwidth, bandwidth)
		f.Latency = append(f.Latency, latency)
	}
	return first
}

// nodeLinks adds some links for each node. A node whose inside is not described copies at no cost.
func (f *Fabric) nodeLinks(l *Link, each int) int32 {
	latency, bandwidth := 0.0, math.Inf(1)
	if l != nil {
		latency, bandwidth = l.LatencyUS.Or(0)*1e-6, l.BandwidthGBs.Value*1e9
	}
	return f.add(each*f.Nodes, latency, bandwidth)
}

// Route appends the links from one node to another.
func (f *Fabric) Route(from, to int, into []int32) []int32 {
	if from == to {
		return append(into, f.inside+int32(from))
	}
	if f.cards >= 0 {
		into = append(into, f.cards+int32(2*from))
	}
	into = f.route(from, to, into)
	if f.cards >= 0 {
		into = append(into, f.cards+int32(2*to+1))
	}
	return into
}

// fatTree lays out levels of switches. Positions at a level have digits, the lowest first: below the level those of the switches that were
// chosen on the way up, above it those of the node. The way up is chosen by the node that it leads to (D mod K).
func (f *Fabric) fatTree(n *Network, latency, bandwidth float64) {
	levels := len(n.Up)
	radix := func(level, digit int) int {
		if digit < level {
			return n.Up[digit]
		}
		return n.Down[digit]
	}
	first := make([]int32, levels) // of the links up from each level; those down stand beside them
	for l := range levels {
		count := 1
		for d := range levels {
			count *= radix(l, d)
		}
		first[l] = f.add(2*count*n.Up[l]*n.parallel(l), latency, bandwidth)
	}
	position := func(level int, digits []int) int {
		at := 0
		for d := levels - 1; d >= 0; d-- {
			at = at*radix(level, d) + digits[d]
		}
		return at
	}
	link := func(level, below, port, direction int) int32 {
		return first[level] + int32(2*(below*n.Up[level]*n.parallel(level)+port)+direction)
	}
	f.route = func(from, to int, into []int32) []int32 {
		var room [2][16]int
		digits, target := split(from, n.Down, room[0][:0]), split(to, n.Down, room[1][:0])
		top := levels
		for top > 0 && digits[top-1] == target[top-1] {
			top--
		}
		k := to
		for l := range top {
			port := k % (n.Up[l] * n.parallel(l))
			into = append(into, link(l, position(l, digits), port, 0))
			digits[l] = port % n.Up[l]
			k /= n.Up[l]
		}
		for l := top - 1; l >= 0; l-- {
			chosen, cable := digits[l], from%n.parallel(l)
			digits[l] = target[l]
			into = append(into, link(l, position(l, digits), chosen+cable*n.Up[l], 1))
		}
		return into
	}
}

// split gives the digits of a number, the lowest first.
func split(number int, radix, into []int) []int {
	for _, r := range radix {
		into = append(into, number%r)
		number /= r
	}
	return into
}

// torus lays out a link each way between neighbours. Dimensions are gone through in order, each the shorter way round; half way round,
// up, but down to 0, as SimGrid does.
func (f *Fabric) torus(dimensions []int, latency, bandwidth float64) {
	first := f.add(2*f.Nodes*len(dimensions), latency, bandwidth)
	f.route = func(from, to int, into []int32) []int32 {
		stride := 1
		for d, size := range dimensions {
			at, target := from/stride%size, to/stride%size
			up := (target - at + size) % size
			step, direction := 1, 0
			if up > size/2 || 2*up == size && target == 0 {
				step, direction = size-1, 1
			}
			for at != target {
				next := (at + step) % size
				lower := from // whose link it is: up from the node, down to it
				if direction == 1 {
					lower = from + (next-at)*stride
				}
				into = append(into, first+int32(2*(lower*len(dimensions)+d)+direction))
				from += (next - at) * stride
				at = next
			}
			stride *= size
		}
		return into
	}
}
