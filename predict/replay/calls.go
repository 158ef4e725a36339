package replay

import (
	"foresee/application/messages"
	"foresee/model/network"
	"foresee/model/network/collective"
)

// form is what a call becomes.
type form struct {
	kind        network.Kind
	synchronous bool
	collective  collective.Kind
	request     bool // nonblocking: makes a request
}

// forms are the calls that are simulated. A nonblocking collective is done where it is called.
var forms = map[string]form{
	"Send": {kind: network.Send}, "Bsend": {kind: network.Send}, "Rsend": {kind: network.Send}, "Ssend": {kind: network.Send, synchronous: true},
	"Isend": {kind: network.Isend}, "Ibsend": {kind: network.Isend}, "Irsend": {kind: network.Isend}, "Issend": {kind: network.Isend, synchronous: true},
	"Recv": {kind: network.Recv}, "Irecv": {kind: network.Irecv},
	"Sendrecv": {kind: network.Sendrecv}, "Sendrecv_replace": {kind: network.Sendrecv},
	"Wait": {kind: network.Wait}, "Waitall": {kind: network.Wait}, "Waitany": {kind: network.Wait}, "Waitsome": {kind: network.Wait},
	"Barrier": collected(collective.Barrier), "Bcast": collected(collective.Bcast), "Reduce": collected(collective.Reduce),
	"Allreduce": collected(collective.Allreduce), "Gather": collected(collective.Gather), "Gatherv": collected(collective.Gather),
	"Scatter": collected(collective.Scatter), "Scatterv": collected(collective.Scatter), "Allgather": collected(collective.Allgather),
	"Allgatherv": collected(collective.Allgather), "Alltoall": collected(collective.Alltoall), "Alltoallv": collected(collective.Alltoall),
	"Alltoallw": collected(collective.Alltoall), "Reduce_scatter": collected(collective.ReduceScatter),
	"Reduce_scatter_block": collected(collective.ReduceScatter), "Scan": collected(collective.Scan), "Exscan": collected(collective.Scan),
}

func collected(k collective.Kind) form { return form{kind: network.Collective, collective: k} }

// agreements are calls in which the processes of a communicator agree on a new one: what they say is small, and an allreduce of its size.
var agreements = map[string]bool{
	"Comm_dup": true, "Comm_dup_with_info": true, "Comm_create": true, "Comm_split": true, "Comm_split_type": true, "Cart_create": true,
	"Cart_sub": true, "Graph_create": true, "Dist_graph_create": true, "Dist_graph_create_adjacent": true,
}

// agreementBytes is the size of an agreement. Chosen: a colour, a key and an identifier.
const agreementBytes = 16

// formOf is what a call becomes, and whether it is simulated.
func formOf(name string) (f form, ok bool) {
	if f, ok = forms[name]; ok {
		return f, true
	}
	if agreements[name] {
		return collected(collective.Allreduce), true
	}
	if len(name) > 1 && name[0] == 'I' { // Iallreduce is a nonblocking Allreduce
		blocking := string(name[1]-'a'+'A') + name[2:]
		if f, ok = forms[blocking]; ok && f.kind == network.Collective {
			f.request = true
			return f, true
		}
	}
	return form{}, false
}

// makesRequest says of a call that is not simulated whether it makes a request that others complete.
func makesRequest(name string) bool {
	switch name {
	case "Isendrecv", "Isendrecv_replace", "Imrecv", "Comm_idup":
		return true
	}
	return len(name) > 9 && name[:9] == "Ineighbor"
}

// op is the operation of a call.
func op(c *messages.Call, f form) network.Op {
	o := network.Op{
		Kind: f.kind, Synchronous: f.synchronous, Collective: f.collective, Bytes: c.EachBytes(), Ages: c.Completes,
		Peer: c.Peer, Tag: c.Tag, Source: c.Source, FromTag: c.SourceTag, Comm: c.Comm, Root: c.Root,
	}
	if agreements[c.Name] {
		o.Bytes = agreementBytes
	}
	return o
}
