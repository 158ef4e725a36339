package recording_test

import (
	"errors"
	"fmt"
	"io"
	"os"

	"foresee/application/recording"
	"foresee/application/trace"
)

// One recorded run of a stencil, whose rows are dealt in chunks, as the accesses of one thread and of four: the last one gets fewer chunks, and what
// each thread does for itself is done four times.
//
// 20 sweeps over 28 rows of 28 points, which are computed two at once, in 7 chunks of 4 rows: a row has 4·14 + 1 loads and 14 stores, a chunk of a
// sweep 2 accesses to the stack, and each thread 81 of its own. One thread makes 560·71 + 140·2 + 81 accesses; of four, three make
// 160·71 + 40·2 + 81 and one 80·71 + 20·2 + 81.
func Example() {
	for _, threads := range []int{1, 4} {
		accesses, err := dealt("../../cmd/foresee/testdata/golden/inputs/kernel.rec", threads)
		if err != nil {
			panic(err)
		}
		fmt.Println("accesses by thread:", accesses)
	}
	// Output:
	// accesses by thread: [40121]
	// accesses by thread: [11521 11521 11521 5801]
}

// dealt counts the accesses of each thread.
func dealt(file string, threads int) ([]int, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	recorded, err := recording.Open(f)
	if err != nil {
		return nil, err
	}
	defer recorded.Close()
	team, err := recording.NewTeam(recorded, recording.Options{Threads: threads})
	if err != nil {
		return nil, err
	}
	defer team.Close()
	accesses := make([]int, threads)
	events := make([]trace.Event, 4096)
	for {
		n, err := team.Read(events)
		for _, e := range events[:n] {
			if e.IsAccess() {
				accesses[e.Thread]++
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return accesses, nil
		case err != nil:
			return nil, err
		}
	}
}
