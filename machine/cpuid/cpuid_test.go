package cpuid

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// dump answers as a processor whose leaves are listed, and zeros for others.
type dump map[[2]uint32][4]uint32

func (d dump) ask(number, sub uint32) [4]uint32 { return d[[2]uint32{number, sub}] }

// enumerate encodes a subleaf by the tables of the manuals.
func enumerate(kind, level, threads, ways, line, sets uint32) [4]uint32 {
	return [4]uint32{kind | level<<5 | (threads-1)<<14, (ways-1)<<22 | line - 1, sets - 1}
}

func TestCaches(t *testing.T) {
	xeon := dump{
		{0, 0}: {0x20},
		{4, 0}: enumerate(1, 1, 2, 12, 64, 64),
		{4, 1}: enumerate(2, 1, 2, 8, 64, 64),
		{4, 2}: enumerate(3, 2, 2, 16, 64, 2048),
		{4, 3}: enumerate(3, 3, 128, 15, 64, 114688),
	}
	rome := dump{
		{0, 0}: {0x10}, {0x80000000, 0}: {0x80000020},
		{0x8000001d, 0}: enumerate(1, 1, 2, 8, 64, 64),
		{0x8000001d, 1}: enumerate(2, 1, 2, 8, 64, 64),
		{0x8000001d, 2}: enumerate(3, 2, 2, 8, 64, 1024),
		{0x8000001d, 3}: enumerate(3, 3, 8, 16, 64, 16384),
	}
	// A virtual Zen 5 as it answered: leaves 4 and 0x8000001D are empty.
	guest := dump{
		{0, 0}: {0xd}, {0x80000000, 0}: {0x80000021},
		{0x80000005, 0}: {0xff60ff40, 0xff60ff40, 0x300c0140, 0x20080140},
		{0x80000006, 0}: {0x40802040, 0x60804040, 0x04006140, 0x0fe09140},
	}
	endless := dump{{0, 0}: {4}}
	for sub := range uint32(1000) {
		endless[[2]uint32{4, sub}] = enumerate(1, 1, 1, 8, 64, 64)
	}
	full := dump{{0, 0}: {4}, {4, 0}: enumerate(1, 1, 1, 1, 64, 512)}
	full[[2]uint32{4, 0}] = [4]uint32{full[[2]uint32{4, 0}][0] | 1<<9, full[[2]uint32{4, 0}][1], 511}
	for _, c := range []struct {
		name string
		ask  leaf
		want []Cache
	}{
		{"Sapphire Rapids", xeon.ask, []Cache{
			{Level: 1, Bytes: 48 << 10, Ways: 12, Line: 64, Sharing: 2, Leaf: 4},
			{Level: 2, Bytes: 2 << 20, Ways: 16, Line: 64, Sharing: 2, Leaf: 4},
			{Level: 3, Bytes: 105 << 20, Ways: 15, Line: 64, Sharing: 128, Leaf: 4},
		}},
		{"Rome", rome.ask, []Cache{
			{Level: 1, Bytes: 32 << 10, Ways: 8, Line: 64, Sharing: 2, Leaf: leafAMD},
			{Level: 2, Bytes: 512 << 10, Ways: 8, Line: 64, Sharing: 2, Leaf: leafAMD},
			{Level: 3, Bytes: 16 << 20, Ways: 16, Line: 64, Sharing: 8, Leaf: leafAMD},
		}},
		{"Zen 5, virtual", guest.ask, []Cache{
			{Level: 1, Bytes: 48 << 10, Ways: 12, Line: 64, Leaf: leafAMDL1},
			{Level: 2, Bytes: 1 << 20, Ways: 8, Line: 64, Leaf: leafAMDOut},
			{Level: 3, Bytes: 508 << 20, Line: 64, Leaf: leafAMDOut, OfAll: true},
		}},
		{"the same answer for ever", endless.ask, []Cache{{Level: 1, Bytes: 32 << 10, Ways: 8, Line: 64, Sharing: 1, Leaf: 4}}},
		{"fully associative", full.ask, []Cache{{Level: 1, Bytes: 32 << 10, Ways: 512, Line: 64, Sharing: 1, Leaf: 4}}},
		{"nothing", dump{}.ask, nil},
	} {
		if diff := cmp.Diff(c.want, caches(c.ask)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestThisProcessor holds the instruction against what the kernel read with it, where it tells.
func TestThisProcessor(t *testing.T) {
	const dir = "/sys/devices/system/cpu/cpu0/cache/index0/"
	size, err := os.ReadFile(dir + "size")
	if err != nil || !hasCPUID {
		t.Skip("the kernel tells no caches, or this is no x86 processor")
	}
	all := Caches()
	if len(all) == 0 {
		t.Skip("the hypervisor hides the leaves")
	}
	kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(string(size)), "K"), 10, 64)
	if err != nil || all[0].Level != 1 || all[0].Bytes != kib<<10 {
		t.Errorf("CPUID says %+v, %s says %s", all[0], dir, size)
	}
}
