package machine

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
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

// Local describes the machine that foresee runs on. said are caches that a user tells of; they are believed before all else.
func Local(said ...Cache) (*Machine, error) {
	m, err := LocalCores(said...)
	if err == nil && len(m.Levels) == 0 {
		return nil, fmt.Errorf("cannot describe this machine: %w", ErrNoCaches)
	}
	return m, err
}

// LocalCores is Local, also where nothing tells of caches: then there are no levels, and measuring has to find them.
func LocalCores(said ...Cache) (*Machine, error) {
	s := Sources{Root: os.DirFS("/"), Processor: localProcessor(), Caches: processorCaches(), LibC: libraryCaches, Said: said, CPUs: runtime.NumCPU()}
	return s.Machine()
}

// ErrNoCaches is that no source tells of the caches of a machine.
var ErrNoCaches = errors.New("neither the kernel (/" + cpuRoot + "/cpu0/cache), nor CPUID, nor the C library tells which caches it has")

// NoMemory is the note on a machine that was described and not measured.
const NoMemory = "memory latency and bandwidth are not known"

// Sources are what tells of a machine. Its caches are those of the first of Said, the kernel, the processor and the C library that
// knows any, and else those of the library machine with the same core; every value names its source.
type Sources struct {
	Root      fs.FS          // the kernel's /sys and /proc
	Processor Processor      // its name, by CPUID
	Caches    []Cache        // by CPUID
	LibC      func() []Cache // by sysconf; asked only where nothing before it knows; nil: nobody
	Said      []Cache        // by the user
	CPUs      int            // that this process may use, for where the kernel lists none
}

// Machine describes a Linux machine. Cores come from the kernel; what lies in the core alone (operations, widths, latencies of L1 and
// L2) comes from the library machine with the same core, and is absent where there is none. Memory is absent: only measuring
// tells. Where no source knows of caches, the machine has no levels.
func (s *Sources) Machine() (*Machine, error) {
	info := readCPUInfo(s.Root)
	processor := s.Processor.or(info.processor)
	m := &Machine{Name: "host", Title: processor.Brand, Vendor: vendorName(processor.Vendor)}
	cpus, topology := m.findCPUs(s)
	m.setCores(cpus, topology)
	notes := len(m.Notes)
	if err := m.possible(m.madeOf(s.Said)); err != nil {
		return nil, fmt.Errorf("the caches that were said cannot be those of this machine: %w", err)
	}
	m.Notes = m.Notes[:notes]
	m.setFrequency(s.Root, processor, info)
	m.setLevels(s, cpus, processor)
	m.setCoreFromLibrary(processor)
	if m.Memory == (Memory{}) {
		m.note(NoMemory)
	}
	if len(m.Levels) == 0 {
		m.note("%v", ErrNoCaches)
		return m, nil
	}
	if err := m.Validate(); err != nil {
		return nil, fmt.Errorf("cannot describe this machine: %w", err)
	}
	return m, nil
}

func (m *Machine) note(format string, args ...any) {
	m.Notes = append(m.Notes, fmt.Sprintf(format, args...))
}

// cpu is one logical processor that is online.
type cpu struct {
	number  int
	dir     string // of the kernel's description; empty: there is none
	core    string // names the physical core: the logical processors in it
	socket  string
	threads int // logical processors of its core
}

// findCPUs lists the processors that are online: of sysfs, else of /proc/cpuinfo, else as many as this process may use.
func (m *Machine) findCPUs(s *Sources) (cpus []cpu, topology string) {
	if cpus := readCPUs(s.Root); len(cpus) > 0 {
		return cpus, "/" + cpuRoot + "/cpu*/topology"
	}
	if cpus := listedCPUs(s.Root); len(cpus) > 0 {
		return cpus, "/proc/cpuinfo"
	}
	cpus = make([]cpu, max(1, s.CPUs))
	for i := range cpus {
		cpus[i] = cpu{number: i, core: strconv.Itoa(i), threads: 1}
	}
	m.note("the kernel tells neither cores nor sockets; each CPU that this process may use is taken for a core")
	return cpus, "CPUs that this process may use"
}

// readCPUs lists the processors of sysfs with a topology or caches.
func readCPUs(root fs.FS) (out []cpu) {
	entries, err := fs.ReadDir(root, cpuRoot)
	if err != nil {
		return nil
	}
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
	slices.SortFunc(out, func(a, b cpu) int { return a.number - b.number })
	return out
}

// readCPU reads what the kernel tells of a CPU by its number; false where it tells nothing.
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
func (m *Machine) setCores(cpus []cpu, topology string) {
	cores, sockets, threads := map[string]bool{}, map[string]bool{}, 1
	for _, c := range cpus {
		cores[c.socket+" "+c.core] = true
		sockets[c.socket] = true
		threads = max(threads, c.threads)
	}
	m.Cores = known(len(cores)/len(sockets), topology)
	m.Sockets = known(len(sockets), topology)
	m.ThreadsPerCore = known(threads, topology)
	if len(cores)%len(sockets) != 0 {
		m.note("%d cores are spread unevenly over %d sockets", len(cores), len(sockets))
	}
}

// readText reads a small file without its last line feed.
func readText(root fs.FS, path string) (string, error) {
	data, err := readBounded(root, path, longestText)
	return strings.TrimSpace(string(data)), err
}

// The longest files that are read, in bytes. Chosen: enough for a list of 2^16 CPUs one by one, and /proc/cpuinfo of as many.
const (
	longestText    = 1 << 20
	longestCPUInfo = 256 << 20
)

// readBounded reads a regular file up to a length: what stands in the place of the kernel's own may be a pipe, or without end.
func readBounded(root fs.FS, path string, longest int64) ([]byte, error) {
	info, err := fs.Stat(root, path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: is no regular file", path)
	}
	f, err := root.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, longest+1))
	if err == nil && int64(len(data)) > longest {
		err = fmt.Errorf("%s: longer than %s", path, FormatSize(longest))
	}
	return data, err
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
