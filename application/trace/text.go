package trace

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// textSize is the size of an access of the text format that gives none.
const textSize = 8

// textShape is what a line of the text format may be.
const textShape = "expected [thread] r|w address [size], region NAME, end, barrier, or object NAME address bytes"

// text reads foresee's own text format.
type text struct {
	lineState
	open map[uint16][]int // the regions that each thread is in
}

// parse reads our own text format.
func (p *text) parse(text []byte, events []Event) (taken, made int, f *fault) {
	for taken < len(text) && made < len(events) {
		if next := usual(text, taken, &events[made]); next > 0 {
			p.line++
			taken = next
			if events[made].Kind != Fetch || !p.skipFetches {
				made++
			}
			continue
		}
		e, next, isEvent, f := p.one(text, taken)
		if f != nil {
			return taken, made, f
		}
		p.line++
		taken = next
		if !isEvent || e.Kind == Fetch && p.skipFetches {
			continue
		}
		events[made] = e
		made++
	}
	return taken, made, nil
}

// longestUsual is how long a line that usual takes may be, with what is read beyond it: thread, letter, 0x, 17 digits and a size.
const longestUsual = 40

// usual reads a line of the shape in which traces are written, [thread] letter 0xaddress [size], with one blank between, and gives the place after
// it; 0 where the line has another shape or there is anything to say about it.
func usual(text []byte, i int, e *Event) (next int) {
	if len(text)-i < longestUsual {
		return 0
	}
	*e = Event{Size: textSize}
	if digit := text[i] - '0'; digit <= 9 {
		thread := uint32(digit)
		for i++; text[i]-'0' <= 9 && thread < maxThreads; i++ {
			thread = 10*thread + uint32(text[i]-'0')
		}
		if text[i] != ' ' || thread >= maxThreads {
			return 0
		}
		e.Thread = uint16(thread)
		i++
	}
	if e.Kind = letterKind[text[i]]; e.Kind == kinds || text[i+1] != ' ' || text[i+2] != '0' || text[i+3] != 'x' {
		return 0
	}
	address, i, ok := hexadecimal(text, i+4)
	e.Address = address
	if !ok || address > lastAddress(9) {
		return 0
	}
	if text[i] == ' ' {
		size := text[i+1] - '0'
		if size-1 > 8 {
			return 0
		}
		e.Size = uint32(size)
		i += 2
	}
	if text[i] != '\n' {
		return 0
	}
	return i + 1
}

// letterKind is the kind of an access by a word of one letter; kinds where it is none.
var letterKind = func() (table [256]Kind) {
	for i := range table {
		table[i] = textKind([]byte{byte(i)})
	}
	return table
}()

// one reads the line at text[start:] and gives the place after it.
func (p *text) one(text []byte, start int) (e Event, next int, isEvent bool, f *fault) {
	i := blanks(text, start)
	if text[i] == '#' || isEnd(text, i) {
		return e, lineEnd(text, i), false, nil
	}
	if digit := text[i] - '0'; digit <= 9 {
		thread, after, ok := decimal(text, i)
		if !isBlank(text[after]) {
			return e, 0, false, notText(text[start:])
		}
		if !ok || thread >= maxThreads {
			return e, 0, false, wrong(fmt.Sprintf("thread %s", text[i:after]), "threads count from 0 to 65535")
		}
		e.Thread = uint16(thread)
		i = blanks(text, after)
	}
	word := i
	for text[i] > ' ' {
		i++
	}
	kind := textKind(text[word:i])
	if kind == kinds {
		return p.mark(e, text[start:], text[word:i], i-start, start)
	}
	e.Kind = kind
	return textAccess(e, text, start, i)
}

// textAccess reads address and size from text[i:].
func textAccess(e Event, text []byte, start, i int) (_ Event, next int, isEvent bool, f *fault) {
	address, i, ok := prefixed(text, blanks(text, i))
	if !ok {
		return e, 0, false, notText(text[start:])
	}
	size := uint64(textSize)
	if isBlank(text[i]) {
		if i = blanks(text, i); text[i] != '#' && !isEnd(text, i) {
			if size, i, ok = prefixed(text, i); !ok {
				return e, 0, false, notText(text[start:])
			}
		}
	}
	if !isEnd(text, i) {
		if i = blanks(text, i); text[i] != '#' && !isEnd(text, i) {
			return e, 0, false, notText(text[start:])
		}
	}
	if bad := badAccess(address, size); bad != nil {
		return e, 0, false, bad
	}
	e.Address, e.Size = address, uint32(size)
	return e, lineEnd(text, i), true, nil
}

// textKind is the kind of an access by its word; kinds where it is none.
func textKind(word []byte) Kind {
	if len(word) == 1 {
		switch word[0] | 0x20 {
		case 'r', 'l':
			return Read
		case 'w', 's':
			return Write
		case 'f':
			return Fetch
		}
		return kinds
	}
	switch string(word) {
	case "read", "load":
		return Read
	case "write", "store":
		return Write
	case "fetch":
		return Fetch
	}
	return kinds
}

