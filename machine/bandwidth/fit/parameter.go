package fit

import (
	"fmt"

	"foresee/machine/bandwidth"
)

// Parameter is one number of the form that is fitted. Low, usual and high are bounds and first value; they are searched evenly in their
// logarithms.
type Parameter struct {
	Name             string // in machine files, under fits[].form
	Unit             string // "1" for a pure number
	Meaning          string
	Low, Usual, High Bound
	// SD is the prior standard deviation of ln(value/usual); 0: there is no prior, any value between the bounds will do.
	SD     float64
	Source string // where the numbers come from

	field func(f *bandwidth.Extended, level int) *float64
	// base is what the field is fitted relative to: the parameter is field/base − 1, so that no fit gives a field below its base. nil: the
	// parameter is the field.
	base func(f *bandwidth.Extended, level int) *float64
	// told says whether any point of a sweep tells of the parameter; nil: some always do. Where none does it stays at next to nothing.
	told func(s *setting) bool
}

// Set writes a value into a form, where the field's base must stand already.
func (p *Parameter) Set(f *bandwidth.Extended, level int, value float64) {
	if p.base != nil {
		value = *p.base(f, level) * (1 + value)
	}
	*p.field(f, level) = value
}

// Of reads the value from a form.
func (p *Parameter) Of(f *bandwidth.Extended, level int) float64 {
	value := *p.field(f, level)
	if p.base != nil {
		value = value / *p.base(f, level) - 1
	}
	return value
}

// Field is where a form has the number, as it stands in machine files: of a parameter that is relative, not relative.
func (p *Parameter) Field(f *bandwidth.Extended, level int) *float64 { return p.field(f, level) }

// limits are the bounds, the first value and the prior in a setting.
func (p *Parameter) limits(s *setting, level int) limits {
	if p.told != nil && !p.told(s) {
		return untold
	}
	l := limits{p.Low.at(s, level), p.Usual.at(s, level), p.High.at(s, level), p.SD}
	l.usual = min(max(l.usual, l.low*1.01), l.high*0.99)
	return l
}

// limits of one parameter of one level, in the parameter's unit.
type limits struct{ low, usual, high, sd float64 }

// untold holds a parameter that no point tells of at so little that it changes no time; a tight prior keeps it from wandering, as a flat
// direction would slow the descent.
var untold = limits{1e-9, 1e-8, 1e-7, 0.01}

// Instance is a parameter of one level; of the whole form, of level 0.
type Instance struct {
	*Parameter
	Level int
	Path  string // in machine files: "sources[2].far_ns"
}

// Instances are all parameters for so many levels of caches, in the order in which a form must be written.
func Instances(levels int) (out []Instance) {
	add := func(table []Parameter, levels int, path string) {
		for level := range levels {
			for i := range table {
				in := Instance{Parameter: &table[i], Level: level, Path: table[i].Name}
				if path != "" {
					in.Path = fmt.Sprintf("%s[%d].%s", path, level, in.Name)
				}
				out = append(out, in)
			}
		}
	}
	add(Global, 1, "")
	add(OfSource, levels, "sources")
	add(OfCapacity, levels, "edges")
	add(OfPages, 1, "")
	return out
}
