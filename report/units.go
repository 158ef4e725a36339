package report

import (
	_ "embed"
	"math"
	"strconv"
	"strings"

	"foresee/machine"
)

// Seconds prints a time with three digits and the unit that suits it: "1.20 ms".
func Seconds(s float64) string {
	if s > 0 && s < 1e-9 {
		return "< 1 ns"
	}
	value, unit := SecondsUnit(s)
	return Significant(s/value, 3) + " " + unit
}

// SecondsUnit returns the unit for times like s, and its size in seconds.
func SecondsUnit(s float64) (float64, string) {
	// 0.9995 rounds to 1.00 of the next unit.
	switch s = math.Abs(s); {
	case s == 0 || s >= 0.9995:
		return 1, "s"
	case s >= 0.9995e-3:
		return 1e-3, "ms"
	case s >= 0.9995e-6:
		return 1e-6, "µs"
	}
	return 1e-9, "ns"
}

// Bytes prints a size for people.
func Bytes(n int64) string { return machine.FormatSize(n) }

// Percent prints a share with two decimals, or with more where two would hide that something is missing to 100 %.
func Percent(share float64) string {
	p := 100 * share
	for decimals := 2; decimals < 6; decimals++ {
		s := strconv.FormatFloat(p, 'f', decimals, 64)
		if p >= 100 || !strings.HasPrefix(s, "100.") {
			return s + " %"
		}
	}
	return strconv.FormatFloat(p, 'f', 6, 64) + " %"
}

// Ratio prints a miss ratio with four digits: "0.0312", "1.25e-06".
func Ratio(r float64) string {
	if r == 0 {
		return "0"
	}
	if math.Abs(r) < 1e-5 {
		return strconv.FormatFloat(r, 'e', 2, 64)
	}
	if math.Abs(r) < 0.01 {
		return strconv.FormatFloat(r, 'f', 6, 64)
	}
	return strconv.FormatFloat(r, 'f', 4, 64)
}

// Count prints a whole number with commas: "1,352,400".
func Count(n int64) string {
	s := strconv.FormatInt(n, 10)
	start := 0
	if n < 0 {
		start = 1
	}
	for i := len(s) - 3; i > start; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// largestWritten is the least number that is written with an exponent. Chosen: what is larger has more digits than a double tells apart.
const largestWritten = 1e16

// Significant prints v with n digits, without an exponent where it is no larger than its digits tell: 1.20, 12.0, 120, 1200.
func Significant(v float64, n int) string {
	switch {
	case v == 0 || math.IsInf(v, 0) || math.IsNaN(v):
		return strconv.FormatFloat(v, 'f', 0, 64)
	case math.Abs(v) >= largestWritten:
		return strconv.FormatFloat(v, 'e', n-1, 64)
	}
	decimals := n - 1 - int(math.Floor(math.Log10(math.Abs(v))))
	// 9.996 with three digits is 10.0, which has one decimal less.
	if r := math.Pow(10, float64(decimals)); math.Log10(math.Round(math.Abs(v)*r)/r)-float64(n-1-decimals) >= 1-1e-12 {
		decimals--
	}
	return strconv.FormatFloat(v, 'f', max(decimals, 0), 64)
}

// Number prints a float as short as it reads back.
func Number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// Plural is a number of things whose plural ends in s: "1 thread", "8 threads".
func Plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return Count(int64(n)) + " " + one + "s"
}

// Interval prints two times in one unit: "1.10 – 1.40 ms".
func Interval(low, high *float64) string {
	if low == nil || high == nil {
		return "–"
	}
	size, unit := SecondsUnit(*low)
	return Significant(*low/size, 3) + " – " + Significant(*high/size, 3) + " " + unit
}

// SecondsOr prints a time, or a dash where there is none.
func SecondsOr(s *float64) string {
	if s == nil {
		return "–"
	}
	return Seconds(*s)
}

// Speedup prints a ratio of two times with two decimals, or a dash where there is none.
func Speedup(s *float64) string {
	if s == nil {
		return "–"
	}
	return strconv.FormatFloat(*s, 'f', 2, 64)
}

// Known is a text, or a dash where it is not known.
func Known(ok bool, s string) string {
	if !ok {
		return "–"
	}
	return s
}

// Short prints a number with four digits.
func Short(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }

// CountOf is a number of things.
func CountOf(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	if strings.HasSuffix(thing, "s") {
		thing += "e"
	}
	return Count(n) + " " + thing + "s"
}