// notText says what is wrong with a line, and what may have been meant.
func notText(text []byte) *fault {
	line := text[:lineEnd(text, 0)]
	remedy := textShape
	words := bytes.Fields(line)
	if len(words) > 0 && words[0][0]-'0' <= 9 {
		words = words[1:]
	}
	if len(words) > 1 && textKind(words[0]) != kinds && !bytes.HasPrefix(words[1], []byte("0x")) &&
		bytes.ContainsAny(words[1], "abcdefABCDEF") {
		remedy += " (a hexadecimal number begins with 0x)"
	}
	return unlike(line, remedy)
}

// mark reads the line of a mark or an object, whose first word after the thread is given, with its end.
func (p *text) mark(e Event, line, word []byte, i, start int) (_ Event, next int, isEvent bool, f *fault) {
	line = line[:lineEnd(line, 0)]
	next = start + len(line)
	rest, ok := textNames(string(line[i:]))
	if !ok {
		return e, 0, false, notText(line)
	}
	switch w := string(word); {
	case w == "barrier" && len(rest) == 0:
		e.Kind = Barrier
		return e, next, true, nil
	case w == "region" && len(rest) == 1:
		e, f = p.enter(e, rest[0])
		return e, next, true, f
	case w == "end" && len(rest) <= 1:
		e, f = p.leave(e, rest)
		return e, next, true, f
	case w == "object" && len(rest) == 3:
		return e, next, false, p.object(rest)
	}
	return e, 0, false, notText(line)
}

// enter takes the beginning of a region.
func (p *text) enter(e Event, name string) (Event, *fault) {
	if err := cmp.Or(checkName(name), p.full(name)); err != nil {
		return e, wrong(err.Error(), "")
	}
	region, _ := p.region(name)
	if p.open == nil {
		p.open = map[uint16][]int{}
	}
	p.open[e.Thread] = append(p.open[e.Thread], region)
	e.Kind, e.Address = Enter, uint64(region)
	return e, nil
}

// leave ends the region that is named, or the innermost of the thread.
func (p *text) leave(e Event, name []string) (Event, *fault) {
	e.Kind = Leave
	open := p.open[e.Thread]
	if len(name) == 1 {
		if err := cmp.Or(checkName(name[0]), p.full(name[0])); err != nil {
			return e, wrong(err.Error(), "")
		}
		region, _ := p.region(name[0])
		e.Address = uint64(region)
		for i := len(open) - 1; i >= 0; i-- { // the innermost of that name
			if open[i] == region {
				p.open[e.Thread] = slices.Delete(open, i, i+1)
				break
			}
		}
		return e, nil // also of one that was entered before the trace began
	}
	if len(open) == 0 {
		return e, wrong(fmt.Sprintf("end, but thread %d is in no region", e.Thread), "begin it with region NAME")
	}
	e.Address = uint64(open[len(open)-1])
	p.open[e.Thread] = open[:len(open)-1]
	return e, nil
}

// object takes an object.
func (p *text) object(rest []string) *fault {
	o := Object{Name: rest[0]}
	var first, second error
	o.Address, first = strconv.ParseUint(rest[1], 0, 64)
	o.Bytes, second = strconv.ParseUint(rest[2], 0, 64)
	if first != nil || second != nil {
		return wrong(fmt.Sprintf("object %q has no address and number of bytes", o.Name), textShape)
	}
	if err := checkObject(o); err != nil {
		return wrong(err.Error(), "")
	}
	p.names.Objects = append(p.names.Objects, o)
	return nil
}

// textNames splits what follows the first word: names with blanks and other oddities are quoted as in Go, and a
// comment ends the line.
func textNames(s string) (words []string, ok bool) {
	for {
		s = strings.TrimLeft(s, " \t\r\n")
		if s == "" || s[0] == '#' {
			return words, true
		}
		if s[0] != '"' {
			n := strings.IndexAny(s, " \t\r\n")
			if n < 0 {
				n = len(s)
			}
			words, s = append(words, s[:n]), s[n:]
			continue
		}
		quoted, err := strconv.QuotedPrefix(s)
		if err != nil {
			return nil, false
		}
		word, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, false
		}
		words, s = append(words, word), s[len(quoted):]
		if s != "" && !strings.ContainsAny(s[:1], " \t\r\n#") {
			return nil, false
		}
	}
}

// textName writes a name so that textNames reads it as one word.
func textName(b []byte, name string) []byte {
	for i, r := range name {
		if r <= ' ' || r == '"' || r == '#' && i == 0 || !strconv.IsPrint(r) {
			return strconv.AppendQuote(b, name)
		}
	}
	return append(b, name...)
}
