package machine

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"foresee/machine/cpuid"
)

var update = flag.Bool("update", false, "rewrite the expected files under testdata")

// tree reads a captured /sys and /proc, in the format of grep -r: path:line. To capture a machine:
//
//	cd / && grep -r . sys/devices/system/cpu/cpu*/{cache,topology} proc/cpuinfo
func tree(t *testing.T, name string) fstest.MapFS {
	t.Helper()
	data, err := os.ReadFile("testdata/sys/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		path, text, _ := strings.Cut(line, ":")
		if files[path] == nil {
			files[path] = &fstest.MapFile{Mode: 0o444}
		}
		files[path].Data = append(files[path].Data, text+"\n"...)
	}
	return files
}

// hostSources are what tells of the machines whose trees lie under testdata/sys.
func hostSources(t *testing.T, name string) *Sources {
	s := &Sources{Root: tree(t, name), CPUs: 2}
	switch name {
	case "turin-vm-no-caches":
		s.Processor = Processor{Vendor: "AuthenticAMD", Family: 26, Model: 2, Brand: "AMD EPYC"}
		s.Caches = cachesOf([]cpuid.Cache{
			{Level: 1, Bytes: 48 << 10, Ways: 12, Line: 64, Leaf: 0x80000005},
			{Level: 2, Bytes: 1 << 20, Ways: 8, Line: 64, Leaf: 0x80000006},
			{Level: 3, Bytes: 508 << 20, Line: 64, Leaf: 0x80000006, OfAll: true},
		})
	case "no-sysfs":
		s.Caches = cachesOf([]cpuid.Cache{
			{Level: 1, Bytes: 48 << 10, Ways: 12, Line: 64, Sharing: 2, Leaf: 4},
			{Level: 2, Bytes: 2 << 20, Ways: 16, Line: 64, Sharing: 2, Leaf: 4},
			{Level: 3, Bytes: 105 << 20, Ways: 15, Line: 64, Sharing: 128, Leaf: 4},
		})
	}
	return s
}

