package scale

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"foresee/application/counters"
	"foresee/model/scaling"
)

// How ranks are called that share a node, and the nodes.
var (
	perNodeNames = []string{"ranks_per_node", "rpn", "ppn", "tasks_per_node", "procs_per_node", "cores_per_node", "threads"}
	nodeNames    = []string{"nodes", "nnodes"}
)

// perNode is the place of the parameter that tells how many ranks or threads share a node, where the number of nodes is known apart; −1 where it is
// not.
func perNode(parameters []string) int {
	if len(parameters) == 0 || !slices.Contains(nodeNames, strings.ToLower(parameters[0])) {
		return -1
	}
	return slices.IndexFunc(parameters, func(name string) bool { return slices.Contains(perNodeNames, strings.ToLower(name)) })
}

// fewestNodes is how many numbers of nodes with one number of ranks on each are enough to go on with them alone.
const fewestNodes = 3

// sameNodes keeps the points whose nodes are used as those asked for, where these are enough: what shares a node's memory follows its own law, which
// says nothing of further nodes. It says in words what it left out.
func sameNodes(set *counters.Set, points [][]float64) (*counters.Set, string) {
	at := perNode(set.Parameters)
	if at < 0 || len(points) == 0 {
		return set, ""
	}
	asked := points[0][at]
	for _, p := range points {
		if p[at] != asked {
			return set, ""
		}
	}
	kept := restricted(set, func(m []float64) bool { return m[at] == asked })
	if distinct(kept) < fewestNodes || distinct(kept) == distinct(set) && !varies(set, at) {
		return set, fmt.Sprintf("only %d numbers of nodes were measured with %s=%g; how a node is filled and how many nodes there are follow laws of their own, and both are put together from all runs", distinct(kept), set.Parameters[at], asked)
	}
	kept.Warnings = set.Warnings
	if !varies(set, at) {
		return kept, ""
	}
	return kept, fmt.Sprintf("only runs with %s=%g are used, as asked for: how a node is filled says nothing of more nodes", set.Parameters[at], asked)
}

// varies says whether a parameter has more than one value.
func varies(set *counters.Set, j int) bool {
	_, one := only(set, j)
	return !one
}

// What a node that is full looks like in a series over one number of processes. Chosen.
const (
	hardlyFaster = -0.5 // power of p above which more ranks hardly help
	largestNode  = 256  // ranks that a node may have
)

// oneNode warns where a time stops falling among so few ranks that one node may hold them, while more are asked for than one node may hold: its
// memory may be what they wait for, of which more nodes have more.
func oneNode(total *scaling.Series, asked float64) string {
	if len(total.Parameters) != 1 || slices.Contains(nodeNames, strings.ToLower(total.Parameters[0])) || len(total.Y) < 2 {
		return ""
	}
	last := len(total.Y) - 1
	p, before := total.At[last][0], total.At[last-1][0]
	slope := math.Log(total.Y[last]/total.Y[last-1]) / math.Log(p/before)
	first := math.Log(total.Y[1]/total.Y[0]) / math.Log(total.At[1][0]/total.At[0][0])
	if p > largestNode || asked <= p || slope < hardlyFaster || first > hardlyFaster {
		return ""
	}
	return fmt.Sprintf("from %s=%g to %g the time hardly falls any more. If these ran on one node, they may wait for its memory, and further nodes bring more; tell nodes and ranks_per_node apart as parameters, with three numbers of full nodes", total.Parameters[0], before, p)
}
