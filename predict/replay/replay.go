package replay

import (
	"fmt"
	"math"
	"slices"

	"foresee/application/messages"
	"foresee/machine/cluster"
	"foresee/model/network"
	"foresee/model/network/collective"
	"foresee/predict"
)

// Options say how a recording is replayed.
type Options struct {
	Input        string
	Nodes        int     // that are used; 0: all
	RanksPerNode int     // 0: as the cluster says
	RoundRobin   bool    // ranks go round the nodes, not node by node
	Compute      string  // Wall, CPU or Median; "": CPU where ranks shared processors
	Factor       float64 // of the time between calls; 0: 1
	Library      string  // openmpi or mpich; "": as the cluster says, else as the recording does
	Noise        float64
	Seed         uint64
	MostEvents   int64

	part float64 // of a longer program, which the recording is; 0: all
}

// What the time between calls is.
const (
	Wall   = "wall"   // of the clock
	CPU    = "cpu"    // of the processor
	Median = "median" // of processor time over the repetitions: of a machine that is shared with others
)

// Schema names the JSON of a result.
const Schema = "foresee.replay/v1"

// Defaults where a cluster file says nothing. Eager: Open MPI's btl_tcp_eager_limit, and MPICH's ch3 over sockets are of this order. Handshake: a
// request and its answer.
const (
	defaultEager     = 64 << 10
	defaultHandshake = 2
)

// Run replays a recording on a cluster.
func Run(recorded *messages.Program, c *cluster.Cluster, o Options) (*Result, error) {
	if o.Factor == 0 {
		o.Factor = 1
	}
	place, err := newPlacement(c, len(recorded.Ranks), o)
	if err != nil {
		return nil, err
	}
	compute, warning := measuredBy(recorded, o.Compute)
	p := newProgram(recorded, compute, o.Factor)
	parameters := Parameters(c, library(c, recorded, o.Library))
	parameters.Node, parameters.Noise, parameters.Seed, parameters.MostEvents, parameters.Part = place.node, o.Noise, o.Seed, o.MostEvents, o.part
	simulated, err := network.Run(p, parameters)
	if err != nil {
		return nil, err
	}
	r := newResult(p, simulated, c, place, o)
	r.Library = []string{"openmpi", "mpich"}[parameters.Algorithms]
	r.Compute = compute
	r.Warnings = append(r.Warnings, recorded.Warnings...)
	if warning != "" {
		r.Warnings = append(r.Warnings, warning)
	}
	if said := jumped(recorded); said != "" && compute == Wall {
		r.Warnings = append(r.Warnings, said)
	}
	r.Warnings = append(r.Warnings, p.warnings()...)
	r.Warnings = append(r.Warnings, place.warnings...)
	return r, nil
}

// Parameters are those of the simulation of a cluster.
func Parameters(c *cluster.Cluster, algorithms collective.Library) network.Parameters {
	f, s := c.Fabric(), c.Network.Software
	p := network.Parameters{
		Fabric:     network.Fabric{Bandwidth: f.Bandwidth, Latency: f.Latency, Route: f.Route},
		Algorithms: algorithms, Eager: s.EagerBytes.Or(defaultEager), Handshake: s.Handshake.Or(defaultHandshake),
		SendOverhead: s.SendOverheadUS.Or(0) * 1e-6, ReceiveOverhead: s.ReceiveOverheadUS.Or(0) * 1e-6,
		Reduce: s.ReduceGBs.Or(0) * 1e9, Window: s.WindowBytes.Or(0), SharingByLatency: s.SharingByLatency.Or(false),
	}
	for _, one := range c.Network.Sizes {
		p.Factors = append(p.Factors, network.Factor{From: one.From, Latency: one.Latency, Bandwidth: one.Bandwidth})
	}
	return p
}

// library is whose algorithms the collectives have.
func library(c *cluster.Cluster, recorded *messages.Program, given string) collective.Library {
	for _, name := range []string{given, c.Network.Software.Library, recorded.MPI} {
		switch name {
		case "mpich":
			return collective.MPICH
		case "openmpi":
			return collective.OpenMPI
		}
	}
	return collective.OpenMPI
}

// measuredBy says which time stands for what ranks computed, and warns where neither that of the clock nor of the processor is right.
func measuredBy(p *messages.Program, given string) (compute, warning string) {
	if given != "" {
		return given, ""
	}
	ranks := map[string]int{}
	for _, r := range p.Ranks {
		ranks[r.Host]++
	}
	for _, r := range p.Ranks {
		if r.Processors > 0 && ranks[r.Host] > r.Processors {
			if r.Threads != "" && r.Threads != "1" {
				warning = "ranks had fewer processors than they were, and threads of their own: their processor time stands for what they computed, that of the main thread"
			}
			return CPU, warning
		}
	}
	return Wall, ""
}

