package recording

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"foresee/application/record/instrument"
	"foresee/application/trace"
)

// Version of the recordings that this package reads.
const Version = 1

// Head is what a recording says of the run.
type Head struct {
	Threads int  // virtual threads of a team
	Cut     bool // one thread ran all, and its loops can be dealt to any number of threads
	Fixed   bool // addresses are the same in every run
	Serial  bool // code outside parallel regions is recorded as well
	Page    uint64
	known   bool
}

// Dealable says that the run can be dealt to any number of threads; else it is of Threads threads.
func (h Head) Dealable() bool { return h.Cut || h.Threads < 1 }

// Moves says that the addresses of data change from run to run.
func (h Head) Moves() bool { return h.known && !h.Fixed }

// mostFibers is how many virtual threads there may be, whose stacks lie one after another.
const mostFibers = 1024

// mostPage is the largest page of any processor, in bytes.
const mostPage = 16 << 30

// Note is something about the run that the user should know.
type Note struct {
	Kind  int
	PC    uint64
	Place string // "file:line"; empty where it is not known
}

// Kinds of notes, as the recorder numbers them.
const (
	NoteThreadNumber = 1 + iota
	NoteThreadCount
	NoteUncut
	NoteNested
	NoteThreadsClause
	NoteExclusion
	NoteDependence
	NoteThreadLimit
	NoteThreadsFollowed
	NoteTeamDenied
)

var noteTexts = map[int]string{
	NoteThreadNumber:    "asks for the number of its thread in a parallel region: with other numbers of threads it may do other work; run it with that number of virtual threads",
	NoteThreadCount:     "asks for the number of threads in a parallel region: with other numbers of threads it may do other work; run it with that number of virtual threads",
	NoteUncut:           "shares work in a way that one run cannot be cut by (sections, or a loop in code that was not compiled for recording): all of it is taken as thread 0's; run it with that number of virtual threads",
	NoteNested:          "opens a parallel region inside another one, which one thread runs",
	NoteThreadsClause:   "asks for a number of threads of its own (num_threads), which is not followed here",
	NoteExclusion:       "is a critical section or a lock: times here do not count that threads wait for one another in it, so that speed-ups may be far too high",
	NoteThreadLimit:     "asks for the largest number of threads, which is 1 in a run that is to be dealt: with other numbers of threads it may do other work; run it with that number of virtual threads",
	NoteThreadsFollowed: "asks for another number of threads than the run has, and gets it: where there are more than asked for, they share those",
	NoteTeamDenied:      "opens a parallel region inside another one, to which OpenMP would give threads of its own; one thread runs it",
	NoteDependence:      "makes tasks that depend on others: times here do not count that they wait, so that speed-ups may be far too high",
}

// Printed says that a note is of a question about threads whose answer is only printed, at one of these places.
func (n Note) Printed(places []string) bool {
	switch n.Kind {
	case NoteThreadNumber, NoteThreadCount, NoteThreadLimit:
		place, _, _ := strings.Cut(n.Place, " ")
		return place != "" && slices.Contains(places, place)
	}
	return false
}

// String says what code asks or does that a prediction must know, at its place.
func (n Note) String() string {
	place, _, _ := strings.Cut(n.Place, " ")
	if n.Kind == NoteDependence { // called from within the runtime
		place = "the program"
	}
	if place == "" {
		place = fmt.Sprintf("code at %#x", n.PC)
	}
	return place + " " + noteTexts[n.Kind]
}

// Ending is how the program ended.
type Ending struct {
	Known  bool
	Signal int // 0: it ended by itself
	Failed bool
	Code   int
}

// info gathers what records say apart from accesses.
type info struct {
	Head    Head
	Code    Code
	Notes   []Note
	Ending  Ending
	Meta    map[string]string
	names   map[uint64]string // source places by code address
	objects []trace.Object
	tls     span
	locals  span // thread-local variables of virtual thread 0 that each thread has elsewhere
	stack   span // of virtual thread 0
	kept    int  // bytes
}

// span is a range of addresses.
type span struct{ low, bytes uint64 }

func (s span) holds(a uint64) bool { return a-s.low < s.bytes }

