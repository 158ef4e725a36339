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
	mostArray = 8 << 30
)

// mostBytes is the size of the largest array: four times the last level, at most a quarter of the memory that is free.
func mostBytes(m *machine.Machine) int64 {
	most := int64(256 << 20)
	if n := len(m.Levels); n > 0 {
		if size := int64(m.Levels[n-1].Size.Or(0)); size > 0 {
			most = min(timesLast*size, mostArray)
		}
	}
	if free := freeMemory(); free > 0 {
		most = min(most, free/4)
	}
	return max(most, 1<<20) / 8 * 8
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
