package decomposition

import (
	"slices"

	"foresee/application/messages"
)

// mostCells bounds the table of an alignment; chosen: 2000 calls of each.
const mostCells = 4_000_000

// merge puts together what a rank does that has neighbours on both sides, of two that have them on one each: an alignment of both sequences with the most
// calls in common. It fails where requests are not completed all at once, as those of both then have no common order.
func merge(a, b []step) ([]step, bool) {
	if len(a)*len(b) > mostCells {
		return nil, false
	}
	// common[i][j] is the most that a from i and b from j have in common.
	width := len(b) + 1
	common := make([]int32, (len(a)+1)*width)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			most := max(common[(i+1)*width+j], common[i*width+j+1])
			if together(&a[i], &b[j]) {
				most = max(most, common[(i+1)*width+j+1]+1)
			}
			common[i*width+j] = most
		}
	}
	var out []step
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && together(&a[i], &b[j]) && common[i*width+j] == common[(i+1)*width+j+1]+1:
			one, ok := joined(&a[i], &b[j])
			if !ok {
				return nil, false
			}
			out = append(out, one)
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[(i+1)*width+j] > common[i*width+j+1]:
			out, i = append(out, a[i]), i+1
		default:
			out, j = append(out, b[j]), j+1
		}
	}
	return out, true
}

// together says whether two steps may be one.
func together(a, b *step) bool {
	if (a.body == nil) != (b.body == nil) {
		return false
	}
	if a.body != nil {
		return a.repeats == b.repeats
	}
	return a.call.Name == b.call.Name && a.comm == b.comm && a.which == b.which && a.call.Root == b.call.Root && a.call.Tag == b.call.Tag &&
		a.call.SourceTag == b.call.SourceTag && a.to.meets(b.to) && a.from.meets(b.from)
}

// meets says whether two offsets may be one: they are the same, or one ends at the border.
func (o offset) meets(other offset) bool {
	return o == other || o.special == messages.Nobody && other.special == 0 || other.special == messages.Nobody && o.special == 0
}

// joined is one step of two.
func joined(a, b *step) (step, bool) {
	out := *a
	if a.body != nil {
		body, ok := merge(a.body, b.body)
		out.body = body
		return out, ok
	}
	if len(a.call.Completes)+len(b.call.Completes) > 0 && !(a.all && b.all) {
		if !slices.Equal(a.call.Completes, b.call.Completes) {
			return out, false
		}
	}
	if a.to.special == messages.Nobody {
		out.to = b.to
	}
	if a.from.special == messages.Nobody {
		out.from = b.from
	}
	out.call.Bytes = max(a.call.Bytes, b.call.Bytes)
	return out, true
}

// computed is the time between the calls of a rank, all repetitions together, in s.
func computed(steps []step) (sum float64) {
	for i := range steps {
		sum += steps[i].call.Wall + computed(steps[i].body)
	}
	return sum
}

// scaled is steps with the time between calls times a factor.
func scaled(steps []step, factor float64) []step {
	out := slices.Clone(steps)
	for i := range out {
		c := &out[i].call
		c.Wall, c.CPU, c.Median = c.Wall*factor, c.CPU*factor, c.Median*factor
		if out[i].body != nil {
			out[i].body = scaled(out[i].body, factor)
		}
	}
	return out
}
