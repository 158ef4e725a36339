package cli

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"foresee/sweep"
)

// severalValues tells a definition of several whole numbers from one of a macro.
var severalValues = regexp.MustCompile(`^-?\d+(,|\.\.)`)

// DefineAxis reads NAME=100,200 or NAME=100..800:100; several is false of a definition with one value.
func DefineAxis(d string) (axis sweep.Axis, several bool, err error) {
	name, list, ok := strings.Cut(d, "=")
	if !ok || strings.Contains(name, "(") || !severalValues.MatchString(list) {
		return axis, false, nil
	}
	values, err := AxisValues("-D "+d, list)
	if err != nil {
		return axis, false, err
	}
	for _, v := range values {
		if _, err := strconv.ParseInt(v, 10, 64); err != nil {
			return axis, false, Usagef("-D %s: %q is no whole number", d, v)
		}
	}
	return sweep.Axis{Name: name, Values: values}, true, nil
}

// AxisValues reads a list of values and ranges; flag is what they are of.
func AxisValues(flag, list string) (values []string, err error) {
	for item := range strings.SplitSeq(list, ",") {
		from, rest, isRange := strings.Cut(item, "..")
		if item == "" {
			return nil, Usagef("%s: a value is missing between two commas, or at an end", flag)
		}
		if !isRange {
			values = append(values, item)
			continue
		}
		more, err := rangeValues(flag, item, from, rest)
		if err != nil {
			return nil, err
		}
		values = append(values, more...)
	}
	if len(values) > sweep.MostPoints {
		return nil, Usagef("%s: %d values; give fewer", flag, len(values))
	}
	return values, nil
}

// wholeEnds are those of a range of whole numbers, from 1 or more to a greater one.
func wholeEnds(from, to string) (first, last int64, ok bool) {
	first, err1 := strconv.ParseInt(from, 10, 62)
	last, err2 := strconv.ParseInt(to, 10, 62)
	return first, last, err1 == nil && err2 == nil && first >= 1 && last > first
}

// rangeValues are those of FROM..TO:STEP or FROM..TO:xFACTOR, or of FROM..TO, some whole numbers whose ratios are alike.
func rangeValues(flag, item, from, rest string) (values []string, err error) {
	to, step, ok := strings.Cut(rest, ":")
	if first, last, whole := wholeEnds(from, to); !ok && whole {
		for _, v := range spread(first, last) {
			values = append(values, strconv.FormatInt(v, 10))
		}
		return values, nil
	}
	if !ok {
		return nil, Usagef("%s: %s has no step; write FROM..TO:STEP, such as 100..800:100, or FROM..TO:xFACTOR, such as 128..4096:x2", flag, item)
	}
	factor, times := strings.CutPrefix(step, "x")
	var ends [3]float64
	for i, text := range []string{from, to, factor} {
		if ends[i], err = strconv.ParseFloat(text, 64); err != nil || math.IsInf(ends[i], 0) || math.IsNaN(ends[i]) {
			return nil, Usagef("%s: %q of %s is no number", flag, text, item)
		}
	}
	lo, hi, by := ends[0], ends[1], ends[2]
	switch {
	case lo > hi:
		return nil, Usagef("%s: the range %s runs backwards", flag, item)
	case times && (by <= 1 || lo <= 0):
		return nil, Usagef("%s: %s multiplies; the factor must be above 1 and the first value above 0", flag, item)
	case !times && by <= 0:
		return nil, Usagef("%s: the step of %s must be above 0", flag, item)
	}
	whole := !strings.ContainsAny(from+to, ".eE")
	for i := 0; ; i++ {
		v := lo + float64(i)*by
		if times {
			v = lo * math.Pow(by, float64(i))
		}
		if v > hi*(1+1e-12) {
			return values, nil
		}
		if len(values) > sweep.MostPoints {
			return nil, Usagef("%s: %s is more than %d values", flag, item, sweep.MostPoints)
		}
		if whole {
			v = math.Round(v)
		}
		text := strconv.FormatFloat(v, 'f', -1, 64)
		if len(values) == 0 || values[len(values)-1] != text {
			values = append(values, text)
		}
	}
}
