package bandwidth

// GBs is the bandwidth of a point of the sweep by the form, on a machine with lines and pages of so many bytes.
func (f *Extended) GBs(p Point, line, page float64) float64 {
	return WordBytes / f.PointNs(p, line, page)
}

// PointNs is the time of one access of a point of the sweep, in ns.
func (f *Extended) PointNs(p Point, line, page float64) float64 {
	per := p.perAccess(line)
	step := StepOfBytes(WordBytes*int64(p.stride()), line)
	core := f.CoreNs
	if p.CoreNs > 0 {
		core = p.CoreNs
	}
	lines, exposed, before := 0.0, 0.0, 1.0
	held := p.held(line)
	for i, c := range f.Capacities {
		before = min(before, c.Misses(held))
		after := 0.0
		if i+1 < len(f.Capacities) {
			after = min(before, f.Capacities[i+1].Misses(held))
		}
		of := per * (before - after) // lines from this level with each access
		lines += of * f.Line(i, step)
		if p.Run > 0 {
			exposed += of * f.Start(i, float64(p.Run))
		}
		switch {
		case of <= 0:
		case step.Sequential():
			exposed += of * f.Exposed(i, core/of, float64(p.Streams))
		default:
			exposed += of * f.UnprefetchedExposed(i, core/of)
		}
	}
	return Norm(f.Norm, core, lines, f.walks(p, line, page)) + exposed + f.PassNs/p.accesses()
}

// walks is the time of page walks, in ns, that falls to each access of a point.
func (f *Extended) walks(p Point, line, page float64) float64 {
	row := WordBytes * float64(p.stride())
	pages := p.Bytes * min(1, page/row) // bytes of pages that come before the same page again
	return min(1, row/page) * f.TLBMiss(pages) * f.Walk(f.TableMiss(row/page, pages/page, line))
}
