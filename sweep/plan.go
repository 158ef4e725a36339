package sweep

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"foresee/application"
	"foresee/machine"
	"foresee/predict"
)

// PlanSchema names the files of plans.
const PlanSchema = "foresee.sweep-plan/v1"

// Plan is a design space with all that its predictions depend on but the content of the files that it names by their digests.
type Plan struct {
	Schema   string    `json:"schema"`
	Version  string    `json:"version"`
	Program  string    `json:"program"` // digest of the program that predicts: another one may predict something else
	Input    string    `json:"input"`
	Axes     Space     `json:"axes"`    // parameters of the source, then machines, changes of machines, and threads
	Sources  int       `json:"sources"` // how many of the axes are of the source: the first ones
	Sizes    []string  `json:"sizes"`   // digests of signatures, a point of the axes of the source each
	Machines []Variant `json:"machines"`
	Threads  []int     `json:"threads"`
	Settings Settings  `json:"settings"`
	Block    int       `json:"block"` // machines of a unit
	Checksum string    `json:"checksum"`
}

// Variant is a machine with changes.
type Variant struct {
	Name    string           `json:"name"`
	Base    string           `json:"base"` // digest of its file
	Changes []machine.Change `json:"changes,omitempty"`
	// Why it cannot be, where its changes contradict one another: it is left out.
	Impossible string `json:"impossible,omitempty"`
}

// Settings are what predict.Request takes besides.
type Settings struct {
	Model        string `json:"model"`
	HitModel     string `json:"hit_model,omitempty"`
	Warm         bool   `json:"warm,omitempty"`
	Page         int64  `json:"page,omitempty"`
	Seed         uint64 `json:"seed"`
	Samples      int    `json:"samples,omitempty"`
	ThreadsModel string `json:"threads_model,omitempty"`
	Interleave   string `json:"interleave,omitempty"`
}

func (s Settings) options() predict.Options {
	return predict.Options{HitModel: s.HitModel, Warm: s.Warm, Page: s.Page, Seed: s.Seed, Samples: s.Samples, ThreadsModel: s.ThreadsModel, Interleave: s.Interleave}
}

// Study is what a plan is made of.
type Study struct {
	Input    string
	Sizes    []Axis                                                   // parameters of the source
	Source   func(names, at []string) (*application.Signature, error) // reads it with values of them
	Machines []*machine.Machine
	Changes  []Axis // fields of machines, each value one of machine.Change
	Threads  []int
	Settings Settings
	Program  string
}

// unitPoints is about how many predictions a unit has. Chosen: at some 10 ms each it takes seconds, of which the analysis of the program is a small
// part, and so much is lost when a unit is interrupted.
const unitPoints = 500

// errEmpty is a study with nothing to predict.
var errEmpty = errors.New("the space is empty: each axis needs a value")

// Plan makes a plan, and puts what it names into a store.
func (s *Study) Plan(store *Store) (*Plan, error) {
	p := &Plan{Schema: PlanSchema, Version: predict.Version, Program: s.Program, Input: s.Input, Sources: len(s.Sizes), Threads: s.Threads, Settings: s.Settings}
	p.Axes = append(p.Axes, s.Sizes...)
	machines, threads := Axis{Name: MachineAxis}, Axis{Name: ThreadsAxis}
	for _, m := range s.Machines {
		machines.Values = append(machines.Values, m.Name)
	}
	for _, t := range s.Threads {
		threads.Values = append(threads.Values, fmt.Sprint(t))
	}
	p.Axes = append(append(append(p.Axes, machines), s.Changes...), threads)
	points, err := p.Axes.Points()
	if err != nil {
		return nil, err
	}
	if points == 0 {
		return nil, errEmpty
	}
	regions := 0
	if p.Sizes, regions, err = s.sizes(store); err != nil {
		return nil, err
	}
	if p.Machines, err = s.variants(store); err != nil {
		return nil, err
	}
	p.Block = min(max(1, unitPoints/(len(s.Threads)*max(1, regions))), len(p.Machines))
	return p, nil
}

// sizes reads the source at each point of its axes.
func (s *Study) sizes(store *Store) (digests []string, regions int, err error) {
	space := Space(s.Sizes)
	n, err := space.Points()
	if err != nil {
		return nil, 0, err
	}
	names := make([]string, len(space))
	for i, a := range space {
		names[i] = a.Name
	}
	for i := range n {
		sig, err := s.Source(names, space.At(i))
		if err != nil {
			return nil, 0, err
		}
		if sig.Streams != nil {
			return nil, 0, &predict.NoLoopsError{Kind: sig.Kind}
		}
		digest, err := store.PutSignature(sig)
		if err != nil {
			return nil, 0, err
		}
		digests, regions = append(digests, digest), max(regions, len(sig.Loops))
	}
	return digests, regions, nil
}

