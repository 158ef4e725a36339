package recording

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// magic begins a file; a zstd stream of records follows it.
const magic = "\x89FRC\r\n\x1a\n"

// IsRecording tells by its first bytes whether data is a recording.
func IsRecording(start []byte) bool { return bytes.HasPrefix(start, []byte(magic)) }

// Writer writes a recording to a file.
type Writer struct {
	z *zstd.Encoder
}

// NewWriter begins a file.
func NewWriter(w io.Writer) (*Writer, error) {
	if _, err := io.WriteString(w, magic); err != nil {
		return nil, err
	}
	z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithWindowSize(1<<20))
	return &Writer{z}, err
}

// Write adds a record.
func (w *Writer) Write(r *Record) error {
	head := [headBytes]byte{0: r.Type}
	binary.LittleEndian.PutUint16(head[2:], uint16(r.Thread))
	binary.LittleEndian.PutUint32(head[4:], uint32(len(r.Data)))
	if _, err := w.z.Write(head[:]); err != nil {
		return err
	}
	_, err := w.z.Write(r.Data)
	return err
}

// Close writes what is left; it does not close the writer below.
func (w *Writer) Close() error { return w.z.Close() }

// Reader reads a recording from a file.
type Reader struct {
	*Scanner
	z *zstd.Decoder
}

// Open begins to read a file.
func Open(r io.Reader) (*Reader, error) {
	start := make([]byte, len(magic))
	if _, err := io.ReadFull(r, start); err != nil || !IsRecording(start) {
		return nil, errors.New("this is no recording of foresee trace")
	}
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(64<<20))
	if err != nil {
		return nil, err
	}
	return &Reader{NewScanner(z), z}, nil
}

// Peek gives what a recording says of the run at its beginning, and a source that begins there again.
func Peek(src Source) (Head, Source, error) {
	const most = 64 // names may come before it
	var before replay
	for range most {
		r, err := src.Next()
		if err != nil {
			before.rest = ended{err}
			return Head{}, &before, err
		}
		before.records = append(before.records, r)
		if r.Type == typeHeader {
			var i info
			_, err := i.take(r)
			before.rest = src
			return i.Head, &before, err
		}
	}
	before.rest = src
	return Head{}, &before, nil
}

// replay gives records once more, and then the rest.
type replay struct {
	records []*Record
	rest    Source
}

func (p *replay) Next() (*Record, error) {
	if len(p.records) == 0 {
		return p.rest.Next()
	}
	r := p.records[0]
	p.records = p.records[1:]
	return r, nil
}

// Next implements Source.
func (r *Reader) Next() (*Record, error) {
	rec, err := r.Scanner.Next()
	if errors.Is(err, io.EOF) {
		if _, more := r.Scanner.r.ReadByte(); !errors.Is(more, io.EOF) {
			return nil, &Error{r.record, typeEnd, "something follows the end"}
		}
	}
	var damaged *Error
	switch {
	case err == nil, errors.Is(err, io.EOF), errors.Is(err, ErrCut), errors.As(err, &damaged):
		return rec, err
	case errors.Is(err, zstd.ErrCRCMismatch), errors.Is(err, zstd.ErrMagicMismatch):
		return nil, fmt.Errorf("recording: damaged after record %d: %w", r.record, err)
	}
	return nil, fmt.Errorf("recording: after record %d: %w", r.record, err)
}

// Close frees what Open took.
func (r *Reader) Close() { r.z.Close() }

// NameRecord says where in the source a code address is: "file:line function".
func NameRecord(pc uint64, place string) *Record {
	return &Record{Type: typeName, Data: append(binary.AppendUvarint(nil, pc), place...)}
}

// ObjectRecord names a piece of memory.
func ObjectRecord(address, bytes uint64, name string) *Record {
	data := binary.AppendUvarint(binary.AppendUvarint(nil, address), bytes)
	return &Record{Type: typeObject, Data: append(data, name...)}
}

// MetaPrinted is the key of the places, "file:line", where a program asks about its threads only to print the answer.
const MetaPrinted = "printed"

// MetaRecord says something of the run, such as its command line.
func MetaRecord(key, value string) *Record {
	return &Record{Type: typeMeta, Data: []byte(key + "=" + value)}
}

// Addresses gives the code addresses that a record speaks of, for which a NameRecord should come before it.
func (r *Record) Addresses() []uint64 {
	n := &numbers{data: r.Data}
	var pc uint64
	switch r.Type {
	case typeEnter:
		pc = n.next()
	case typeNote, typeSite:
		n.next()
		pc = n.next()
	case typeAllocate:
		n.next()
		n.next()
		pc = n.next()
	}
	if pc == 0 || n.bad {
		return nil
	}
	return []uint64{pc}
}

// IsOfRun says that a record is of what the program did, not of what it consists of.
func (r *Record) IsOfRun() bool {
	switch r.Type {
	case typeModule, typeObject, typeName, typeMeta, typeImage, typeHeader:
		return false
	}
	return true
}

// Image gives where the program lies in memory, of the record that says so.
func (r *Record) Image() (bias uint64, ok bool) {
	if r.Type != typeImage {
		return 0, false
	}
	n := &numbers{data: r.Data}
	bias = n.next()
	return bias, !n.bad
}

// Tee writes what is read through it. When writing fails, reading goes on, and Failed says why what was written ends.
type Tee struct {
	Source
	Writer *Writer
	Failed error
}

// Next implements Source.
func (t *Tee) Next() (*Record, error) {
	r, err := t.Source.Next()
	if err == nil && t.Failed == nil {
		t.Failed = t.Writer.Write(r)
	}
	return r, err
}
