// Package network simulates what the ranks of an MPI program say to each other over a network: a deterministic simulation of discrete
// events, as that of the Simian engine under PPT (N. Santhi, S. Eidenbenz, J. Liu: The Simian concept, WSC 2015) and of SimGrid's SMPI
// (A. Degomme et al.: Simulating MPI applications: the SMPI approach, TPDS 28, 2017), whose model of messages this is:
//
//   - A message pays the latency of its route, then its bytes flow. Flows share the links of their routes max-min fairly, weighted equally or by
//     the inverse of latency (H. Casanova, L. Marchal: A network model for simulation of grid application, 2002).
//   - Up to the eager limit, a message goes when it is sent, and its sender goes on. Above, it goes when its receive is posted, after a handshake,
//     and the sender's request completes with it.
//   - Messages match receives by communicator, source and tag, in order, with wildcards.
//   - Collectives are the algorithms that Open MPI or MPICH choose, message by message (package collective).
//
// Where more flows than [Parameters.Exact] share links among each other, or solving for some hundreds at each change has taken long, a flow's rate is the least of its links' equal shares, which is what
// max-min sharing never falls below, and what it is where no flow is held back elsewhere.
//
// Times are in s, sizes in bytes, rates in B/s.
package network
