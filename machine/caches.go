package machine

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Cache is a data or unified cache as a source other than the kernel tells of it. Zero fields are not told.
type Cache struct {
	Size    Size // of one instance; where OfAll, it may be of all instances of the processor together
	Ways    int
	Line    int // bytes
	Cores   int // that share an instance; AllCores: those of a socket
	Threads int // hardware threads that may share it, where the cores are not told; there may be fewer
	OfAll   bool
	Source  string
}

// AllCores, for a Cache's Cores, stands for all cores of a socket.
const AllCores = -1

// usualLine is the line of a cache whose source tells none, in bytes: that of x86 processors and most of Arm's. Source: the machines of
// machine/library, whose lines all have 64.
const usualLine = 64

// sharedFrom is the level from which a cache is taken as shared by all cores, where nobody tells who shares it. Chosen: the L3
// of servers is shared, their L2 seldom.
const sharedFrom = 3

// ParseCaches reads caches from the core outwards, separated by commas, each SIZE[:N-way][:shared|:private|:CORES]:
// "48KiB,1MiB,32MiB:shared", "32KiB:8-way,1MiB:16-way,96MiB:12-way:8". A cache is of one core unless it says otherwise.
func ParseCaches(text string) ([]Cache, error) {
	var all []Cache
	for i, item := range strings.Split(text, ",") {
		c, err := parseCache(strings.TrimSpace(item))
		if err != nil {
			return nil, fmt.Errorf("cache L%d, %q: %w", i+1, short(item), err)
		}
		if i > 0 && c.Size <= all[i-1].Size {
			return nil, fmt.Errorf("cache L%d of %v is not larger than L%d of %v; list the caches from the core outwards", i+1, c.Size, i, all[i-1].Size)
		}
		if i > 0 && fewer(c.Cores, all[i-1].Cores) {
			return nil, fmt.Errorf("cache L%d is shared by other cores than L%d, which lies inside it", i+1, i)
		}
		all = append(all, c)
	}
	return all, nil
}

// fewer says whether an outer cache of so many cores cannot hold inner ones of so many.
func fewer(outer, inner int) bool {
	return inner == AllCores && outer != AllCores || inner > 0 && outer > 0 && outer%inner != 0
}

// mostLevels of caches are read; no machine has as many.
const mostLevels = 8

// saidSource is the source of what a user says.
const saidSource = "said by the user"

var errCacheForm = errors.New("write SIZE, SIZE:8-way, SIZE:shared or SIZE:8 (cores that share it)")

// parseCache reads one cache of a list: its size, and after colons how it is shared, how many ways it has.
func parseCache(item string) (Cache, error) {
	size, rest, more := strings.Cut(item, ":")
	n, err := ParseSize(size)
	if err != nil {
		return Cache{}, err
	}
	if n < 1 || Size(n) > maxSize {
		return Cache{}, fmt.Errorf("a cache has from 1 B to %v", maxSize)
	}
	if n%usualLine != 0 {
		return Cache{}, fmt.Errorf("%v is no whole number of %d-byte lines", Size(n), usualLine)
	}
	c := Cache{Size: Size(n), Cores: 1, Source: saidSource}
	for more {
		var word string
		word, rest, more = strings.Cut(rest, ":")
		if err := c.property(strings.TrimSpace(word)); err != nil {
			return Cache{}, err
		}
	}
	if c.Ways > 0 && n%(int64(c.Ways)*usualLine) != 0 {
		return Cache{}, fmt.Errorf("%v is not a multiple of %d ways × %d-byte lines; correct size or ways", c.Size, c.Ways, usualLine)
	}
	return c, nil
}

// property reads one of the words after the size: shared, private, a number of cores, or "8-way".
func (c *Cache) property(word string) error {
	number, ways := strings.CutSuffix(word, "-way")
	n, err := strconv.Atoi(number)
	switch {
	case word == "shared":
		c.Cores = AllCores
	case word == "private":
		c.Cores = 1
	case err != nil || n < 1 || n > 1<<14:
		return errCacheForm
	case ways:
		c.Ways = n
	default:
		c.Cores = n
	}
	return nil
}

// levelsOf makes levels of what a source tells; none where they cannot be, which is noted.
func (m *Machine) levelsOf(caches []Cache) []Level {
	levels := m.madeOf(caches)
	if err := m.possible(levels); err != nil {
		m.note("caches were left out: %s: %v", caches[0].Source, err)
		return nil
	}
	return levels
}

// madeOf makes levels, with what is usual for what is not told.
func (m *Machine) madeOf(caches []Cache) (levels []Level) {
	for i, c := range caches[:min(len(caches), mostLevels)] {
		l := Level{Name: fmt.Sprintf("L%d", i+1), Size: known(c.Size, c.Source)}
		l.LineBytes = known(cmp.Or(c.Line, usualLine), c.Source)
		if c.Line == 0 {
			l.LineBytes.Source = "derived: the usual line; not told"
		}
		l.Ways = m.waysOf(l, c)
		cores, source := m.coresOf(i+1, c)
		l.SharedBy = m.sharedBy(l.Name, cores, source)
		levels = append(levels, l)
	}
	return levels
}

