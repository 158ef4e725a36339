package hierarchy_test

import (
	"errors"
	"strings"
	"testing"

	"foresee/machine"
	"foresee/model/cache"
	"foresee/predict/hierarchy"
)

// A machine's caches are simulated as its file has them, and otherwise where options say so.
func TestOf(t *testing.T) {
	m, err := machine.Load("zen4")
	if err != nil {
		t.Fatal(err)
	}
	h, _, err := hierarchy.Of(m, 4, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(h.Levels) != 3 || h.Threads != 4 || h.LineBytes != 64 || h.Levels[0].Lines != 512 || h.Levels[0].Ways != 8 || h.Levels[2].Inclusion != cache.Exclusive {
		t.Errorf("%+v", h)
	}
	h, _, err = hierarchy.Of(m, 4, []hierarchy.Option{{"l1", "size", "64KiB"}, {"L1", "ways", "16"}, {"L3", "inclusion", "inclusive"}, {"L2", "write", "through"}})
	if err != nil {
		t.Fatal(err)
	}
	if h.Levels[0].Lines != 1024 || h.Levels[0].Ways != 16 || h.Levels[2].Inclusion != cache.Inclusive || !h.Levels[1].WriteThrough {
		t.Errorf("%+v", h)
	}
	for want, o := range map[string]hierarchy.Option{
		"has no level": {"L4", "ways", "8"}, "not known": {"L1", "colour", "red"}, "no whole number of sets": {"L1", "ways", "7"}, "not a number": {"L2", "victim", "x"},
	} {
		if _, _, err := hierarchy.Of(m, 1, []hierarchy.Option{o}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// Ways that a file does not tell are usual ones that divide the lines; a size is not made up.
func TestLacking(t *testing.T) {
	m, err := machine.Load("zen4")
	if err != nil {
		t.Fatal(err)
	}
	m.Levels[0].Ways = nil
	h, warnings, err := hierarchy.Of(m, 1, nil)
	if err != nil || h.Levels[0].Ways != 8 || len(warnings) == 0 || !strings.Contains(strings.Join(warnings, "\n"), "how many ways L1 has") {
		t.Errorf("%+v, %v, %v", h.Levels[0], warnings, err)
	}
	m.Levels[1].Size = nil
	_, _, err = hierarchy.Of(m, 1, nil)
	if lacks := new(hierarchy.LevelError); !errors.As(err, &lacks) || lacks.Level != "L2" || lacks.Lacks != "size" {
		t.Errorf("%v", err)
	}
}
