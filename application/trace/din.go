package trace

import "fmt"

// dinWord is how many bytes an access of Dinero's traditional format has, and a multiple of which its addresses are.
const dinWord = 4

// din reads Dinero's traditional input: a label in figures and an address in hexadecimal on each line; what follows is
// a comment. As in Dinero IV, every access is of the aligned word of 4 bytes that the address lies in.
type din struct{ lineState }

// parse reads lines of kind and address.
func (p *din) parse(text []byte, events []Event) (taken, made int, f *fault) {
	for taken < len(text) && made < len(events) {
		i := blanks(text, taken)
		if isEnd(text, i) {
			p.line++
			taken = lineEnd(text, i)
			continue
		}
		label, next, ok := optionalPrefix(text, i)
		if !ok || !isBlank(text[next]) {
			return taken, made, dinShape(text[taken:])
		}
		if label > 2 {
			return taken, made, dinEscape(label)
		}
		address, next, ok := optionalPrefix(text, blanks(text, next))
		if !ok || !isBlank(text[next]) && !isEnd(text, next) {
			return taken, made, dinShape(text[taken:])
		}
		p.line++
		taken = lineEnd(text, next)
		if label == 2 && p.skipFetches {
			continue
		}
		events[made] = Event{Address: address &^ (dinWord - 1), Size: dinWord, Kind: dinKinds[label]}
		made++
	}
	return taken, made, nil
}

var dinKinds = [3]Kind{Read, Write, Fetch}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func dinShape(text []byte) *fault {
	return unlike(text[:lineEnd(text, 0)], "expected 0, 1 or 2 (read, write, fetch) and a hexadecimal address of at most 64 bits")
}

func dinEscape(label uint64) *fault {
	return wrong(fmt.Sprintf("label %d is an escape record, which the versions of Dinero do not agree about", label),
		"take such lines out: only 0, 1 and 2 (read, write, fetch) are accesses")
}

// xdin reads Dinero IV's extended input: a letter, an address and a size in hexadecimal; what follows is a comment.
type xdin struct{ lineState }

// parse reads lines of kind, address and size.
func (p *xdin) parse(text []byte, events []Event) (taken, made int, f *fault) {
	for taken < len(text) && made < len(events) {
		i := blanks(text, taken)
		if isEnd(text, i) {
			p.line++
			taken = lineEnd(text, i)
			continue
		}
		kind, access := xdinKind(text[i])
		if kind == kinds || !isBlank(text[i+1]) {
			return taken, made, xdinShape(text[taken:])
		}
		address, next, ok := optionalPrefix(text, blanks(text, i+1))
		if !ok || !isBlank(text[next]) {
			return taken, made, xdinShape(text[taken:])
		}
		size, next, ok := optionalPrefix(text, blanks(text, next))
		if !ok || !isBlank(text[next]) && !isEnd(text, next) {
			return taken, made, xdinShape(text[taken:])
		}
		if access {
			if bad := badAccess(address, size); bad != nil {
				return taken, made, bad
			}
		} else {
			p.ignored++
		}
		p.line++
		taken = lineEnd(text, next)
		if !access || kind == Fetch && p.skipFetches {
			continue
		}
		events[made] = Event{Address: address, Size: uint32(size), Kind: kind}
		made++
	}
	return taken, made, nil
}

// xdinKind gives the kind of an access type, kinds for a letter that is none, and whether it is an access: copying
// back and invalidating are done to a cache, not by a program.
func xdinKind(letter byte) (kind Kind, access bool) {
	switch letter | 0x20 {
	case 'r', 'm':
		return Read, true
	case 'w':
		return Write, true
	case 'i':
		return Fetch, true
	case 'c', 'v':
		return Read, false
	}
	return kinds, false
}

func xdinShape(text []byte) *fault {
	return unlike(text[:lineEnd(text, 0)], "expected r, w, i, m, c or v, an address and a size, both hexadecimal")
}
