package trace

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
)

// digitOf is the value of a digit up to base 16, or noDigit.
var digitOf = func() (table [256]uint8) {
	for i := range table {
		table[i] = noDigit
	}
	for i := range uint8(10) {
		table['0'+i] = i
	}
	for i := range uint8(6) {
		table['a'+i], table['A'+i] = 10+i, 10+i
	}
	return table
}()

const noDigit = 0xff

// hexadecimal reads digits from text[i:], which must end in something else, and gives the place after them. It is not
// ok without digits or where the number passes 64 bits.
func hexadecimal(text []byte, i int) (value uint64, next int, ok bool) {
	if len(text)-i > 16 {
		upper, n := eightDigits(binary.LittleEndian.Uint64(text[i:]))
		if n < 8 {
			return upper, i + n, n > 0
		}
		lower, m := eightDigits(binary.LittleEndian.Uint64(text[i+8:]))
		if m < 8 || digitOf[text[i+16]] == noDigit {
			return upper<<(4*m) | lower, i + 8 + m, true
		}
	}
	return digitByDigit(text, i)
}

// eightDigits reads the digits in base 16 that eight bytes of text begin with, the first in the lowest byte, and gives how many there are: the bytes are
// looked at side by side in one word.
func eightDigits(text uint64) (value uint64, digits int) {
	const (
		ones = 0x0101010101010101
		tops = 0x80 * ones
	)
	low := text &^ tops
	figures := (low + (0x80-'0')*ones) &^ (low + (0x7f-'9')*ones)
	low |= 0x20 * ones
	letters := (low + (0x80-'a')*ones) &^ (low + (0x7f-'f')*ones) & tops
	digits = bits.TrailingZeros64(^(figures|letters)&tops|text&tops) / 8
	value = text&(0xf*ones) + letters>>7*9
	value <<= 64 - 8*uint(digits) // bytes before the first digit are 0; all are, without digits
	value = (value<<4 | value>>8) & 0x00ff00ff00ff00ff
	value = (value<<8 | value>>16) & 0x0000ffff0000ffff
	return (value<<16 | value>>32) & 0xffffffff, digits
}

// digitByDigit is hexadecimal for texts that end soon and numbers of more digits.
func digitByDigit(text []byte, i int) (value uint64, next int, ok bool) {
	start := i
	var lost uint64
	for ; ; i++ {
		d := digitOf[text[i]]
		if d == noDigit {
			break
		}
		lost |= value >> 60
		value = value<<4 | uint64(d)
	}
	return value, i, i > start && lost == 0
}

// decimal does the same in base 10.
func decimal(text []byte, i int) (value uint64, next int, ok bool) {
	start := i
	ok = true
	for ; ; i++ {
		d := text[i] - '0'
		if d > 9 {
			break
		}
		if value > (math.MaxUint64-9)/10 && (value > math.MaxUint64/10 || uint64(d) > math.MaxUint64-value*10) {
			ok = false
		}
		value = value*10 + uint64(d)
	}
	return value, i, ok && i > start
}

// prefixed reads a number in base 16 after 0x, in base 10 otherwise.
func prefixed(text []byte, i int) (value uint64, next int, ok bool) {
	if text[i] == '0' && text[i+1]|0x20 == 'x' {
		return hexadecimal(text, i+2)
	}
	return decimal(text, i)
}

// optionalPrefix reads a number in base 16, with or without 0x.
func optionalPrefix(text []byte, i int) (value uint64, next int, ok bool) {
	if text[i] == '0' && text[i+1]|0x20 == 'x' {
		i += 2
	}
	return hexadecimal(text, i)
}

// blanks gives the place after spaces and tabs.
func blanks(text []byte, i int) int {
	for text[i] == ' ' || text[i] == '\t' {
		i++
	}
	return i
}

// isEnd says whether a line ends at text[i].
func isEnd(text []byte, i int) bool {
	return text[i] == '\n' || text[i] == '\r' && text[i+1] == '\n'
}

// lineEnd gives the place after the newline of the line in which text[i] is.
func lineEnd(text []byte, i int) int {
	for text[i] != '\n' {
		i++
	}
	return i + 1
}

// MostAccess is the most bytes of one access. Instructions reach 64 KiB (the array ZA of Arm's SME), and compilers take structures for one
// access; some digits more would ask for gigabytes of references in a short line.
const MostAccess = 1 << 20

// badAccess says why an access of size bytes at address cannot be, nil where it can.
func badAccess(address, size uint64) *fault {
	switch {
	case size == 0:
		return wrong("an access of 0 bytes", "every access has at least 1 byte")
	case size > MostAccess:
		return wrong(fmt.Sprintf("an access of %d bytes", size), fmt.Sprintf("at most %d are possible", MostAccess))
	case address > lastAddress(uint32(size)):
		return wrong(fmt.Sprintf("%d bytes at %#x reach past the last address", size, address), "")
	}
	return nil
}
