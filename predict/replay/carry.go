package replay

import (
	"fmt"

	"foresee/application/messages"
	"foresee/application/messages/decomposition"
)

// Carry gives what a recorded program would do on another number of ranks.
func Carry(recorded *messages.Program, ranks int, problem decomposition.Problem) (*messages.Program, *Carried, error) {
	if ranks == len(recorded.Ranks) {
		return recorded, nil, nil
	}
	pattern, err := decomposition.Recognise(recorded)
	if err != nil {
		return nil, nil, err
	}
	carried, grid, err := pattern.At(ranks, problem)
	if err != nil {
		return nil, nil, err
	}
	said := "on %d ranks each does what it did on %d: as many bytes and as much computing, of a problem that grows with them"
	if problem == decomposition.Stays {
		said = "on %d ranks the problem is that of %d: each computes its part of it, at the same speed, and exchanges the faces of its part; what all ranks sum up or broadcast is as large as it was"
	}
	carried.Warnings = append(carried.Warnings, fmt.Sprintf(said, ranks, len(recorded.Ranks)))
	return carried, &Carried{Recorded: len(recorded.Ranks), From: pattern.Grid.String(), To: grid.String(), Problem: problem.String()}, nil
}
