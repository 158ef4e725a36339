package trace

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Writer writes the native format. The same events give the same bytes.
type Writer struct {
	regionTable
	w       io.Writer
	zstd    *zstd.Encoder
	encoder encoder
	regions names // not yet written
	objects names
	total   uint64
	content []byte
	out     []byte
	failed  error
}

// names are those that the next block of names holds.
type names struct {
	content []byte
	count   uint32
}

// NewWriter begins a trace with what is to be known of it, such as the command line; meta may be nil.
func NewWriter(w io.Writer, meta map[string]string) (*Writer, error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderCRC(false), zstd.WithSingleSegment(true))
	if err != nil {
		return nil, err
	}
	t := &Writer{w: w, zstd: z}
	t.encoder.begin()
	header := binary.LittleEndian.AppendUint32([]byte(nativeMagic), nativeVersion)
	if _, err := w.Write(append(header, 0, 0, 0, 0)); err != nil {
		return nil, err
	}
	var pairs names
	for _, key := range sortedKeys(meta) {
		pairs.content = appendText(appendText(pairs.content, key), meta[key])
		pairs.count++
	}
	if len(pairs.content) > maxNames {
		return nil, fmt.Errorf("what is to be kept with the trace has %d bytes, more than %d", len(pairs.content), maxNames)
	}
	return t, t.putNames(metaBlock, &pairs)
}

func appendText(to []byte, s string) []byte {
	return append(binary.AppendUvarint(to, uint64(len(s))), s...)
}

// Region implements Sink.
func (t *Writer) Region(name string) (uint64, error) {
	if err := cmp.Or(checkName(name), t.full(name)); err != nil {
		return 0, t.fail(err)
	}
	index, isNew := t.region(name)
	if isNew {
		t.regions.content = appendText(t.regions.content, name)
		t.regions.count++
	}
	return uint64(index), t.drain(&t.regions, regionBlock, maxNames)
}

// Object implements Sink.
func (t *Writer) Object(o Object) error {
	if err := checkObject(o); err != nil {
		return t.fail(err)
	}
	t.objects.content = appendText(t.objects.content, o.Name)
	t.objects.content = binary.AppendUvarint(t.objects.content, o.Address)
	t.objects.content = binary.AppendUvarint(t.objects.content, o.Bytes)
	t.objects.count++
	return t.drain(&t.objects, objectBlock, maxNames)
}

// Write implements Sink.
func (t *Writer) Write(events []Event) error {
	for _, e := range events {
		if t.failed != nil {
			return t.failed
		}
		if e.Kind > Fetch || e.Size == 0 || e.Address > lastAddress(e.Size) {
			if err := check(e, len(t.names.Regions)); err != nil {
				return t.fail(fmt.Errorf("event %d: %w", t.total+uint64(t.encoder.count), err))
			}
		}
		t.encoder.add(e)
		if t.encoder.count == blockEvents {
			if err := t.flush(); err != nil {
				return err
			}
		}
	}
	return t.failed
}

// Close writes what is left and the end; it does not close the writer below.
func (t *Writer) Close() error {
	if err := t.flush(); err != nil {
		return err
	}
	end := binary.LittleEndian.AppendUint64(nil, t.total)
	if err := t.block(block{kind: closingBlock, raw: endBytes}, end); err != nil {
		return err
	}
	_ = t.fail(fmt.Errorf("the trace is closed"))
	return t.zstd.Close()
}

func (t *Writer) fail(err error) error {
	if t.failed == nil {
		t.failed = err
	}
	return t.failed
}

// drain writes names where there are that many bytes of them.
func (t *Writer) drain(n *names, kind byte, least int) error {
	if n.count == 0 || len(n.content) < least {
		return t.failed
	}
	return t.putNames(kind, n)
}

func (t *Writer) putNames(kind byte, n *names) error {
	err := t.block(block{kind: kind, raw: uint32(len(n.content)), count: n.count}, n.content)
	n.content, n.count = n.content[:0], 0
	return err
}

// flush writes the names, and then the events that may be of them.
func (t *Writer) flush() error {
	if err := t.drain(&t.regions, regionBlock, 0); err != nil {
		return err
	}
	if err := t.drain(&t.objects, objectBlock, 0); err != nil {
		return err
	}
	e := &t.encoder
	if e.count == 0 {
		return t.failed
	}
	t.content = e.content(t.content[:0])
	b := block{kind: eventBlock, raw: uint32(len(t.content)), count: uint32(e.count)}
	t.total += uint64(e.count)
	e.begin()
	stored := t.zstd.EncodeAll(t.content, t.out[:0])
	t.out = stored
	if len(stored) >= len(t.content) {
		stored = t.content
	} else {
		b.flags = flagCompressed
	}
	return t.block(b, stored)
}

// block writes a block with its checksum.
func (t *Writer) block(b block, stored []byte) error {
	if t.failed != nil {
		return t.failed
	}
	b.stored = uint32(len(stored))
	header := b.append(make([]byte, 0, blockHeader))
	b.check = crc32.Update(crc32.Checksum(header[:checksumAt], castagnoli), castagnoli, stored)
	for _, part := range [][]byte{b.append(header[:0]), stored} {
		if _, err := t.w.Write(part); err != nil {
			return t.fail(err)
		}
	}
	return nil
}
