package cli

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Sizes are several values of one -D.
type Sizes struct {
	Name   string
	Values []int64
	Ranged bool // between the first and the last
	place  int  // of the -D
}

// sizeName is a macro or variable, or a member: grid.n, grid->n.
const sizeName = `[A-Za-z_]\w*(?:(?:\.|->)\w+)*`

// Values of -D that stand for several.
var (
	listOfSizes  = regexp.MustCompile(`^(` + sizeName + `)=(\d+(?:,\d+)+)$`)
	brokenList   = regexp.MustCompile(`^(` + sizeName + `)=\d+(?:,\d+)*,([^,()]*[^\d,()][^,()]*|)(?:,[^()]*)?$`) // which begins as a list does
	rangeOfSizes = regexp.MustCompile(`^(` + sizeName + `)=(\d+)\.\.(\d+)$`)
	steppedSizes = regexp.MustCompile(`^(` + sizeName + `)=(\d+\.\.\d+:x?[\d.]+)$`)
)

// What sizes may be. Chosen: a table of a page, and a range in steps of about a third.
const (
	mostSizes    = 200
	sizesOfRange = 12
)

// SizesAsked finds the -D that asks for several sizes; nil where none does.
func SizesAsked(defines []string) (*Sizes, error) {
	var found *Sizes
	for i, d := range defines {
		var one *Sizes
		if m := listOfSizes.FindStringSubmatch(d); m != nil {
			one = &Sizes{Name: m[1], place: i}
			for text := range strings.SplitSeq(m[2], ",") {
				v, err := strconv.ParseInt(text, 10, 62)
				if err != nil {
					return nil, Usagef("-D %s: %s is no size", d, text)
				}
				one.Values = append(one.Values, v)
			}
			slices.Sort(one.Values)
			one.Values = slices.Compact(one.Values)
		} else if m := brokenList.FindStringSubmatch(d); m != nil {
			return nil, Usagef("-D %s: %s is no size; give whole numbers, such as %s=100,200", d, m[2], m[1])
		} else if m := rangeOfSizes.FindStringSubmatch(d); m != nil {
			first, last, ok := wholeEnds(m[2], m[3])
			if !ok {
				return nil, Usagef("-D %s: give a range from 1 or more to a greater size, such as %s=100..4000", d, m[1])
			}
			one = &Sizes{Name: m[1], place: i, Ranged: true, Values: spread(first, last)}
		}
		if m := steppedSizes.FindStringSubmatch(d); m != nil {
			values, err := AxisValues("-D "+d, m[2])
			if err != nil {
				return nil, err
			}
			one = &Sizes{Name: m[1], place: i, Ranged: true}
			for _, text := range values {
				v, err := strconv.ParseInt(text, 10, 62)
				if err != nil {
					return nil, Usagef("-D %s: %s is no size", d, text)
				}
				one.Values = append(one.Values, v)
			}
		}
		switch {
		case one == nil:
		case found != nil:
			return nil, Usagef("-D %s and -D %s: several sizes may be given of one name; give the other one size", defines[found.place], d)
		case len(one.Values) > mostSizes:
			return nil, Usagef("-D %s: more than %d sizes", one.Name, mostSizes)
		default:
			found = one
		}
	}
	return found, nil
}

// spread are sizes from first to last whose ratios are alike.
func spread(first, last int64) []int64 {
	var out []int64
	for i := range sizesOfRange {
		out = append(out, int64(math.Round(float64(first)*math.Pow(float64(last)/float64(first), float64(i)/(sizesOfRange-1)))))
	}
	out[len(out)-1] = last
	return slices.Compact(out)
}

// With are the defines with one of the sizes.
func (z *Sizes) With(defines []string, value int64) []string {
	out := slices.Clone(defines)
	out[z.place] = z.Name + "=" + strconv.FormatInt(value, 10)
	return out
}

// refuseSizes says which verb takes several sizes, where another one is given a range of them.
func refuseSizes(defines []string) error {
	for _, d := range defines {
		if rangeOfSizes.MatchString(d) || steppedSizes.MatchString(d) {
			return Usagef("-D %s: a range of sizes is for foresee predict; give one size", d)
		}
	}
	return nil
}
