package cluster

// dragonfly lays out groups of chassis of routers of nodes. Routers of one chassis are joined all to all, so are those of one number in the
// chassis of a group, and router n of the first chassis of each group has the link to group n. Routes are minimal.
func (f *Fabric) dragonfly(g Group, latency, bandwidth float64) {
	routers := g.Groups * g.Chassis * g.Routers
	nodes := f.add(2*f.Nodes, latency, bandwidth)
	green := f.add(routers*g.Routers, latency, bandwidth*float64(g.RouterLinks))  // to the router of that number in the chassis
	black := f.add(routers*g.Chassis, latency, bandwidth*float64(g.ChassisLinks)) // to the chassis of that number
	blue := f.add(g.Groups*g.Groups, latency, bandwidth*float64(g.GroupLinks))    // to the group of that number
	at := func(group, chassis, router int) int { return (group*g.Chassis+chassis)*g.Routers + router }
	f.route = func(from, to int, into []int32) []int32 {
		here, there := from/g.Nodes, to/g.Nodes
		into = append(into, nodes+int32(2*from))
		group, chassis, router := here/(g.Chassis*g.Routers), here/g.Routers%g.Chassis, here%g.Routers
		toGroup, toChassis, toRouter := there/(g.Chassis*g.Routers), there/g.Routers%g.Chassis, there%g.Routers
		within := func(next int) {
			if next != router {
				into = append(into, green+int32(at(group, chassis, router)*g.Routers+next))
				router = next
			}
		}
		across := func(next int) {
			if next != chassis {
				into = append(into, black+int32(at(group, chassis, router)*g.Chassis+next))
				chassis = next
			}
		}
		if group != toGroup {
			within(toGroup)
			across(0)
			into = append(into, blue+int32(group*g.Groups+toGroup))
			router, group = group, toGroup
		}
		within(toRouter)
		across(toChassis)
		return append(into, nodes+int32(2*to+1))
	}
}
