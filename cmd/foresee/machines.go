package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"foresee/machine"
)

// hostName is what --machine calls the machine that foresee runs on.
const hostName = "host"

// hostFlags tell what this machine does not tell of itself.
type hostFlags struct{ caches string }

func (h *hostFlags) add(f *pflag.FlagSet) {
	f.StringVar(&h.caches, "caches", "", "of this machine (host), where it does not tell them: a `LIST` of caches from the core outwards, such as 48KiB,1MiB,32MiB:shared or 48KiB:12-way,…")
}

// said are the caches of --caches; names are the machines that are asked for.
func (h *hostFlags) said(names ...string) ([]machine.Cache, error) {
	if h.caches == "" {
		return nil, nil
	}
	if !slices.Contains(names, hostName) {
		return nil, usagef("--caches are of this machine: say --machine %s, or change the file of another: foresee machine show --format yaml %s", hostName, names[0])
	}
	all, err := machine.ParseCaches(h.caches)
	if err != nil {
		return nil, usageError{fmt.Errorf("--caches: %w", err)}
	}
	return all, nil
}

// load reads one machine by name or file.
func (h *hostFlags) load(name string) (*machine.Machine, error) {
	said, err := h.said(name)
	if err != nil {
		return nil, err
	}
	return loadMachine(name, said)
}

// loadMachine reads a machine by name or file; said are the caches of this one.
func loadMachine(name string, said []machine.Cache) (*machine.Machine, error) {
	if name != hostName {
		return machine.Load(name)
	}
	m, err := machine.Local(said...)
	if errors.Is(err, machine.ErrNoCaches) {
		return nil, fmt.Errorf("%w; say them (--caches 48KiB,1MiB,32MiB:shared), measure them (foresee machine measure -o my.yaml, then --machine my.yaml), "+
			"or name another machine (--machine NAME; foresee machine list shows them)", err)
	}
	if err != nil {
		return nil, err
	}
	return withRemedies(m), nil
}

// loadMachines reads the machines of --machine, all errors at once. Without any it is this one, or none where the verb needs none and
// this one cannot be described.
func (c *common) loadMachines() ([]*machine.Machine, error) {
	names := c.machines
	if len(names) == 0 {
		names = []string{hostName}
	}
	said, err := c.host.said(names...)
	if err != nil {
		return nil, err
	}
	var all []*machine.Machine
	var failed []error
	for _, name := range names {
		m, err := loadMachine(name, said)
		switch {
		case err == nil:
			all = append(all, m)
		case len(c.machines) > 0 || !c.needsNone || !errors.Is(err, machine.ErrNoCaches):
			failed = append(failed, err)
		}
	}
	return all, errors.Join(failed...)
}
