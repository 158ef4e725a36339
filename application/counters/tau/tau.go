// Package tau reads the profiles of TAU (profile.NODE.CONTEXT.THREAD): time or a counter by function, of one thread.
package tau

import (
	"bytes"
	"path"
	"regexp"
	"strconv"
	"strings"

	"foresee/application/counters"
	"foresee/application/counters/input"
)

// firstLine is "12 templated_functions_MULTI_TIME", without the metric where there is one alone; nameOf a profile of a thread, metadata what may
// stand behind the head.
var (
	firstLine = regexp.MustCompile(`^(\d+) templated_functions(?:_(?:MULTI_)?(\S+))?\s*$`)
	nameOf    = regexp.MustCompile(`^profile\.(\d+)\.(\d+)\.(\d+)`)
	metadata  = regexp.MustCompile(`<name>Metric Name</name><value>([^<]+)</value>`)
)

// Is tells a profile by its first line.
func Is(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	return firstLine.Match(bytes.TrimRight(line, "\r"))
}

// clocks are the metrics that are times, in microseconds.
//
// Source: TAU's reference guide, TAU_METRICS.
var clocks = map[string]bool{
	"TIME": true, "GET_TIME_OF_DAY": true, "LINUX_TIMERS": true, "LINUXTIMERS": true, "BGL_TIMERS": true, "BGP_TIMERS": true, "BGQ_TIMERS": true, "CRAY_TIMERS": true,
	"CPU_TIME": true, "TAUGPU_TIME": true, "P_WALL_CLOCK_TIME": true, "P_VIRTUAL_TIME": true, "CLOCK": true,
}

// Read reads the functions of a profile, without what they call. Node and thread are told by the file's name alone. Entries of callpaths and of samples,
// which hold what their functions hold again, are left out.
//
// Source: the layout as TAU's reference guide and the readers of Hatchet and PerfDMF have it.
func Read(in *input.Lines) ([]counters.Profile, error) {
	r := &reader{in: in, t: counters.NewTableOf(in, "tau")}
	if m := nameOf.FindStringSubmatch(path.Base(strings.ReplaceAll(in.Name, "\\", "/"))); m != nil {
		r.t.Rank, _ = strconv.Atoi(m[1])
		r.t.Thread, _ = strconv.Atoi(m[3])
	}
	if err := r.read(); err != nil {
		return nil, err
	}
	if len(r.t.Functions) == 0 {
		return nil, in.Fail("the profile has no function; run the program again to its end")
	}
	if r.left > 0 {
		r.t.Warn("entries of callpaths and samples were left out: their functions hold the same once more")
	}
	return []counters.Profile{r.t.Done()}, nil
}

// reader is the state of a reader of a profile.
type reader struct {
	in    *input.Lines
	t     *counters.Table
	event string
	calls bool // of one metric alone, as every metric's file has them
	left  int  // entries that are left out
}

func (r *reader) read() error {
	if !r.in.Next() {
		return r.in.Failed()
	}
	head := firstLine.FindStringSubmatch(strings.TrimRight(r.in.Text(), "\r"))
	n, err := strconv.Atoi(head[1])
	if err != nil {
		return r.in.Fail("the number of functions: %w", err)
	}
	metric := head[2]
	for read := 0; read < n; {
		if !r.in.Next() {
			if err := r.in.Failed(); err != nil {
				return err
			}
			return r.in.Fail("the profile ends after %d of %d functions: it is cut off; run the program again", read, n)
		}
		line := strings.TrimSpace(r.in.Text())
		switch {
		case line == "":
		case strings.HasPrefix(line, "#"):
			if m := metadata.FindStringSubmatch(line); m != nil && metric == "" {
				metric = m[1]
			}
		default:
			if r.event == "" {
				r.named(metric)
			}
			if err := r.function(line); err != nil {
				return err
			}
			read++
		}
	}
	return nil
}

// named settles what is measured.
func (r *reader) named(metric string) {
	if metric == "" {
		metric = "TIME"
	}
	r.event, r.calls = metric, clocks[metric]
	if clocks[metric] {
		r.event += " [us]"
	}
}

// function reads "NAME" CALLS SUBROUTINES EXCLUSIVE INCLUSIVE PROFILES GROUP="…".
func (r *reader) function(line string) error {
	end := -1
	if strings.HasPrefix(line, `"`) {
		groups := strings.LastIndex(line, "GROUP=")
		if groups < 0 {
			groups = len(line)
		}
		end = strings.LastIndex(line[:groups], `"`)
	}
	if end <= 0 {
		return r.in.Fail("%s is no function: a name in quotation marks must stand first; is the profile cut off?", input.Quote(line))
	}
	name := strings.TrimSpace(line[1:end])
	fields := strings.Fields(line[end+1:])
	if len(fields) < 4 {
		return r.in.Fail("%s has %d of the columns calls, subroutines, exclusive, inclusive; the profile is cut off here", input.Quote(name), len(fields))
	}
	values, err := input.Numbers(fields[:4])
	if err != nil {
		return r.in.Fail("%s: %w", input.Quote(name), err)
	}
	if repeats(name, line[end+1:]) {
		r.left++
		return nil
	}
	r.t.Add(name, r.event, values[2])
	if r.calls {
		r.t.Add(name, "calls", values[0])
	}
	return nil
}

// repeats says whether an entry is of a callpath, of a sample or of its context.
func repeats(name, rest string) bool {
	if strings.Contains(name, " => ") {
		return true
	}
	for _, mark := range []string{"[SAMPLE]", "[UNWIND]", "[CONTEXT]", "[INTERMEDIATE]", "[SUMMARY]"} {
		if strings.HasPrefix(name, mark) {
			return true
		}
	}
	return strings.Contains(rest, "TAU_CALLPATH") || strings.Contains(rest, "TAU_SAMPLE")
}
