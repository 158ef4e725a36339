package machine

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"foresee/machine/cpuid"
)

// processorCaches are those that the CPUID instruction tells.
func processorCaches() (out []Cache) { return cachesOf(cpuid.Caches()) }

// cachesOf are the caches that CPUID told.
func cachesOf(told []cpuid.Cache) (out []Cache) {
	for _, c := range told {
		mine := Cache{Size: Size(c.Bytes), Ways: c.Ways, Line: c.Line, OfAll: c.OfAll, Source: fmt.Sprintf("cpuid: leaf %#x", c.Leaf)}
		mine.Threads = c.Sharing
		out = append(out, mine)
	}
	return out
}

// libraryCaches are those that the C library tells: by sysconf, which getconf prints, or else what the kernel gave it in the
// auxiliary vector, as it does on POWER.
func libraryCaches() []Cache {
	text, err := exec.Command("getconf", "-a").Output()
	if err == nil {
		if all := parseGetconf(string(text)); len(all) > 0 {
			return all
		}
	}
	return auxiliaryCaches(os.DirFS("/"))
}

// parseGetconf reads what getconf -a prints of glibc: names with a value, which may be empty, or 0 where it is not known.
func parseGetconf(text string) (out []Cache) {
	values := map[string]int64{}
	for line := range strings.SplitSeq(text, "\n") {
		if f := strings.Fields(line); len(f) == 2 {
			values[f[0]], _ = strconv.ParseInt(f[1], 10, 64)
		}
	}
	for _, name := range []string{"LEVEL1_DCACHE", "LEVEL2_CACHE", "LEVEL3_CACHE", "LEVEL4_CACHE"} {
		size := values[name+"_SIZE"]
		if size <= 0 {
			break
		}
		out = append(out, Cache{
			Size: Size(size), Ways: int(values[name+"_ASSOC"]), Line: int(values[name+"_LINESIZE"]), Source: "sysconf: _SC_" + name + "_SIZE",
			OfAll: name == "LEVEL3_CACHE", // of AMD's processors, glibc takes the size of all instances
		})
	}
	return out
}

// Keys of the auxiliary vector, of uapi/linux/auxvec.h: the sizes of L1D, L2 and L3 in bytes; behind each its geometry, ways << 16 |
// line.
var auxiliaryKeys = []uint64{42, 44, 46}

// auxiliaryCaches reads the auxiliary vector of this process.
func auxiliaryCaches(root fs.FS) (out []Cache) {
	data, err := readBounded(root, "proc/self/auxv", longestText)
	if err != nil || strconv.IntSize != 64 {
		return nil
	}
	values := map[uint64]uint64{}
	for ; len(data) >= 16; data = data[16:] {
		values[binary.NativeEndian.Uint64(data)] = binary.NativeEndian.Uint64(data[8:])
	}
	for _, key := range auxiliaryKeys {
		size, geometry := values[key], values[key+1]
		if size == 0 || size > uint64(maxSize) {
			break
		}
		out = append(out, Cache{
			Size: Size(size), Ways: int(geometry >> 16 & 0xffff), Line: int(geometry & 0xffff), Source: "auxiliary vector of the kernel",
		})
	}
	return out
}