// coresOf is how many cores share an instance, and who says so.
func (m *Machine) coresOf(level int, c Cache) (int, string) {
	switch {
	case c.Cores == AllCores:
		return m.Cores.Or(1), c.Source
	case c.Cores > 0:
		return c.Cores, c.Source
	case c.Threads > 0:
		return c.Threads / m.ThreadsPerCore.Or(1), c.Source
	}
	const usual = "derived: L1 and L2 are usually of one core, outer levels of all; not told"
	if level >= sharedFrom {
		return m.Cores.Or(1), usual
	}
	return 1, usual
}

// waysOf are the ways that a source tells, if they can be those of the level.
func (m *Machine) waysOf(l Level, c Cache) *Value[int] {
	switch {
	case c.Ways <= 0:
		m.note("the ways of %s are not known", l.Name)
		return nil
	case l.LineBytes.Or(0) <= 0:
		return nil
	case int64(l.Size.Or(0))%(int64(c.Ways)*int64(l.LineBytes.Or(1))) != 0:
		m.note("the ways of %s are left out: the %d reported do not divide its %v", l.Name, c.Ways, l.Size.Or(0))
		return nil
	}
	return known(c.Ways, c.Source)
}

// complexL3 is the L3 of one core complex of an AMD processor and how many cores share it, by family and model.
type complexL3 struct {
	family, fromModel int
	size              Size
	cores             int
	ways              int
	source            string
}

// complexes are in falling order of family and model. Processors with more cache on top (3D V-Cache) and mobile ones with less
// are not told apart.
var complexes = []complexL3{
	{0x1a, 0, 32 << 20, 8, 16, "AMD, Software Optimization Guide for Zen 5 (58455)"},
	{0x19, 0, 32 << 20, 8, 16, "AMD, Software Optimization Guide for Family 19h (56665)"},
	{0x17, 0x30, 16 << 20, 4, 16, "AMD, Software Optimization Guide for Family 17h models 30h and greater (56305)"},
	{0x17, 0, 8 << 20, 4, 16, "AMD, Software Optimization Guide for Family 17h (55723)"},
}

// oneInstance replaces the size of all instances together by that of one. Where the processor is none whose complexes are known, it
// leaves the whole, and says so.
func (m *Machine) oneInstance(caches []Cache, p Processor) []Cache {
	out := slices.Clone(caches)
	for i, c := range out {
		if !c.OfAll || p.Vendor != "AuthenticAMD" {
			continue
		}
		k := slices.IndexFunc(complexes, func(x complexL3) bool {
			return p.Family == x.family && p.Model >= x.fromModel
		})
		if k < 0 {
			m.note("L%d of %v is that of the whole processor, as %s tells it; an instance may be smaller", i+1, c.Size, c.Source)
			continue
		}
		if x := complexes[k]; c.Size > x.size {
			m.note("%s tells L%d of %v: that of the whole processor; taken is that of one core complex, %v. Measuring the machine tells what there is",
				c.Source, i+1, c.Size, x.size)
			out[i] = Cache{Size: x.size, Line: c.Line, Ways: x.ways, Cores: x.cores, Source: fmt.Sprintf("derived: one core complex of this family, %s; %s tells %v of all", x.source, c.Source, c.Size)}
		}
	}
	return out
}

// mostPerCore is the part of a shared level, in bytes for each core that shares it, from which it is doubted. Processors with 48 MiB
// a core exist (EPYC 7373X); virtual machines that are told a whole processor's cache are more frequent.
const mostPerCore = 40 << 20

// doubtSizes notes levels that are larger than a machine of so few cores has.
func (m *Machine) doubtSizes() {
	for _, l := range m.Levels {
		if size, cores := l.Size.Or(0), l.SharedBy.Or(1); l.Size.Source != saidSource && size > mostPerCore*Size(cores) {
			m.note("%s of %v for %d cores is doubtful: a hypervisor may have told that of the whole processor, which others use as well. Measuring the machine tells what there is",
				l.Name, size, cores)
		}
	}
}

// libraryLevels are the caches of the library machine with the same core.
func (m *Machine) libraryLevels(p Processor) (levels []Level) {
	other := sameCore(p)
	if other == nil {
		return nil
	}
	source := fmt.Sprintf("library: %s, same core (cpuid family %d model %#x)", other.Name, p.Family, p.Model)
	for _, l := range other.Levels {
		mine := Level{Name: l.Name, LineBytes: known(other.Line(&l), source)}
		adopt(&mine, Level{Size: l.Size, Ways: l.Ways}, source)
		mine.SharedBy = m.sharedBy(l.Name, l.SharedBy.Or(1), source)
		levels = append(levels, mine)
	}
	m.note("caches are those of the library machine %s, which has the same core; those outside of the core may differ", other.Name)
	return levels
}
