package trace

import "bytes"

// drmemtrace reads what DynamoRIO's drmemtrace view tool prints, of any version: the numbers of the record and of the
// instruction may be missing, and the thread may be 3264539, T3264539 or W0.T3264539. Other lines are ignored.
type drmemtrace struct {
	lineState
	accesses bool
	threads  map[string]uint16
	last     []byte // the thread of the last access, and its number
	thread   uint16
}

func (p *drmemtrace) finish() *fault {
	if p.accesses {
		return nil
	}
	return wrong("no line is an access", "print the trace with drrun -t drmemtrace -tool view, and keep its standard error")
}

// parse reads what drrun's view tool prints.
func (p *drmemtrace) parse(text []byte, events []Event) (taken, made int, f *fault) {
	for taken < len(text) && made < len(events) {
		line := text[taken : taken+bytes.IndexByte(text[taken:], '\n')+1]
		e, thread, ok, f := viewAccess(line)
		if f != nil {
			return taken, made, f
		}
		if ok {
			if e.Thread, f = p.number(thread); f != nil {
				return taken, made, f
			}
			p.accesses = true
		} else {
			p.ignored++
		}
		p.line++
		taken += len(line)
		if !ok || e.Kind == Fetch && p.skipFetches {
			continue
		}
		events[made] = e
		made++
	}
	return taken, made, nil
}

// number counts the threads from 0 in order of appearance.
func (p *drmemtrace) number(thread []byte) (uint16, *fault) {
	if bytes.Equal(thread, p.last) && p.threads != nil {
		return p.thread, nil
	}
	n, ok := p.threads[string(thread)]
	if !ok {
		if len(p.threads) == maxThreads {
			return 0, wrong("a thread more than 65536", "split the trace: foresee reads at most 65536 threads")
		}
		if p.threads == nil {
			p.threads = map[string]uint16{}
		}
		n = uint16(len(p.threads))
		p.threads[string(thread)] = n
	}
	p.last, p.thread = append(p.last[:0], thread...), n
	return n, nil
}

// maxThreads is how many threads Event.Thread can tell apart.
const maxThreads = 1 << 16

// viewAccess reads a line [RECORD] [INSTRUCTION:] THREAD NAME BYTES byte(s) @ 0xADDRESS …
func viewAccess(line []byte) (e Event, thread []byte, ok bool, f *fault) {
	i, kind := 0, kinds
	for range 4 {
		word, next := viewWord(line, i)
		if kind = viewKind(word); kind != kinds {
			i = next
			break
		}
		thread, i = word, next
	}
	if kind == kinds || !isViewThread(thread) {
		return e, nil, false, nil
	}
	size, i, sized := decimal(line, blanks(line, i))
	const between = " byte(s) @ "
	if !bytes.HasPrefix(line[i:], []byte(between)) {
		return e, nil, false, nil
	}
	i += len(between)
	address, next, found := optionalPrefix(line, i)
	if !sized || !found || !isBlank(line[next]) && !isEnd(line, next) {
		return e, nil, false, unlike(line, "expected THREAD read|write|ifetch BYTES byte(s) @ 0xADDRESS")
	}
	if bad := badAccess(address, size); bad != nil {
		return e, nil, false, bad
	}
	return Event{Address: address, Size: uint32(size), Kind: kind}, thread, true, nil
}

// viewWord gives what stands between blanks from line[i:] on, and the place after it.
func viewWord(line []byte, i int) (word []byte, next int) {
	start := blanks(line, i)
	for i = start; line[i] > ' '; {
		i++
	}
	return line[start:i], i
}

// viewKind is the kind of an access by its word; kinds where it is none.
func viewKind(word []byte) Kind {
	switch string(word) {
	case "read":
		return Read
	case "write":
		return Write
	case "ifetch":
		return Fetch
	}
	return kinds
}

// isViewThread says whether a word may be a thread, and is not the number of a record or an instruction.
func isViewThread(word []byte) bool {
	if len(word) == 0 || len(word) > 64 {
		return false
	}
	last := word[len(word)-1]
	return (digitOf[word[0]] != noDigit || word[0] == 'T' || word[0] == 'W') && digitOf[last] != noDigit
}
