package messages

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// sumFields are those of every call: times, bytes, and ns between the calls, of processor time between them, the median between them, and in
// the call.
const sumFields = 6

// call reads a call.
func (p *parser) call(name string, f []string) error {
	if name == "" || strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789") != "" {
		return fmt.Errorf("%q is no name of a call; expected one, a loop, comm, last or end", name)
	}
	if len(f) < sumFields {
		return fmt.Errorf("a call has at least %d numbers, not %d", sumFields, len(f))
	}
	c := Call{Name: name, Peer: None, Tag: None, Source: None, SourceTag: None, Comm: None, Root: None}
	var err error
	if c.Times, err = count(f[0]); err != nil {
		return err
	}
	if c.Bytes, err = count(f[1]); err != nil {
		return err
	}
	if c.Times == 0 {
		return errors.New("a call that was never made")
	}
	if err := p.seconds(f[2:sumFields], &c.Wall, &c.CPU, &c.Median, &c.MPI); err != nil {
		return err
	}
	for _, field := range f[sumFields:] {
		if err := p.field(&c, field); err != nil {
			return err
		}
	}
	top := len(p.open) - 1
	p.open[top] = append(p.open[top], Node{Call: c})
	return nil
}

// field reads what a letter and a value say.
func (p *parser) field(c *Call, field string) (err error) {
	if field[0] == 'w' {
		c.Completes, err = p.readAges(field[1:])
		return err
	}
	to := map[byte]*int{'p': &c.Peer, 't': &c.Tag, 's': &c.Source, 'u': &c.SourceTag, 'c': &c.Comm, 'r': &c.Root}[field[0]]
	if to == nil {
		return fmt.Errorf("%q is unknown; expected p, t, s, u, c, r or w and a value", field)
	}
	v, err := strconv.ParseInt(field[1:], 10, 32)
	if err != nil {
		return fmt.Errorf("%q: %q is no whole number of 32 bits", field, field[1:])
	}
	if isRank := to == &c.Peer || to == &c.Source; isRank && (v < Nobody || v >= int64(p.file.Size)) {
		return fmt.Errorf("%q: there is no rank %d among %d", field, v, p.file.Size)
	}
	*to = int(v)
	return nil
}

// readAges reads 6-1,9.
func (p *parser) readAges(text string) (all []int, err error) {
	for _, run := range strings.Split(text, ",") {
		a, b, isRun := strings.Cut(run, "-")
		first, err := natural(a)
		last := first
		if isRun && err == nil {
			last, err = natural(b)
		}
		if err != nil || first == 0 || last == 0 {
			return nil, fmt.Errorf("%q are no ages of requests", run)
		}
		step := 1
		if last < first {
			step = -1
		}
		if p.ages += (last-first)*step + 1; p.ages > mostAges {
			return nil, fmt.Errorf("the calls of this file complete more than %d requests in one go", mostAges)
		}
		for age := first; age != last+step; age += step {
			all = append(all, age)
		}
	}
	return all, nil
}

// comm reads a communicator: its number, its instance, its members.
func (p *parser) comm(f []string) error {
	if len(f) != 3 {
		return fmt.Errorf("a communicator has 3 fields (number, instance, members), not %d", len(f))
	}
	number, err := natural(f[0])
	if err != nil {
		return err
	}
	c := Comm{}
	if c.Instance, err = natural(f[1]); err != nil {
		return err
	}
	if _, there := p.file.Comms[number]; there {
		return fmt.Errorf("communicator %d is there twice", number)
	}
	for _, run := range strings.Split(f[2], ",") {
		a, b, isRun := strings.Cut(run, "-")
		s := Span{}
		if s.First, err = natural(a); err == nil && isRun {
			s.Last, err = natural(b)
		} else {
			s.Last = s.First
		}
		if err != nil || s.Last < s.First || s.Last >= p.file.Size {
			return fmt.Errorf("%q are no ranks among %d", run, p.file.Size)
		}
		c.Members = append(c.Members, s)
	}
	p.file.Comms[number] = c
	return nil
}

// seconds reads as many numbers of nanoseconds as there are places for.
func (p *parser) seconds(f []string, to ...*float64) error {
	if len(f) != len(to) {
		return fmt.Errorf("%d numbers where there should be %d", len(f), len(to))
	}
	for i, text := range f {
		ns, err := count(text)
		if err != nil {
			return err
		}
		*to[i] = float64(ns) / 1e9
	}
	return nil
}

func count(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q is no whole number from 0 to %d", text, int64(math.MaxInt64))
	}
	return n, nil
}

func natural(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return 0, fmt.Errorf("%q is no whole number from 0 to 2147483647", text)
	}
	return int(n), nil
}
