package machine

import (
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// setLevels reads the data and unified caches of the first processor.
func (m *Machine) setLevels(root fs.FS, cpus []cpu) error {
	dirs, err := fs.Glob(root, cpus[0].dir+"/cache/index*")
	if err != nil || len(dirs) == 0 {
		return fmt.Errorf("/%s/cache holds no caches", cpus[0].dir)
	}
	byLevel := map[int]Level{}
	for _, dir := range dirs {
		kind, err := readText(root, dir+"/type")
		if err != nil {
			return fmt.Errorf("/%s/type: %w", dir, err)
		}
		if kind != "Data" && kind != "Unified" {
			continue
		}
		number, err := readNumber(root, dir+"/level")
		if err != nil {
			return err
		}
		level, err := m.readLevel(root, dir, number, cpus)
		if err != nil {
			return err
		}
		byLevel[number] = level
	}
	for number := 1; byLevel[number].Name != ""; number++ {
		m.Levels = append(m.Levels, byLevel[number])
	}
	if len(m.Levels) > 0 {
		first := &m.Levels[0]
		m.LineBytes = first.LineBytes
		for i := range m.Levels {
			if m.Levels[i].LineBytes.Or(0) == m.LineBytes.Or(0) {
				m.Levels[i].LineBytes = nil
			}
		}
	}
	return nil
}

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
	ways, err := readNumber(root, file)
	if err != nil || ways <= 0 {
		m.note("the ways of %s are not known", l.Name)
		return nil
	}
	if int64(l.Size.Or(0))%(int64(ways)*int64(l.LineBytes.Or(1))) != 0 {
		m.note("the ways of %s are left out: the %d reported do not divide its %v", l.Name, ways, l.Size.Or(0))
		return nil
	}
	return known(ways, "/"+file)
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
	shared, all, source := max(1, len(cores)), m.Cores.Or(1), "/"+file
	if all%shared != 0 {
		even := divisor(all, shared)
		m.note("%s is shared unevenly (the first instance by %d of %d cores); taken as shared by %d", l.Name, shared, all, even)
		shared, source = even, source+", rounded down to divide the cores"
	}
	return known(shared, source), nil
}

// divisor returns the largest divisor of n that is at most limit.
func divisor(n, limit int) int {
	for n%limit != 0 {
		limit--
	}
	return limit
}

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
