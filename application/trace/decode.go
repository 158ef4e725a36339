package trace

import (
	"encoding/binary"
)

// decoder turns the content of a block of events into events.
type decoder struct {
	operations, arguments []byte // what is left of them
	bank                  *decodeBank
	banks                 [banks]*decodeBank
	regions               int
	skipFetches           bool
	block                 uint64 // counts blocks, to know which banks are of an earlier one
}

// decodeBank is what is known of the accesses of one block of code.
type decodeBank struct {
	block uint64
	slots [slots]decodeSlot
}

// decodeSlot is one of the accesses that a bank foretells. Its 64 bytes are a line of most caches, and a shift away from its number.
type decodeSlot struct {
	address uint64 // of the last event
	stride  uint64
	last    uint64 // the greatest address that an event of this slot may have
	given   int    // 1 where its events are handed out, 0 where they are skipped
	event   Event  // but for the address: an event that was just written in part would be slow to copy as a whole
	defined bool
	_       [8]byte
}

// begin takes the content of a block.
func (d *decoder) begin(raw []byte, regions int) (f string) {
	length, n := binary.Uvarint(raw)
	if n <= 0 || length > uint64(len(raw)-n) {
		return "the operations are longer than the block"
	}
	d.operations, d.arguments = raw[n:n+int(length)], raw[n+int(length):]
	d.regions = regions
	d.block++
	d.turn(0)
	return ""
}

// turn makes a bank the current one.
func (d *decoder) turn(number byte) {
	b := d.banks[number]
	if b == nil {
		b = new(decodeBank)
		d.banks[number] = b
	}
	if b.block != d.block {
		b.block = d.block
		for i := range b.slots {
			// An address past the last one, so that following a slot that is not defined is found out.
			b.slots[i] = decodeSlot{address: 1}
		}
	}
	d.bank = b
}

// decode fills events, and gives how many operations of events it took and how many events it made. With a fault,
// the events before it are whole.
func (d *decoder) decode(events []Event) (taken, made int, f string) {
	operations := d.operations
	bank := d.bank
	i := 0
	for i < len(operations) && made < len(events) {
		operation := operations[i]
		i++
		if operation >= slots { // all but opFollow
			if number := operation & slotOf; number == slots {
				if f = d.change(operation); f != "" {
					return taken, made, f
				}
				bank = d.bank
				continue
			} else if f = d.move(&bank.slots[number], operation&^slotOf); f != "" {
				return taken, made, f
			}
			operation &= slotOf
		} else {
			slot := &bank.slots[operation]
			slot.address += slot.stride
		}
		slot := &bank.slots[operation]
		address := slot.address
		if address > slot.last {
			return taken, made, "an event that cannot be"
		}
		taken++
		e := &events[made]
		*e = slot.event
		e.Address = address
		made += slot.given
	}
	d.operations = operations[i:]
	return taken, made, ""
}

// change reads a change of bank.
func (d *decoder) change(operation byte) (f string) {
	if operation != opBank || len(d.arguments) == 0 {
		return "an operation that is unknown"
	}
	d.turn(d.arguments[0])
	d.arguments = d.arguments[1:]
	return ""
}

// move applies any operation but opFollow.
func (d *decoder) move(slot *decodeSlot, operation byte) (f string) {
	if operation == opDefine {
		if f := d.define(slot); f != "" {
			return f
		}
	} else if !slot.defined {
		return "a slot that is not defined"
	}
	coded, n := binary.Uvarint(d.arguments)
	if n <= 0 {
		return "the arguments end early"
	}
	d.arguments = d.arguments[n:]
	difference := unzigzag(coded)
	slot.address += difference
	if operation == opStride {
		slot.stride = difference
	}
	return ""
}

// define reads kind, thread and size of a slot.
func (d *decoder) define(slot *decodeSlot) (f string) {
	who, n := binary.Uvarint(d.arguments)
	if n <= 0 {
		return "the arguments end early"
	}
	size, m := binary.Uvarint(d.arguments[n:])
	if m <= 0 {
		return "the arguments end early"
	}
	d.arguments = d.arguments[n+m:]
	kind := Kind(who & 7)
	address := slot.address
	if !slot.defined {
		address = 0
	}
	switch {
	case who>>3 >= maxThreads || size > MostAccess || kind >= kinds:
		return "an event of a kind, size or thread that cannot be"
	case (kind <= Fetch) != (size > 0):
		return "an event of a size that cannot be"
	case (kind == Enter || kind == Leave) && d.regions == 0:
		return "a region without a name"
	}
	*slot = decodeSlot{
		address: address, event: Event{Size: uint32(size), Thread: uint16(who >> 3), Kind: kind},
		given: 1, defined: true,
	}
	switch kind {
	case Read, Write, Fetch:
		slot.last = lastAddress(uint32(size))
	case Enter, Leave:
		slot.last = uint64(d.regions - 1)
	}
	if kind == Fetch && d.skipFetches {
		slot.given = 0
	}
	return ""
}
