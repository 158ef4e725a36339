package sweep

import (
	"cmp"
	"slices"
	"strconv"

	"foresee/machine"
)

// View looks at a region over two axes; of all points that share a place there it takes the one with the least time.
type View struct {
	Region string
	X, By  Axis   // By has no name where one axis is enough
	Rest   []Axis // the others with more than one value, of which the best is taken
	// Cells are rows by the values of By and of X; nil where there is no time.
	Cells [][]*Row
}

// Views are those of the regions that have times, in their order. Where x or by is empty, the axes with most values are taken, as x one of numbers
// if there is any.
func (r *Result) Views(x, by string) ([]View, error) {
	xi, byi, err := r.axes(x, by)
	if err != nil {
		return nil, err
	}
	var out []View
	for _, region := range r.regions() {
		out = append(out, r.view(region, xi, byi))
	}
	return out, nil
}

// AxisError is an axis that the space does not have.
type AxisError struct {
	Name  string
	Known []string
}

func (e *AxisError) Error() string { return "the sweep has no axis " + strconv.Quote(e.Name) }

// axes chooses the axes of views; the second is -1 where no other has more than one value.
func (r *Result) axes(x, by string) (xi, byi int, err error) {
	var names []string
	order := make([]int, len(r.Axes))
	for i, a := range r.Axes {
		names, order[i] = append(names, a.Name), i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(r.Axes[b].Values), len(r.Axes[a].Values)) })
	choose := func(name string, other int, numbers bool) (int, error) {
		if name != "" {
			i := r.Axes.index(name)
			if i < 0 {
				return 0, &AxisError{name, names}
			}
			return i, nil
		}
		for _, i := range order {
			if i != other && len(r.Axes[i].Values) > 1 && (!numbers || r.Axes[i].Numbers() != nil) {
				return i, nil
			}
		}
		return -1, nil
	}
	given := -1
	if by != "" {
		if given, err = choose(by, -1, false); err != nil {
			return 0, 0, err
		}
	}
	if xi, err = choose(x, given, true); err == nil && xi < 0 {
		if xi, err = choose(x, given, false); xi < 0 {
			xi = len(r.Axes) - 1
		}
	}
	if err != nil {
		return 0, 0, err
	}
	byi, err = choose(by, xi, false)
	if byi == xi {
		byi = -1
	}
	return xi, byi, err
}

func (r *Result) view(region string, xi, byi int) View {
	v := View{Region: region, X: r.Axes[xi]}
	lines := 1
	if byi >= 0 {
		v.By, lines = r.Axes[byi], len(r.Axes[byi].Values)
	}
	for i, a := range r.Axes {
		if i != xi && i != byi && len(a.Values) > 1 {
			v.Rest = append(v.Rest, a)
		}
	}
	v.Cells = make([][]*Row, lines)
	for i := range v.Cells {
		v.Cells[i] = make([]*Row, len(v.X.Values))
	}
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Region != region || row.TimeS == nil {
			continue
		}
		line := 0
		if byi >= 0 {
			line = slices.Index(v.By.Values, row.At[byi])
		}
		cell := &v.Cells[line][slices.Index(v.X.Values, row.At[xi])]
		if *cell == nil || *row.TimeS < *(*cell).TimeS {
			*cell = row
		}
	}
	return v
}

// Numbers are the values of an axis where all are numbers or sizes, or multiples; else nil.
func (a Axis) Numbers() []float64 {
	var all []float64
	for _, text := range a.Values {
		v, ok := number(text)
		if !ok {
			return nil
		}
		all = append(all, v)
	}
	return all
}

// number reads 100, 2.5, 32KiB or x2.
func number(text string) (float64, bool) {
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		return v, true
	}
	if len(text) > 1 && text[0] == 'x' {
		v, err := strconv.ParseFloat(text[1:], 64)
		return v, err == nil
	}
	n, err := machine.ParseSize(text)
	return float64(n), err == nil
}
