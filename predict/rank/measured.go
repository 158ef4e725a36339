package rank

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Measurement is the time of a program on a machine, in seconds; Program is empty where there is one.
type Measurement struct {
	Machine, Program string
	TimeS            float64
}

// Inversions compare the predicted order of machines with that of measured times (Tikir et al., section 4): a pair of machines is inverted where one is
// predicted to be faster and was measured to be slower.
type Inversions struct {
	Pairs    int    `json:"pairs"`    // of machines with both times, by program, whose measured times differ
	Inverted int    `json:"inverted"` // of them
	Of       []Pair `json:"of"`       // the inverted ones
	// MeanError is the mean of |predicted − measured| / measured of the times, and Times their number.
	MeanError float64 `json:"mean_error"`
	Times     int     `json:"times"`
}

// Pair is two machines in the wrong order.
type Pair struct {
	Program string `json:"program"`
	Faster  string `json:"faster"` // as measured
	Slower  string `json:"slower"`
	// MeasuredRatio and PredictedRatio are the time of the slower over that of the faster.
	MeasuredRatio  float64 `json:"measured_ratio"`
	PredictedRatio float64 `json:"predicted_ratio"`
}

// mostMeasured bounds a table of measured times. Chosen: a thousand machines with a hundred programs.
const mostMeasured = 100_000

// ReadMeasured reads a table of comma-separated values with the columns machine, time_s and, of several programs, program.
func ReadMeasured(r io.Reader) ([]Measurement, error) {
	c := csv.NewReader(r)
	c.TrimLeadingSpace = true
	head, err := c.Read()
	if err != nil {
		return nil, fmt.Errorf("it has no line of columns: %w", err)
	}
	column := func(name string) int {
		return slices.IndexFunc(head, func(h string) bool {
			return strings.EqualFold(strings.TrimSpace(strings.TrimPrefix(h, "\ufeff")), name)
		})
	}
	machine, program, time := column("machine"), column("program"), column("time_s")
	if machine < 0 || time < 0 {
		return nil, fmt.Errorf("its columns are %s; machine and time_s are needed, and program where there are several", strings.Join(head, ", "))
	}
	var out []Measurement
	for {
		row, err := c.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		line, _ := c.FieldPos(0)
		m := Measurement{Machine: strings.TrimSpace(row[machine])}
		if program >= 0 {
			m.Program = strings.TrimSpace(row[program])
		}
		if m.TimeS, err = strconv.ParseFloat(strings.TrimSpace(row[time]), 64); err != nil || !(m.TimeS > 0) || math.IsInf(m.TimeS, 0) {
			return nil, fmt.Errorf("line %d: time_s is %q; give seconds above 0", line, row[time])
		}
		if out = append(out, m); len(out) > mostMeasured {
			return nil, fmt.Errorf("it has more than %d lines", mostMeasured)
		}
	}
}

// inversions counts the pairs that stand in the wrong order; nil without measured times.
func inversions(r *Result, measured []Measurement) *Inversions {
	if len(measured) == 0 {
		return nil
	}
	out := &Inversions{Of: []Pair{}}
	type both struct {
		machine             string
		measured, predicted float64
	}
	for k, program := range r.Programs {
		var all []both
		for _, e := range r.Machines {
			i := slices.IndexFunc(measured, func(m Measurement) bool {
				return m.Machine == e.Machine && (m.Program == program || m.Program == "" && len(r.Programs) == 1)
			})
			if t := e.Programs[k].TimeS; i >= 0 && t != nil {
				all = append(all, both{e.Machine, measured[i].TimeS, *t})
				out.MeanError += math.Abs(*t-measured[i].TimeS) / measured[i].TimeS
				out.Times++
			}
		}
		for i := range all {
			for j := range i {
				fast, slow := all[i], all[j]
				if fast.measured > slow.measured {
					fast, slow = slow, fast
				}
				if fast.measured == slow.measured {
					continue
				}
				out.Pairs++
				if fast.predicted > slow.predicted {
					out.Inverted++
					out.Of = append(out.Of, Pair{program, fast.machine, slow.machine, slow.measured / fast.measured, slow.predicted / fast.predicted})
				}
			}
		}
	}
	if out.Times > 0 {
		out.MeanError /= float64(out.Times)
	}
	return out
}
