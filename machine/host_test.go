package machine

import (
	"flag"
	"io/fs"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
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

// emerald-rapids-vm was captured on a virtual machine; the others are written after the documents of such machines.
func TestHost(t *testing.T) {
	for _, name := range []string{"emerald-rapids-vm", "rome-ccx", "arm-no-l3", "odd-vm"} {
		t.Run(name, func(t *testing.T) {
			m, err := Host(tree(t, name), Processor{})
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

// Two sockets of four cores with two threads; each L3 serves the two cores of a CCX.
func TestHostCCX(t *testing.T) {
	m, err := Host(tree(t, "rome-ccx"), Processor{})
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
	m, err := Host(tree(t, "rome-ccx"), p)
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

func TestHostErrors(t *testing.T) {
	const remedy = "cannot describe this machine from /sys/devices/system/cpu; name one instead with --machine NAME " +
		"(foresee machine list) or --machine FILE.yaml: "
	strange := tree(t, "arm-no-l3")
	strange["sys/devices/system/cpu/cpu0/cache/index0/shared_cpu_list"] = &fstest.MapFile{Data: []byte("0-x\n")}
	small := tree(t, "arm-no-l3")
	small["sys/devices/system/cpu/cpu0/cache/index2/size"] = &fstest.MapFile{Data: []byte("16K\n")}
	for _, c := range []struct {
		name string
		root fs.FS
		want string
	}{
		{"no sysfs", fstest.MapFS{}, "no description of the processors: open sys/devices/system/cpu: file does not exist"},
		{"no cpus", fstest.MapFS{cpuRoot + "/online": &fstest.MapFile{}}, "no processor with a topology or caches"},
		{"no caches", fstest.MapFS{cpuRoot + "/cpu0/topology/core_id": &fstest.MapFile{}}, "/sys/devices/system/cpu/cpu0/cache holds no caches"},
		{"broken size", tree(t, "broken-size"), `/sys/devices/system/cpu/cpu0/cache/index0/size: size "plenty" is not a number of bytes; write it like 32KiB, 1.5MiB or 32768`},
		{"broken list", strange, `/sys/devices/system/cpu/cpu0/cache/index0/shared_cpu_list: "0-x" is not a list of processors`},
		{"cannot be", small, "host: levels[1].size.value: 16 KiB is not larger than the 32 KiB of L1"},
	} {
		if _, err := Host(c.root, Processor{}); err == nil || err.Error() != remedy+c.want {
			t.Errorf("%s: %v\nwant %s", c.name, err, remedy+c.want)
		}
	}
}

func TestLocal(t *testing.T) {
	if _, err := os.Stat("/" + cpuRoot + "/cpu0/cache"); err != nil || runtime.GOOS != "linux" {
		t.Skip("this machine has no caches in sysfs")
	}
	m, err := Load("host")
	if err != nil {
		t.Fatal(err)
	}
	if m.Name != "host" || m.Cores.Value < 1 || len(m.Levels) == 0 {
		t.Errorf("%+v", m)
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
