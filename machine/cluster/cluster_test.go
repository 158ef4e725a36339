package cluster

import (
	"strings"
	"testing"
)

const head = `name: test
nodes: {value: NODES, source: here}
network:
  latency_us: {value: 1, source: here}
  bandwidth_gbs: {value: 10, source: here}
`

func parse(t testing.TB, nodes, network string) *Cluster {
	t.Helper()
	c, err := Parse("test.yaml", []byte(strings.Replace(head, "NODES", nodes, 1)+network))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// shapes are networks with how many links there are between two nodes, from the definition of the topology.
var shapes = []struct {
	name, nodes, network string
	hops                 func(from, to int) int
}{
	{"crossbar", "10", "  topology: crossbar\n", func(int, int) int { return 2 }},
	{"crossbar with cards", "10", "  topology: crossbar\n  nic: {bandwidth_gbs: {value: 5, source: here}}\n", func(int, int) int { return 4 }},
	{"fat tree", "24", "  topology: fat-tree\n  down: [4, 3, 2]\n  up: [1, 2, 3]\n  parallel: [1, 2, 1]\n", func(from, to int) int { // up to where both are below
		switch {
		case from/4 == to/4:
			return 2
		case from/12 == to/12:
			return 4
		}
		return 6
	}},
	{"torus", "60", "  topology: torus\n  dimensions: [3, 4, 5]\n", func(from, to int) int { // the shorter way round in each dimension
		hops := 0
		for _, size := range []int{3, 4, 5} {
			d := (to%size - from%size + size) % size
			hops += min(d, size-d)
			from, to = from/size, to/size
		}
		return hops
	}},
	{"dragonfly", "72", "  topology: dragonfly\n  groups: {groups: 3, group_links: 4, chassis: 3, chassis_links: 2, routers: 4, router_links: 1, nodes: 2}\n", func(from, to int) int {
		a, b := from/2, to/2
		groupA, chassisA, routerA, groupB, chassisB, routerB := a/12, a/4%3, a%4, b/12, b/4%3, b%4
		hops := 2
		if groupA != groupB { // to the router with the link, over it
			if routerA != groupB {
				hops++
			}
			if chassisA != 0 {
				hops++
			}
			hops++
			chassisA, routerA = 0, groupA
		}
		if routerA != routerB {
			hops++
		}
		if chassisA != chassisB {
			hops++
		}
		return hops
	}},
}

func TestRoutes(t *testing.T) {
	for _, shape := range shapes {
		c := parse(t, shape.nodes, shape.network)
		f := c.Fabric()
		if n := c.Network.linkCount(f.Nodes); n < len(f.Bandwidth) {
			t.Errorf("%s: %d links, counted %d", shape.name, len(f.Bandwidth), n)
		}
		used := map[int32]bool{}
		for from := range f.Nodes {
			for to := range f.Nodes {
				route := f.Route(from, to, nil)
				want := 1
				if from != to {
					want = shape.hops(from, to)
				}
				if len(route) != want {
					t.Fatalf("%s: %d links from %d to %d, want %d", shape.name, len(route), from, to, want)
				}
				seen := map[int32]bool{}
				for _, l := range route {
					if seen[l] || l < 0 || int(l) >= len(f.Bandwidth) {
						t.Fatalf("%s: route %v from %d to %d", shape.name, route, from, to)
					}
					seen[l], used[l] = true, true
				}
			}
		}
	}
}

// TestFatTreeIsNonBlocking wants the property that D mod K routing has on a tree with full bisection: of a shift of all nodes, no link
// carries two messages (E. Zahavi 2010).
func TestFatTreeIsNonBlocking(t *testing.T) {
	f := parse(t, "64", "  topology: fat-tree\n  down: [4, 4, 4]\n  up: [1, 4, 4]\n").Fabric()
	for shift := 1; shift < 64; shift++ {
		users := map[int32]int{}
		for from := range 64 {
			for _, l := range f.Route(from, (from+shift)%64, nil) {
				if users[l]++; users[l] > 1 {
					t.Fatalf("shift by %d: link %d carries two messages", shift, l)
				}
			}
		}
	}
}

func TestRefused(t *testing.T) {
	for _, test := range []struct{ nodes, network, why string }{
		{"10", "  topology: ring\n", `"ring" is not known`},
		{"10", "  topology: torus\n  dimensions: [2, 4]\n", "its shape has 8 nodes, but nodes says 10"},
		{"10", "  topology: fat-tree\n  down: [5, 2]\n  up: [1]\n", "as many numbers"},
		{"10", "  topology: torus\n  dimensions: [10, 0]\n", "its shape"},
		{"9", "  topology: torus\n  dimensions: [3, 3]\n  cables: 4\n", "cables"},
		{"0", "  topology: crossbar\n", "give a number from 1"},
		{"10", "  topology: crossbar\n  software: {eager_bytes: {value: -1, source: x}}\n", "below 0"},
		{"10", "  topology: crossbar\n  software: {library: lam}\n", "openmpi or mpich"},
		{"10", "  topology: crossbar\n  node: {bandwidth_gbs: {value: .inf, source: x}}\n", "no number"},
		{"10", "  topology: crossbar\n  nic: {bandwidth_gbs: {value: 3}}\n", "source"},
		{"10", "  topology: crossbar\n  sizes: [{from: 5, latency: 1, bandwidth: 1, source: x}]\n", "from: 0"},
		{"1000000", "  topology: fat-tree\n  down: [1000, 1000]\n  up: [1000, 1000]\n", "links"},
		{"24", "  topology: dragonfly\n  groups: {groups: 3, group_links: 1, chassis: 2, chassis_links: 1, routers: 2, router_links: 1, nodes: 2}\n", "routers in a chassis for 3 groups"},
	} {
		_, err := Parse("test.yaml", []byte(strings.Replace(head, "NODES", test.nodes, 1)+test.network))
		if err == nil || !strings.Contains(err.Error(), test.why) || !strings.Contains(err.Error(), "test.yaml") {
			t.Errorf("%s %q: %v, want %q", test.nodes, test.network, err, test.why)
		}
	}
}

// FuzzParse wants an error, or a network whose routes are inside.
func FuzzParse(f *testing.F) {
	for _, s := range shapes {
		f.Add([]byte(strings.Replace(head, "NODES", s.nodes, 1) + s.network))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Parse("fuzz.yaml", data)
		if err != nil || c.Nodes.Value > 1000 {
			return
		}
		fabric := c.Fabric()
		for _, l := range fabric.Route(0, fabric.Nodes-1, nil) {
			if l < 0 || int(l) >= len(fabric.Bandwidth) {
				t.Fatalf("link %d of %d", l, len(fabric.Bandwidth))
			}
		}
	})
}
