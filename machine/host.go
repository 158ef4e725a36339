package machine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
)

// cpuRoot is where Linux describes its processors, below the root of the file system.
const cpuRoot = "sys/devices/system/cpu"

// Processor is what the processor says about itself, by the CPUID instruction on x86. Zero fields are not known;
// Host then looks into /proc/cpuinfo.
type Processor struct {
	Vendor  string // GenuineIntel, AuthenticAMD, ARM
	Family  int
	Model   int
	Brand   string
	BaseGHz float64
	MaxGHz  float64
}

// Local describes the machine that foresee runs on.
func Local() (*Machine, error) {
	return Host(os.DirFS("/"), localProcessor())
}

// Host describes a Linux machine from its /sys and /proc below root, and from what its processor says. Caches and
// cores come from sysfs; what lies in the core alone (operations, widths, latencies of L1 and L2) comes from the
// library machine with the same core, and is absent where there is none. Memory is absent: only measuring tells.
func Host(root fs.FS, processor Processor) (*Machine, error) {
	cpus, err := readCPUs(root)
	if err != nil {
		return nil, hostError(err)
	}
	info := readCPUInfo(root)
	processor = processor.or(info.processor)
	m := &Machine{Name: "host", Title: processor.Brand, Vendor: vendorName(processor.Vendor)}
	m.setCores(cpus)
	m.setFrequency(root, processor, info)
	if err := m.setLevels(root, cpus); err != nil {
		return nil, hostError(err)
	}
	m.setCoreFromLibrary(processor)
	if m.Memory == (Memory{}) {
		m.note("memory latency and bandwidth are not known; add them: foresee machine show --format yaml host > my.yaml")
	}
	if err := m.Validate(); err != nil {
		return nil, hostError(err)
	}
	return m, nil
}

func hostError(err error) error {
	return fmt.Errorf("cannot describe this machine from /%s; name one instead with --machine NAME "+
		"(foresee machine list) or --machine FILE.yaml: %w", cpuRoot, err)
}

func (m *Machine) note(format string, args ...any) {
	m.Notes = append(m.Notes, fmt.Sprintf(format, args...))
}

// cpu is one logical processor that is online.
type cpu struct {
	number  int
	dir     string
	core    string // names the physical core: the logical processors in it
	socket  string
	threads int // logical processors of its core
}

// readCPUs lists the processors that are online: those with a topology or caches.
func readCPUs(root fs.FS) ([]cpu, error) {
	entries, err := fs.ReadDir(root, cpuRoot)
	if err != nil {
		return nil, fmt.Errorf("no description of the processors: %w", err)
	}
	var out []cpu
	for _, e := range entries {
		digits, ok := strings.CutPrefix(e.Name(), "cpu")
		number, err := strconv.Atoi(digits)
		if !ok || err != nil || number < 0 {
			continue
		}
		if c, ok := readCPU(root, number); ok {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return nil, errors.New("no processor with a topology or caches")
	}
	slices.SortFunc(out, func(a, b cpu) int { return a.number - b.number })
	return out, nil
}

func readCPU(root fs.FS, number int) (cpu, bool) {
	dir := fmt.Sprintf("%s/cpu%d", cpuRoot, number)
	c := cpu{number: number, dir: dir, core: strconv.Itoa(number), threads: 1}
	_, noCache := fs.Stat(root, dir+"/cache")
	_, noTopology := fs.Stat(root, dir+"/topology")
	if noCache != nil && noTopology != nil {
		return c, false
	}
	c.socket, _ = readText(root, dir+"/topology/physical_package_id")
	for _, file := range []string{"core_cpus_list", "thread_siblings_list"} {
		text, err := readText(root, dir+"/topology/"+file)
		if list, err2 := ParseCPUList(text); err == nil && err2 == nil && slices.Contains(list, number) {
			c.core, c.threads = text, len(list)
			break
		}
	}
	return c, true
}

// setCores counts cores and sockets. Where cores differ (performance and efficiency), all are counted alike.
func (m *Machine) setCores(cpus []cpu) {
	cores, sockets, threads := map[string]bool{}, map[string]bool{}, 1
	for _, c := range cpus {
		cores[c.socket+" "+c.core] = true
		sockets[c.socket] = true
		threads = max(threads, c.threads)
	}
	topology := "/" + cpuRoot + "/cpu*/topology"
	m.Cores = known(len(cores)/len(sockets), topology)
	m.Sockets = known(len(sockets), topology)
	m.ThreadsPerCore = known(threads, topology)
	if len(cores)%len(sockets) != 0 {
		m.note("%d cores are spread unevenly over %d sockets", len(cores), len(sockets))
	}
}

// readText reads a small file without its last line feed.
func readText(root fs.FS, path string) (string, error) {
	data, err := fs.ReadFile(root, path)
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(string(data)), nil
}

// ParseCPUList reads a list of processors as the kernel writes it: 0-3,8.
func ParseCPUList(text string) ([]int, error) {
	var out []int
	for _, part := range strings.Split(text, ",") {
		low, high, isRange := strings.Cut(strings.TrimSpace(part), "-")
		first, err := strconv.Atoi(low)
		last := first
		if err == nil && isRange {
			last, err = strconv.Atoi(high)
		}
		if err != nil || first < 0 || last < first || last > 1<<16 {
			return nil, fmt.Errorf("%q is not a list of processors", short(text))
		}
		for n := first; n <= last; n++ {
			out = append(out, n)
		}
	}
	return out, nil
}
