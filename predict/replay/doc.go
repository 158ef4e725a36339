// Package replay predicts how long a recorded MPI program takes on a described cluster: what its ranks computed between their calls, scaled, and
// their messages over the network, simulated by package model/network. It says where the time goes: to computing, to messages between pairs,
// to each collective, and of these to waiting for others.
package replay
