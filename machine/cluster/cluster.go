// Package cluster describes machines that are joined by a network: how many nodes of which machine, and of the network the topology, the
// latency and bandwidth of its links, and how an MPI library uses it. Every value stands with its source, as those of a machine do.
//
// Topologies are crossbar (every node has one link each way to a switch that is never the bottleneck), fat tree (the parallel ports
// generalized fat tree of E. Zahavi: D-Mod-K routing providing non-blocking traffic for shift permutations on real life fat trees, 2010),
// torus (dimension order routing), and dragonfly (groups of all-to-all rows and columns, as the Cray Cascade of G. Faanes et al., SC12, with
// minimal routing).
//
// Units: latencies in µs, bandwidths in GB/s = 1e9 B/s, sizes in bytes; a link has its bandwidth each way.
package cluster

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"foresee/machine"
)

// Topologies.
const (
	Crossbar  = "crossbar"
	FatTree   = "fat-tree"
	Torus     = "torus"
	Dragonfly = "dragonfly"
)

// Value is a fact with its source.
type Value[T any] = machine.Value[T]

// Cluster is machines and the network between them.
type Cluster struct {
	Name         string      `yaml:"name"`
	Title        string      `yaml:"title,omitempty"`
	Notes        []string    `yaml:"notes,omitempty"`
	Nodes        *Value[int] `yaml:"nodes"`
	Machine      string      `yaml:"machine,omitempty"` // of a node: a name of the library, or a file
	RanksPerNode *Value[int] `yaml:"ranks_per_node,omitempty"`
	Network      Network     `yaml:"network"`
}

// Network is what joins the nodes.
type Network struct {
	Topology     string          `yaml:"topology"`
	Down         []int           `yaml:"down,omitempty"`       // fat tree: children of a switch, level by level from the nodes
	Up           []int           `yaml:"up,omitempty"`         // fat tree: switches above each, level by level
	Parallel     []int           `yaml:"parallel,omitempty"`   // fat tree: cables between a pair
	Dimensions   []int           `yaml:"dimensions,omitempty"` // torus: nodes along each
	Groups       *Group          `yaml:"groups,omitempty"`     // dragonfly
	LatencyUS    *Value[float64] `yaml:"latency_us"`           // of one link
	BandwidthGBs *Value[float64] `yaml:"bandwidth_gbs"`        // of one link, each way
	Node         *Link           `yaml:"node,omitempty"`       // between ranks of one node
	NIC          *Link           `yaml:"nic,omitempty"`        // of a node, each way, before its first link
	Software     Software        `yaml:"software,omitempty"`
	Sizes        []Size          `yaml:"sizes,omitempty"` // what becomes of latency and bandwidth by the size of a message
}

// Group is the shape of a dragonfly. Numbers of links multiply the bandwidth between a pair.
type Group struct {
	Groups       int `yaml:"groups"`
	GroupLinks   int `yaml:"group_links"`
	Chassis      int `yaml:"chassis"`
	ChassisLinks int `yaml:"chassis_links"`
	Routers      int `yaml:"routers"`
	RouterLinks  int `yaml:"router_links"`
	Nodes        int `yaml:"nodes"` // of a router
}

// Link is a latency and a bandwidth.
type Link struct {
	LatencyUS    *Value[float64] `yaml:"latency_us,omitempty"`
	BandwidthGBs *Value[float64] `yaml:"bandwidth_gbs,omitempty"`
}

// Software is how the MPI library uses the network.
type Software struct {
	Library           string          `yaml:"library,omitempty"` // openmpi or mpich: whose algorithms of collectives
	EagerBytes        *Value[int64]   `yaml:"eager_bytes,omitempty"`
	SendOverheadUS    *Value[float64] `yaml:"send_overhead_us,omitempty"`
	ReceiveOverheadUS *Value[float64] `yaml:"receive_overhead_us,omitempty"`
	// Handshake is how many latencies a message above eager_bytes costs before its data go.
	Handshake *Value[float64] `yaml:"handshake_latencies,omitempty"`
	// WindowBytes bounds a flow's rate by window / (2 latency), as TCP does.
	WindowBytes *Value[float64] `yaml:"window_bytes,omitempty"`
	// SharingByLatency says that flows share a link by the inverse of their latencies, as TCP's do; otherwise equally.
	SharingByLatency *Value[bool] `yaml:"sharing_by_latency,omitempty"`
	// ReduceGBs is how fast a rank combines what it received in a reduction.
	ReduceGBs *Value[float64] `yaml:"reduce_gbs,omitempty"`
}

// Size says what multiplies latency and bandwidth for messages from this many bytes.
type Size struct {
	From      int64   `yaml:"from"`
	Latency   float64 `yaml:"latency"`
	Bandwidth float64 `yaml:"bandwidth"`
	Source    string  `yaml:"source"`
}