// What a clock is that jumped: all ranks begin and end together, so that none has this many times as long a run as another, and as many seconds more. Chosen.
const (
	jumpedTimes   = 2
	jumpedSeconds = 1
)

// jumped warns of clocks by which a rank ran much longer than another.
func jumped(p *messages.Program) string {
	longest, shortest, of := 0.0, math.Inf(1), 0
	for r := range p.Ranks {
		all := p.Ranks[r].LastWall + spent(p.Ranks[r].Nodes)
		shortest = min(shortest, all)
		if all > longest {
			longest, of = all, r
		}
	}
	if longest > jumpedTimes*shortest && longest > shortest+jumpedSeconds {
		return fmt.Sprintf("by its clock rank %d ran for %.3g s, and another one for %.3g s: a clock has jumped, or the recording is not of a whole run; record it again, or take the time of the processor", of, longest, shortest)
	}
	return ""
}

// spent is the time of calls, and between them.
func spent(nodes []messages.Node) (s float64) {
	for i := range nodes {
		if nodes[i].Body != nil {
			s += spent(nodes[i].Body)
		} else {
			s += nodes[i].Wall + nodes[i].MPI
		}
	}
	return s
}

// placement is where the ranks run.
type placement struct {
	node     []int
	perNode  int
	nodes    int
	warnings []string
}

// TooManyError says that a cluster has no room for the ranks.
type TooManyError struct{ Ranks, Nodes, PerNode int }

func (e *TooManyError) Error() string {
	return fmt.Sprintf("%d ranks do not fit on %d nodes with %d ranks each", e.Ranks, e.Nodes, e.PerNode)
}

// Place gives the node of each rank.
func Place(c *cluster.Cluster, ranks int, o Options) ([]int, error) {
	p, err := newPlacement(c, ranks, o)
	if err != nil {
		return nil, err
	}
	return p.node, nil
}

// nodes are how many of a cluster are used.
func (o *Options) nodes(c *cluster.Cluster) int {
	if o.Nodes > 0 {
		return min(o.Nodes, c.Nodes.Value)
	}
	return c.Nodes.Value
}

// MostOnNode is how many ranks there are on the node that has most.
func MostOnNode(c *cluster.Cluster, ranks int, o Options) (int, error) {
	p, err := newPlacement(c, ranks, o)
	if err != nil {
		return 0, err
	}
	return min(ranks, p.perNode), nil
}

func newPlacement(c *cluster.Cluster, ranks int, o Options) (*placement, error) {
	nodes := o.nodes(c)
	p := &placement{node: make([]int, ranks), perNode: o.RanksPerNode}
	if p.perNode == 0 {
		p.perNode = c.RanksPerNode.Or(0)
	}
	if p.perNode == 0 {
		p.perNode = (ranks + nodes - 1) / nodes
		p.warnings = append(p.warnings, fmt.Sprintf("how many ranks a node has is not said: they are spread evenly over the nodes, %d on each", p.perNode))
	}
	if ranks > nodes*p.perNode {
		return nil, &TooManyError{ranks, nodes, p.perNode}
	}
	used := (ranks + p.perNode - 1) / p.perNode
	for r := range p.node {
		p.node[r] = r / p.perNode
		if o.RoundRobin {
			p.node[r] = r % used
		}
	}
	p.nodes = used
	return p, nil
}

func newResult(p *program, s *network.Result, c *cluster.Cluster, place *placement, o Options) *Result {
	r := &Result{
		Header:  predict.Header{Schema: Schema, Version: predict.Version, Input: o.Input, Warnings: []string{}},
		Cluster: c.Name, Ranks: len(s.Ranks), Nodes: place.nodes,
		RanksPerNode: place.perNode, ComputeFactor: o.Factor, Seconds: s.Seconds, Messages: s.Messages, Bytes: s.Bytes, Events: s.Events,
	}
	calls := make([]CallTime, len(p.names))
	for i, name := range p.names {
		calls[i].Call = name
	}
	for number, one := range s.Ranks {
		rank := RankTime{Rank: number, Seconds: one.Seconds, Compute: one.Compute}
		for l, seconds := range one.Labels {
			calls[l].add(seconds, one.Waiting[l], len(s.Ranks))
			rank.MPI += seconds
			rank.Waiting += one.Waiting[l]
		}
		rank.Idle = s.Seconds - one.Seconds
		r.ByRank = append(r.ByRank, rank)
		r.Mean.add(rank, len(s.Ranks))
	}
	calls = slices.DeleteFunc(calls, func(c CallTime) bool { return c.Mean == 0 && c.Max == 0 })
	slices.SortStableFunc(calls, byCost)
	r.Calls = append([]CallTime{}, calls...)
	r.Imbalance = imbalance(r.ByRank)
	return r
}
