package emulate

import (
	"encoding/binary"
	"errors"
	"fmt"
)

const (
	pageBits  = 16
	pageBytes = 1 << pageBits
	// mostPages bounds the memory of a program, at 64 KiB a page, to 4 GiB. Chosen: what this machine may lend.
	mostPages = 1 << 16
	// remembered is how many pages are found without a search; a power of two. Chosen.
	remembered = 256
)

var errMemory = errors.New("the program writes more than 4 GiB")

type page [pageBytes]byte

// memory is all that a program can address: bytes that begin as zeros.
type memory struct {
	pages map[uint64]*page
	last  [remembered]struct {
		number uint64 // one more than that of the page
		page   *page
	}
}

func newMemory() *memory { return &memory{pages: map[uint64]*page{}} }

// page finds the page of an address that is written.
func (m *memory) page(address uint64) *page {
	n := address >> pageBits
	at := &m.last[n%remembered]
	if at.number == n+1 {
		return at.page
	}
	p := m.pages[n]
	if p == nil {
		if mustExist(address); len(m.pages) >= mostPages {
			panic(stop{errMemory})
		}
		p = new(page)
		m.pages[n] = p
	}
	at.number, at.page = n+1, p
	return p
}

// untouched is what is read where nothing was written.
var untouched page

// seen finds the page of an address that is read.
func (m *memory) seen(address uint64) *page {
	n := address >> pageBits
	if at := &m.last[n%remembered]; at.number == n+1 {
		return at.page
	}
	if m.pages[n] == nil {
		mustExist(address)
		return &untouched
	}
	return m.page(address)
}

// ErrNowhere ends a program that goes through a pointer to nothing.
var ErrNowhere = errors.New("the program accesses memory")

// mustExist ends a program that goes through a pointer to nothing.
func mustExist(address uint64) {
	if address < pageBytes {
		panic(stop{fmt.Errorf("%w at %#x, where it has none", ErrNowhere, address)})
	}
}

// load reads up to eight bytes.
func (m *memory) load(address uint64, bytes int) uint64 {
	p, i := m.seen(address), address&(pageBytes-1)
	if i <= pageBytes-8 {
		v := binary.LittleEndian.Uint64(p[i : i+8])
		return v & masks[bytes]
	}
	v := uint64(0)
	for k := range bytes {
		a := address + uint64(k)
		v |= uint64(m.seen(a)[a&(pageBytes-1)]) << (8 * k)
	}
	return v
}

// store writes up to eight bytes.
func (m *memory) store(address uint64, bytes int, v uint64) {
	p, i := m.page(address), address&(pageBytes-1)
	if i+uint64(bytes) <= pageBytes {
		switch bytes {
		case 8:
			binary.LittleEndian.PutUint64(p[i:], v)
		case 4:
			binary.LittleEndian.PutUint32(p[i:], uint32(v))
		case 2:
			binary.LittleEndian.PutUint16(p[i:], uint16(v))
		default:
			p[i] = byte(v)
		}
		return
	}
	for k := range bytes {
		a := address + uint64(k)
		m.page(a)[a&(pageBytes-1)] = byte(v >> (8 * k))
	}
}

// masks are the bits of so many bytes.
var masks = [9]uint64{0, 0xff, 0xffff, 0xffffff, 0xffffffff, 0xffffffffff, 0xffffffffffff, 0xffffffffffffff, ^uint64(0)}

// loadVector reads up to 64 bytes.
func (m *memory) loadVector(address uint64, bytes int) (v vector) {
	for i := 0; bytes > 0; i, bytes, address = i+1, bytes-8, address+8 {
		v[i] = m.load(address, min(bytes, 8))
	}
	return v
}

// storeVector writes up to 64 bytes.
func (m *memory) storeVector(address uint64, bytes int, v *vector) {
	for i := 0; bytes > 0; i, bytes, address = i+1, bytes-8, address+8 {
		m.store(address, min(bytes, 8), v[i])
	}
}

// text reads a string of C's, of no more than a million bytes.
func (m *memory) text(address uint64) string {
	var b []byte
	for len(b) < 1<<20 {
		c := byte(m.load(address, 1))
		if c == 0 {
			break
		}
		b = append(b, c)
		address++
	}
	return string(b)
}
