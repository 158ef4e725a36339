package network

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"foresee/machine/cluster"
)

// point is a size of the ping-pong that noise left.
type point struct{ bytes, seconds float64 }

// line is a cost of messages from a size on: latency and seconds a byte.
type line struct {
	from          int64
	latency, each float64
}

// Describe makes a cluster of what was measured. What noise disturbed is left out, and a note says so; date is that of the measurement.
func (s *Samples) Describe(name, launcher, date string) (*cluster.Cluster, error) {
	d := &description{Samples: s, how: fmt.Sprintf("measured %s with foresee: %s", date, launcher)}
	nodes, each := s.placement()
	c := &cluster.Cluster{Name: name, Title: s.MPI, Nodes: value(nodes, "the nodes that the ranks were started on")}
	c.RanksPerNode = value(each, "as many as were started on a node")
	kind := Link
	if nodes == 1 {
		kind = Node
	}
	if err := d.route(c, kind); err != nil {
		return nil, err
	}
	d.within(c, kind)
	d.software(c, kind)
	d.check(c, kind)
	c.Notes = d.notes
	return c, nil
}

// description is what is being made.
type description struct {
	*Samples
	how   string
	notes []string
}

func (d *description) note(format string, args ...any) {
	d.notes = append(d.notes, fmt.Sprintf(format, args...))
}

func value[T any](v T, source string) *cluster.Value[T] {
	return &cluster.Value[T]{Value: v, Source: source}
}

// placement counts the nodes, and the ranks on the fullest.
func (s *Samples) placement() (nodes, each int) {
	ranks := map[string]int{}
	for _, h := range s.Hosts {
		ranks[h]++
		each = max(each, ranks[h])
	}
	return len(ranks), each
}

// points are the sizes of a route, ascending, without those that noise reached, which are noted.
func (d *description) points(kind string) []point {
	out, all := d.undisturbed(kind)
	if len(out) < all {
		d.note("of %d sizes of the ping-pong (%s) %d are left out, as noise reached all of their samples", all, kind, all-len(out))
	}
	return out
}

// undisturbed are the sizes of a route, ascending, without those that noise reached, and how many there were.
func (s *Samples) undisturbed(kind string) (out []point, all int) {
	for size, samples := range s.PingPong {
		if size.Kind != kind {
			continue
		}
		all++
		if t, ok := quiet(samples); ok {
			out = append(out, point{float64(size.Bytes), t})
		}
	}
	slices.SortFunc(out, func(a, b point) int { return cmp.Compare(a.bytes, b.bytes) })
	return out, all
}

// starts are the sizes at which a new piece of the line may begin, beside the one behind eager messages. Chosen: pieces of an order of magnitude.
var starts = []int64{0, 512, 8 << 10, 128 << 10, 1 << 20}

// pieces are the lines of a route.
func pieces(points []point, eager int64) []line {
	from := slices.Clone(starts)
	if eager > 0 {
		from = append(from, eager+1)
	}
	slices.Sort(from)
	var out []line
	for i, start := range from {
		end := math.Inf(1)
		if i+1 < len(from) {
			end = float64(from[i+1])
		}
		within := slices.DeleteFunc(slices.Clone(points), func(p point) bool { return p.bytes < float64(start) || p.bytes >= end })
		if one, ok := fit(within); ok {
			one.from = start
			out = append(out, one)
		}
	}
	if len(out) > 0 {
		out[0].from = 0
	}
	return out
}

// fit is the line through points whose relative deviations are least in squares, neither latency nor cost of a byte below zero.
func fit(points []point) (line, bool) {
	if len(points) < 2 {
		return line{}, false
	}
	var w, ws, wss, wt, wst float64
	for _, p := range points {
		weight := 1 / (p.seconds * p.seconds)
		w, ws, wss = w+weight, ws+weight*p.bytes, wss+weight*p.bytes*p.bytes
		wt, wst = wt+weight*p.seconds, wst+weight*p.bytes*p.seconds
	}
	determinant := w*wss - ws*ws
	if !(determinant > 0) {
		return line{}, false
	}
	one := line{latency: (wt*wss - wst*ws) / determinant, each: (w*wst - ws*wt) / determinant}
	if one.each <= 0 {
		one = line{latency: wt / w}
	}
	if one.latency < 0 {
		one = line{each: wst / wss}
	}
	return one, true
}

// NoiseError says that too little is left to describe a route.
type NoiseError struct{ Kind string }

func (e *NoiseError) Error() string {
	return fmt.Sprintf("noise reached the samples of most sizes of messages (%s), so that nothing can be said of them; measure again when nothing else runs, with a processor for each rank", e.Kind)
}

