package machine

import (
	"strings"
	"testing"
)

// A file as kerncraft writes them, of a machine that does not exist.
const kerncraftFile = `kerncraft version: 0.8.15
model name: Invented(R) Processor 42 @ 2.40GHz
model type: Invented core
clock: 2.4 GHz
sockets: 2
cores per socket: 4
threads per core: 2
NUMA domains per socket: 2
cores per NUMA domain: 2
in-core model: !!omap
- OSACA: CSX
FLOPs per cycle:
  DP: {ADD: 16, FMA: 32, MUL: 16, total: 32}
cacheline size: 64 B
memory hierarchy:
- level: L1
  cache per group: {sets: 64, ways: 8, cl_size: 64, replacement_policy: LRU, write_allocate: true, write_back: true, load_from: L2, store_to: L2}
  size per group: 32 kB
  cores per group: 1
- level: L2
  upstream throughput: [64 B/cy, half-duplex]
  cache per group: {sets: 1024, ways: 16, cl_size: 64, replacement_policy: RR, write_back: false, victims_to: L3}
  cores per group: 1
- level: L3
  upstream throughput: [16 B/cy, full-duplex]
  cache per group: {sets: 14336, ways: 16, cl_size: 64, replacement_policy: FIFO, write_back: true}
  size per group: 14.00 MB
  cores per group: 2
- level: MEM
  upstream throughput: [full socket memory bandwidth, half-duplex]
  size per group:
  cores per group: 4
benchmarks:
  measurements:
    MEM:
      1:
        results:
          load: [12.50 GB/s, 24.75 GB/s]
`

func TestReadKerncraft(t *testing.T) {
	m, err := ReadKerncraft("invented.yml", []byte(kerncraftFile))
	if err != nil {
		t.Fatal(err)
	}
	text := func(v any) string {
		switch v := v.(type) {
		case *Value[Size]:
			return FormatSize(int64(v.Value))
		case *Value[string]:
			return v.Value
		}
		return "?"
	}
	if m.Name != "invented-r-processor-42-2-40ghz" || m.TotalCores() != 8 || m.FrequencyGHz.Value != 2.4 || m.ThreadsPerCore.Value != 2 {
		t.Errorf("%s, %d cores at %g GHz", m.Name, m.TotalCores(), m.FrequencyGHz.Value)
	}
	for i, want := range []string{"32 KiB", "1 MiB", "14 MiB"} {
		if got := text(m.Levels[i].Size); got != want {
			t.Errorf("L%d has %s, want %s", i+1, got, want)
		}
	}
	l2, l3 := m.Levels[1], m.Levels[2]
	if text(l2.Replacement) != "random" || text(l2.WritePolicy) != "write-through" || l2.SequentialCyclesPerLine.Value != 1 || l3.SequentialCyclesPerLine.Value != 4 {
		t.Errorf("L2 %+v", l2)
	}
	if l3.Replacement != nil || text(l3.Inclusion) != "exclusive" || l3.SharedBy.Value != 2 {
		t.Errorf("L3 %+v", l3)
	}
	if !strings.Contains(strings.Join(m.Notes, "\n"), "FIFO") {
		t.Errorf("notes %q", m.Notes)
	}
	if m.Memory.CoreBandwidthGBs.Value != 12.5 || m.Memory.BandwidthGBs.Value != 49.5 {
		t.Errorf("memory %+v", m.Memory)
	}
	data, err := m.YAML()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Parse("again.yaml", data); err != nil {
		t.Error(err)
	}
}

func TestReadKerncraftRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                  "the file is empty",
		"a: [":              "not valid YAML",
		"name: x\ncores: 3": "not a machine file of kerncraft",
		strings.Replace(kerncraftFile, "sets: 1024, ", "", 1):                             "test.yml:20: L2: no sets and ways",
		strings.Replace(kerncraftFile, "cores per socket: 4\n", "", 1):                    "cores per socket",
		strings.Replace(kerncraftFile, "cacheline size: 64 B", "", 1):                     "cacheline size",
		strings.Replace(kerncraftFile, "sets: 14336", "sets: 1", 1):                       "levels[2].size",
		strings.Replace(kerncraftFile, "  cores per group: 1\n", "", 1):                   "cores per group",
		strings.Replace(kerncraftFile, "cores per group: 2", "cores per group: three", 1): "L3: no \"cores per group\"",
	} {
		_, err := ReadKerncraft("test.yml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, want %q", text, err, want)
		}
	}
}

func FuzzReadKerncraft(f *testing.F) {
	f.Add([]byte(kerncraftFile))
	f.Add([]byte("memory hierarchy:\n- level: L1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ReadKerncraft("fuzz.yml", data)
		if err != nil {
			return
		}
		if err := m.Validate(); err != nil {
			t.Error(err)
		}
	})
}
