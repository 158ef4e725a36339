// Package perf reads what Linux' perf prints: perf stat -x and -j (counts of a whole run), and perf script (samples by function).
package perf

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"foresee/application/counters"
	"foresee/application/counters/input"
)

// perfCount is one line of perf stat.
type perfCount struct {
	event, unit string
	value       string
	running     string // percent of the time that the counter was on the hardware
}

// IsStatCSV tells the output of perf stat -x by the fields of the first line.
func IsStatCSV(head []byte) bool {
	line := input.FirstLine(head)
	return line != nil && separator(string(line)) != ""
}

// IsStatJSON tells the output of perf stat -j by the names in the first line.
func IsStatJSON(head []byte) bool {
	line := input.FirstLine(head)
	return bytes.HasPrefix(line, []byte("{")) && (bytes.Contains(line, []byte(`"counter-value"`)) || bytes.Contains(line, []byte(`"metric-value"`)))
}

// separator tells what perf stat -x was given; "" where the line is not one of perf stat's.
func separator(line string) string {
	for _, s := range []string{",", ";"} {
		if _, ok := splitCount(line, s); ok {
			return s
		}
	}
	return ""
}

// splitCount finds value, unit and event; the time of -I or the CPU of -A may stand before them, a deviation, the
// time and the share that the counter ran after them.
func splitCount(line, separator string) (perfCount, bool) {
	fields := strings.Split(line, separator)
	for i := 0; i+4 < len(fields); i++ {
		unit, event := strings.TrimSpace(fields[i+1]), fields[i+2]
		if !isCount(fields[i]) || isCount(unit) || event == "" || isCount(event) {
			continue
		}
		rest := fields[i+3:]
		// cpu/event=0x3c,umask=0/ holds the separator itself.
		for strings.Count(event, "/")%2 == 1 && len(rest) > 0 {
			event, rest = event+separator+rest[0], rest[1:]
		}
		if len(rest) > 0 && strings.HasSuffix(rest[0], "%") {
			rest = rest[1:]
		}
		if len(rest) < 2 {
			return perfCount{}, false
		}
		return perfCount{event: event, unit: unit, value: strings.TrimSpace(fields[i]), running: rest[1]}, true
	}
	return perfCount{}, false
}

// isCount says whether a field is a count, or says that there is none.
func isCount(field string) bool {
	field = strings.TrimSpace(field)
	if strings.HasPrefix(field, "<not ") {
		return true
	}
	_, err := strconv.ParseFloat(field, 64)
	return err == nil
}

// ReadStatCSV reads what perf stat -x, or -x; writes.
//
// Source: perf-stat(1), "CSV FORMAT".
func ReadStatCSV(in *input.Lines) ([]counters.Profile, error) {
	t, split := counters.NewTableOf(in, "perf stat"), ""
	for in.Next() {
		line := strings.TrimSpace(in.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		if split == "" {
			split = separator(line)
		}
		if strings.HasPrefix(line, split+split+split) {
			continue // a metric of the line before, without a count
		}
		count, ok := splitCount(line, split)
		if !ok {
			return nil, in.Fail("%s has no value, unit, event and running time; the file is cut off here or no output of perf stat -x%s", input.Quote(line), split)
		}
		if err := addCount(t, count); err != nil {
			return nil, in.Fail("%w", err)
		}
	}
	return perfProfile(t, in)
}

// perfProfile is the profile of the whole file.
func perfProfile(t *counters.Table, in *input.Lines) ([]counters.Profile, error) {
	if err := in.Failed(); err != nil {
		return nil, err
	}
	if len(t.Events) == 0 {
		return nil, in.Fail("the file has no event; run perf again")
	}
	t.CheckEnd(in)
	return []counters.Profile{t.Done()}, nil
}

// addCount adds a count. Counts of one event from several intervals or CPUs are summed.
func addCount(t *counters.Table, c perfCount) error {
	if t.Has("", c.event) {
		t.Warn("%s stands in several lines (intervals or CPUs): its values are summed", c.event)
	}
	if strings.HasPrefix(c.value, "<not ") {
		t.Warn("%s was %s by this machine", c.event, strings.Trim(c.value, "<>"))
		t.Add("", c.event, math.NaN())
		return nil
	}
	value, err := input.Number(c.value)
	if err != nil {
		return fmt.Errorf("the count of %s: %w", c.event, err)
	}
	if share, err := input.Number(c.running); err == nil && share < 100 {
		t.Warn("%s was counted for %.4g %% of the time only, and scaled up by perf: count fewer events at once", c.event, share)
	}
	t.Add("", c.event, value*perfSeconds(c.event, c.unit))
	return nil
}

// perfSeconds is the factor that turns clocks into seconds; 1 for what is no clock. Without a unit, perf counts
// clocks in nanoseconds.
func perfSeconds(event, unit string) float64 {
	switch unit {
	case "msec":
		return 1e-3
	case "usec":
		return 1e-6
	case "nsec", "ns":
		return 1e-9
	}
	name, _, _ := strings.Cut(event, ":")
	switch name {
	case "cpu-clock", "task-clock", "duration_time", "user_time", "system_time":
		if unit == "" {
			return 1e-9
		}
	}
	return 1
}

// ReadStatJSON reads what perf stat -j writes: an object a line.
func ReadStatJSON(in *input.Lines) ([]counters.Profile, error) {
	t := counters.NewTableOf(in, "perf stat")
	for in.Next() {
		line := bytes.TrimSpace(in.Bytes())
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		var c struct {
			Value   string          `json:"counter-value"`
			Unit    string          `json:"unit"`
			Event   string          `json:"event"`
			Running json.RawMessage `json:"pcnt-running"`
		}
		if err := json.Unmarshal(line, &c); err != nil {
			return nil, in.Fail("the line is not a whole JSON object of perf stat -j; the file may be cut off here: %w", err)
		}
		if c.Event == "" || c.Value == "" {
			continue // a metric without a count
		}
		if err := addCount(t, perfCount{event: c.Event, unit: c.Unit, value: c.Value, running: string(c.Running)}); err != nil {
			return nil, in.Fail("%w", err)
		}
	}
	return perfProfile(t, in)
}