// take handles records that are the same for every number of threads; done is false for the others.
func (i *info) take(r *Record) (done bool, err error) {
	if err := i.keeps(r); err != nil {
		return true, err
	}
	n := &numbers{data: r.Data}
	switch r.Type {
	case typeHeader:
		if v := n.next(); v != Version {
			return true, fmt.Errorf("version %d; this foresee reads %d", v, Version)
		}
		i.Head = Head{Threads: int(n.next()), Cut: n.next() == 1, Fixed: n.next() == 1, Serial: n.next() == 1, Page: n.next(), known: true}
		if i.Head.Threads < 0 || i.Head.Threads > mostFibers || i.Head.Page > mostPage {
			return true, fmt.Errorf("%d threads and pages of %d bytes; there are at most %d and %d", uint(i.Head.Threads), i.Head.Page, mostFibers, mostPage)
		}
	case typeModule:
		return true, i.Code.addModule(r)
	case typeImage:
	case typeMeta:
		key, value, _ := strings.Cut(string(r.Data), "=")
		if i.Meta == nil {
			i.Meta = map[string]string{}
		}
		i.Meta[key] = value
	case typeName:
		pc := n.next()
		if i.names == nil {
			i.names = map[uint64]string{}
		}
		i.names[pc] = string(n.data)
	case typeObject:
		o := trace.Object{Address: n.next(), Bytes: n.next()}
		o.Name = string(n.data)
		if o.Bytes == 0 || o.Address+o.Bytes-1 < o.Address || o.Name == "" {
			return true, fmt.Errorf("object %q of %d bytes at %#x", o.Name, o.Bytes, o.Address)
		}
		i.objects = append(i.objects, o)
	case typeSite:
		err = i.addSite(n)
	case typeMemory:
		kind, s := n.next(), span{n.next(), n.next()}
		switch {
		case kind == 0 && r.Thread == 0:
			i.stack = s
			i.objects = append(i.objects, trace.Object{Name: "stacks of threads", Address: s.low, Bytes: max((s.bytes+i.Head.Page)*mostFibers, 1)})
		case kind == 3:
			i.objects = append(i.objects, trace.Object{Name: "stack of main", Address: s.low, Bytes: max(s.bytes, 1)})
		case kind == 1:
			i.tls = s
		case kind == 4:
			i.locals = s
		}
	case typeNote:
		note := Note{Kind: int(n.next()), PC: n.next()}
		note.Place = i.names[note.PC]
		if noteTexts[note.Kind] == "" {
			return true, fmt.Errorf("note %d is not known", note.Kind)
		}
		i.Notes = append(i.Notes, note)
	case typeEnd:
		how, code := n.next(), n.next()
		i.Ending = Ending{Known: true, Failed: how == 2}
		if how == 1 {
			i.Ending.Signal = int(code)
		} else {
			i.Ending.Code = int(code)
		}
	default:
		return false, nil
	}
	if n.bad {
		return true, errShort
	}
	return true, err
}

var errShort = errors.New("too short")

// mostKept is what a recording may tell of a program besides its code, in bytes: names, arrays, notes.
const mostKept = 64 << 20

// keeps counts what take keeps of a record, and refuses too much of it.
func (i *info) keeps(r *Record) error {
	const each = 64 // bytes that an entry takes besides its data, about
	switch r.Type {
	case typeMeta, typeName, typeObject, typeSite, typeMemory, typeNote:
		if i.kept += each + len(r.Data); i.kept > mostKept {
			return fmt.Errorf("names, arrays and notes of more than %d MiB", mostKept>>20)
		}
	}
	return nil
}

// addSite takes an instruction that was met while the program ran: code of gcc has no segments beforehand.
func (i *info) addSite(n *numbers) error {
	segment, pc, size, write := n.next(), n.next(), n.next(), n.next()
	if segment != uint64(len(i.Code.Segments)) {
		return fmt.Errorf("site %d, not %d", segment, len(i.Code.Segments))
	}
	if size > trace.MostAccess || len(i.Code.Segments) >= mostSegments {
		return fmt.Errorf("site of %d bytes", size)
	}
	s := &instrument.Segment{Place: i.placeOf(pc), Ops: instrument.Ops{}}
	switch {
	case write == 2: // a block of code
		s.Begins = true
	default:
		s.Accesses = []instrument.Access{{Write: write == 1, Size: int64(size), Line: s.Place.Line}}
	}
	i.Code.addSegment(s, i.Code.blocks)
	return nil
}

// placeOf reads "file:line function", behind which a name may stand.
func (i *info) placeOf(pc uint64) instrument.Place {
	var p instrument.Place
	text := i.names[pc]
	if text == "" {
		return p
	}
	where, function, _ := strings.Cut(text, " ")
	p.Function, _, _ = strings.Cut(function, " ")
	p.File = where
	if i := strings.LastIndexByte(where, ':'); i >= 0 {
		p.File = where[:i]
		p.Line, _ = strconv.Atoi(where[i+1:])
	}
	return p
}
