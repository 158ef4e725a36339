package trace

// Kind says what an event is.
type Kind uint8

// The kinds of events.
const (
	Read    Kind = iota // a load of Size bytes at Address
	Write               // a store of Size bytes at Address
	Fetch               // an instruction fetch of Size bytes at Address
	Enter               // the thread enters region Address, an index into Names.Regions
	Leave               // the thread leaves region Address
	Barrier             // all threads wait for each other
	kinds

	// Repeat is of sources that are asked to leave out what changes no cache (recording.Lines): the thread makes Address more accesses, to
	// lines that it used just before. No trace holds it.
	Repeat
)

// Event is one access or mark. Thread counts from 0. Size is at least 1 for accesses and 0 for marks; an access
// never reaches past the last address, so Address + Size − 1 does not overflow.
type Event struct {
	Address uint64
	Size    uint32
	Thread  uint16
	Kind    Kind
}

// IsAccess says whether the event is a load or a store.
func (e Event) IsAccess() bool { return e.Kind <= Write }

// Object is an array, or another piece of memory with a name. Objects may lie inside one another, not across.
type Object struct {
	Name    string
	Address uint64
	Bytes   uint64
}

// Names are what a trace calls its regions and objects.
type Names struct {
	Regions []string
	Objects []Object
	// Changes counts changes of objects that were there already: one that is gone has no bytes. They change in place, while events are read.
	Changes int
	// Changed are the numbers of those that changed since the last call of Read that gave events began.
	Changed []int
}

// Source is a stream of events.
type Source interface {
	// Read fills events from the start and gives how many there are. After the last event it gives 0 and io.EOF.
	// With another error, what it gave with and before it is whole.
	Read(events []Event) (int, error)
	// Names are those met so far; they only grow.
	Names() *Names
}
