package replay

import (
	"fmt"

	"foresee/application/messages"
	"foresee/application/messages/decomposition"
)

// Carry gives what a recorded program would do on another number of ranks.
func Carry(recorded *messages.Program, ranks int) (*messages.Program, *Carried, error) {
	if ranks == len(recorded.Ranks) {
		return recorded, nil, nil
	}
	pattern, err := decomposition.Recognise(recorded)
	if err != nil {
		return nil, nil, err
	}
	carried, grid, err := pattern.At(ranks)
	if err != nil {
		return nil, nil, err
	}
	carried.Warnings = append(carried.Warnings, fmt.Sprintf("on %d ranks each does what it did on %d: as many bytes and as much computing, of a problem that grows with them", ranks, len(recorded.Ranks)))
	return carried, &Carried{Recorded: len(recorded.Ranks), From: pattern.Grid.String(), To: grid.String()}, nil
}
