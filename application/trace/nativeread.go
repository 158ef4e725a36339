package trace

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/zstd"
)

// native reads the native format.
type native struct {
	regionTable
	about   map[string]string
	r       io.Reader
	zstd    *zstd.Decoder
	decoder decoder
	left    int    // events of the current block
	given   uint64 // events of all blocks so far
	offset  int64  // of the next block
	at      int64  // of the current block
	ended   bool
	stored  []byte
	raw     []byte
}

const damaged = "the file was damaged; take another copy; " + partialRemedy

// newNative begins to read the native format, with bounds on the memory that unpacking takes.
func newNative(r io.Reader, skipFetches bool) (*native, error) {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxFrame), zstd.WithDecoderMaxWindow(maxFrame),
		zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		return nil, err
	}
	n := &native{r: r, zstd: z}
	n.decoder.skipFetches = skipFetches
	if err := n.header(); err != nil {
		z.Close()
		return nil, err
	}
	return n, nil
}

func (n *native) Names() *Names           { return &n.names }
func (n *native) meta() map[string]string { return n.about }
func (n *native) ignored() int64          { return 0 }
func (n *native) close()                  { n.zstd.Close() }

func (n *native) fault(cause, remedy string) *Error {
	return &Error{Format: "native", Offset: n.at, Cause: cause, Remedy: remedy}
}

// header reads the header and the first block, which says what the trace is of.
func (n *native) header() error {
	var header [nativeHeader]byte
	if _, err := io.ReadFull(n.r, header[:]); err != nil {
		return n.short(err)
	}
	if string(header[:len(nativeMagic)]) != nativeMagic {
		return n.fault("this is no native trace", "")
	}
	if v := binary.LittleEndian.Uint32(header[len(nativeMagic):]); v != nativeVersion {
		return n.fault(fmt.Sprintf("the trace has version %d, and this foresee reads version %d", v, nativeVersion),
			"it was written by a newer foresee; update this one")
	}
	n.offset = nativeHeader
	kind, err := n.step()
	if err == nil && kind != metaBlock {
		return n.fault("the first block does not say what the trace is of", damaged)
	}
	return err
}

// Read implements Source, but for giving the last events together with io.EOF.
func (n *native) Read(events []Event) (int, error) {
	made := 0
	for made < len(events) {
		if n.left == 0 {
			if n.ended {
				return made, io.EOF
			}
			if _, err := n.step(); err != nil {
				return made, err
			}
			continue
		}
		taken, m, f := n.decoder.decode(events[made:])
		made += m
		n.left -= taken
		n.given += uint64(taken)
		empty := len(n.decoder.operations) == 0
		if f == "" && (n.left < 0 || empty != (n.left == 0) || empty && len(n.decoder.arguments) != 0) {
			f = "a number of events other than the block says"
		}
		if f != "" {
			return made, n.fault("the block holds "+f, damaged)
		}
	}
	return made, nil
}

// step reads one block.
func (n *native) step() (kind byte, err error) {
	n.at = n.offset
	var header [blockHeader]byte
	if _, err := io.ReadFull(n.r, header[:]); err != nil {
		return 0, n.short(err)
	}
	b := parseBlock(header[:])
	sum := crc32.Checksum(header[:checksumAt], castagnoli)
	n.offset += blockHeader + int64(b.stored)
	if n.known(b.kind) {
		return b.kind, n.take(b, sum)
	}
	return b.kind, n.skip(b, sum)
}

// known says whether this version knows a kind of block.
func (n *native) known(kind byte) bool {
	switch kind {
	case metaBlock, regionBlock, objectBlock, eventBlock, closingBlock:
		return true
	}
	return false
}

// short says that the trace ends early, or cannot be read on.
func (n *native) short(err error) *Error {
	if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		e := n.fault("cannot read on", "")
		e.Err = err
		return e
	}
	if n.given == 0 {
		return n.fault("the trace is cut off before its first whole block of events", "make it again")
	}
	return n.fault(fmt.Sprintf("the trace is cut off after %d whole events", n.given), "they can be taken")
}

