// Package mpip reads the reports of mpiP: the time that each rank of a run spent in the program and in each MPI call, and what it sent.
package mpip

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"foresee/application/counters"
	"foresee/application/counters/input"
)

// Is tells a report by its first line.
func Is(head []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimLeft(head, " \t\r\n"), []byte("\n"))
	return bytes.HasPrefix(line, []byte("@ mpiP"))
}

// notListed is the function that stands for calls which the report adds up but does not list: below its threshold, or in a concise one.
const notListed = "MPI (not listed)"

// report is the state of a reader.
type report struct {
	in      *input.Lines
	section string              // title of the section, without its dashes
	ranks   []counters.Messages // by rank
	inside  []float64           // seconds in MPI by rank
	calls   []map[string]*counters.Call
	command []string
	listed  bool
}

// Read reads a report: a run of as many ranks as it names.
//
// Source: mpiP's user guide, version 3.5.
func Read(in *input.Lines) (*counters.Run, error) {
	r := &report{in: in}
	for in.Next() {
		if err := r.line(strings.TrimSpace(in.Text())); err != nil {
			return nil, err
		}
	}
	if err := in.Failed(); err != nil {
		return nil, err
	}
	if len(r.ranks) == 0 {
		return nil, in.Fail("the report has no section MPI Time: it is cut off; run the program again to its end")
	}
	return r.run(), nil
}

// line reads a line of the section that it is in.
func (r *report) line(line string) error {
	switch {
	case line == "" || strings.Trim(line, "-") == "":
		return nil
	case strings.HasPrefix(line, "@---"):
		title := strings.Trim(strings.TrimPrefix(line, "@"), "- ")
		r.section, _, _ = strings.Cut(title, ":")
		return nil
	case strings.HasPrefix(line, "@"):
		if _, command, found := strings.Cut(line, "@ Command :"); found {
			r.command = strings.Fields(command)
		}
		return nil
	}
	switch {
	case strings.HasPrefix(r.section, "MPI Time"):
		return r.task(strings.Fields(line))
	case strings.HasPrefix(r.section, "Callsite Time statistics"):
		return r.callsite(strings.Fields(line), 9, r.time)
	case strings.HasPrefix(r.section, "Callsite Message Sent statistics"):
		return r.callsite(strings.Fields(line), 8, r.sent)
	}
	return nil
}

// mostRanks bounds the ranks of a report.
const mostRanks = 1 << 20

// task reads "RANK APPTIME MPITIME PERCENT"; * is all ranks together.
func (r *report) task(fields []string) error {
	if fields[0] == "Task" || fields[0] == "*" {
		return nil
	}
	if len(fields) < 4 {
		return r.in.Fail("the row of a task has %d of 4 columns; the report is cut off here", len(fields))
	}
	rank, err := strconv.Atoi(fields[0])
	if err != nil || rank != len(r.ranks) || rank >= mostRanks {
		return r.in.Fail("%s: the tasks must come one after the other, and this is number %d", input.Quote(fields[0]), len(r.ranks))
	}
	times, err := input.Numbers(fields[1:3])
	if err != nil {
		return r.in.Fail("task %d: %w", rank, err)
	}
	r.ranks = append(r.ranks, counters.Messages{Rank: rank, Wall: times[0], Complete: true})
	r.inside = append(r.inside, times[1])
	r.calls = append(r.calls, map[string]*counters.Call{})
	return nil
}

// callsite reads the columns name, site, rank, count, … of a call of one rank, which give adds to the call.
func (r *report) callsite(fields []string, columns int, give func(*counters.Call, []float64)) error {
	if fields[0] == "Name" {
		return nil
	}
	if len(fields) < columns {
		return r.in.Fail("the row of a callsite has %d of %d columns; the report is cut off here", len(fields), columns)
	}
	if fields[2] == "*" {
		return nil
	}
	rank, err := strconv.Atoi(fields[2])
	if err != nil || rank < 0 || rank >= len(r.ranks) {
		return r.in.Fail("%s is none of the %d ranks in the section MPI Time", input.Quote(fields[2]), len(r.ranks))
	}
	values, err := input.Numbers(fields[3:7])
	if err != nil {
		return r.in.Fail("%s of rank %d: %w", fields[0], rank, err)
	}
	if columns == 8 {
		sum, err := input.Number(fields[7])
		if err != nil {
			return r.in.Fail("%s of rank %d: %w", fields[0], rank, err)
		}
		values = append(values, sum)
	}
	name := "MPI_" + strings.TrimPrefix(fields[0], "MPI_")
	call := r.calls[rank][name]
	if call == nil {
		call = &counters.Call{Name: name}
		r.calls[rank][name] = call
	}
	r.listed = true
	give(call, values)
	return nil
}

// time adds count, longest, mean and shortest time in milliseconds.
func (r *report) time(call *counters.Call, values []float64) {
	count, longest, mean, shortest := values[0], values[1]/1e3, values[2]/1e3, values[3]/1e3
	if call.Count == 0 || shortest < call.Min {
		call.Min = shortest
	}
	call.Count += count
	call.Seconds += count * mean
	call.Max = max(call.Max, longest)
}

// sent adds the bytes of a callsite, which stand last.
func (r *report) sent(call *counters.Call, values []float64) { call.Bytes += values[len(values)-1] }

// run makes the ranks whole: what the total of MPI holds beyond the listed calls is a part of its own.
func (r *report) run() *counters.Run {
	run := &counters.Run{Params: map[string]float64{"p": float64(len(r.ranks))}, Command: r.command}
	beyond, all := 0.0, 0.0
	for i := range r.ranks {
		m, listed := &r.ranks[i], 0.0
		m.Size = len(r.ranks)
		for _, call := range r.calls[i] {
			m.Calls = append(m.Calls, *call)
			listed += call.Seconds
		}
		slices.SortFunc(m.Calls, func(a, b counters.Call) int { return strings.Compare(a.Name, b.Name) })
		// Totals have three digits, so that what they hold beyond the sum of the calls must be more than their rounding.
		if rest := r.inside[i] - listed; rest > 0.005*r.inside[i] {
			m.Calls = append(m.Calls, counters.Call{Name: notListed, Count: 1, Seconds: rest})
			beyond += rest
		}
		all += r.inside[i]
	}
	run.Messages = r.ranks
	if !r.listed {
		run.Warnings = append(run.Warnings, fmt.Sprintf("%s: the report is a concise one, which lists no calls by rank: the time in MPI is one part; leave -c out of MPIP", r.in.Name))
	} else if beyond > 0.01*all {
		run.Warnings = append(run.Warnings, fmt.Sprintf("%s: calls with %.0f %% of the time in MPI are not listed; leave the threshold (-t) out of MPIP", r.in.Name, 100*beyond/all))
	}
	return run
}
