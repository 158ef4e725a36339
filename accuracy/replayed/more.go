package replayed

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"

	"foresee/accuracy"
	"foresee/application/messages"
	"foresee/application/messages/decomposition"
	"foresee/machine/cluster"
	"foresee/predict/replay"
)

// Programs are recorded on few ranks and predicted on many.
const recordedOn = 8

var predictedOn = []int{64, 128}

// moreRanks compares recordings on few ranks, carried on to many, with SMPI on those, and their calls and bytes with a recording on the first of those.
func (c *comparison) moreRanks(ctx context.Context) (*accuracy.Table, error) {
	t := &accuracy.Table{
		Title: "Replay: more ranks than were recorded",
		Text: fmt.Sprintf("The same programs recorded on %d ranks; what they would do on %d and %d by their decomposition, replayed, against the programs themselves in SMPI on as many ranks, one on a node of clusters of that size. Calls and bytes, "+
			"of all ranks and of the rank with most, against a recording on %d ranks. Errors in %%, those of the time with sign; those outside of the interval that foresee gives stand in brackets; its spread was chosen on these programs, so that how many are inside says little of others. Where all exchange with all (transposes), a recording does not tell "+
			"whether what two ranks exchange stays as it is or what one gives to all; the time is of the second, and the interval has both.", recordedOn, predictedOn[0], predictedOn[1], predictedOn[0]),
		Columns: []string{"program", "grid", "ranks", "grid there", "calls", "bytes", "most calls", "most bytes"},
	}
	t.Columns = append(t.Columns, clusters...)
	times := &carriedTimes{}
	var counts accuracy.Errors
	for _, program := range c.programs {
		recorded, err := c.record(ctx, program, recordedOn)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", program, err)
		}
		_, err = decomposition.Recognise(recorded)
		if errors.Is(err, decomposition.ErrNone) {
			t.Rows = append(t.Rows, append([]string{program, "none"}, make([]string, len(t.Columns)-2)...))
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, ranks := range predictedOn {
			row, err := c.moreRow(ctx, program, recorded, ranks, times, &counts)
			if err != nil {
				return nil, fmt.Errorf("%s on %d ranks: %w", program, ranks, err)
			}
			t.Rows = append(t.Rows, row)
		}
	}
	t.Summary = []string{line("time, %", &times.all), fmt.Sprintf("inside the interval: %d of %d", times.inside, times.all.N()), line("time without transposes, %", &times.told), line("calls and bytes, %", &counts)}
	return t, nil
}

// carriedTimes are the errors of times of programs that were carried on: of all, and of those without exchanges all to all.
type carriedTimes struct {
	all, told accuracy.Errors
	inside    int
}

// moreRow is a program on many ranks.
func (c *comparison) moreRow(ctx context.Context, program string, recorded *messages.Program, ranks int, times *carriedTimes, counts *accuracy.Errors) ([]string, error) {
	carried, grids, err := replay.Carry(recorded, ranks, decomposition.Grows)
	if err != nil {
		return nil, err
	}
	row := []string{program, grids.From, strconv.Itoa(ranks), grids.To, "", "", "", ""}
	if ranks == predictedOn[0] {
		truth, err := c.record(ctx, program, ranks)
		if err != nil {
			return nil, err
		}
		got, want := volume(carried), volume(truth)
		for i := range got {
			e := 100 * math.Abs(got[i]/want[i]-1)
			if want[i] == got[i] { // none of both
				e = 0
			}
			counts.Add(fmt.Sprintf("%s, %s", program, []string{"calls", "bytes", "most calls", "most bytes"}[i]), e)
			row[4+i] = fmt.Sprintf("%.2f", e)
		}
	}
	for _, name := range clusters {
		on, err := described(name)
		if err != nil {
			return nil, err
		}
		enlarge(on, ranks)
		own, inside, err := c.online(ctx, recorded, on, program, ranks)
		if err != nil {
			return nil, err
		}
		of, cell := fmt.Sprintf("%s, %d ranks, %s", program, ranks, name), fmt.Sprintf("%+.2f", own)
		times.all.Add(of, math.Abs(own))
		if program != "transposes" {
			times.told.Add(of, math.Abs(own))
		}
		if inside {
			times.inside++
		} else {
			cell = "(" + cell + ")"
		}
		row = append(row, cell)
	}
	return row, nil
}

// enlarge gives a cluster the nodes for as many ranks.
func enlarge(c *cluster.Cluster, ranks int) {
	c.Nodes.Value = ranks
	if len(c.Network.Down) > 0 {
		side := decomposition.Balanced(ranks, len(c.Network.Down))
		c.Network.Down = side
	}
	if len(c.Network.Dimensions) > 0 {
		c.Network.Dimensions = decomposition.Balanced(ranks, len(c.Network.Dimensions))
	}
}

// online is the error of a program that was carried on, in percent, and whether the truth is inside the interval.
func (c *comparison) online(ctx context.Context, recorded *messages.Program, on *cluster.Cluster, program string, ranks int) (off float64, inside bool, err error) {
	o := replay.Options{RanksPerNode: 1}
	carried, r, err := replay.RunOn(recorded, on, o, ranks, decomposition.Grows, nil)
	if err != nil {
		return 0, false, err
	}
	_, hosts, platform, err := c.write(carried, on, o)
	if err != nil {
		return 0, false, err
	}
	truth, err := c.built.Online(ctx, platform, hosts, ranks, forced(ranks, replay.SMPIFlags(on, r.Library)...), program, strconv.Itoa(steps))
	if err != nil {
		return 0, false, err
	}
	return 100 * (r.Seconds/truth - 1), truth >= *r.LowSeconds && truth <= *r.HighSeconds, nil
}

// volume is the calls and bytes of all ranks, and those of the rank with most.
func volume(p *messages.Program) (out [4]float64) {
	for r := range p.Ranks {
		var calls, bytes float64
		walk := messages.NewWalk(p.Ranks[r].Nodes)
		for c := walk.Next(); c != nil; c = walk.Next() {
			calls++
			bytes += float64(c.EachBytes())
		}
		out[0], out[1] = out[0]+calls, out[1]+bytes
		out[2], out[3] = max(out[2], calls), max(out[3], bytes)
	}
	return out
}
