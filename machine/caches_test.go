package machine

import (
	"encoding/binary"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestParseCaches(t *testing.T) {
	got, err := ParseCaches("48KiB:12-way, 1.25MiB:20-way:private,60MiB:12-way:40,1GiB:shared")
	want := []Cache{
		{Size: 48 << 10, Ways: 12, Cores: 1, Source: saidSource},
		{Size: 5 << 18, Ways: 20, Cores: 1, Source: saidSource},
		{Size: 60 << 20, Ways: 12, Cores: 40, Source: saidSource},
		{Size: 1 << 30, Cores: AllCores, Source: saidSource},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	for text, want := range map[string]string{
		"":                  `L1, "": size "" is not a number of bytes`,
		"32K":               `unit "K" is not clear`,
		"0KiB":              "a cache has from 1 B to",
		"99999GiB":          "a cache has from 1 B to",
		"32KiB,":            `L2, ""`,
		"32KiB,32KiB":       "L2 of 32 KiB is not larger than L1 of 32 KiB",
		"32KiB:0-way":       "write SIZE",
		"32KiB:-1":          "write SIZE",
		"32KiB:mine":        "write SIZE",
		"65":                "65 B is no whole number of 64-byte lines",
		"4MiB:shared,64MiB": "cache L2 is shared by other cores than L1",
		"32KiB:7-way":       "32 KiB is not a multiple of 7 ways",
		"32KiB:shared:x":    "write SIZE",
		"32KiB:99999999999": "write SIZE",
	} {
		if got, err := ParseCaches(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v, want %s", text, got, err, want)
		}
	}
}

func FuzzParseCaches(f *testing.F) {
	f.Add("48KiB:12-way,1MiB,32MiB:shared")
	f.Add("32kB:8:private,1.5 MiB:2")
	f.Fuzz(func(t *testing.T, text string) {
		said, err := ParseCaches(text)
		if err != nil {
			return
		}
		m, err := (&Sources{Root: fstest.MapFS{}, CPUs: 6, Said: said}).Machine()
		if err != nil {
			return // of six cores
		}
		if len(m.Levels) == 0 {
			t.Fatalf("%q is read, and makes no levels: %v", text, m.Notes)
		}
	})
}

// The output of glibc's getconf -a on a virtual Zen 5, shortened.
func TestParseGetconf(t *testing.T) {
	const text = "ARG_MAX                            2097152\nPATH                               /bin:/usr/bin\n" +
		"LEVEL1_ICACHE_SIZE                 32768\nLEVEL1_DCACHE_SIZE                 49152\nLEVEL1_DCACHE_ASSOC                12\nLEVEL1_DCACHE_LINESIZE             64\n" +
		"LEVEL2_CACHE_SIZE                  1048576\nLEVEL2_CACHE_ASSOC                 8\nLEVEL2_CACHE_LINESIZE              64\n" +
		"LEVEL3_CACHE_SIZE                  532676608\nLEVEL3_CACHE_ASSOC                 0\nLEVEL3_CACHE_LINESIZE              64\nLEVEL4_CACHE_SIZE                  \n"
	want := []Cache{
		{Size: 48 << 10, Ways: 12, Line: 64, Source: "sysconf: _SC_LEVEL1_DCACHE_SIZE"},
		{Size: 1 << 20, Ways: 8, Line: 64, Source: "sysconf: _SC_LEVEL2_CACHE_SIZE"},
		{Size: 532676608, Line: 64, Source: "sysconf: _SC_LEVEL3_CACHE_SIZE", OfAll: true},
	}
	if diff := cmp.Diff(want, parseGetconf(text)); diff != "" {
		t.Error(diff)
	}
	if got := parseGetconf("LEVEL1_DCACHE_SIZE 0\nLEVEL2_CACHE_SIZE 4096\n"); len(got) != 0 {
		t.Errorf("of musl's zeros: %v", got)
	}
}

// The numbers of a POWER9: L1D of 32 KiB with 8 ways, L2 of 512 KiB and L3 of 10 MiB, lines of 128 bytes.
func TestAuxiliaryCaches(t *testing.T) {
	var data []byte
	for _, v := range []uint64{6, 4096, 42, 32 << 10, 43, 8<<16 | 128, 44, 512 << 10, 45, 8<<16 | 128, 46, 10 << 20, 47, 20<<16 | 128, 0, 0} {
		data = binary.NativeEndian.AppendUint64(data, v)
	}
	const source = "auxiliary vector of the kernel"
	want := []Cache{
		{Size: 32 << 10, Ways: 8, Line: 128, Source: source}, {Size: 512 << 10, Ways: 8, Line: 128, Source: source}, {Size: 10 << 20, Ways: 20, Line: 128, Source: source},
	}
	if diff := cmp.Diff(want, auxiliaryCaches(fstest.MapFS{"proc/self/auxv": &fstest.MapFile{Data: data}})); diff != "" {
		t.Error(diff)
	}
	if got := auxiliaryCaches(fstest.MapFS{"proc/self/auxv": &fstest.MapFile{Data: data[:16]}}); got != nil {
		t.Errorf("of a vector without caches: %v", got)
	}
}
