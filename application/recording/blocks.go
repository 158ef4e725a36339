package recording

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// A file is its magic number, version and a checksum of both; then blocks with the bytes of a zstd stream. Each block
// has the checksum of all from the magic number to its end, so that a block can neither change nor be missing. One
// without bytes is the last.
const (
	fileVersion = 2
	fileHead    = 16
	blockHead   = 8
	mostInBlock = 1 << 16
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// DamageError is a file that is not as it was written.
type DamageError struct {
	Offset int64 // byte from which on it is not
	Cause  string
}

func (e *DamageError) Error() string {
	return fmt.Sprintf("recording damaged from byte %d on: %s; record the program again", e.Offset, e.Cause)
}

// IsDamaged says whether an error is of what a recording holds.
func IsDamaged(err error) bool {
	var record *Error
	var file *DamageError
	return errors.As(err, &record) || errors.As(err, &file)
}

// CutError is an ErrCut of which more is known.
type CutError struct{ Cause string }

func (e *CutError) Error() string { return ErrCut.Error() + ": " + e.Cause }

// Is makes it an ErrCut.
func (e *CutError) Is(target error) bool { return target == ErrCut }

// blockWriter writes blocks.
type blockWriter struct {
	w    io.Writer
	sum  uint32
	data []byte // of the next block, with room for its head
}

func newBlockWriter(w io.Writer) (*blockWriter, error) {
	head := binary.LittleEndian.AppendUint32([]byte(magic), fileVersion)
	sum := crc32.Checksum(head, castagnoli)
	_, err := w.Write(binary.LittleEndian.AppendUint32(head, sum))
	return &blockWriter{w, sum, make([]byte, blockHead, blockHead+mostInBlock)}, err
}

// Write gathers bytes into blocks.
func (b *blockWriter) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		k := min(len(p), cap(b.data)-len(b.data))
		b.data, p = append(b.data, p[:k]...), p[k:]
		if len(b.data) == cap(b.data) {
			if err := b.flush(); err != nil {
				return 0, err
			}
		}
	}
	return n, nil
}

// flush writes a block with its length and checksum; checksums go on from block to block.
func (b *blockWriter) flush() error {
	binary.LittleEndian.PutUint32(b.data, uint32(len(b.data)-blockHead))
	b.sum = crc32.Update(b.sum, castagnoli, b.data[:4])
	b.sum = crc32.Update(b.sum, castagnoli, b.data[blockHead:])
	binary.LittleEndian.PutUint32(b.data[4:], b.sum)
	_, err := b.w.Write(b.data)
	b.data = b.data[:blockHead]
	return err
}

// Close writes the last blocks.
func (b *blockWriter) Close() error {
	if len(b.data) > blockHead {
		if err := b.flush(); err != nil {
			return err
		}
	}
	return b.flush()
}

// blockReader gives the bytes in blocks. err is why there are no more.
type blockReader struct {
	r    *bufio.Reader
	sum  uint32
	at   int64
	data []byte
	left []byte
	err  error
}

// openBlocks reads what follows the magic number: of a file of version 1, which has no blocks and no checksums of its own,
// a zstd stream.
func openBlocks(r *bufio.Reader) (blocks *blockReader, err error) {
	head, err := r.Peek(fileHead)
	if len(head) >= len(magic)+4 && string(head[len(magic):len(magic)+4]) == zstdMagic {
		_, err := r.Discard(len(magic))
		return nil, err
	}
	if len(head) < fileHead {
		return nil, readError(err, int64(len(head)))
	}
	sum := crc32.Checksum(head[:fileHead-4], castagnoli)
	if binary.LittleEndian.Uint32(head[fileHead-4:]) != sum {
		return nil, &DamageError{int64(len(magic)), "its head does not agree with its checksum"}
	}
	if v := binary.LittleEndian.Uint32(head[len(magic):]); v != fileVersion {
		return nil, fmt.Errorf("recording of version %d; this foresee reads versions 1 to %d", v, fileVersion)
	}
	_, err = r.Discard(fileHead)
	return &blockReader{r: r, sum: sum, at: fileHead, data: make([]byte, mostInBlock)}, err
}

const zstdMagic = "\x28\xb5\x2f\xfd"

// readError is what an error of reading means at a byte.
func readError(err error, at int64) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &CutError{fmt.Sprintf("the file is cut off at byte %d", at)}
	}
	return fmt.Errorf("at byte %d: %w", at, err)
}

// Read gives the bytes of blocks that are whole.
func (b *blockReader) Read(p []byte) (int, error) {
	for len(b.left) == 0 {
		if b.err == nil {
			b.err = b.next()
		}
		if b.err != nil {
			return 0, b.err
		}
	}
	n := copy(p, b.left)
	b.left = b.left[n:]
	return n, nil
}

// next reads a block; io.EOF after the last.
func (b *blockReader) next() error {
	var head [blockHead]byte
	if k, err := io.ReadFull(b.r, head[:]); err != nil {
		return readError(err, b.at+int64(k))
	}
	n := binary.LittleEndian.Uint32(head[:])
	if n > mostInBlock {
		return &DamageError{b.at, fmt.Sprintf("a block of %d bytes", n)}
	}
	k, err := io.ReadFull(b.r, b.data[:n])
	if err != nil {
		return readError(err, b.at+blockHead+int64(k))
	}
	b.sum = crc32.Update(crc32.Update(b.sum, castagnoli, head[:4]), castagnoli, b.data[:n])
	if binary.LittleEndian.Uint32(head[4:]) != b.sum {
		return &DamageError{b.at, "its bytes do not agree with their checksum"}
	}
	b.at += blockHead + int64(n)
	b.left = b.data[:n]
	if n > 0 {
		return nil
	}
	if _, err := b.r.ReadByte(); !errors.Is(err, io.EOF) {
		return &DamageError{b.at, "something follows the end"}
	}
	return io.EOF
}
