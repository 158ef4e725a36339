// Package cpuid asks an x86 processor which caches it has: sizes, ways, lines, and how many hardware threads share one.
//
// The CPUID instruction answers in any container and without rights, but a hypervisor may change or hide what it says.
// Sources: Intel SDM vol. 2A (325383), CPUID leaf 4; AMD64 Architecture Programmer's Manual vol. 3 (24594), appendix E,
// Fn8000_0005, Fn8000_0006 and Fn8000_001D.
package cpuid

// Cache is a data or unified cache. Zero fields are not told.
type Cache struct {
	Level   int
	Bytes   int64 // of one instance; where OfAll, of all instances of the processor together
	Ways    int
	Line    int  // bytes
	Sharing int  // hardware threads that may share an instance, counted in the numbers of the APIC: there may be fewer
	OfAll   bool // Bytes is of all instances
	Leaf    uint32
}

// leaf is the CPUID instruction: EAX, EBX, ECX and EDX of a leaf and its subleaf.
type leaf func(number, sub uint32) [4]uint32

// The leaves that tell of caches.
const (
	leafIntel  = 4
	leafAMD    = 0x8000001d
	leafAMDL1  = 0x80000005
	leafAMDOut = 0x80000006 // L2 and L3
	firstOfAMD = 0x80000000
)

// Caches lists the caches of the processor that this runs on, from the core outwards; none elsewhere than on x86.
func Caches() []Cache {
	if !hasCPUID {
		return nil
	}
	return caches(cpuid)
}

// caches takes the first of the leaves that says anything.
func caches(ask leaf) []Cache {
	if ask(0, 0)[0] >= leafIntel {
		if all := enumerated(ask, leafIntel); len(all) > 0 {
			return all
		}
	}
	last := ask(firstOfAMD, 0)[0]
	if last >= leafAMD && last < firstOfAMD+1<<16 {
		if all := enumerated(ask, leafAMD); len(all) > 0 {
			return all
		}
	}
	if last >= leafAMDOut && last < firstOfAMD+1<<16 {
		return fixed(ask)
	}
	return nil
}

// Types of caches in leaves 4 and 0x8000001D.
const (
	typeNone        = 0
	typeInstruction = 2
)

// mostCaches ends the list of a hypervisor that gives the same answer for ever.
const mostCaches = 16

// enumerated reads a leaf with one cache a subleaf; 4 and 0x8000001D have the same form.
func enumerated(ask leaf, number uint32) []Cache {
	byLevel := map[int]Cache{}
	for sub := range uint32(mostCaches) {
		r := ask(number, sub)
		kind, level := r[0]&31, int(r[0]>>5&7)
		if kind == typeNone {
			break
		}
		c := Cache{Level: level, Leaf: number, Sharing: int(r[0]>>14&0xfff) + 1}
		c.Ways, c.Line = int(r[1]>>22)+1, int(r[1]&0xfff)+1
		partitions, sets := int64(r[1]>>12&0x3ff)+1, int64(r[2])+1
		c.Bytes = int64(c.Ways) * partitions * int64(c.Line) * sets
		if r[0]&(1<<9) != 0 { // fully associative: ways are what matters, and one set
			c.Ways = int(c.Bytes) / c.Line
		}
		if _, seen := byLevel[level]; kind != typeInstruction && !seen {
			byLevel[level] = c
		}
	}
	return inOrder(byLevel)
}

// fixed reads AMD's older leaves. Their L3 is that of the whole processor, in units of 512 KiB, rounded down.
func fixed(ask leaf) []Cache {
	l1, out := ask(leafAMDL1, 0)[2], ask(leafAMDOut, 0)
	byLevel := map[int]Cache{}
	add := func(c Cache) {
		if c.Bytes > 0 {
			byLevel[c.Level] = c
		}
	}
	add(Cache{Level: 1, Bytes: int64(l1>>24) << 10, Ways: wholeWays(int(l1 >> 16 & 0xff)), Line: int(l1 & 0xff), Leaf: leafAMDL1})
	add(Cache{Level: 2, Bytes: int64(out[2]>>16) << 10, Ways: codedWays[out[2]>>12&15], Line: int(out[2] & 0xff), Leaf: leafAMDOut})
	add(Cache{Level: 3, Bytes: int64(out[3]>>18) << 19, Ways: codedWays[out[3]>>12&15], Line: int(out[3] & 0xff), Leaf: leafAMDOut, OfAll: true})
	return inOrder(byLevel)
}

// wholeWays is 0, not told, where the leaf says fully associative.
func wholeWays(n int) int {
	if n == 0xff {
		return 0
	}
	return n
}

// codedWays are the ways of Fn8000_0006 by their code; 0: another leaf would tell, or fully associative.
var codedWays = [16]int{1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 8: 16, 10: 32, 11: 48, 12: 64, 13: 96, 14: 128}

// inOrder lists levels from 1 until one is lacking.
func inOrder(byLevel map[int]Cache) (out []Cache) {
	for level := 1; byLevel[level].Bytes > 0; level++ {
		out = append(out, byLevel[level])
	}
	return out
}