// variants are the machines at each point of their axes; each is made once here, so that changes that cannot be are known before the work begins: of
// values that can be, some combinations may not, such as an inner level that is larger than an outer one. A value that never can be is an error.
func (s *Study) variants(store *Store) (all []Variant, err error) {
	can, failed := map[machine.Change]bool{}, map[machine.Change]error{}
	space := Space(s.Changes)
	n, err := space.Points()
	if err != nil {
		return nil, err
	}
	for _, m := range s.Machines {
		data, err := m.YAML()
		if err != nil {
			return nil, err
		}
		base, err := store.put(machines, data)
		if err != nil {
			return nil, err
		}
		for i := range n {
			v := Variant{Name: m.Name, Base: base}
			for k, value := range space.At(i) {
				v.Changes = append(v.Changes, machine.Change{Path: s.Changes[k].Name, Value: value})
			}
			_, err := v.of(m, len(all))
			if err != nil {
				v.Impossible = err.Error()
			}
			for _, c := range v.Changes {
				can[c] = can[c] || err == nil
				if failed[c] == nil {
					failed[c] = err
				}
			}
			all = append(all, v)
		}
	}
	for _, axis := range s.Changes {
		for _, value := range axis.Values {
			if c := (machine.Change{Path: axis.Name, Value: value}); !can[c] {
				return nil, failed[c]
			}
		}
	}
	return all, nil
}

// leftOut says which machines are left out, and why, as a warning; nothing where none is.
func (p *Plan) leftOut() string {
	count, first := 0, ""
	for _, v := range p.Machines {
		if v.Impossible != "" {
			count++
			first = cmp.Or(first, v.Impossible)
		}
	}
	if count == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d machines are left out, as their changes contradict one another (%s)", count, len(p.Machines), first)
}

// of makes the machine. Its name has a number, which tells variants of one machine apart.
func (v Variant) of(base *machine.Machine, number int) (*machine.Machine, error) {
	out, err := base.With(fmt.Sprintf("%s.%d", base.Name, number), v.Changes...)
	if err != nil {
		return nil, fmt.Errorf("machine %s: %w", v.Name, err)
	}
	return out, nil
}

// Unit is a part of the work.
type Unit struct {
	Size        int // of the source, by its place in the plan
	First, Last int // machines, the last left out
}

// Units are all parts of the work, in the order of the points.
func (p *Plan) Units() (all []Unit) {
	for size := range p.Sizes {
		for first := 0; first < len(p.Machines); first += p.Block {
			all = append(all, Unit{size, first, min(first+p.Block, len(p.Machines))})
		}
	}
	return all
}

// Key is the digest of all that a unit depends on.
func (p *Plan) Key(u Unit) (string, error) {
	return digestOf(struct {
		Program, Version, Size string
		Machines               []Variant
		Threads                []int
		Settings               Settings
	}{p.Program, p.Version, p.Sizes[u.Size], p.Machines[u.First:u.Last], p.Threads, p.Settings})
}

// digestOf is the digest of a value's JSON.
func digestOf(v any) (string, error) {
	data, err := json.Marshal(v)
	return digest(data), err
}

// digest is the first half of a SHA-256, in hexadecimal digits: 128 bits, which no two contents of a sweep share by chance.
func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}

// valid says whether a plan that was read can be done.
func (p *Plan) valid() error {
	points, err := p.Axes.Points()
	threads := p.Axes.index(ThreadsAxis)
	switch {
	case err != nil:
		return err
	case p.Schema != PlanSchema:
		return fmt.Errorf("schema %q is not %s", p.Schema, PlanSchema)
	case p.Version != predict.Version:
		return fmt.Errorf("the plan is of foresee %s, and this is %s", p.Version, predict.Version)
	case p.Sources < 0 || p.Block < 1 || threads != len(p.Axes)-1 || len(p.Axes[threads].Values) != len(p.Threads) || points != len(p.Sizes)*len(p.Machines)*len(p.Threads):
		return fmt.Errorf("the plan is damaged: its parts are of different spaces")
	case slices.ContainsFunc(p.Threads, func(t int) bool { return t < 1 }):
		return fmt.Errorf("the plan is damaged: no number of threads is below 1")
	}
	return nil
}
