package trace

import "bytes"

// lackey reads what valgrind --tool=lackey --trace-mem=yes writes: a line for each access, among lines of valgrind's
// and of the program's own, which are ignored.
type lackey struct {
	lineState
	accesses bool
	waiting  bool // a modify whose store found no room
	store    Event
}

func (p *lackey) finish() *fault {
	if p.accesses {
		return nil
	}
	return wrong("no line is an access", "run valgrind with --tool=lackey --trace-mem=yes, and keep its standard error")
}

// parse reads what valgrind's lackey prints; a modification is a load and a store.
func (p *lackey) parse(text []byte, events []Event) (taken, made int, f *fault) {
	if p.waiting && len(events) > 0 {
		events[0] = p.store
		p.waiting, made = false, 1
	}
	for taken < len(text) && made < len(events) {
		line := text[taken:]
		address, size, length := lackeyAccess(line)
		if length == 0 {
			p.ignored++
			p.line++
			taken += bytes.IndexByte(line, '\n') + 1
			continue
		}
		if size-1 >= MostAccess || address > -size {
			return taken, made, badAccess(address, size)
		}
		p.line++
		taken += length
		made += p.take(events[made:], line, address, uint32(size))
	}
	return taken, made, nil
}

// take puts the events of one access line into events, which has room for one at least.
func (p *lackey) take(events []Event, line []byte, address uint64, size uint32) int {
	p.accesses = true
	e := Event{Address: address, Size: size}
	switch line[1] {
	case ' ':
		if p.skipFetches {
			return 0
		}
		e.Kind = Fetch
	case 'S':
		e.Kind = Write
	case 'M':
		p.store = e
		p.store.Kind = Write
		if len(events) == 1 {
			p.waiting = true
			break
		}
		events[0], events[1] = e, p.store
		return 2
	}
	events[0] = e
	return 1
}

// lackeyAccess reads a line that has exactly the shape of an access; length is 0 where it has not.
func lackeyAccess(line []byte) (address, size uint64, length int) {
	const shortest = len(" L 0,1\n")
	if len(line) < shortest {
		return 0, 0, 0
	}
	switch uint32(line[0])<<16 | uint32(line[1])<<8 | uint32(line[2]) {
	case 'I'<<16 | ' '<<8 | ' ', ' '<<16 | 'L'<<8 | ' ', ' '<<16 | 'S'<<8 | ' ', ' '<<16 | 'M'<<8 | ' ':
	default:
		return 0, 0, 0
	}
	address, i, ok := hexadecimal(line, 3)
	if !ok || line[i] != ',' {
		return 0, 0, 0
	}
	size, i, ok = decimal(line, i+1)
	if !ok || !isEnd(line, i) {
		return 0, 0, 0
	}
	if line[i] == '\r' {
		i++
	}
	return address, size, i + 1
}
