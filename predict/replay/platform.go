package replay

import (
	"fmt"
	"io"
	"strings"

	"foresee/machine/cluster"
)

// Platform writes a cluster as a platform of SimGrid, whose hosts do so many operations a second and are called n0, n1, …. What it says and
// SimGrid does not know: cards (their bandwidth becomes that of the first link where links are wider), overheads, which SimGrid takes as options.
func Platform(w io.Writer, c *cluster.Cluster, speed float64) error {
	n := &c.Network
	bandwidth := n.BandwidthGBs.Value
	if n.NIC != nil {
		bandwidth = min(bandwidth, n.NIC.BandwidthGBs.Value)
	}
	shape := map[string]string{cluster.FatTree: "FAT_TREE", cluster.Torus: "TORUS", cluster.Dragonfly: "DRAGONFLY"}[n.Topology]
	if shape != "" {
		shape = fmt.Sprintf(` topology="%s" topo_parameters="%s"`, shape, parameters(n))
	}
	inside := `loopback_bw="1e15Bps" loopback_lat="0s"` // copies inside of a node at no cost
	if n.Node != nil {
		inside = fmt.Sprintf(`loopback_bw="%gBps" loopback_lat="%gus"`, n.Node.BandwidthGBs.Value*1e9, n.Node.LatencyUS.Or(0))
	}
	_, err := fmt.Fprintf(w, "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n"+
		"  <cluster id=\"cluster\"%s prefix=\"n\" suffix=\"\" radical=\"0-%d\" speed=\"%gf\" bw=\"%gBps\" lat=\"%gus\" %s/>\n</platform>\n",
		shape, c.Nodes.Value-1, speed, bandwidth*1e9, n.LatencyUS.Value, inside)
	return err
}

// parameters are those of SimGrid's topologies.
func parameters(n *cluster.Network) string {
	switch n.Topology {
	case cluster.FatTree:
		parallel := n.Parallel
		if len(parallel) == 0 {
			for range n.Up {
				parallel = append(parallel, 1)
			}
		}
		return fmt.Sprintf("%d;%s;%s;%s", len(n.Up), list(n.Down), list(n.Up), list(parallel))
	case cluster.Torus:
		return list(n.Dimensions)
	}
	g := n.Groups
	return fmt.Sprintf("%d,%d;%d,%d;%d,%d;%d", g.Groups, g.GroupLinks, g.Chassis, g.ChassisLinks, g.Routers, g.RouterLinks, g.Nodes)
}

func list(numbers []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers), " ", ","), "[]")
}

// SMPIFlags are the options with which SMPI has the model of messages that Run has.
func SMPIFlags(c *cluster.Cluster, library string) []string {
	p := Parameters(c, 0)
	flags := []string{
		"--cfg=network/model:CM02", "--cfg=network/crosstraffic:0", fmt.Sprintf("--cfg=network/TCP-gamma:%g", max(p.Window, 0)),
		fmt.Sprintf("--cfg=smpi/async-small-thresh:%d", p.Eager+1), fmt.Sprintf("--cfg=smpi/send-is-detached-thresh:%d", p.Eager+1),
		"--cfg=smpi/coll-selector:" + map[string]string{"mpich": "mpich"}[library],
	}
	if library != "mpich" {
		flags[len(flags)-1] = "--cfg=smpi/coll-selector:ompi"
	}
	if p.Window == 0 {
		flags[2] = "--cfg=network/TCP-gamma:1e30" // no bound
	}
	var latencies, bandwidths []string
	for _, f := range p.Factors {
		latencies = append(latencies, fmt.Sprintf("%d:%g", f.From, f.Latency))
		bandwidths = append(bandwidths, fmt.Sprintf("%d:%g", f.From, f.Bandwidth))
	}
	if len(latencies) > 0 { // which the model SMPI alone has, of whose other parts there is none here
		flags[0] = "--cfg=network/model:SMPI"
		flags = append(flags, "--cfg=network/weight-S:0", "--cfg=smpi/lat-factor:"+strings.Join(latencies, ";"), "--cfg=smpi/bw-factor:"+strings.Join(bandwidths, ";"))
	}
	return flags
}
