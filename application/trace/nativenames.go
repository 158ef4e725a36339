package trace

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
)

// nameBlock reads a block of regions, objects, or what the trace is of.
func (n *native) nameBlock(b block) (f string) {
	rest := n.stored
	for range b.count {
		var name []byte
		if name, rest, f = textOf(rest); f != "" {
			return f
		}
		switch b.kind {
		case metaBlock:
			f, rest = n.pair(string(name), rest)
		case regionBlock:
			f = n.newRegion(string(name))
		case objectBlock:
			f, rest = n.object(string(name), rest)
		}
		if f != "" {
			return f
		}
	}
	if len(rest) != 0 {
		return "more than the block says"
	}
	return ""
}

// textOf reads a text with its length before it; f says what is wrong.
func textOf(from []byte) (name, rest []byte, f string) {
	length, used := binary.Uvarint(from)
	if used <= 0 || length > uint64(len(from)-used) {
		return nil, nil, "a text longer than the block"
	}
	from = from[used:]
	return bytes.Clone(from[:length]), from[length:], ""
}

// pair reads what a trace says of itself.
func (n *native) pair(key string, rest []byte) (f string, _ []byte) {
	value, rest, f := textOf(rest)
	if n.about == nil {
		n.about = map[string]string{}
	}
	n.about[key] = string(value)
	return f, rest
}

// newRegion takes a region, which must be new.
func (n *native) newRegion(name string) (f string) {
	if err := cmp.Or(checkName(name), n.full(name)); err != nil {
		return err.Error()
	}
	if _, isNew := n.region(name); !isNew {
		return fmt.Sprintf("the region %q a second time", name)
	}
	return ""
}

// object reads an object.
func (n *native) object(name string, rest []byte) (f string, _ []byte) {
	o := Object{Name: name}
	for _, value := range []*uint64{&o.Address, &o.Bytes} {
		v, used := binary.Uvarint(rest)
		if used <= 0 {
			return "an object without its address or length", nil
		}
		*value, rest = v, rest[used:]
	}
	if err := checkObject(o); err != nil {
		return err.Error(), nil
	}
	n.names.Objects = append(n.names.Objects, o)
	return "", rest
}
