package cluster

import (
	"strings"
	"testing"

	"foresee/machine"
)

// TestLibrary: every file is whole, named as it is called, and routes between its first and last node; its machine is known.
func TestLibrary(t *testing.T) {
	all := Library()
	if len(all) < 4 {
		t.Fatalf("%d clusters only", len(all))
	}
	for _, name := range all {
		c, err := Load(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if c.Name != name || c.Title == "" || c.Machine == "" {
			t.Errorf("%s: is called %s, %q, of %q", name, c.Name, c.Title, c.Machine)
		}
		if c.Machine != "host" {
			if _, err := machine.Load(c.Machine); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		f := c.Fabric()
		latency := 0.0
		for _, l := range f.Route(0, c.Nodes.Value-1, nil) {
			latency += f.Latency[l]
		}
		if !(latency > 0 && latency < 100e-6) {
			t.Errorf("%s: %g s from the first node to the last", name, latency)
		}
	}
	if _, err := Load("nothing"); err == nil || !strings.Contains(err.Error(), all[0]) {
		t.Error(err)
	}
}
