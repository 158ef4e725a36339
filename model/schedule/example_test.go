package schedule_test

import (
	"fmt"

	"foresee/model/schedule"
)

// The loop has 20 iterations, the team three threads, which ask in turn. Without a chunk, static gives 20/3 to each, the first two of the
// remaining one each; guided gives a third of what is left, rounded up: of 20, 13, 8, 5, 3, 2 and 1.
func Example() {
	for _, rule := range []schedule.Rule{
		{Kind: schedule.Static},
		{Kind: schedule.StaticChunk, Chunk: 4},
		{Kind: schedule.Guided},
	} {
		deal := schedule.NewDeal(rule, 20, 3)
		fmt.Printf("%-13s", rule.Kind)
		for thread := 0; ; thread = (thread + 1) % 3 {
			first, end := deal.Next(thread)
			if first >= end {
				break
			}
			fmt.Printf(" %d:%d–%d", thread, first, end-1)
		}
		fmt.Println()
	}
	// Output:
	// static        0:0–6 1:7–13 2:14–19
	// static,chunk  0:0–3 1:4–7 2:8–11 0:12–15 1:16–19
	// guided        0:0–6 1:7–11 2:12–14 0:15–16 1:17–17 2:18–18 0:19–19
}

// Of 10 iterations each of 4 threads has 2, and the first two of them one more.
func ExampleBlocks() {
	blocks := schedule.NewBlocks(10, 4)
	for thread := range int64(4) {
		fmt.Printf("%d–%d ", blocks.Start(thread), blocks.Start(thread+1)-1)
	}
	fmt.Println("7 is of thread", blocks.Owner(7))
	// Output: 0–2 3–5 6–7 8–9 7 is of thread 2
}

// Two threads ask for two iterations each time, the one that has worked least first: 8 units for the iterations 0 and 1, then 6 and 4 for the
// other, which has worked 10 then, so that the first has its turn.
func ExampleTeam() {
	team := schedule.NewTeam(make([]float64, 2))
	deal := schedule.NewDeal(schedule.Rule{Kind: schedule.Dynamic, Chunk: 2}, 8, 2)
	for {
		thread := team.Next()
		first, end := deal.Next(thread)
		if first >= end {
			break
		}
		fmt.Printf("%d:%d–%d ", thread, first, end-1)
		team.Add(thread, float64(10-end)) // later iterations take less time
	}
	// Output: 0:0–1 1:2–3 1:4–5 0:6–7
}
