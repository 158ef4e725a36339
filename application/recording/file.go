package recording

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"syscall"

	"github.com/klauspost/compress/zstd"
)

// magic begins a file.
const magic = "\x89FRC\r\n\x1a\n"

// IsRecording tells by its first bytes whether data is a recording.
func IsRecording(start []byte) bool { return bytes.HasPrefix(start, []byte(magic)) }

// Writer writes a recording to a file.
type Writer struct {
	z *zstd.Encoder
	b *blockWriter
}

// NewWriter begins a file.
func NewWriter(w io.Writer) (*Writer, error) {
	b, err := newBlockWriter(w)
	if err != nil {
		return nil, err
	}
	z, err := zstd.NewWriter(b, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithWindowSize(1<<20))
	return &Writer{z, b}, err
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
func (w *Writer) Close() error {
	if err := w.z.Close(); err != nil {
		return err
	}
	return w.b.Close()
}

// Reader reads a recording from a file.
type Reader struct {
	*Scanner
	z      *zstd.Decoder
	blocks *blockReader // nil: a file of version 1
	ending error        // of a program that did not come to its end
}

// Open begins to read a file.
func Open(r io.Reader) (*Reader, error) {
	buffered := bufio.NewReaderSize(r, 1<<16)
	if start, _ := buffered.Peek(len(magic)); !IsRecording(start) {
		return nil, errors.New("this is no recording of a run")
	}
	blocks, err := openBlocks(buffered)
	if err != nil {
		return nil, err
	}
	var stream io.Reader = buffered
	if blocks != nil {
		stream = blocks
	}
	z, err := zstd.NewReader(stream, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(64<<20))
	if err != nil {
		return nil, err
	}
	return &Reader{Scanner: NewScanner(z), z: z, blocks: blocks}, nil
}

// Peek gives what a recording says of the run at its beginning, and a source that begins there again.
func Peek(src Source) (Head, Source, error) {
	const most, mostBytes = 64, 1 << 20 // names may come before it
	var before replay
	for bytes := 0; len(before.records) < most && bytes < mostBytes; {
		r, err := src.Next()
		if err != nil {
			before.rest = ended{err}
			return Head{}, &before, err
		}
		before.records = append(before.records, r)
		bytes += len(r.Data)
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

// Next gives the records that were looked at, and then the rest.
func (p *replay) Next() (*Record, error) {
	if len(p.records) == 0 {
		return p.rest.Next()
	}
	r := p.records[0]
	p.records = p.records[1:]
	return r, nil
}

// Next implements Source. After the last record of a program that did not come to its end it gives an ErrCut.
func (r *Reader) Next() (*Record, error) {
	rec, err := r.Scanner.Next()
	if err == nil {
		if rec.Type == typeEnd {
			r.ending = endingOf(rec)
		}
		return rec, nil
	}
	if errors.Is(err, io.EOF) {
		_, more := r.Scanner.r.ReadByte()
		if more == nil {
			return nil, &Error{r.record, typeEnd, "something follows the end"}
		}
		err = more
	}
	if r.blocks != nil && r.blocks.err != nil && !errors.Is(r.blocks.err, io.EOF) {
		return nil, r.blocks.err
	}
	var damaged *Error
	switch {
	case errors.Is(err, io.EOF):
		return nil, cmp.Or(r.ending, io.EOF)
	case errors.Is(err, ErrCut), errors.As(err, &damaged):
		return nil, err
	}
	return nil, &Error{r.record, 0, "what follows it cannot be read: " + err.Error()}
}

// endingOf is an ErrCut for the last record of a program that did not come to its end.
func endingOf(r *Record) error {
	n := &numbers{data: r.Data}
	switch how, code := n.next(), n.next(); how {
	case 1:
		return &CutError{fmt.Sprintf("signal %d (%v) ended it", code, syscall.Signal(code))}
	case 2:
		return &CutError{"the recorder ended it, for the reason that it printed"}
	}
	return nil
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

// Allocates says that a record is of memory that was allocated.
func (r *Record) Allocates() bool { return r.Type == typeAllocate }

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
