package recording

import "strings"

// Listener hands records on, and remembers what the program asked about its threads.
type Listener struct {
	Source
	info info
}

// Listen begins to listen to a source.
func Listen(src Source) *Listener { return &Listener{Source: src} }

// Next implements Source.
func (l *Listener) Next() (*Record, error) {
	r, err := l.Source.Next()
	if err != nil {
		return r, err
	}
	switch r.Type {
	case typeHeader, typeMeta, typeName, typeNote:
		_, _ = l.info.take(r) // an error is found, and told with its place, by who takes the record next
	}
	return r, nil
}

// Denied are inner regions that one thread ran where OpenMP would give them more.
func (l *Listener) Denied() (all []Note) {
	if l == nil {
		return nil
	}
	for _, n := range l.info.Notes {
		if n.Kind == NoteTeamDenied {
			all = append(all, n)
		}
	}
	return all
}

// Questions are those about threads that were met in a run that can be dealt, without those whose answers are only printed: to them one
// run cannot tell what the program does with other numbers of threads.
func (l *Listener) Questions() (all []Note) {
	if l == nil || !l.info.Head.Cut {
		return nil
	}
	printed := strings.Split(l.info.Meta[MetaPrinted], ",")
	for _, n := range l.info.Notes {
		switch n.Kind {
		case NoteThreadNumber, NoteThreadCount, NoteThreadLimit:
			if !n.Printed(printed) {
				all = append(all, n)
			}
		}
	}
	return all
}