// route describes what is between ranks: latency from the smallest messages, bandwidth from the largest, and what becomes of them by size.
func (d *description) route(c *cluster.Cluster, kind string) error {
	points := d.points(kind)
	all := pieces(points, d.Eager[kind])
	if len(points) < 8 || len(all) < 2 || all[len(all)-1].each <= 0 {
		return &NoiseError{kind}
	}
	overhead := 0.0
	if t, ok := quiet(d.Call); ok && t < all[0].latency/2 {
		overhead = t
		c.Network.Software.SendOverheadUS = value(digits(1e6*t), d.how+": of a sender, messages of 8 bytes")
	} else {
		d.note("the time of a sender for a small message is left out: it is not told apart from the latency")
	}
	latency := max(all[0].latency-overhead, 1e-10)
	bandwidth := 1 / all[len(all)-1].each
	n := &c.Network
	n.Topology = cluster.Crossbar
	if kind == Link {
		n.LatencyUS = value(digits(1e6*latency/2), d.how+": half the time of the smallest messages one way, less that of the sender; from a node to the switch")
		n.BandwidthGBs = value(digits(bandwidth/1e9), d.how+": the largest messages of a ping-pong")
		d.note("how nodes are joined no ping-pong tells: they are taken to have a link each to one switch; say topology and its levels where they are known")
	} else {
		n.LatencyUS = value(digits(1e6*latency), "not measured, as all ranks were on one node: that within the node")
		n.BandwidthGBs = value(digits(bandwidth/1e9), "not measured, as all ranks were on one node: that within the node")
		n.Node = &cluster.Link{LatencyUS: value(digits(1e6*latency), d.how+": the smallest messages one way, less the time of the sender"), BandwidthGBs: value(digits(bandwidth/1e9), d.how+": the largest messages of a ping-pong")}
		d.note("all ranks were on one node: of a network between nodes nothing is known")
		d.shared(kind)
	}
	d.sizes(c, all, kind, latency, overhead, bandwidth)
	if kind == Link {
		d.pairs(c, bandwidth, latency*n.Sizes[len(n.Sizes)-1].Latency)
	}
	return nil
}

// leastFactor of a latency, which must be above zero; chosen.
const leastFactor = 1e-3

// digits rounds to four, which is more than a measurement tells.
func digits(v float64) float64 {
	if v == 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return 0
	}
	scale := math.Pow(10, 3-math.Floor(math.Log10(math.Abs(v))))
	return math.Round(v*scale) / scale
}

// sizes says what becomes of latency and bandwidth by size: each piece of the line over the first's latency and the last's bandwidth. A handshake is what
// the first piece behind the eager messages has beyond the latency.
func (d *description) sizes(c *cluster.Cluster, all []line, kind string, latency, overhead, bandwidth float64) {
	handshake := 0.0
	eager, known := d.Eager[kind]
	for _, l := range all {
		if known && l.from > eager {
			handshake = max(digits((l.latency-overhead)/latency-1), 0)
			c.Network.Software.Handshake = value(handshake, d.how+": what messages above eager_bytes take beyond the latency")
			break
		}
	}
	for i, l := range all {
		one := latency
		if known && l.from > eager {
			one *= 1 + handshake
		}
		faster := 1e3 // a byte that costs nothing
		if l.each > 0 {
			faster = min(faster, 1/l.each/bandwidth)
		}
		size := cluster.Size{From: l.from, Latency: max(digits((l.latency-overhead)/one), leastFactor), Bandwidth: max(digits(faster), 1e-6), Source: d.how + ": ping-pong"}
		if i == 0 {
			size.Latency = 1
		}
		c.Network.Sizes = append(c.Network.Sizes, size)
	}
}

// stream is what pairs of a kind carry together, in B/s, by their number.
func (d *description) stream(kind string) map[int]float64 {
	out := map[int]float64{}
	for p, samples := range d.Samples.Pairs {
		if t, ok := quiet(samples); ok && p.Kind == kind {
			out[p.Count] = float64(p.Count) * float64(p.Bytes) / t
		}
	}
	return out
}

// pairs describes the link by what all pairs carry together, where that is more than one does: one is then bound by a window, over the latency that the
// largest messages have.
func (d *description) pairs(c *cluster.Cluster, bandwidth, latency float64) {
	carried := d.stream(Link)
	most, count := 0.0, 0
	for n, rate := range carried {
		if rate > most || rate == most && n < count {
			most, count = rate, n
		}
	}
	if most == 0 {
		d.note("what pairs of ranks carry together is left out, as noise reached it: the link is taken to carry what one pair does")
		return
	}
	if most < 1.1*bandwidth {
		return
	}
	c.Network.BandwidthGBs = value(digits(most/1e9), fmt.Sprintf("%s: %d pairs at once, streams of 1 MiB", d.how, count))
	c.Network.Software.WindowBytes = value(digits(bandwidth*2*latency), d.how+": derived, so that one pair has the bandwidth of its ping-pong")
}