// skip passes over a block of a type that this version does not know, where the block allows it.
func (n *native) skip(b block, sum uint32) error {
	hash := crcWriter(sum)
	if _, err := io.CopyN(&hash, n.r, int64(b.stored)); err != nil {
		return n.short(err)
	}
	if uint32(hash) != b.check {
		return n.fault("the checksum of the block is wrong", damaged)
	}
	if b.flags&flagSkippable == 0 {
		return n.fault(fmt.Sprintf("a block of the unknown type %q", b.kind), "it was written by a newer foresee; update this one")
	}
	return nil
}

// crcWriter adds what is written to a checksum.
type crcWriter uint32

func (c *crcWriter) Write(p []byte) (int, error) {
	*c = crcWriter(crc32.Update(uint32(*c), castagnoli, p))
	return len(p), nil
}

// take reads a block of a known type.
func (n *native) take(b block, sum uint32) error {
	if b.stored > maxStored {
		return n.fault(fmt.Sprintf("a block of %d bytes, more than %d", b.stored, maxStored), damaged)
	}
	if cap(n.stored) < int(b.stored) {
		n.stored = make([]byte, max(int(b.stored), 64<<10))
	}
	n.stored = n.stored[:b.stored]
	if _, err := io.ReadFull(n.r, n.stored); err != nil {
		return n.short(err)
	}
	if crc32.Update(sum, castagnoli, n.stored) != b.check {
		return n.fault("the checksum of the block is wrong", damaged)
	}
	if b.flags&^flagsKnown != 0 || b.kind != eventBlock && b.flags&flagCompressed != 0 {
		return n.fault(fmt.Sprintf("a block with unknown flags %#x", b.flags), "it was written by a newer foresee; update this one")
	}
	var f string
	switch b.kind {
	case eventBlock:
		f = n.events(b)
	case closingBlock:
		return n.end(b)
	default:
		f = n.nameBlock(b)
	}
	if f != "" {
		return n.fault("the block holds "+f, damaged)
	}
	return nil
}

// events decompresses a block of events.
func (n *native) events(b block) (f string) {
	if b.raw > maxRaw || b.count > blockEvents {
		return fmt.Sprintf("%d bytes and %d events, more than %d and %d", b.raw, b.count, maxRaw, blockEvents)
	}
	raw := n.stored
	if b.flags&flagCompressed != 0 {
		if cap(n.raw) < int(b.raw) {
			n.raw = make([]byte, b.raw)
		}
		var err error
		if raw, err = n.zstd.DecodeAll(n.stored, n.raw[:0:b.raw]); err != nil {
			return "a zstd frame that cannot be decompressed: " + err.Error()
		}
	}
	if len(raw) != int(b.raw) {
		return fmt.Sprintf("%d bytes, not %d", len(raw), b.raw)
	}
	n.left = int(b.count)
	if f := n.decoder.begin(raw, len(n.names.Regions)); f != "" {
		return f
	}
	if n.left == 0 && len(raw) > 1 {
		return "a number of events other than the block says"
	}
	return ""
}

// end reads the last block, after which nothing may follow.
func (n *native) end(b block) error {
	if b.stored != endBytes {
		return n.fault("an end that cannot be", damaged)
	}
	if total := binary.LittleEndian.Uint64(n.stored); total != n.given {
		return n.fault(fmt.Sprintf("the trace ends after %d events, not %d", n.given, total), damaged)
	}
	var more [1]byte
	if _, err := io.ReadFull(n.r, more[:]); err == nil {
		n.at = n.offset
		return n.fault("more follows after the end of the trace", "take it away, or let it be left out")
	} else if !errors.Is(err, io.EOF) {
		return n.short(err)
	}
	n.ended = true
	return nil
}
