package perf

import (
	"bytes"
	"regexp"
	"strings"

	"foresee/application/counters"
	"foresee/application/counters/input"
)

// perfSampleLine is COMM PID[/TID] [CPU] TIME: PERIOD EVENT: and, without a call chain, ADDRESS SYMBOL+OFFSET (OBJECT).
var perfSampleLine = regexp.MustCompile(`^\s*\S.*?\s+-?\d+(?:/-?\d+)?\s+(?:\[\d+\]\s+)?(?:\d+\.\d+:\s+)?(?:(\d+)\s+)?([^\s:\d][^\s]*?):(?:\s+(.*))?$`)

// perfSampleSign is a time or an address: without one, or frames below, a line of that form may be any text.
var perfSampleSign = regexp.MustCompile(`\s\d+\.\d{3,}:\s|:\s+[0-9a-f]{4,16}\s`)

// IsScript tells the samples of perf script by the form of the first line.
func IsScript(head []byte) bool {
	line := input.FirstLine(head)
	return line != nil && perfSampleLine.Match(line) && (perfSampleSign.Match(line) || bytes.Contains(head, []byte("\n\t")))
}

// perfSample is a sample whose frames are still to come.
type perfSample struct {
	event, period, symbol string
	frames                bool
}

// ReadScript reads the text of perf script and counts each sample for its innermost function.
//
// Source: perf-script(1).
func ReadScript(in *input.Lines) ([]counters.Profile, error) {
	t := counters.NewTableOf(in, "perf script")
	var sample *perfSample
	for in.Next() {
		line := in.Bytes()
		switch {
		case len(bytes.TrimSpace(line)) == 0:
			addSample(t, sample)
			sample = nil
		case line[0] == '#':
		case line[0] == '\t':
			if sample == nil {
				return nil, in.Fail("a frame without its sample: the head of the file is missing; run perf script again")
			}
			if !sample.frames {
				sample.symbol, sample.frames = frameSymbol(string(line)), true
			}
		default:
			next := parseSample(in.Text())
			if next == nil && sample != nil && sample.frames && line[0] == ' ' {
				continue // the source line of a frame
			}
			if next == nil {
				return nil, in.Fail("%s is no sample of perf script; the file may be cut off here, or lack the fields comm, pid and event (-F)", input.Quote(string(line)))
			}
			addSample(t, sample)
			sample = next
		}
	}
	addSample(t, sample)
	return perfProfile(t, in)
}

// parseSample reads the head of a sample; nil where the line is none.
func parseSample(line string) *perfSample {
	m := perfSampleLine.FindStringSubmatch(line)
	if m == nil {
		return nil
	}
	return &perfSample{period: m[1], event: m[2], symbol: frameSymbol(m[3])}
}

// addSample adds a sample to the function that it was taken in.
func addSample(t *counters.Table, s *perfSample) {
	if s == nil {
		return
	}
	value, symbol := 1.0, s.symbol
	if symbol == "" {
		symbol = "[unknown]"
	}
	period, err := input.Number(s.period)
	if err == nil {
		value = period * perfSeconds(s.event, "")
	} else {
		t.Warn("%s has no periods: its values are numbers of samples; print them with perf script -F +period", s.event)
	}
	t.Add(symbol, s.event, value)
}

// frameSymbol is the function in "55ec strided(int)+0x30 (/usr/bin/sample)".
func frameSymbol(frame string) string {
	frame = strings.TrimSpace(frame)
	if address, rest, found := strings.Cut(frame, " "); found && strings.Trim(address, "0123456789abcdef") == "" && rest[0] != '(' {
		frame = strings.TrimSpace(rest)
	}
	if strings.HasSuffix(frame, ")") {
		if i := strings.LastIndex(frame, " ("); i >= 0 {
			frame = frame[:i]
		}
	}
	if i := strings.LastIndex(frame, "+0x"); i > 0 {
		frame = frame[:i]
	}
	return strings.TrimSpace(frame)
}
