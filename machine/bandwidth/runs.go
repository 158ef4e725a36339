package bandwidth

// Streams of lines in sequence that prefetchers follow side by side. Machine files say how many it is on a machine
// (measured.prefetch_streams); where one does not, it is taken for UsualStreams.
const (
	UsualStreams = 32 // see Constants
	MostStreams  = 64 // that are tried when a machine is measured
)

// BegunAnew is the share of runs of lines in sequence that prefetchers must find anew when a run goes on where it ended, after runs of
// so many other places came: prefetchers that follow so many streams have forgotten it by then, or not.
//
// None of them up to as many places as streams are followed. All of them from [TileRows] on: that is how many runs go on beside one another
// in the sweep in tiles, which b was fitted to, so b holds there as it is. Between lies a straight line; it was not measured. With 32
// streams, 40 places begin (40 − 32)/(64 − 32) = a quarter of the runs anew. Where as many streams are followed as tiles have rows, or
// more, all runs begin anew as soon as there are more places than that.
func BegunAnew(places, followed float64) float64 {
	switch {
	case places <= followed:
		return 0
	case places >= TileRows:
		return 1
	}
	return (places - followed) / (TileRows - followed)
}

// Constant is a number of the form that is not fitted.
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
