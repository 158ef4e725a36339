package bandwidth

// How many streams of lines in sequence prefetchers follow side by side. A machine file tells it of its machine (measured.prefetch_streams).
const (
	UsualStreams = 32 // where the machine file does not tell; see Constants
	MostStreams  = 64 // the most that a measurement tries and a machine file may tell. Chosen: twice the usual
)

// BegunAnew is about runs of lines in sequence. A run ends, as a row of a tile does; then come runs in other places, one in each of the tile's
// other rows; then the first run goes on where it ended, in the next tile. Prefetchers may have forgotten it by then, and must find it
// anew. With so many places in turn, and prefetchers that follow so many streams, this is the share of runs that are found anew:
//
//   - none, where there are no more places than streams that are followed;
//   - all, from [TileRows] places on. So many the sweep in tiles has, to which the cost of a run that begins (start_ns) is fitted, so that the
//     cost holds there as it is;
//   - between these a straight line, which was not measured. With 32 streams, 40 places make (40 − 32)/(64 − 32), a quarter, begin anew.
//
// Where as many streams are followed as tiles have rows, or more, all runs begin anew as soon as there are more places than that.
func BegunAnew(places, followed float64) float64 {
	switch {
	case places <= followed:
		return 0
	case places >= TileRows:
		return 1
	}
	return (places - followed) / (TileRows - followed)
}

// Constant is a number of the bandwidth function that is not fitted: a table of them is in docs/models/bandwidth.md.
type Constant struct {
	Name, Unit string
	Value      float64
	Meaning    string
	Source     string
}

// Constants are all of them.
var Constants = []Constant{
	{
		"prefetch_streams", "streams", UsualStreams, "streams of lines that prefetchers follow side by side; up to as many places no run begins anew",
		"measured.prefetch_streams of the machine file, as measured; else this usual value, that of the streamer of Intel's L2 caches since Sandy Bridge (Intel 64 and IA-32 Architectures Optimization Reference Manual)",
	},
	{
		"tile rows", "runs", TileRows, "runs side by side from which on all begin anew, with a straight line between",
		"as many as the sweep in tiles has, which start_ns is fitted to; the line between is chosen",
	},
	{
		"sequential lines", "lines", sequentialLines, "the longest step that counts as in sequence",
		"prefetchers of Intel's L2 caches bring lines in pairs of 128 bytes (the same manual)",
	},
	{
		"entries per line", "entries", entriesPerLine, "entries of the page table in a line",
		"8 bytes an entry on x86-64 and on 64-bit Arm, 64 bytes a line",
	},
	{
		"tables of a guest", "lines", tablesOfGuest, "further lines of tables that a walk brings for each line of the page table",
		"chosen, no source: a guest's walk goes through the tables of the host as well",
	},
	{
		"well inside", "1", wellInside, "factor by which an array on a plateau is smaller than its cache and larger than the one before",
		"chosen, no source: tells plateaus from drops in the tables of docs/accuracy/bandwidth.md only",
	},
}