// emerald-rapids-vm and turin-vm-no-caches were captured on virtual machines; the others are written after the documents of such
// machines: no-sysfs and arm-no-sysfs are containers that see /proc alone, the latter without anything that tells of caches.
func TestHost(t *testing.T) {
	for _, name := range []string{"emerald-rapids-vm", "rome-ccx", "arm-no-l3", "odd-vm", "turin-vm-no-caches", "no-sysfs", "arm-no-sysfs"} {
		t.Run(name, func(t *testing.T) {
			m, err := hostSources(t, name).Machine()
			if err != nil {
				t.Fatal(err)
			}
			got, err := m.YAML()
			if err != nil {
				t.Fatal(err)
			}
			file := "testdata/host/" + name + ".yaml"
			if *update {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("host (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(m, roundTrip(t, m)); diff != "" {
				t.Errorf("write, parse (-first +second):\n%s", diff)
			}
		})
	}
}

// Two sockets of two cores with two threads, as /proc/cpuinfo lists them; the L3 that 128 threads may share serves the two cores.
func TestHostOfProc(t *testing.T) {
	m, err := hostSources(t, "no-sysfs").Machine()
	if err != nil {
		t.Fatal(err)
	}
	if m.Cores.Value != 2 || m.Sockets.Value != 2 || m.ThreadsPerCore.Value != 2 {
		t.Errorf("%d cores, %d sockets, %d threads", m.Cores.Value, m.Sockets.Value, m.ThreadsPerCore.Value)
	}
	if l1, l3 := m.Level("L1"), m.Level("L3"); l1.SharedBy.Value != 1 || l3.SharedBy.Value != 2 || l3.Size.Value != 105<<20 {
		t.Errorf("L1 of %d, L3 %v of %d", l1.SharedBy.Value, l3.Size.Value, l3.SharedBy.Value)
	}
}

// Two sockets of four cores with two threads; each L3 serves the two cores of a CCX.
func TestHostCCX(t *testing.T) {
	m, err := (&Sources{Root: tree(t, "rome-ccx"), CPUs: 1}).Machine()
	if err != nil {
		t.Fatal(err)
	}
	if m.Cores.Value != 4 || m.Sockets.Value != 2 || m.ThreadsPerCore.Value != 2 || m.TotalCores() != 8 {
		t.Errorf("%d cores, %d sockets, %d threads", m.Cores.Value, m.Sockets.Value, m.ThreadsPerCore.Value)
	}
	if l := m.Level("L3"); l.SharedBy.Value != 2 || l.LatencyCycles != nil {
		t.Errorf("L3 %+v", l)
	}
	if latency, _, _ := m.Op(FMA, F64); latency.Or(0) != 5 || !strings.HasPrefix(latency.Source, "library: epyc-7702p, same core") {
		t.Errorf("fma %+v", latency)
	}
}

func TestHostProcessorFirst(t *testing.T) {
	p := Processor{Vendor: "AuthenticAMD", Family: 25, Model: 17, Brand: "EPYC", BaseGHz: 2.4, MaxGHz: 3.7}
	m, err := (&Sources{Root: tree(t, "rome-ccx"), Processor: p, CPUs: 1}).Machine()
	if err != nil {
		t.Fatal(err)
	}
	if m.Microarchitecture != "Zen 4" || m.FrequencyGHz.Value != 2.4 || m.MaxFrequencyGHz.Value != 3.7 {
		t.Errorf("%s %v %v", m.Microarchitecture, m.FrequencyGHz, m.MaxFrequencyGHz)
	}
	if l2 := m.Level("L2"); l2.LatencyCycles != nil {
		t.Errorf("an L2 of another size took the latency %v", l2.LatencyCycles)
	}
}

// The first source that knows any caches tells them, the user before all.
func TestHostSources(t *testing.T) {
	said, err := ParseCaches("32KiB:8-way, 4MiB:shared")
	if err != nil {
		t.Fatal(err)
	}
	ofCPUID := []Cache{{Size: 48 << 10, Ways: 12, Line: 64, Source: "cpuid"}, {Size: 2 << 20, Ways: 16, Line: 64, Source: "cpuid"}}
	ofLibC := func() []Cache { return []Cache{{Size: 16 << 10, Source: "sysconf"}} }
	nobody := func() []Cache { t.Error("the C library was asked"); return nil }
	strange, small := tree(t, "arm-no-l3"), tree(t, "arm-no-l3")
	strange["sys/devices/system/cpu/cpu0/cache/index0/shared_cpu_list"] = &fstest.MapFile{Data: []byte("0-x\n")}
	noLine, huge, gap, pipe := tree(t, "arm-no-l3"), tree(t, "arm-no-l3"), tree(t, "rome-ccx"), tree(t, "arm-no-l3")
	noLine["sys/devices/system/cpu/cpu0/cache/index0/coherency_line_size"] = &fstest.MapFile{Data: []byte("0\n")}
	huge["sys/devices/system/cpu/cpu0/cache/index2/size"] = &fstest.MapFile{Data: []byte("17592186044416K\n")}
	for _, file := range []string{"level", "type", "size", "coherency_line_size", "shared_cpu_list", "ways_of_associativity"} {
		delete(gap, "sys/devices/system/cpu/cpu0/cache/index2/"+file)
	}
	pipe["sys/devices/system/cpu/cpu0/cache/index0/size"] = &fstest.MapFile{Mode: fs.ModeNamedPipe}
	small["sys/devices/system/cpu/cpu0/cache/index2/size"] = &fstest.MapFile{Data: []byte("16K\n")}
	bare := fstest.MapFS{cpuRoot + "/cpu0/topology/core_id": &fstest.MapFile{}, cpuRoot + "/cpu1/topology/core_id": &fstest.MapFile{}}
	for _, c := range []struct {
		name    string
		sources Sources
		levels  string
		note    string
	}{
		{"the user", Sources{Root: tree(t, "rome-ccx"), Said: said, Caches: ofCPUID, LibC: nobody}, "32 KiB/8/1 4 MiB/0/4", ""},
		{"the kernel", Sources{Root: tree(t, "arm-no-l3"), Caches: ofCPUID, LibC: nobody}, "32 KiB/2/1 1 MiB/16/4", ""},
		{"CPUID", Sources{Root: bare, Caches: ofCPUID, LibC: nobody}, "48 KiB/12/1 2 MiB/16/1", ""},
		{"the C library", Sources{Root: bare, LibC: ofLibC}, "16 KiB/0/1", "the ways of L1 are not known"},
		{"the library", Sources{Root: bare, Processor: Processor{Vendor: "AuthenticAMD", Family: 25, Model: 17}, LibC: func() []Cache { return nil }}, "32 KiB/8/1 1 MiB/8/1 32 MiB/16/2", "same core"},
		{"a broken size", Sources{Root: tree(t, "broken-size"), Caches: ofCPUID}, "48 KiB/12/1 2 MiB/16/1", `cpu0/cache/index0/size: size "plenty" is not a number of bytes`},
		{"a broken list", Sources{Root: strange, Caches: ofCPUID}, "48 KiB/12/1 2 MiB/16/1", `shared_cpu_list: "0-x" is not a list of processors`},
		{"a small L2", Sources{Root: small, Caches: ofCPUID}, "48 KiB/12/1 2 MiB/16/1", "L2: 16 KiB is not larger than the 32 KiB of L1"},
		{"a line of nothing", Sources{Root: noLine, Caches: ofCPUID}, "48 KiB/12/1 2 MiB/16/1", "0 is out of range"},
		{"a huge L2", Sources{Root: huge, Caches: ofCPUID}, "48 KiB/12/1 2 MiB/16/1", "is out of range"},
		{"no L2", Sources{Root: gap, Caches: ofCPUID}, "48 KiB/12/1 2 MiB/16/1", "has no L2, but outer ones"},
		{"a pipe", Sources{Root: pipe, Caches: ofCPUID}, "48 KiB/12/1 2 MiB/16/1", "is no regular file"},
		{"CPUID that cannot be", Sources{Root: bare, Caches: []Cache{ofCPUID[1], ofCPUID[0]}, LibC: ofLibC}, "16 KiB/0/1", "L2: 48 KiB is not larger than the 2 MiB of L1"},
		{"too large", Sources{Root: bare, Caches: []Cache{ofCPUID[0], {Size: 1 << 30, Ways: 16, Source: "cpuid"}}}, "48 KiB/12/1 1 GiB/16/1", "L2 of 1 GiB for 1 cores is doubtful"},
		{"nobody", Sources{Root: fstest.MapFS{}, CPUs: 3}, "", "neither the kernel"},
	} {
		m, err := c.sources.Machine()
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var levels []string
		for _, l := range m.Levels {
			levels = append(levels, fmt.Sprintf("%v/%d/%d", l.Size.Value, l.Ways.Or(0), l.SharedBy.Value))
		}
		if got := strings.Join(levels, " "); got != c.levels {
			t.Errorf("%s: levels %s, want %s", c.name, got, c.levels)
		}
		if !strings.Contains(strings.Join(m.Notes, "\n"), c.note) {
			t.Errorf("%s: notes %q, want one with %q", c.name, m.Notes, c.note)
		}
	}
}

// With no kernel, no processor and no library, there are as many cores as CPUs.
func TestHostOfNothing(t *testing.T) {
	m, err := (&Sources{Root: fstest.MapFS{}, CPUs: 3}).Machine()
	if err != nil || m.Cores.Value != 3 || len(m.Levels) != 0 {
		t.Errorf("%+v, %v", m, err)
	}
}

// Whatever this machine tells of itself, it is described with caches that a user says.
func TestLocal(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("foresee describes Linux machines")
	}
	said, err := ParseCaches("32KiB,1MiB,8MiB:shared")
	if err != nil {
		t.Fatal(err)
	}
	m, err := Local(said...)
	if err != nil || m.Name != "host" || m.Cores.Value < 1 || len(m.Levels) != 3 || m.Level("L3").SharedBy.Value != m.Cores.Value {
		t.Errorf("%+v, %v", m, err)
	}
	if m, err = Local(); err != nil && !errors.Is(err, ErrNoCaches) || err == nil && len(m.Levels) == 0 {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestParseCPUList(t *testing.T) {
	for in, want := range map[string][]int{"0": {0}, "0-3": {0, 1, 2, 3}, "0,4": {0, 4}, "1-2,8-9": {1, 2, 8, 9}} {
		if got, err := ParseCPUList(in); err != nil || !cmp.Equal(got, want) {
			t.Errorf("%q: %v, %v", in, got, err)
		}
	}
	for _, in := range []string{"", "x", "3-1", "0-99999999", "-1", "1-"} {
		if got, err := ParseCPUList(in); err == nil {
			t.Errorf("%q: %v", in, got)
		}
	}
}

func parseFloat(t *testing.T, s string) float64 {
	t.Helper()
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
