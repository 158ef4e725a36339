package counters

import (
	"bytes"
	"math"
	"strings"
)

func isGprof(head []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(head), []byte("Flat profile:")) || bytes.Contains(head, []byte("  %   cumulative   self"))
}

// Events of a flat profile.
const (
	gprofSeconds = "self seconds"
	gprofCalls   = "calls"
)

// readGprof reads the flat profile of gprof; the call graph after it is left out.
//
// Source: GNU gprof's manual, "The Flat Profile".
func readGprof(in *lines) ([]Profile, error) {
	t := in.newTable("gprof")
	t.column(gprofSeconds)
	t.column(gprofCalls)
	inside, shares, seconds := false, 0.0, 0.0
	for in.next() {
		line := strings.TrimSpace(in.text())
		switch {
		case strings.HasPrefix(line, "%   cumulative"):
			inside = true
		case !inside, strings.HasPrefix(line, "time "), line == "no time accumulated":
		case line == "" && len(t.Functions) > 0:
			t.checkShares(shares, seconds)
			return []Profile{t.done()}, nil
		case line != "":
			share, own, err := t.addGprof(in, line)
			if err != nil {
				return nil, err
			}
			shares += share
			seconds += own
		}
	}
	if err := in.failed(); err != nil {
		return nil, err
	}
	if len(t.Functions) == 0 {
		return nil, in.fail("the flat profile has no function: the file is cut off; run gprof again")
	}
	t.checkEnd(in)
	t.checkShares(shares, seconds)
	return []Profile{t.done()}, nil
}

// addGprof reads "% time, cumulative seconds, self seconds, [calls, self per call, total per call], name".
func (t *table) addGprof(in *lines, line string) (share, own float64, err error) {
	fields := strings.Fields(line)
	if len(fields) < 4 {
		return 0, 0, in.fail("%s has fewer columns than a flat profile; the file is cut off here: run gprof again", quote(line))
	}
	figures, err := numbers(fields[:3])
	if err != nil {
		return 0, 0, in.fail("%w; the columns must be %% time, cumulative seconds, self seconds: run gprof again", err)
	}
	calls, skip := math.NaN(), 3
	if len(fields) > 6 {
		if perCall, err := numbers(fields[3:6]); err == nil {
			calls, skip = perCall[0], 6
		}
	}
	name := strings.Join(fields[skip:], " ")
	t.add(name, gprofSeconds, figures[2])
	t.add(name, gprofCalls, calls)
	return figures[0], figures[2], nil
}

// checkShares finds missing rows: the shares of all functions make 100 %.
func (t *table) checkShares(shares, seconds float64) {
	// Each share is rounded to 0.01.
	if rounding := 1 + 0.01*float64(len(t.Functions)); seconds > 0 && shares < 100-rounding {
		t.warn("the functions have %.1f %% of the time together: the file may be cut off", shares)
	}
}
