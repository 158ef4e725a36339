package bandwidth

// TLBMiss is the probability that the translation of a page is no longer in the second-level TLB once so many bytes of other pages were
// used.
func (f *Extended) TLBMiss(bytes float64) float64 {
	if bytes <= 0 {
		return 0
	}
	return Capacity{f.TLBBytes, f.TLBWidth}.Misses(bytes)
}

// entriesPerLine is how many pages a line of the page table tells of; see Constants.
const entriesPerLine = 8

// tablesOfGuest is how many more lines of tables a walk brings for each line of the page table; see Constants.
const tablesOfGuest = 2

// TableMiss is the probability that a walk comes to another line of the page table than the last walk did, pages being step pages apart,
// and that L2 no longer holds that line after so many other pages, each of which brought a line of data and lines of tables.
func (f *Extended) TableMiss(step, pages, line float64) float64 {
	other := min(1, max(1, step)/entriesPerLine)
	if pages <= 0 || len(f.Capacities) < 2 {
		return 0
	}
	return other * f.Capacities[1].Misses(pages*line*(1+tablesOfGuest*other))
}

// TableLineMiss is the probability that L2 no longer holds a line of the page table after so many other lines of it were used, each of which brought a line
// of data and lines of tables.
func (f *Extended) TableLineMiss(others, line float64) float64 {
	if others <= 0 || len(f.Capacities) < 2 {
		return 0
	}
	return f.Capacities[1].Misses(others * line * (1 + tablesOfGuest))
}

// TableSpan is how many bytes of pages a line of the page table tells of.
func TableSpan(page int64) int64 { return page * entriesPerLine }

// Walk is the time, in ns, of a walk, of which a share finds the page table's entry outside L2.
func (f *Extended) Walk(table float64) float64 { return f.WalkNs + table*f.TableNs }
