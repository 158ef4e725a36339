package cluster

import "fmt"

// checkShape wants the numbers that a topology needs, as many nodes as there are, and links that fit into memory.
func (n *Network) checkShape(nodes int) (problems []error) {
	bad := func(format string, a ...any) { problems = append(problems, fmt.Errorf("network."+format, a...)) }
	want := nodes
	switch n.Topology {
	case Crossbar:
	case FatTree:
		if len(n.Up) == 0 || len(n.Down) != len(n.Up) || len(n.Parallel) != 0 && len(n.Parallel) != len(n.Up) {
			bad("down, up, parallel: a fat tree needs as many numbers in each as it has levels")
			return problems
		}
		want = product(n.Down)
	case Torus:
		if len(n.Dimensions) == 0 {
			bad("dimensions: a torus needs the nodes along each dimension")
			return problems
		}
		want = product(n.Dimensions)
	case Dragonfly:
		if n.Groups == nil {
			bad("groups: a dragonfly needs its shape")
			return problems
		}
		want = product([]int{n.Groups.Groups, n.Groups.Chassis, n.Groups.Routers, n.Groups.Nodes})
		problems = append(problems, n.Groups.check()...)
	default:
		bad("topology: %q is not known; say %s, %s, %s or %s", n.Topology, Crossbar, FatTree, Torus, Dragonfly)
		return problems
	}
	if want != nodes {
		bad("topology: its shape has %d nodes, but nodes says %d", max(want, 0), nodes)
	}
	if len(problems) == 0 {
		if links := n.linkCount(nodes); links < 0 || links > mostLinks {
			bad("topology: its shape has more than %d links", mostLinks)
		}
	}
	return problems
}

// check wants what the routing needs: router n of a group has the link to group n.
func (g *Group) check() (problems []error) {
	for _, v := range []int{g.GroupLinks, g.ChassisLinks, g.RouterLinks} {
		if v < 1 || v > mostNodes {
			problems = append(problems, fmt.Errorf("network.groups: %d links; there is at least one", v))
		}
	}
	if g.Routers < g.Groups {
		problems = append(problems, fmt.Errorf("network.groups: %d routers in a chassis for %d groups; the router of a number has the link to the group of that number", g.Routers, g.Groups))
	}
	return problems
}

// product is −1 where a factor is below 1, or it is larger than any cluster.
func product(factors []int) int {
	all := 1
	for _, f := range factors {
		if f < 1 || f > mostNodes || all > mostNodes/f {
			return -1
		}
		all *= f
	}
	return all
}

// linkCount is how many links there are, −1 for too many.
func (n *Network) linkCount(nodes int) int {
	total := 3 * nodes // of each node: to itself, its card's out and in
	switch n.Topology {
	case Crossbar:
		total += 2 * nodes
	case FatTree:
		for l := range n.Up {
			level := product(append(append([]int{}, n.Up[:l]...), n.Down[l:]...))
			each := product([]int{n.Up[l], n.parallel(l)})
			if level < 0 || each < 0 || product([]int{level, each}) < 0 {
				return -1
			}
			total += 2 * level * each
		}
	case Torus:
		total += 2 * nodes * len(n.Dimensions)
	case Dragonfly:
		g := n.Groups
		routers := g.Groups * g.Chassis * g.Routers
		total += 2*nodes + routers*(g.Routers+g.Chassis) + g.Groups*g.Groups
	}
	return total
}

func (n *Network) parallel(level int) int {
	if len(n.Parallel) == 0 {
		return 1
	}
	return n.Parallel[level]
}
