package engine

import (
	"context"
	"fmt"

	"foresee/machine"
	"foresee/predict"
)

// LevelChange is what differs in a level of a machine.
type LevelChange struct {
	Level string `json:"level"`
	Bytes int64  `json:"bytes"` // 0: as it is
	Ways  int    `json:"ways"`  // 0: as they are
}

// MachineSchema is that of a machine as the page shows it.
const MachineSchema = "foresee.page-machine/v1"

// Machine is what the page shows of a machine.
type Machine struct {
	predict.Header
	Name   string   `json:"name"`
	Title  string   `json:"title"`
	Cores  int      `json:"cores"` // of all sockets; 0: not known
	Levels []Level  `json:"levels"`
	Notes  []string `json:"notes"`
	File   string   `json:"file"` // as a machine file that the command reads
}

// Level is a cache.
type Level struct {
	Level    string `json:"level"`
	Bytes    int64  `json:"bytes"`
	Ways     int    `json:"ways"` // 0: not known
	Line     int    `json:"line"`
	SharedBy int    `json:"shared_by"` // cores
}

// machine describes the machine that is asked for.
func (e *Engine) machine(_ context.Context, r *Request, _ func(done, total int)) (any, error) {
	m, err := e.on(r)
	if err != nil {
		return nil, err
	}
	out := &Machine{
		Header: predict.Header{Schema: MachineSchema, Version: predict.Version, Input: m.Name, Warnings: []string{}},
		Name:   m.Name, Title: m.Title, Cores: m.TotalCores(), Notes: m.Notes,
	}
	for i := range m.Levels {
		l := &m.Levels[i]
		size, _ := l.Capacity()
		ways, _ := l.Ways.Get()
		out.Levels = append(out.Levels, Level{l.Name, int64(size), ways, m.Line(l), l.SharedBy.Or(1)})
	}
	text, err := m.YAML()
	out.File = string(text)
	return out, err
}

// Bounds of caches. Chosen: below and above what anybody builds.
const (
	leastCache = 1 << 10
	mostCache  = 4 << 30
)

// chosen is the source of what is changed.
const chosen = "chosen by who asks; latencies and bandwidths are those of the machine as it is"

// change makes a machine differ. Its name says so.
func change(m *machine.Machine, changes []LevelChange) error {
	for _, c := range changes {
		l := m.Level(c.Level)
		if l == nil {
			return fmt.Errorf("machine %s has no level %q", m.Name, c.Level)
		}
		if c.Bytes != 0 {
			if c.Bytes < leastCache || c.Bytes > mostCache {
				return fmt.Errorf("%s of %d bytes: a cache has from %s to %s", c.Level, c.Bytes, machine.FormatSize(leastCache), machine.FormatSize(mostCache))
			}
			l.Size, l.EffectiveSize = &machine.Value[machine.Size]{Value: machine.Size(c.Bytes), Source: chosen}, nil
		}
		if c.Ways > 0 {
			l.Ways = &machine.Value[int]{Value: c.Ways, Source: chosen}
		}
		if size, ok := l.Capacity(); ok {
			fit(m, l, int64(size))
		}
	}
	if len(changes) > 0 {
		m.Name += "-changed"
	}
	return nil
}

// fit makes a level of so many bytes whole sets: of as many ways as it has, as far as that gives a number of sets.
func fit(m *machine.Machine, l *machine.Level, size int64) {
	lines := size / int64(m.Line(l))
	ways, known := l.Ways.Get()
	if !known {
		return
	}
	for ways > 1 && lines%int64(ways) != 0 {
		ways--
	}
	if ways != l.Ways.Value {
		l.Ways = &machine.Value[int]{Value: ways, Source: chosen}
	}
}
