package interpreter

import (
	"context"
	"fmt"
	"math/rand/v2"

	"foresee/application/nest"
	"foresee/model/schedule"
)

// Team is a way to run a kernel on threads.
type Team struct {
	Threads int
	Private bool  // each thread's own stream, instead of the interleaved one
	Chunk   int64 // of all worksharing loops: 0 for one block a thread
}

func (t Team) String() string {
	scope, schedule := "interleaved", "block"
	if t.Private {
		scope = "private"
	}
	if t.Chunk > 0 {
		schedule = fmt.Sprintf("chunk %d", t.Chunk)
	}
	return fmt.Sprintf("%d threads, %s, %s", t.Threads, scope, schedule)
}

// Teams are one thread, and 3, 4 and 7 threads with blocks and chunks of 1 and 4, private and interleaved.
func Teams() []Team {
	teams := []Team{{Threads: 1}}
	for _, threads := range []int{3, 4, 7} {
		for _, chunk := range []int64{0, 1, 4} {
			teams = append(teams, Team{threads, true, chunk}, Team{threads, false, chunk})
		}
	}
	return teams
}

// Checked counts comparisons of one kind.
type Checked struct {
	Accesses, Wrong, GaveUp int64
}

// Check compares places and next uses of a kernel's accesses with the oracle: samples random ones, or
// all when samples is 0.
func Check(ctx context.Context, p *nest.Program, t Team, samples int, seed uint64) (Checked, error) {
	p = WithSchedule(p, t.schedule(), t.Chunk)
	o := nest.Options{Threads: t.Threads, Group: t.Threads, Line: 64}
	if t.Private {
		o.Group = 1
	}
	s, err := nest.NewStream(p, o)
	if err != nil {
		return Checked{}, err
	}
	next, all := NextUses(Streams(p, o))
	if int64(len(all)) != s.Len() {
		return Checked{}, fmt.Errorf("%s: %d accesses, the oracle has %d", t, s.Len(), len(all))
	}
	var c Checked
	rng := rand.New(rand.NewPCG(seed, 0xc4ec))
	k := s.Cursor()
	n := len(all)
	if samples > 0 {
		n = min(n, samples)
	}
	for i := range n {
		r := int64(i)
		if n < len(all) {
			r = rng.Int64N(int64(len(all)))
		}
		c.Accesses++
		if i%4096 == 0 && ctx.Err() != nil {
			return c, ctx.Err()
		}
		place := k.At(r)
		if s.Reference(place.Reference).Object != all[r].Object || place.Thread != all[r].Thread {
			c.Wrong++
			continue
		}
		use, err := k.Next()
		switch {
		case err != nil:
			c.GaveUp++
		case use.Position != next[r]:
			c.Wrong++
		}
	}
	return c, nil
}

func (t Team) schedule() schedule.Kind {
	if t.Chunk > 0 {
		return schedule.StaticChunk
	}
	return schedule.Static
}

// WithSchedule gives every worksharing loop a schedule and a chunk.
func WithSchedule(p *nest.Program, kind schedule.Kind, chunk int64) *nest.Program {
	q := *p
	q.Body = reschedule(p.Body, kind, chunk)
	return &q
}

func reschedule(nodes []nest.Node, kind schedule.Kind, chunk int64) []nest.Node {
	out := make([]nest.Node, len(nodes))
	for i, n := range nodes {
		switch n := n.(type) {
		case *nest.Loop:
			l := *n
			l.Body = reschedule(n.Body, kind, chunk)
			if n.Work != nil {
				w := *n.Work
				w.Schedule, w.Chunk = kind, chunk
				l.Work = &w
			}
			out[i] = &l
		case *nest.If:
			out[i] = &nest.If{Cond: n.Cond, Then: reschedule(n.Then, kind, chunk), Else: reschedule(n.Else, kind, chunk), Pos: n.Pos}
		case *nest.Parallel:
			out[i] = &nest.Parallel{Body: reschedule(n.Body, kind, chunk), Pos: n.Pos}
		case *nest.Single:
			out[i] = &nest.Single{Body: reschedule(n.Body, kind, chunk), Nowait: n.Nowait, Pos: n.Pos}
		case *nest.Critical:
			out[i] = &nest.Critical{Body: reschedule(n.Body, kind, chunk), Pos: n.Pos}
		default:
			out[i] = n
		}
	}
	return out
}

// Add adds the comparisons of another check.
func (c *Checked) Add(d Checked) {
	c.Accesses += d.Accesses
	c.Wrong += d.Wrong
	c.GaveUp += d.GaveUp
}
