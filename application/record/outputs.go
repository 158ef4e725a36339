package record

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Difference is the first line in which two outputs differ.
type Difference struct {
	Line      int // from 1; of the first output
	Got, Want string
}

func (d *Difference) String() string {
	return fmt.Sprintf("line %d is %q, not %q", d.Line, shorten(d.Got), shorten(d.Want))
}

// shorten cuts a line for an error.
func shorten(s string) string {
	const most = 120
	if len(s) <= most {
		return s
	}
	return s[:most] + "…"
}

// Tolerances of numbers that are compared: sums in another order, and what remains of numbers that cancel.
const (
	RelativeTolerance = 1e-6
	Nothing           = 1e-10 // sizes of numbers below it are not compared
)

// CompareOutputs gives the first difference between what a program printed and what it should have printed, nil where there is none.
// Blanks count once; whole numbers must be equal, others to one part in a million or one in their last digit. Unlike is what
// it printed when it was run once more in another way, empty where it was not: what differs there is not compared. With any, lines may
// come in any order.
func CompareOutputs(got, want, unlike string, anyOrder bool) *Difference {
	a, b := linesOf(got), linesOf(want)
	var c []outputLine
	if unlike != "" {
		c = linesOf(unlike)
	}
	d := compareLines(a, b, c)
	if d == nil || !anyOrder {
		return d
	}
	for _, all := range [][]outputLine{a, b} {
		slices.SortStableFunc(all, func(x, y outputLine) int { return cmp.Compare(x.text, y.text) })
	}
	if compareLines(a, b, nil) == nil {
		return nil
	}
	return d
}

// LinesOnce leaves out lines that came before: what each thread of a team prints is there once for each of them.
func LinesOnce(text string) string {
	seen := map[string]bool{}
	var kept []string
	for l := range strings.SplitSeq(text, "\n") {
		if l == "" || !seen[l] {
			kept = append(kept, l)
		}
		seen[l] = true
	}
	return strings.Join(kept, "\n")
}

// outputLine is text between numbers, and the numbers.
type outputLine struct {
	text    string
	words   []string // before each number, and after the last
	numbers []string
}

var numberPattern = regexp.MustCompile(`0[xX][0-9a-fA-F]+|[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?`)

// linesOf splits what a program prints into lines, and these into words and numbers.
func linesOf(text string) []outputLine {
	var all []outputLine
	for l := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		line, end := outputLine{text: l}, 0
		for _, at := range numberPattern.FindAllStringIndex(l, -1) {
			line.words = append(line.words, strings.Join(strings.Fields(l[end:at[0]]), " "))
			line.numbers = append(line.numbers, l[at[0]:at[1]])
			end = at[1]
		}
		line.words = append(line.words, strings.Join(strings.Fields(l[end:]), " "))
		all = append(all, line)
	}
	return all
}

// compareLines leaves out what differs between want and unlike; from where their lines no longer go together nothing is compared.
func compareLines(got, want, unlike []outputLine) *Difference {
	for i := range max(len(got), len(want)) {
		if unlike != nil && i >= min(len(want), len(unlike)) {
			if len(want) != len(unlike) {
				return nil
			}
			unlike = nil
		}
		var g, w outputLine
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if unlike != nil && !slices.Equal(w.words, unlike[i].words) {
			if len(want) != len(unlike) {
				return nil
			}
			continue
		}
		if i >= len(got) || i >= len(want) || !g.same(w, unlike, i) {
			return &Difference{i + 1, g.text, w.text}
		}
	}
	return nil
}

// same says whether two lines say the same: equal words, and numbers equal but for rounding. Numbers that differ from run to run are passed
// over.
func (g outputLine) same(w outputLine, unlike []outputLine, i int) bool {
	if !slices.Equal(g.words, w.words) {
		return false
	}
	for k := range g.numbers {
		if unlike != nil && unlike[i].numbers[k] != w.numbers[k] {
			continue
		}
		if !sameNumber(g.numbers[k], w.numbers[k]) {
			return false
		}
	}
	return true
}

// sameNumber says whether two numbers are equal but for the last digits of floating-point ones.
func sameNumber(a, b string) bool {
	if a == b {
		return true
	}
	if !strings.ContainsAny(a+b, ".eE") || strings.HasPrefix(a, "0x") {
		return false
	}
	x, err := strconv.ParseFloat(a, 64)
	y, failed := strconv.ParseFloat(b, 64)
	if err != nil || failed != nil {
		return false
	}
	size := max(math.Abs(x), math.Abs(y))
	return math.Abs(x-y) <= max(RelativeTolerance*size, 1.001*max(lastDigit(a), lastDigit(b))) || size < Nothing
}

// lastDigit is what one more in the last digit adds.
func lastDigit(s string) float64 {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(s), "e")
	power, _ := strconv.Atoi(exponent)
	if _, fraction, ok := strings.Cut(mantissa, "."); ok {
		power -= len(fraction)
	}
	return math.Pow10(power)
}
