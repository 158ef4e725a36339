package core

import "slices"

// written is a store that a load may take its value from.
type written struct {
	word    uint64 // four bytes
	from    uint64 // first byte of the store
	bytes   int
	ready   float64 // when its value is there
	inCache float64 // when L1 has it
	known   bool
}

// storeWords is how many words of four bytes are kept that stores wrote; a power of two. Chosen: more than are in flight.
const storeWords = 1 << 14

type storeTable [storeWords]written

func (s *storeTable) at(word uint64) *written {
	return &s[word*0x9E3779B97F4A7C15>>(64-14)]
}

// lineBytes is the width of a line of L1.
const lineBytes = 64

// across says whether an access crosses a line.
func across(address uint64, bytes int) bool {
	return address%lineBytes+uint64(bytes) > lineBytes
}

var (
	loads  = []Resource{Load}
	stores = []Resource{Store}
)

// load gives the time at which the value of a load is there.
func (s *Simulator) load(at int32, x *Instruction, address uint64, addressed float64) float64 {
	c, f := &s.core, s.flight
	size := x.sizeClass(x.Load)
	var uses [Resources]float64
	uses[Load] = c.LoadUse[size]
	if across(address, x.Load) {
		uses[Load] += c.LoadCross[size]
	}
	begun := f.calendar.take(addressed, &uses, loads)
	if begun > addressed {
		s.why = ByResource + Cause(Load)
	}
	f.addresses.add(begun)
	latency, forward := c.LoadCycles, c.Forward
	if x.Vector {
		latency, forward = c.VectorLoad, c.VectorForward
	}
	there := begun + latency
	if s.levels != nil {
		there += s.levels.find(at, address/lineBytes, false, begun, &f.calendar)
	}
	for word := address >> 2; word <= (address+uint64(x.Load)-1)>>2; word++ {
		w := f.lastStores.at(word)
		if !w.known || w.word != word || w.inCache <= begun {
			continue
		}
		if w.from >= address+uint64(x.Load) || w.from+uint64(w.bytes) <= address {
			continue // other bytes of the word
		}
		if w.from <= address && address+uint64(x.Load) <= w.from+uint64(w.bytes) {
			there = s.forwarded(there, w.ready+forward)
		} else {
			there = s.forwarded(there, w.inCache+c.ForwardBlocked)
		}
	}
	return there
}

// mostCopied is how many bytes at the end of a copy wait for stores, and loads behind it for them. Chosen: those before have reached L1 by then.
const mostCopied = 4096

// copiedAtOnce is how many bytes a library function moves by one load and store; those behind it need not be aligned to them.
const copiedAtOnce = 32

// Copy says what the call of a library function, the last instruction, has moved: so many bytes from one address, 0 where they were set, to
// another. It waits for stores in flight as loads do, and loads behind it wait for its stores.
func (s *Simulator) Copy(to, from, bytes uint64) {
	c, f := &s.core, s.flight
	if before := bytes - min(bytes, mostCopied); before > 0 {
		to, bytes = to+before, mostCopied
		if from > 0 {
			from += before
		}
	}
	begun := f.front
	for done := uint64(0); done < bytes; done += copiedAtOnce {
		n := min(copiedAtOnce, bytes-done)
		there := begun + c.VectorLoad
		for word := (from + done) >> 2; from > 0 && word <= (from+done+n-1)>>2; word++ {
			if w := f.lastStores.at(word); w.known && w.word == word && w.inCache > begun {
				there = max(there, w.ready+c.VectorForward)
			}
		}
		at := to + done
		for word := at >> 2; word <= (at+n-1)>>2; word++ {
			*f.lastStores.at(word) = written{word, at, int(n), there, there + 1 + cyclesToCache, true}
		}
		f.retired = max(f.retired, there)
	}
}

// forwarded is when a load has its value that comes from a store at a time.
func (s *Simulator) forwarded(there, at float64) float64 {
	if at > there {
		s.why = ByForwarding
		return at
	}
	return there
}

// gatheredLines is among how many lines that were written last stores go on as when they were measured on so many.
const gatheredLines = 8

// cyclesToCache is how long after it left the core a store is in L1. From a prototype, where it was fitted on half of PolyBench on a Zen 5
// together with other figures; not measured.
const cyclesToCache = 2

// store gives the time at which a store has all that it needs; it reaches L1 later, in order.
func (s *Simulator) store(at int32, x *Instruction, address uint64, addressed, ready float64) float64 {
	c, f := &s.core, s.flight
	var uses [Resources]float64
	uses[Store] = c.StoreUse[x.sizeClass(x.Store)]
	begun := f.calendar.take(max(addressed, ready), &uses, stores)
	if begun > max(addressed, ready) {
		s.why = ByResource + Cause(Store)
	}
	f.addresses.add(addressed)
	line, inCache := address/lineBytes, max(begun+1, f.retired)+cyclesToCache
	if s.levels != nil {
		inCache = max(inCache, begun+s.levels.find(at, line, true, begun, &f.calendar)+cyclesToCache)
	}
	next := f.stored
	switch {
	case line == f.storedLines[f.storedAt%gatheredLines]:
	case slices.Contains(f.storedLines[:], line):
		next += c.StoreNear
	default:
		next += c.StoreLine
	}
	if across(address, x.Store) {
		next += c.StoreCross
	}
	inCache = max(inCache, next)
	if f.stored = inCache; line != f.storedLines[f.storedAt%gatheredLines] {
		f.storedAt++
		f.storedLines[f.storedAt%gatheredLines] = line
	}
	f.stores.take(inCache)
	for word := address >> 2; word <= (address+uint64(x.Store)-1)>>2; word++ {
		*f.lastStores.at(word) = written{word, address, x.Store, ready, inCache, true}
	}
	return begun
}
