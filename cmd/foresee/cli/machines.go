package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"foresee/cmd/foresee/remedy"
	"foresee/machine"
)

// HostName is what --machine calls the machine that foresee runs on.
const HostName = "host"

// HostFlags tell what this machine does not tell of itself.
type HostFlags struct{ caches string }

// Add adds the flags.
func (h *HostFlags) Add(f *pflag.FlagSet) {
	f.StringVar(&h.caches, "caches", "", "of this machine (host), where it does not tell them: a `LIST` of caches from the core outwards, such as 48KiB,1MiB,32MiB:shared or 48KiB:12-way,…")
}

// Said are the caches of --caches; names are the machines that are asked for.
func (h *HostFlags) Said(names ...string) ([]machine.Cache, error) {
	if h.caches == "" {
		return nil, nil
	}
	if !slices.Contains(names, HostName) {
		return nil, Usagef("--caches are of this machine: say --machine %s, or change the file of another: foresee machine show --format yaml %s", HostName, names[0])
	}
	all, err := machine.ParseCaches(h.caches)
	if err != nil {
		return nil, Usagef("--caches: %w", err)
	}
	return all, nil
}

// Load reads one machine by name or file.
func (h *HostFlags) Load(name string) (*machine.Machine, error) {
	said, err := h.Said(name)
	if err != nil {
		return nil, err
	}
	return LoadMachine(name, said)
}

// LoadMachine reads a machine by name or file; said are the caches of this one.
func LoadMachine(name string, said []machine.Cache) (*machine.Machine, error) {
	if name != HostName {
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
	return remedy.OfNotes(m), nil
}

// LoadMachines reads the machines of --machine, all errors at once. Without any it is this one, or none where the verb needs none and
// this one cannot be described.
func (c *Common) LoadMachines() ([]*machine.Machine, error) {
	names := c.Machines
	if len(names) == 0 {
		names = []string{HostName}
	}
	said, err := c.Host.Said(names...)
	if err != nil {
		return nil, err
	}
	var all []*machine.Machine
	var failed []error
	for _, name := range names {
		m, err := LoadMachine(name, said)
		switch {
		case err == nil:
			all = append(all, m)
		case len(c.Machines) > 0 || !c.NeedsNone || !errors.Is(err, machine.ErrNoCaches):
			failed = append(failed, err)
		}
	}
	return all, errors.Join(failed...)
}
