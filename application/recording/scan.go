package recording

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"foresee/application/record/instrument"
)

// Types of records.
const (
	typeHeader   = 'H'
	typeModule   = 'M'
	typeImage    = 'X'
	typeSite     = 'D'
	typeName     = 'N'
	typeObject   = 'O'
	typeMeta     = 'C'
	typePiece    = 'P'
	typeEvents   = 'E'
	typeBarrier  = 'B'
	typeEnter    = 'R'
	typeLeave    = 'r'
	typeAllocate = 'A'
	typeFree     = 'F'
	typeMemory   = 'S'
	typeNote     = 'W'
	typeEnd      = 'Z'
)

// Record is one record of a recording. Data must not be changed: several readers may share it.
type Record struct {
	Type   byte
	Thread int
	Data   []byte

	module func() (*instrument.Module, error) // of a module: parses it once, for all readers; nil: not prepared
}

// parse reads the module that a record holds.
func (r *Record) parse() (*instrument.Module, error) {
	if r.module != nil {
		return r.module()
	}
	n := &numbers{data: r.Data}
	n.next()
	return instrument.ParseModule(string(n.data))
}

// Source gives records one after the other, io.EOF after the last.
type Source interface {
	Next() (*Record, error)
}

// Bounds of records, in bytes.
const (
	mostModule = 64 << 20
	mostRecord = 1 << 20
	headBytes  = 8
)

// ErrCut says that a recording ends in the middle: the program was killed, or the disk was full.
var ErrCut = errors.New("the recording ends before the program did")

// Error is what is wrong with a recording, and where.
type Error struct {
	Record int64 // from 1
	Type   byte  // 0: what follows the record is wrong
	Cause  string
}

func (e *Error) Error() string {
	if e.Type == 0 {
		return fmt.Sprintf("recording: after record %d: %s; record the program again", e.Record, e.Cause)
	}
	return fmt.Sprintf("recording: record %d (%q): %s; record the program again", e.Record, e.Type, e.Cause)
}

// Scanner reads records from a pipe or a file.
type Scanner struct {
	r      *bufio.Reader
	record int64
	ended  bool
}

// NewScanner begins to read.
func NewScanner(r io.Reader) *Scanner {
	return &Scanner{r: bufio.NewReaderSize(r, 1<<18)}
}

// Next implements Source. Where the stream ends without its last record, it gives ErrCut.
func (s *Scanner) Next() (*Record, error) {
	if s.ended {
		return nil, io.EOF
	}
	var head [headBytes]byte
	if _, err := io.ReadFull(s.r, head[:]); err != nil {
		return nil, s.cut(err)
	}
	s.record++
	rec := &Record{Type: head[0], Thread: int(binary.LittleEndian.Uint16(head[2:]))}
	n := binary.LittleEndian.Uint32(head[4:])
	switch {
	case head[1] != 0, n > mostRecord && rec.Type != typeModule:
		return nil, &Error{s.record, rec.Type, "damaged head"}
	case n > mostModule:
		return nil, &Error{s.record, rec.Type, fmt.Sprintf("the code of one file has %d MiB of text; at most %d", n>>20, mostModule>>20)}
	}
	var err error
	if rec.Data, err = readBytes(s.r, int(n)); err != nil {
		return nil, s.cut(err)
	}
	if rec.Type == typeModule {
		unprepared := *rec
		rec.module = sync.OnceValues(unprepared.parse)
	}
	s.ended = rec.Type == typeEnd
	return rec, nil
}

// readBytes trusts a length only as far as there are bytes.
func readBytes(r io.Reader, n int) ([]byte, error) {
	const step = 1 << 20 // bytes that are made room for at once; chosen
	data := make([]byte, min(n, step))
	for have := 0; ; {
		if _, err := io.ReadFull(r, data[have:]); err != nil {
			return nil, err
		}
		if len(data) == n {
			return data, nil
		}
		have = len(data)
		data = append(data, make([]byte, min(n-have, have))...)
	}
}

func (s *Scanner) cut(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrCut
	}
	return err
}

// numbers reads varints from a record.
type numbers struct {
	data []byte
	bad  bool
}

// next reads a number; 0, and bad, at the end of the data.
func (n *numbers) next() uint64 {
	x, k := binary.Uvarint(n.data)
	if k <= 0 {
		n.bad = true
		n.data = nil
		return 0
	}
	n.data = n.data[k:]
	return x
}
