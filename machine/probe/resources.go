package probe

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"foresee/machine"
)

// Allowed are the CPUs that this process may use.
func Allowed() []int {
	var set unix.CPUSet
	if unix.SchedGetaffinity(0, &set) != nil || set.Count() == 0 {
		return []int{0}
	}
	var out []int
	for cpu := 0; len(out) < set.Count(); cpu++ {
		if set.IsSet(cpu) {
			out = append(out, cpu)
		}
	}
	return out
}

const (
	// timesLast is how far past the last level arrays go, as far as memory allows.
	timesLast = 4
	leastMost = 32 << 20
	mostArray = 8 << 30
)

// mostArrays is the size of the largest array: four times the last cache, at most a quarter of the memory that is free, if that is known.
func mostArrays(last, free int64) int64 {
	most := min(max(timesLast*last, leastMost), mostArray)
	if free > 0 {
		most = min(most, free/4)
	}
	return max(most, 1<<20) / chaseStride * chaseStride
}

// lastCapacity is what the last cache holds.
func lastCapacity(m *machine.Machine) int64 {
	size, _ := m.Levels[len(m.Levels)-1].Capacity()
	return int64(size)
}

// freeMemory is what the kernel says is available, or what the control group leaves; 0: not known.
func freeMemory() int64 {
	free := int64(0)
	if f, err := os.Open("/proc/meminfo"); err == nil {
		defer f.Close()
		for s := bufio.NewScanner(f); s.Scan(); {
			var kib int64
			if _, err := fmt.Sscanf(s.Text(), "MemAvailable: %d kB", &kib); err == nil {
				free = kib << 10
			}
		}
	}
	number := func(path string) (int64, bool) {
		text, err := os.ReadFile(path)
		if err != nil {
			return 0, false
		}
		n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
		return n, err == nil
	}
	limit, ok := number("/sys/fs/cgroup/memory.max")
	used, ok2 := number("/sys/fs/cgroup/memory.current")
	if ok && ok2 && limit > used && (free == 0 || limit-used < free) {
		free = limit - used
	}
	return free
}
