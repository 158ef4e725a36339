package trace

import (
	"fmt"
	"unicode/utf8"
)

// maxName is the most bytes that the name of a region or an object may have.
const maxName = 1<<16 - 1

// checkName tells what is wrong with the name of a region or an object, nil where nothing.
func checkName(name string) error {
	switch {
	case name == "":
		return fmt.Errorf("a name is empty")
	case len(name) > maxName:
		return fmt.Errorf("a name has %d bytes, more than %d", len(name), maxName)
	case !utf8.ValidString(name):
		return fmt.Errorf("the name %.60q is not UTF-8", name)
	}
	return nil
}

// regionTable gives each name of a region one index, in order of appearance.
type regionTable struct {
	names Names
	index map[string]int
}

// mostRegions is how many regions a trace may have; each is analysed by itself.
const mostRegions = 4096

// full says that there is no room for another region of this name.
func (t *regionTable) full(name string) error {
	if _, known := t.index[name]; known || len(t.names.Regions) < mostRegions {
		return nil
	}
	return fmt.Errorf("the region %.60q is one more than the %d that a trace may have; name fewer", name, mostRegions)
}

// region gives the index of a name, which it adds where it is new.
func (t *regionTable) region(name string) (index int, isNew bool) {
	if i, ok := t.index[name]; ok {
		return i, false
	}
	if t.index == nil {
		t.index = map[string]int{}
	}
	t.index[name] = len(t.names.Regions)
	t.names.Regions = append(t.names.Regions, name)
	return len(t.names.Regions) - 1, true
}
