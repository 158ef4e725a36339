package machine

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// setLevels takes the caches of the first source that knows any.
func (m *Machine) setLevels(s *Sources, cpus []cpu, p Processor) {
	levels := m.levelsOf(s.Said)
	if len(levels) == 0 {
		levels = m.kernelLevels(s.Root, cpus)
	}
	if len(levels) == 0 {
		levels = m.levelsOf(m.oneInstance(s.Caches, p))
	}
	if len(levels) == 0 && s.LibC != nil {
		levels = m.levelsOf(m.oneInstance(s.LibC(), p))
	}
	if len(levels) == 0 {
		levels = m.libraryLevels(p)
	}
	if len(levels) == 0 {
		return
	}
	m.Levels, m.LineBytes = levels, levels[0].LineBytes
	for i := range m.Levels {
		if m.Levels[i].LineBytes.Or(0) == m.LineBytes.Or(0) {
			m.Levels[i].LineBytes = nil
		}
	}
	m.doubtSizes()
}

// kernelLevels reads the data and unified caches of the first processor from sysfs; none where they cannot be read.
func (m *Machine) kernelLevels(root fs.FS, cpus []cpu) []Level {
	notes := len(m.Notes)
	levels, err := m.readLevels(root, cpus)
	if err != nil {
		m.Notes = m.Notes[:notes]
		m.note("the kernel's description of the caches was left out: %v", err)
		return nil
	}
	return levels
}

// readLevels reads the data and unified caches of the first CPU, from the first level outwards.
func (m *Machine) readLevels(root fs.FS, cpus []cpu) (levels []Level, err error) {
	if cpus[0].dir == "" {
		return nil, nil
	}
	dirs, err := fs.Glob(root, cpus[0].dir+"/cache/index*")
	if err != nil {
		return nil, err
	}
	byLevel := map[int]Level{}
	for _, dir := range dirs {
		kind, err := readText(root, dir+"/type")
		if err != nil {
			return nil, fmt.Errorf("/%s/type: %w", dir, err)
		}
		if kind != "Data" && kind != "Unified" {
			continue
		}
		number, err := readNumber(root, dir+"/level")
		if err != nil {
			return nil, err
		}
		if byLevel[number], err = m.readLevel(root, dir, number, cpus); err != nil {
			return nil, err
		}
	}
	for number := 1; byLevel[number].Name != ""; number++ {
		levels = append(levels, byLevel[number])
	}
	if len(levels) < len(byLevel) {
		return nil, fmt.Errorf("/%s/cache has no L%d, but outer ones", cpus[0].dir, len(levels)+1)
	}
	return levels, m.possible(levels)
}

// possible refuses levels that no machine has.
func (m *Machine) possible(levels []Level) error {
	if len(levels) == 0 {
		return nil
	}
	trial, v := *m, validator{}
	trial.Levels, trial.LineBytes = levels, levels[0].LineBytes
	line(&v, at("line_bytes"), trial.LineBytes)
	trial.levelProblems(&v)
	if len(v.found) > 0 {
		p := v.found[0]
		if i, ok := p.path[min(1, len(p.path)-1)].(int); ok {
			return fmt.Errorf("cache L%d: %s", i+1, p.text)
		}
		return errors.New(p.text)
	}
	return nil
}

// readLevel reads a cache from its folder in /sys.
func (m *Machine) readLevel(root fs.FS, dir string, number int, cpus []cpu) (Level, error) {
	l := Level{Name: fmt.Sprintf("L%d", number)}
	size, err := readSize(root, dir+"/size")
	if err != nil {
		return l, err
	}
	l.Size = known(size, "/"+dir+"/size")
	line, err := readNumber(root, dir+"/coherency_line_size")
	if err != nil {
		return l, err
	}
	l.LineBytes = known(line, "/"+dir+"/coherency_line_size")
	l.Ways = m.readWays(root, dir, l)
	l.SharedBy, err = m.readSharing(root, dir, l, cpus)
	return l, err
}

// readWays leaves the ways out where the kernel or a hypervisor does not know them, or tells what cannot be.
func (m *Machine) readWays(root fs.FS, dir string, l Level) *Value[int] {
	file := dir + "/ways_of_associativity"
	ways, _ := readNumber(root, file)
	return m.waysOf(l, Cache{Ways: ways, Source: "/" + file})
}

// readSharing counts the cores, not the hardware threads, that share an instance.
func (m *Machine) readSharing(root fs.FS, dir string, l Level, cpus []cpu) (*Value[int], error) {
	file := dir + "/shared_cpu_list"
	text, err := readText(root, file)
	if err != nil {
		return nil, fmt.Errorf("/%s: %w", file, err)
	}
	list, err := ParseCPUList(text)
	if err != nil {
		return nil, fmt.Errorf("/%s: %w", file, err)
	}
	cores := map[string]bool{}
	for _, c := range cpus {
		if slices.Contains(list, c.number) {
			cores[c.socket+" "+c.core] = true
		}
	}
	return m.sharedBy(l.Name, len(cores), "/"+file), nil
}

// sharedBy is how many cores share an instance of a level: at least one, and a number that divides the cores.
func (m *Machine) sharedBy(level string, shared int, source string) *Value[int] {
	all := m.Cores.Or(1)
	shared = max(1, shared)
	if shared >= all {
		return known(all, source)
	}
	if all%shared != 0 {
		even := divisor(all, shared)
		m.note("%s is shared unevenly (the first instance by %d of %d cores); taken as shared by %d", level, shared, all, even)
		shared, source = even, source+", rounded down to divide the cores"
	}
	return known(shared, source)
}

// divisor returns the largest divisor of n that is at most limit.
func divisor(n, limit int) int {
	for n%limit != 0 {
		limit--
	}
	return limit
}

// readNumber reads a file that holds a whole number.
func readNumber(root fs.FS, path string) (int, error) {
	text, err := readText(root, path)
	if err != nil {
		return 0, fmt.Errorf("/%s: %w", path, err)
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, fmt.Errorf("/%s: %q is not a number", path, short(text))
	}
	return n, nil
}

// readSize reads a size as the kernel writes it: 48K means 48 KiB.
func readSize(root fs.FS, path string) (Size, error) {
	text, err := readText(root, path)
	if err != nil {
		return 0, fmt.Errorf("/%s: %w", path, err)
	}
	if strings.HasSuffix(text, "K") || strings.HasSuffix(text, "M") {
		text += "iB"
	}
	size, err := ParseSize(text)
	if err != nil {
		return 0, fmt.Errorf("/%s: %w", path, err)
	}
	return Size(size), nil
}
