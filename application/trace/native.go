package trace

import (
	"encoding/binary"
	"hash/crc32"
)

// The native format, which docs/formats.md describes byte for byte: a header, then blocks, each with a header, a
// checksum, and a content that stands for itself. Only the blocks of events are compressed, so that what a reader
// keeps in memory is bounded by the length of the file.
const (
	nativeMagic   = "\x89FTR\r\n\x1a\n"
	nativeVersion = 1

	nativeHeader = 16 // magic, version, 4 bytes of 0
	blockHeader  = 20

	blockEvents    = 1 << 16 // the most events of one block
	maxStored      = 4 << 20 // the most bytes of a block that this version reads
	maxRaw         = 2 << 20 // the most bytes of a block of events, decompressed
	maxFrame       = 8 << 20 // the largest window of a zstd frame
	maxNames       = 1 << 20 // bytes of names after which a writer begins another block
	checksumAt     = 16      // where the checksum lies in the header of a block
	endBytes       = 8
	flagSkippable  = 1 // a reader that does not know the type of the block may go on after it
	flagCompressed = 2 // the content is a zstd frame
	flagsKnown     = flagSkippable | flagCompressed
)

// The types of blocks.
const (
	metaBlock    = 'M'
	regionBlock  = 'R'
	objectBlock  = 'O'
	eventBlock   = 'E'
	closingBlock = 'Z'
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// block is the header of a block.
type block struct {
	kind   byte
	flags  byte
	stored uint32 // bytes in the file
	raw    uint32 // bytes when decompressed
	count  uint32 // of events, names, or pairs
	check  uint32
}

// append writes the head of a block.
func (b block) append(to []byte) []byte {
	to = append(to, b.kind, b.flags, 0, 0)
	to = binary.LittleEndian.AppendUint32(to, b.stored)
	to = binary.LittleEndian.AppendUint32(to, b.raw)
	to = binary.LittleEndian.AppendUint32(to, b.count)
	return binary.LittleEndian.AppendUint32(to, b.check)
}

// parseBlock reads the head of a block.
func parseBlock(from []byte) block {
	return block{
		kind: from[0], flags: from[1],
		stored: binary.LittleEndian.Uint32(from[4:]),
		raw:    binary.LittleEndian.Uint32(from[8:]),
		count:  binary.LittleEndian.Uint32(from[12:]),
		check:  binary.LittleEndian.Uint32(from[checksumAt:]),
	}
}

// Each event is an operation of one byte: in the low six bits a slot of the current bank, in the high two bits how
// the address follows from the last one of that slot. A slot holds kind, size and thread too, so that a loop that
// walks through memory takes one byte for each of its accesses.
const (
	slots  = 63 // of a bank; the number 63 stands for a change of bank
	banks  = 256
	slotOf = 0x3f

	opFollow = 0 << 6 // the last address plus the stride
	opJump   = 1 << 6 // plus a difference, the stride stays
	opStride = 2 << 6 // plus a difference, which is the new stride
	opDefine = 3 << 6 // kind, thread and size are given, and the address as a difference; the stride is 0
	opBank   = opDefine | slots
)

func zigzag(difference uint64) uint64 { return difference<<1 ^ uint64(int64(difference)>>63) }
func unzigzag(coded uint64) uint64    { return coded>>1 ^ -(coded & 1) }