// shared notes what pairs within a node carry together, as it is the node's memory that they share.
func (d *description) shared(kind string) {
	carried := d.stream(kind)
	var counts []int
	for n := range carried {
		counts = append(counts, n)
	}
	slices.Sort(counts)
	var said []string
	for _, n := range counts {
		said = append(said, fmt.Sprintf("%d: %.3g GB/s", n, carried[n]/1e9))
	}
	if len(said) > 0 {
		d.note("pairs of ranks within a node that stream at once, together: %s", strings.Join(said, ", "))
	}
}

// within describes what is between ranks of a node, where nodes are described as well.
func (d *description) within(c *cluster.Cluster, kind string) {
	if kind == Node {
		return
	}
	points := d.points(Node)
	all := pieces(points, d.Eager[Node])
	if len(points) < 8 || len(all) < 2 || all[len(all)-1].each <= 0 {
		d.note("what is between ranks of a node is left out: no node had two ranks, or noise reached it; replay takes it to cost nothing")
		return
	}
	c.Network.Node = &cluster.Link{
		LatencyUS:    value(digits(1e6*all[0].latency), d.how+": the smallest messages one way within a node"),
		BandwidthGBs: value(digits(1/all[len(all)-1].each/1e9), d.how+": the largest messages of a ping-pong within a node"),
	}
	d.shared(Node)
}

// software describes what the MPI library does.
func (d *description) software(c *cluster.Cluster, kind string) {
	sw := &c.Network.Software
	switch name := strings.ToLower(d.MPI); {
	case strings.Contains(name, "open mpi"):
		sw.Library = "openmpi"
	case strings.Contains(name, "mpich"), strings.Contains(name, "mvapich"), strings.Contains(name, "intel"):
		sw.Library = "mpich"
	default:
		d.note("the collectives of %q are not known; those of the recording's library are taken", d.MPI)
	}
	if eager, known := d.Eager[kind]; known {
		sw.EagerBytes = value(eager, d.how+": the largest message whose sender did not wait for its receive")
	} else {
		d.note("from which size on a message waits for its receive is left out, as two answers differed")
	}
	if t, ok := quiet(d.Reduce); ok {
		sw.ReduceGBs = value(digits(float64(d.ReducedBy)/t/1e9), d.how+": MPI_Reduce_local of doubles")
	} else {
		d.note("the speed of reductions is left out, as noise reached it")
	}
}

// check notes how well the description gives back the ping-pong, and what allreduces took, which nothing was made from.
func (d *description) check(c *cluster.Cluster, kind string) {
	mean, worst, n := d.deviation(c, kind)
	d.note("the description gives back the ping-pong (%s) to %.1f %% in the mean, %.0f %% at worst, over %d sizes", kind, 100*mean, 100*worst, n)
	var sizes []int64
	for bytes := range d.Allreduce {
		sizes = append(sizes, bytes)
	}
	slices.Sort(sizes)
	var said []string
	for _, bytes := range sizes {
		if t, ok := quiet(d.Allreduce[bytes]); ok {
			said = append(said, fmt.Sprintf("%d bytes %.3g µs", bytes, 1e6*t))
		}
	}
	if len(said) > 0 {
		d.note("MPI_Allreduce of all %d ranks, which nothing is made from: %s", len(d.Hosts), strings.Join(said, ", "))
	}
}

// deviation is how far the times of a described route are from those of the ping-pong.
func (d *description) deviation(c *cluster.Cluster, kind string) (mean, worst float64, n int) {
	net := &c.Network
	latency, bandwidth := 2*net.LatencyUS.Value*1e-6, net.BandwidthGBs.Value*1e9
	if kind == Node {
		latency, bandwidth = net.Node.LatencyUS.Value*1e-6, net.Node.BandwidthGBs.Value*1e9
	}
	points, _ := d.undisturbed(kind)
	for _, p := range points {
		one := net.Sizes[0]
		for _, s := range net.Sizes {
			if float64(s.From) <= p.bytes {
				one = s
			}
		}
		l := latency * one.Latency
		if p.bytes > float64(net.Software.EagerBytes.Or(math.MaxInt64)) {
			l *= 1 + net.Software.Handshake.Or(0)
		}
		rate := min(bandwidth*one.Bandwidth, net.Software.WindowBytes.Or(math.Inf(1))/(2*latency*one.Latency))
		off := math.Abs((net.Software.SendOverheadUS.Or(0)*1e-6+l+p.bytes/rate)/p.seconds - 1)
		mean, worst, n = mean+off, max(worst, off), n+1
	}
	return mean / float64(max(n, 1)), worst, n
}
