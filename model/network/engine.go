package network

import (
	"fmt"
	"math"

	"foresee/model/network/collective"
)

// Result is what became of a program.
type Result struct {
	Seconds  float64     // until the last rank ended
	Ranks    []RankTimes // of each
	Messages int64
	Bytes    int64
	Events   int64
}

// RankTimes is where the time of a rank went.
type RankTimes struct {
	Seconds float64   // until its end
	Compute float64   // outside of messages
	Labels  []float64 // of operations by label, waiting included
	Waiting []float64 // of that, until the others had come, by label
}

// StuckError says that ranks wait for what never comes.
type StuckError struct {
	Ranks   int // how many wait
	Rank    int // one of them
	Op      Op  // what it does
	Seconds float64
}

func (e *StuckError) Error() string {
	return fmt.Sprintf("%d ranks wait for messages that never come, rank %d among them since %.6g s", e.Ranks, e.Rank, e.Seconds)
}

// LimitError says that a simulation takes more events than were allowed.
type LimitError struct{ Events int64 }

func (e *LimitError) Error() string {
	return fmt.Sprintf("the simulation takes more than %d events", e.Events)
}

// rank is where a rank is in its program.
type rank struct {
	op         Op
	stage      stage
	pending    int     // requests that it waits for
	begun      float64 // the operation, without the computation before it
	late       float64 // when the last that it waits for was there
	requests   []int32 // by age, the oldest first; −1: complete
	made       int     // how many requests it has made
	posted     []posted
	unexpected []int32
	schedule   collective.Schedule
	step       int
	inFlight   []int32 // requests of the collective
	instances  []instance
	entered    *meeting
	draws      uint64 // of noise
	ended      bool
}

// stage is what a rank does next.
type stage uint8

const (
	fetch   stage = iota // the next operation
	begin                // the operation: its computation is over
	finish               // it is over
	steps                // of the collective
	combine              // what came in the step
)

type engine struct {
	p        *Parameters
	program  Program
	now      float64
	agenda   agenda
	fabric   *fabric
	ranks    []rank
	requests pool[request]
	messages pool[message]
	entries  map[entryKey]*meeting
	members  map[int][]int32 // place of each rank in a communicator
	result   *Result
}

func (e *engine) flowActor(f int32) int32 { return int32(len(e.ranks)) + f }

// Run runs a program to its end.
func Run(program Program, p Parameters) (*Result, error) {
	n := program.Ranks()
	e := &engine{
		p: &p, program: program, fabric: newFabric(&p), ranks: make([]rank, n),
		result: &Result{Ranks: make([]RankTimes, n)}, entries: map[entryKey]*meeting{}, members: map[int][]int32{},
	}
	for r := range n {
		e.agenda.put(int32(r), 0)
	}
	due := func(f int32, at float64) { e.agenda.put(e.flowActor(f), at) }
	for {
		at, ok := e.agenda.first()
		if !ok {
			break
		}
		if at > e.now {
			e.fabric.share(e.now, due)
			if at, ok = e.agenda.first(); !ok {
				break
			}
			e.now = max(at, e.now)
		}
		if err := e.happen(e.agenda.pop()); err != nil {
			return nil, err
		}
		if len(e.agenda.entries) == 0 {
			e.fabric.share(e.now, due)
		}
	}
	return e.end()
}

// happen does what is due of an actor.
func (e *engine) happen(actor int32) error {
	e.result.Events++
	if e.p.MostEvents > 0 && e.result.Events > e.p.MostEvents {
		return &LimitError{e.p.MostEvents}
	}
	if int(actor) >= len(e.ranks) {
		e.flowing(actor - int32(len(e.ranks)))
		return nil
	}
	return e.run(int(actor))
}

// end wants all ranks to have ended.
func (e *engine) end() (*Result, error) {
	stuck := StuckError{Seconds: math.Inf(1)}
	for r := range e.ranks {
		if one := &e.ranks[r]; !one.ended {
			stuck.Ranks++
			if one.begun < stuck.Seconds {
				stuck.Rank, stuck.Op, stuck.Seconds = r, one.op, one.begun
			}
		}
	}
	if stuck.Ranks > 0 {
		return nil, &stuck
	}
	for _, r := range e.result.Ranks {
		e.result.Seconds = max(e.result.Seconds, r.Seconds)
	}
	return e.result, nil
}
