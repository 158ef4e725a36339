package emulate

// heap gives memory as glibc's malloc does on 64-bit systems, since where an array begins decides which of its vectors lie across two lines: small blocks lie
// one behind the other, each with 8 bytes of its own before it, in steps of 16 bytes; large ones begin 16 bytes behind the begin of a page.
// Source: the GNU C Library, malloc/malloc.c (MALLOC_ALIGNMENT, MINSIZE, DEFAULT_MMAP_THRESHOLD and its growth when a large block is freed).
type heap struct {
	top, mapped uint64              // where the next small and the next large block begin
	large       uint64              // bytes from which a block is large
	freed       map[uint64][]uint64 // places by the bytes of their chunks
	sizes       map[uint64]uint64   // bytes of what was given, by place
}

const (
	breakBegin = 0x40_0000_0000
	mapsBegin  = 0x80_0000_0000
	// firstBlock is where the first small block of a program lies: behind malloc's own table of freed chunks (656 bytes) and the block's header.
	firstBlock   = 0x2a0
	chunkHeader  = 8
	smallestLine = 16        // what blocks are aligned to, and the header of a large one
	mostLarge    = 32 << 20  // the threshold grows no further
	largeAtFirst = 128 << 10 // before anything is freed
	pageOfSystem = 4 << 10
	// exceptions is what libstdc++ allocates for exceptions before a program begins. Source: GCC, libstdc++-v3/libsupc++/eh_alloc.cc; 72,704 bytes as seen.
	exceptions = 72_704
)

func newHeap() heap {
	return heap{top: breakBegin + firstBlock, mapped: mapsBegin, large: largeAtFirst, freed: map[uint64][]uint64{}, sizes: map[uint64]uint64{}}
}

// chunk is what a block takes with its header.
func chunk(bytes uint64) uint64 {
	return max(32, (bytes+chunkHeader+smallestLine-1)&^(smallestLine-1))
}

// allocate gives a block at a multiple of 16 bytes.
func (h *heap) allocate(bytes uint64) uint64 {
	n := chunk(bytes)
	if free := h.freed[n]; len(free) > 0 {
		a := free[len(free)-1]
		h.freed[n] = free[:len(free)-1]
		h.sizes[a] = bytes
		return a
	}
	a := h.top
	if n >= h.large {
		a = h.mapped + smallestLine
		h.mapped += (n + chunkHeader + pageOfSystem - 1) &^ (pageOfSystem - 1)
	} else {
		h.top += n
	}
	h.sizes[a] = bytes
	return a
}

// forNew is allocate in a program of C++.
func (h *heap) forNew(bytes uint64) uint64 {
	if len(h.sizes) == 0 && h.top == breakBegin+firstBlock {
		h.top += chunk(exceptions)
	}
	return h.allocate(bytes)
}

// aligned gives a block at a multiple of so many bytes, a power of two.
func (h *heap) aligned(to, bytes uint64) uint64 {
	if to <= smallestLine {
		return h.allocate(bytes)
	}
	next := &h.top
	if chunk(bytes)+to >= h.large {
		next = &h.mapped
	}
	a := (*next + smallestLine + to - 1) &^ (to - 1)
	*next = a + chunk(bytes)
	if next == &h.mapped {
		*next = (*next + pageOfSystem - 1) &^ (pageOfSystem - 1)
	}
	h.sizes[a] = bytes
	return a
}

// free takes a block back; what is no block stays as it is.
func (h *heap) free(a uint64) {
	bytes, ok := h.sizes[a]
	if !ok {
		return
	}
	n := chunk(bytes)
	if a >= mapsBegin && n >= h.large && n <= mostLarge {
		h.large = n + 1 // blocks of that size are small from now on
	}
	delete(h.sizes, a)
	h.freed[n] = append(h.freed[n], a)
}
