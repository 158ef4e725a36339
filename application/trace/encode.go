package trace

import "encoding/binary"

// encoder turns events into the content of a block. It does not know which instruction made an access, and so takes
// for the same instruction what follows on the same slot as last time, goes on where a slot would go on, or is on the
// same page.
type encoder struct {
	operations, arguments []byte
	count                 int
	current               int // the number of the bank
	bank                  *encodeBank
	banks                 [banks]*encodeBank
	block                 uint64
	// Guesses, all of which are checked: the slot whose next address this is, and the slot that was on this page.
	next, page [guesses]uint8
}

const (
	guesses  = 1 << 10
	pageBits = 12
	near     = 2 << pageBits
	noSlot   = slots // a slot that no event is of
)

// encodeBank is what is known of the accesses of one block of code, as the decoder will know it.
type encodeBank struct {
	block uint64
	slots [slots + 1]encodeSlot
	after [slots + 1]uint8 // the slot that last came after this one
	used  int
	hand  int // goes round the slots for the one to give up
	last  uint8
}

// encodeSlot is one of the accesses that a bank foretells.
type encodeSlot struct {
	what    uint64 // kind, thread and size
	address uint64
	stride  uint64
	moved   uint64 // the last difference
	busy    bool   // followed since the hand last passed
}

// nothing is no what of an event.
const nothing = ^uint64(0)

func what(e Event) uint64 { return uint64(e.Size)<<32 | uint64(e.Thread)<<8 | uint64(e.Kind) }

func guess(address, what uint64) uint64 {
	return (address ^ what*0x9e3779b97f4a7c15) * 0xff51afd7ed558ccd >> 54
}

// begin starts a block.
func (e *encoder) begin() {
	e.operations, e.arguments, e.count = e.operations[:0], e.arguments[:0], 0
	e.block++
	e.next, e.page = [guesses]uint8{}, [guesses]uint8{}
	e.turn(0)
}

// turn makes a bank the present one.
func (e *encoder) turn(number int) {
	b := e.banks[number]
	if b == nil {
		b = new(encodeBank)
		e.banks[number] = b
	}
	if b.block != e.block {
		*b = encodeBank{block: e.block, last: noSlot}
		for i := range b.slots {
			b.slots[i].what = nothing
			b.after[i] = noSlot
		}
	}
	e.bank, e.current = b, number
}

// add appends one event.
func (e *encoder) add(event Event) {
	e.count++
	if number := int(event.Thread % banks); number != e.current {
		e.operations = append(e.operations, opBank)
		e.arguments = append(e.arguments, byte(number))
		e.turn(number)
	}
	b, w := e.bank, what(event)
	number := b.after[b.last&slotOf] & slotOf
	slot := &b.slots[number]
	if slot.what != w || slot.address+slot.stride != event.Address {
		number = e.next[guess(event.Address, w)] & slotOf
		slot = &b.slots[number]
		if slot.what != w || slot.address+slot.stride != event.Address {
			e.miss(event, w)
			return
		}
	}
	slot.busy, slot.moved = true, slot.stride
	e.operations = append(e.operations, number|opFollow)
	e.moved(slot, number, event.Address, w)
}

// moved notes that an event was of a slot.
func (e *encoder) moved(slot *encodeSlot, number uint8, address, w uint64) {
	b := e.bank
	slot.address = address
	e.next[guess(address+slot.stride, w)] = number
	e.page[guess(address>>pageBits, w)] = number
	b.after[b.last&slotOf] = number
	b.last = number
}

// miss appends an event that goes on where no slot would.
func (e *encoder) miss(event Event, w uint64) {
	b := e.bank
	number := b.after[b.last] & slotOf
	if b.slots[number].what != w {
		number = e.page[guess(event.Address>>pageBits, w)] & slotOf
		if s := &b.slots[number]; s.what != w || event.Address-s.address+near >= 2*near {
			e.define(event, w)
			return
		}
	}
	slot := &b.slots[number]
	difference := event.Address - slot.address
	operation := uint8(opJump)
	// A difference that comes twice in a row is the stride; one that comes once is the start of another row.
	if difference == slot.moved {
		operation = opStride
		slot.stride = difference
	}
	slot.moved = difference
	e.operations = append(e.operations, number|operation)
	e.arguments = binary.AppendUvarint(e.arguments, zigzag(difference))
	e.moved(slot, number, event.Address, w)
}

// define appends an event of a new slot, or of one that is given up.
func (e *encoder) define(event Event, w uint64) {
	b := e.bank
	number := b.used
	if number < slots {
		b.used++
	} else {
		for b.slots[b.hand].busy {
			b.slots[b.hand].busy = false
			b.hand = (b.hand + 1) % slots
		}
		number = b.hand
		b.hand = (b.hand + 1) % slots
	}
	slot := &b.slots[number]
	e.operations = append(e.operations, uint8(number)|opDefine)
	e.arguments = binary.AppendUvarint(e.arguments, uint64(event.Thread)<<3|uint64(event.Kind))
	e.arguments = binary.AppendUvarint(e.arguments, uint64(event.Size))
	e.arguments = binary.AppendUvarint(e.arguments, zigzag(event.Address-slot.address))
	*slot = encodeSlot{what: w}
	e.moved(slot, uint8(number), event.Address, w)
}

// content appends the content of the block.
func (e *encoder) content(to []byte) []byte {
	to = binary.AppendUvarint(to, uint64(len(e.operations)))
	to = append(to, e.operations...)
	return append(to, e.arguments...)
}
