package recording

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"foresee/application/record/instrument"
)

// unnamed is a region of threads that the program made itself, before it is known what they run: it is named after that.
type unnamed struct {
	held  []*Record // what came so far
	byOwn bool      // the last piece is of such a thread
	tried int       // records of events of such threads that told nothing
}

const (
	mostTried  = 64   // records of events in which a name is looked for; chosen
	mostLooked = 4096 // segments of one; chosen
)

// await takes a record of a region that has no name yet, and says whether it is kept until it has one.
func (t *Team) await(r *Record) bool {
	u := t.unnamed
	switch r.Type {
	case typePiece:
		p, err := parsePiece(r)
		u.byOwn = err == nil && p.byOwn
	case typeEvents:
		if !u.byOwn {
			break
		}
		name := t.nameOf(r.Data)
		if u.tried++; name == "" && u.tried < mostTried {
			break
		}
		u.held = append(u.held, r)
		t.nameOwn(name)
		return true
	case typeAllocate, typeFree, typeBarrier:
	case typeLeave, typeEnter:
		u.held = append(u.held, r)
		t.nameOwn("")
		return true
	default:
		return false
	}
	u.held = append(u.held, r)
	return true
}

// nameOwn names the region, and gives the records that were kept once more.
func (t *Team) nameOwn(name string) {
	held := t.unnamed.held
	t.unnamed = nil
	t.records -= int64(len(held))
	t.source = &again{Source: t.source, records: held}
	if name == "" {
		p := t.placeOf(t.regionPC)
		name = ownName(p.Function, p.Line)
		if p.Function == "" {
			name = "threads of the program"
		}
	}
	t.named = true
	t.enter(name)
}

// again gives records that were kept, and then those that follow.
type again struct {
	Source
	records []*Record
}

// Next implements Source.
func (p *again) Next() (*Record, error) {
	if len(p.records) == 0 {
		return p.Source.Next()
	}
	r := p.records[0]
	p.records = p.records[1:]
	return r, nil
}

// nameOf gives function:line of the first code in events that is of no header of the system; "" where there is none.
func (t *Team) nameOf(data []byte) string {
	_, n := binary.Uvarint(data)
	if n <= 0 {
		return ""
	}
	none := -1
	d := newDecoder(&t.Code, &none)
	d.begin()
	d.feed(data[n:])
	for range mostLooked {
		segment, ok := d.step()
		if !ok || d.copying() {
			return ""
		}
		p := t.Code.Segments[segment].Place
		if p.Function != "" && p.Line > 0 && !instrument.OfSystem(p.File) {
			if strings.HasSuffix(p.File, ".rs") && ofRust.MatchString(p.Function) {
				return ownName(filepath.Base(p.File), p.Line)
			}
			return ownName(p.Function, p.Line)
		}
	}
	return ""
}

// ofRust are functions of Rust's library, whose names do not tell what a program has them run.
var ofRust = regexp.MustCompile(`^<?(core|alloc|std)::`)

func ownName(function string, line int) string {
	return fmt.Sprintf("%s:%d", shortFunction(function), line)
}

// lambda finds the function that holds a lambda expression which a template of the library runs.
var lambda = regexp.MustCompile(`([A-Za-z_][A-Za-z_0-9:~]*)(?:\([^()]*\))?::\{lambda`)

// shortFunction leaves out what templates add to the name of a function.
func shortFunction(name string) string {
	if m := lambda.FindStringSubmatch(name); m != nil {
		return m[1]
	}
	if i := strings.IndexByte(name, '<'); i > 0 && !strings.Contains(name[:i], "operator") {
		return name[:i]
	}
	return name
}
