package main

import (
	"context"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"foresee/application"
	"foresee/application/csource"
	"foresee/predict"
)

// sizes are several values of one -D.
type sizes struct {
	name   string
	values []int64
	ranged bool // between the first and the last
	place  int  // of the -D
}

// sizeName is a macro or variable, or a member: grid.n, grid->n.
const sizeName = `[A-Za-z_]\w*(?:(?:\.|->)\w+)*`

// Values of -D that stand for several.
var (
	listOfSizes  = regexp.MustCompile(`^(` + sizeName + `)=(\d+(?:,\d+)+)$`)
	brokenList   = regexp.MustCompile(`^(` + sizeName + `)=\d+(?:,\d+)*,([^,()]*[^\d,()][^,()]*|)(?:,[^()]*)?$`) // which begins as a list does
	rangeOfSizes = regexp.MustCompile(`^(` + sizeName + `)=(\d+)\.\.(\d+)$`)
)

// What sizes may be. Chosen: a table of a page, and a range in steps of about a third.
const (
	mostSizes    = 200
	sizesOfRange = 12
)

// sizesAsked finds the -D that asks for several sizes; nil where none does.
func sizesAsked(defines []string) (*sizes, error) {
	var found *sizes
	for i, d := range defines {
		var one *sizes
		if m := listOfSizes.FindStringSubmatch(d); m != nil {
			one = &sizes{name: m[1], place: i}
			for text := range strings.SplitSeq(m[2], ",") {
				v, err := strconv.ParseInt(text, 10, 62)
				if err != nil {
					return nil, usagef("-D %s: %s is no size", d, text)
				}
				one.values = append(one.values, v)
			}
			slices.Sort(one.values)
			one.values = slices.Compact(one.values)
		} else if m := brokenList.FindStringSubmatch(d); m != nil {
			return nil, usagef("-D %s: %s is no size; give whole numbers, such as %s=100,200", d, m[2], m[1])
		} else if m := rangeOfSizes.FindStringSubmatch(d); m != nil {
			first, err1 := strconv.ParseInt(m[2], 10, 62)
			last, err2 := strconv.ParseInt(m[3], 10, 62)
			if err1 != nil || err2 != nil || first < 1 || last <= first {
				return nil, usagef("-D %s: give a range from 1 or more to a greater size, such as %s=100..4000", d, m[1])
			}
			one = &sizes{name: m[1], place: i, ranged: true, values: spread(first, last)}
		}
		switch {
		case one == nil:
		case found != nil:
			return nil, usagef("-D %s and -D %s: several sizes may be given of one name; give the other one size", defines[found.place], d)
		case len(one.values) > mostSizes:
			return nil, usagef("-D %s: more than %d sizes", one.name, mostSizes)
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

// with are the defines with one of the sizes.
func (z *sizes) with(defines []string, value int64) []string {
	out := slices.Clone(defines)
	out[z.place] = z.name + "=" + strconv.FormatInt(value, 10)
	return out
}

// refuseSizes says which verb takes several sizes, where another one is given a range of them.
func refuseSizes(defines []string) error {
	for _, d := range defines {
		if rangeOfSizes.MatchString(d) {
			return usagef("-D %s: a range of sizes is for foresee predict; give one size", d)
		}
	}
	return nil
}

// runPredictSizes predicts at several sizes: the first is read as an only one would be, which begins the outputs.
func runPredictSizes(cmd *cobra.Command, s *streams, c *common, m *models, z *sizes, input string, args []string) error {
	ctx, defines := cmd.Context(), c.defines
	switch {
	case c.html != "" || c.plot != "":
		return usagef("pictures and pages are of one size; leave out --html and --plot, or give one value of -D %s", z.name)
	case c.observe != "" || c.run:
		return usagef("a run has the sizes that it has; leave out --run and --trace, or give one value of -D %s", z.name)
	}
	c.refuse = m.fits
	c.defines = z.with(defines, z.values[0])
	j, err := c.begin(ctx, s, cmd, input, args, c.usualThreads)
	if err != nil {
		return err
	}
	defer j.discard()
	request, err := c.request(j, m)
	if err != nil {
		return err
	}
	open := func(value int64) (*application.Signature, error) {
		if value == z.values[0] {
			return j.Signature, nil
		}
		c.defines = z.with(defines, value)
		return c.again(ctx, s, input)
	}
	result, failed := predict.RunSizes(ctx, predict.SizesRequest{
		Request: request, Name: z.name, Values: z.values, Between: z.ranged && c.threads != bestThreads, Open: open, // the best number differs by size
	})
	if failed = j.finish(s, failed); failed != nil {
		return failed
	}
	return j.show(s, c, result)
}

// again reads the source once more, with other values.
func (c *common) again(ctx context.Context, s *streams, input string) (*application.Signature, error) {
	in, err := c.find(ctx, s, input)
	if err != nil {
		return nil, err
	}
	o := c.options(s, c.regions, false)
	o.Skipped = func(string, []csource.Skipped, []string) {}
	opened, err := in.Open(ctx, o)
	if err != nil {
		in.Close()
		return nil, err
	}
	defer opened.Close()
	return opened.Signature, nil
}
