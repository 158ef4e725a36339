// Package gprof reads the flat profile that GNU gprof prints: seconds and calls by function.
package gprof

import (
	"bytes"
	"math"
	"strings"

	"foresee/application/counters"
	"foresee/application/counters/input"
)

// Is tells a flat profile by its title, or by the head of its table.
func Is(head []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(head), []byte("Flat profile:")) || bytes.Contains(head, []byte("  %   cumulative   self"))
}

// Events of a flat profile.
const (
	gprofSeconds = "self seconds"
	gprofCalls   = "calls"
)

// Read reads the flat profile of gprof; the call graph after it is left out.
//
// Source: GNU gprof's manual, "The Flat Profile".
func Read(in *input.Lines) ([]counters.Profile, error) {
	t := counters.NewTableOf(in, "gprof")
	t.Column(gprofSeconds)
	t.Column(gprofCalls)
	inside, shares, seconds := false, 0.0, 0.0
	for in.Next() {
		line := strings.TrimSpace(in.Text())
		switch {
		case strings.HasPrefix(line, "%   cumulative"):
			inside = true
		case !inside, strings.HasPrefix(line, "time "), line == "no time accumulated":
		case line == "" && len(t.Functions) > 0:
			checkShares(t, shares, seconds)
			return []counters.Profile{t.Done()}, nil
		case line != "":
			share, own, err := add(t, in, line)
			if err != nil {
				return nil, err
			}
			shares += share
			seconds += own
		}
	}
	if err := in.Failed(); err != nil {
		return nil, err
	}
	if len(t.Functions) == 0 {
		return nil, in.Fail("the flat profile has no function: the file is cut off; run gprof again")
	}
	t.CheckEnd(in)
	checkShares(t, shares, seconds)
	return []counters.Profile{t.Done()}, nil
}

// add reads "% time, cumulative seconds, self seconds, [calls, self per call, total per call], name".
func add(t *counters.Table, in *input.Lines, line string) (share, own float64, err error) {
	fields := strings.Fields(line)
	if len(fields) < 4 {
		return 0, 0, in.Fail("%s has fewer columns than a flat profile; the file is cut off here: run gprof again", input.Quote(line))
	}
	figures, err := input.Numbers(fields[:3])
	if err != nil {
		return 0, 0, in.Fail("%w; the columns must be %% time, cumulative seconds, self seconds: run gprof again", err)
	}
	calls, skip := math.NaN(), 3
	if len(fields) > 6 {
		if perCall, err := input.Numbers(fields[3:6]); err == nil {
			calls, skip = perCall[0], 6
		}
	}
	name := strings.Join(fields[skip:], " ")
	t.Add(name, gprofSeconds, figures[2])
	t.Add(name, gprofCalls, calls)
	return figures[0], figures[2], nil
}

// checkShares finds missing rows: the shares of all functions make 100 %.
func checkShares(t *counters.Table, shares, seconds float64) {
	// Each share is rounded to 0.01.
	if rounding := 1 + 0.01*float64(len(t.Functions)); seconds > 0 && shares < 100-rounding {
		t.Warn("the functions have %.1f %% of the time together: the file may be cut off", shares)
	}
}
