package advise

import (
	"fmt"
	"slices"
	"strings"

	"foresee/application/nest"
	"foresee/machine"
	"foresee/predict"
)

// apart is what is no change of the source.
func (s *search) apart() (all []string) {
	first, last := s.before[0], s.before[len(s.before)-1]
	if last.Threads > first.Threads {
		switch gain := *first.TimeS / *last.TimeS; {
		case gain < further && last.LeftOut == 0 && !s.threaded():
			all = append(all, fmt.Sprintf("all of it runs on one thread as it stands: %d are no faster", last.Threads))
		case gain < further:
			all = append(all, fmt.Sprintf("%d threads are no faster than %d as it stands", last.Threads, first.Threads))
		default:
			all = append(all, fmt.Sprintf("%d threads instead of %d: %.3g times as fast as it stands", last.Threads, first.Threads, gain))
		}
	}
	return slices.Concat(all, s.outweighed, s.structures(), s.streamed(), touched(&last, s.Machine, s.writtenFirst))
}

// threaded tells whether anything of the region runs on more than one thread.
func (s *search) threaded() bool {
	read, err := s.read(s.Text, []string{s.region})
	return err != nil || slices.ContainsFunc(only(read.Loops, s.region), (*nest.Program).HasParallel)
}

// touched says where arrays should be written first, on machines of which each socket has memory of its own.
func touched(p *predict.Prediction, m *machine.Machine, places func() []string) []string {
	sockets, known := m.Sockets.Get()
	from, share := levelsOf(p)
	if !known || sockets < 2 || from != memoryLevel || p.Threads <= m.TotalCores()/sockets {
		return nil
	}
	where := ""
	if places != nil {
		if all := places(); len(all) > 0 {
			where = ": " + strings.Join(all, ", ") + ", by one thread each"
		}
	}
	return []string{fmt.Sprintf("memory takes %.0f %%, and the machine has %d sockets: pages lie where they are written first%s; initialise arrays by the loops and schedules that use them (#pragma omp parallel for before those loops); not predicted", 100*share, sockets, where)}
}

// structures are arrays of structures of which little is used, and that no change parts: what a pointer leads to.
func (s *search) structures() (all []string) {
	source, err := s.source(s.Text)
	if err != nil {
		return nil
	}
	parted := map[string]bool{}
	for _, c := range source.StructuresOfArrays() {
		parted[c.Array] = true
	}
	for _, w := range s.walks(source) {
		if parted[w.array] || w.bytes >= w.least || w.step != w.least || !strings.Contains(w.text, "].") && !strings.Contains(w.text, "->") {
			continue
		}
		parted[w.array] = true
		all = append(all, fmt.Sprintf("of each structure of %s, of %d bytes, %d are used at %s:%d: an array of each member, or of those that are used together; not written, as %s is no array of the file that is used by its elements alone", w.array, w.least, w.bytes, s.Name, w.line, w.array))
	}
	return all
}

// streamed are arrays that a region only writes, and that no cache holds: they are read from memory before they are written.
func (s *search) streamed() (all []string) {
	last := &s.before[len(s.before)-1]
	from, share := levelsOf(last)
	read, err := s.read(s.Text, []string{s.region})
	if err != nil || from != memoryLevel {
		return nil
	}
	cache := int64(0)
	for _, l := range s.Machine.Levels {
		if size, ok := l.Size.Get(); ok {
			cache = max(cache, int64(size))
		}
	}
	for _, p := range only(read.Loops, s.region) {
		loaded := map[*nest.Object]bool{}
		nest.Walk(p.Body, func(n nest.Node) {
			if st, ok := n.(*nest.Stmt); ok {
				for _, a := range st.Accesses {
					loaded[a.Object] = loaded[a.Object] || !a.Write
				}
			}
		})
		for _, o := range p.Objects {
			if !loaded[o] && o.Bytes > cache && !o.Private {
				all = append(all, fmt.Sprintf("%s is written and not read, and larger than the caches; memory takes %.0f %%: stores past the caches (clang: #pragma omp simd nontemporal(%s), which gcc 12 ignores; or the compiler's intrinsics) spare reading its lines first; not predicted", o.Name, 100*share, o.Name))
			}
		}
	}
	return all
}

// memoryLevel is where lines come from that no cache has, as predictions name it.
const memoryLevel = "memory"

// writtenFirst are the places in other functions of the source where one thread writes arrays that the region uses: each array's first.
func (s *search) writtenFirst() (all []string) {
	source, err := s.source(s.Text)
	if err != nil {
		return nil
	}
	used, said := map[string]bool{}, map[string]bool{}
	for _, p := range source.Programs {
		if p.Region == s.region {
			for _, o := range p.Objects {
				used[o.Name] = !o.Private
			}
		}
	}
	var visit func(nodes []nest.Node)
	visit = func(nodes []nest.Node) {
		for _, n := range nodes {
			switch n := n.(type) {
			case *nest.Loop:
				visit(n.Body)
			case *nest.If:
				visit(n.Then)
				visit(n.Else)
			case *nest.Stmt:
				for _, a := range n.Accesses {
					if name := a.Object.Name; a.Write && used[name] && !said[name] {
						said[name] = true
						all = append(all, fmt.Sprintf("%s at %s:%d", name, a.Pos.File, a.Pos.Line))
					}
				}
			}
		}
	}
	for _, p := range source.Programs {
		if p.Region != s.region {
			visit(p.Body)
		}
	}
	slices.Sort(all)
	return all
}