// Bounds of what a file may describe. Chosen: larger than any cluster there is, and what fits a gigabyte of memory.
const (
	mostNodes = 1 << 20
	mostLinks = 1 << 24
)

// Parse reads a cluster file. name stands in the errors, which are all reported at once.
func Parse(name string, data []byte) (c *Cluster, err error) {
	defer func() {
		if r := recover(); r != nil { // the YAML library has panicked on broken input before
			c, err = nil, fmt.Errorf("%s: not a readable YAML file (%v)", name, r)
		}
	}()
	if len(data) > machine.MaxFile {
		return nil, fmt.Errorf("%s: larger than %d bytes, which no cluster file is", name, machine.MaxFile)
	}
	c = &Cluster{}
	if err := yaml.Load(data, c, yaml.WithKnownFields()); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if problems := c.check(); len(problems) > 0 {
		return nil, fmt.Errorf("%s: %w", name, errors.Join(problems...))
	}
	return c, nil
}

// check gives all that is wrong.
func (c *Cluster) check() (problems []error) {
	bad := func(format string, a ...any) { problems = append(problems, fmt.Errorf(format, a...)) }
	if c.Name == "" || strings.ContainsAny(c.Name, "/\\ \n") {
		bad("name: give one without spaces or slashes")
	}
	nodes, ok := c.Nodes.Get()
	if !ok || nodes < 1 || nodes > mostNodes {
		bad("nodes: give a number from 1 to %d", mostNodes)
	}
	n := &c.Network
	for _, v := range n.values() {
		switch {
		case v.value == nil && v.needed:
			bad("network.%s: it is missing", v.name)
		case v.value == nil:
		case !(v.value.Value >= v.low) || math.IsInf(v.value.Value, 0):
			bad("network.%s: %g is below %g, or no number", v.name, v.value.Value, v.low)
		case v.value.Source == "":
			bad("network.%s: it has no source; say where the value is from", v.name)
		}
	}
	if c.Nodes != nil && c.Nodes.Source == "" {
		bad("nodes: it has no source; say where the value is from")
	}
	if l := n.Software.Library; l != "" && l != "openmpi" && l != "mpich" {
		bad("network.software.library: %q is not known; say openmpi or mpich", l)
	}
	if e, ok := n.Software.EagerBytes.Get(); ok && e < 0 {
		bad("network.software.eager_bytes: %d is below 0", e)
	}
	if r, ok := c.RanksPerNode.Get(); ok && (r < 1 || r > mostNodes) {
		bad("ranks_per_node: give a number from 1")
	}
	problems = append(problems, n.checkSizes()...)
	if nodes > 0 {
		problems = append(problems, n.checkShape(nodes)...)
	}
	return problems
}

type namedValue struct {
	name   string
	value  *Value[float64]
	low    float64
	needed bool
}

// least is the lowest bandwidth that there may be; chosen: a byte in some minutes.
const least = 1e-11

// values are the numbers of a network, with the least that they may be.
func (n *Network) values() []namedValue {
	all := []namedValue{
		{"latency_us", n.LatencyUS, 0, true},
		{"bandwidth_gbs", n.BandwidthGBs, least, true},
		{"software.send_overhead_us", n.Software.SendOverheadUS, 0, false},
		{"software.receive_overhead_us", n.Software.ReceiveOverheadUS, 0, false},
		{"software.handshake_latencies", n.Software.Handshake, 0, false},
		{"software.window_bytes", n.Software.WindowBytes, 1, false},
		{"software.reduce_gbs", n.Software.ReduceGBs, least, false},
	}
	for name, l := range map[string]*Link{"node": n.Node, "nic": n.NIC} {
		if l != nil {
			all = append(all, namedValue{name + ".latency_us", l.LatencyUS, 0, false}, namedValue{name + ".bandwidth_gbs", l.BandwidthGBs, least, true})
		}
	}
	slices.SortStableFunc(all, func(a, b namedValue) int { return strings.Compare(a.name, b.name) })
	return all
}

func (n *Network) checkSizes() (problems []error) {
	last := int64(-1)
	for i, s := range n.Sizes {
		if s.From <= last || !(s.Latency > 0) || !(s.Bandwidth > 0) || math.IsInf(s.Latency, 0) || math.IsInf(s.Bandwidth, 0) || s.Source == "" {
			problems = append(problems, fmt.Errorf("network.sizes[%d]: give from in rising order, latency and bandwidth above 0, and a source", i))
		}
		last = s.From
	}
	if len(n.Sizes) > 0 && n.Sizes[0].From != 0 {
		problems = append(problems, errors.New("network.sizes: the first must be from: 0"))
	}
	return problems
}
