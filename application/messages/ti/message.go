package ti

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"foresee/application/messages"
)

// message reads what is sent or received: peer, tag, count, type.
func (b *builder) message(name string, a *arguments) error {
	c := messages.Call{Name: string(name[0]-'a'+'A') + name[1:], Peer: int(a.whole(0)), Tag: int(a.whole(1)), Bytes: a.whole(2) * a.width(3), Root: messages.None}
	switch {
	case c.Peer < 0 && name == "recv":
		c.Peer = messages.Any
	case c.Peer < 0:
		c.Peer = messages.Nobody
	case c.Peer >= b.size:
		return fmt.Errorf("there is no rank %d among %d", c.Peer, b.size)
	}
	if c.Tag < 0 {
		c.Tag = messages.Any
	}
	b.call(c)
	if name[0] == 'i' {
		r := request{b.number, int(a.whole(0)), int(a.whole(1))}
		if name == "irecv" {
			r.from, r.to = r.to, r.from
		}
		b.made++
		b.open[r] = append(b.open[r], b.made)
		b.order = append(b.order, b.made)
	}
	return nil
}

// sendrecv reads count, to, count, from, type.
func (b *builder) sendrecv(a *arguments) error {
	c := messages.Call{Name: "Sendrecv", Peer: int(a.whole(1)), Source: int(a.whole(3)), Bytes: a.whole(0) * a.width(4), Root: messages.None}
	for _, r := range []*int{&c.Peer, &c.Source} {
		if *r >= b.size {
			return fmt.Errorf("there is no rank %d among %d", *r, b.size)
		}
		if *r < 0 {
			*r = messages.Nobody
		}
	}
	b.call(c)
	return nil
}

// wait completes the oldest request of a kind.
func (b *builder) wait(r request) {
	open := b.open[r]
	if len(open) == 0 {
		return // of a request that was complete
	}
	age := b.made - open[0] + 1
	b.order = slices.DeleteFunc(b.order, func(n int) bool { return n == open[0] })
	b.open[r] = open[1:]
	b.call(messages.Call{Name: "Wait", Completes: []int{age}})
}

// all are the ages of the open requests, which are then complete.
func (b *builder) all() (ages []int) {
	for _, n := range b.order {
		ages = append(ages, b.made-n+1)
	}
	b.order = nil
	clear(b.open)
	return ages
}

// warnings name the actions that are left out.
func (b *builder) warnings() (all []string) {
	names := make([]string, 0, len(b.skipped))
	for n := range b.skipped {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		all = append(all, fmt.Sprintf("%d actions %s are left out: they are not simulated", b.skipped[n], n))
	}
	return all
}

// widths are the bytes of SimGrid's types, by their number.
var widths = []int64{8, 4, 1, 2, 8, 4, 1, 8, 1, 1, 2, 4, 8, 8, 16, 4, 1, 1, 2, 4, 8, 1, 2, 4, 8, 8, 16, 32, 8, 8, 8, 16, 16, 8, 8, 8, 16, 16, 4, 4, 8, 16, 8, 16, 16, 4, 2, 4, 8, 16, 32, 1, 8, 16, 32, 0, 0, 1, 8, 8}

// arguments are those of an action. The first that is wrong is kept.
type arguments struct {
	fields []string
	err    error
}

func (a *arguments) number(i int) float64 {
	if i >= len(a.fields) {
		a.fail(i, "it is missing")
		return 0
	}
	v, err := strconv.ParseFloat(a.fields[i], 64)
	if err != nil || !(v >= 0) || v > math.MaxInt64/1024 {
		a.fail(i, strconv.Quote(a.fields[i])+" is no number from 0")
		return 0
	}
	return v
}

// whole reads a number, of which ranks and tags may be negative.
func (a *arguments) whole(i int) int64 {
	if i >= len(a.fields) {
		a.fail(i, "it is missing")
		return 0
	}
	v, err := strconv.ParseInt(a.fields[i], 10, 64)
	if err != nil || v > 1<<40 || v < -1<<31 {
		a.fail(i, strconv.Quote(a.fields[i])+" is no whole number")
		return 0
	}
	return v
}

func (a *arguments) optional(i int, other int64) int64 {
	if i >= len(a.fields) {
		return other
	}
	return a.whole(i)
}

// width is that of the type, 1 where none is given.
func (a *arguments) width(i int) int64 {
	kind := a.optional(i, 6)
	if kind < 0 || kind >= int64(len(widths)) {
		a.fail(i, fmt.Sprintf("type %d is not known", kind))
		return 0
	}
	return widths[kind]
}

func (a *arguments) fail(i int, why string) {
	if a.err == nil {
		a.err = fmt.Errorf("argument %d: %s", i+1, why)
	}
}
