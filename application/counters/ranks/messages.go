package ranks

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"foresee/application/counters"
)

// The format of the file of a rank, which docs/formats.md describes.
const (
	messagesHead        = "foresee-mpi "
	messagesFormat      = "1"
	longestMessagesLine = 64 << 10 // bytes; the longest that is written is a path
	callFields          = 8
	largestClass        = 64 // of sizes, which counters.Call explains: bytes have 64 bits
	peerFields          = 3
)

// ReadMessages reads the file that the MPI recorder wrote for one rank; name is for errors, which tell the line. A
// file that was cut off is read as far as its lines are whole: Complete is then false and a warning says so. Calls
// are ordered by name, communicator size and size class, peers by rank; what several threads of the rank did is added.
func ReadMessages(name string, r io.Reader) (counters.Messages, error) {
	p := messagesParser{calls: map[callKey]int{}, peers: map[int]int{}, seen: map[string]bool{}}
	in := bufio.NewReaderSize(r, longestMessagesLine)
	for {
		text, err := in.ReadSlice('\n')
		if errors.Is(err, io.EOF) {
			p.broken = len(text) > 0
			break
		}
		p.line++
		if errors.Is(err, bufio.ErrBufferFull) {
			return counters.Messages{}, fmt.Errorf("%s:%d: a line longer than %d bytes; this is no file of the messages of a rank", name, p.line, longestMessagesLine)
		}
		if err != nil {
			return counters.Messages{}, fmt.Errorf("%s:%d: %w", name, p.line, err)
		}
		if err := p.read(strings.TrimSuffix(string(text), "\n")); err != nil {
			return counters.Messages{}, fmt.Errorf("%s:%d: %w", name, p.line, err)
		}
	}
	return p.finish(name)
}

// callKey tells calls apart: by function, communicator and class of size.
type callKey struct {
	name        string
	comm, class int
}

// messagesParser reads the file of a rank, line by line.
type messagesParser struct {
	m            counters.Messages
	line         int             // number of the current one, from 1
	seen         map[string]bool // words of the head
	calls        map[callKey]int // places in m.Calls
	peers        map[int]int     // by rank: places in m.Peers
	broken       bool            // the last line has no end
	begun, ended bool            // the head is over, the end was read
}

// headWords begin the lines before those of calls and peers, all of which there must be. What the program is called is not kept.
var headWords = []string{"rank", "size", "mpi", "library", "host", "program", "wall", "cpu"}

// read reads a line.
func (p *messagesParser) read(line string) error {
	if p.line == 1 {
		return checkHead(line)
	}
	if p.ended {
		return errors.New("a line after the end; was something appended to the file?")
	}
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "call":
		return p.body(p.call, strings.Fields(rest))
	case "peer":
		return p.body(p.peer, strings.Fields(rest))
	case "end":
		if line != "end" && line != "end abort" {
			return fmt.Errorf("%q is no end; expected end or end abort", line)
		}
		p.ended, p.m.Aborted = true, rest != ""
		return p.body(func([]string) error { return nil }, nil)
	}
	if !slices.Contains(headWords, word) {
		return fmt.Errorf("%q is unknown; expected call, peer or end", word)
	}
	if p.begun || p.seen[word] {
		return fmt.Errorf("%s is given again", word)
	}
	p.seen[word] = true
	return p.head(word, rest)
}

// checkHead wants the first line of such a file.
func checkHead(line string) error {
	version, ok := strings.CutPrefix(line, messagesHead)
	if !ok {
		return errors.New("this is no file of the messages of a rank: it does not begin with foresee-mpi")
	}
	if version != messagesFormat {
		return fmt.Errorf("format %q is not known, only %s; read it with the foresee that wrote it", version, messagesFormat)
	}
	return nil
}

// head reads a line of the head.
func (p *messagesParser) head(word, rest string) (err error) {
	switch word {
	case "rank":
		p.m.Rank, err = wholeNumber(rest)
	case "size":
		p.m.Size, err = wholeNumber(rest)
	case "mpi":
		p.m.MPI = rest
	case "library":
		p.m.Library = rest
	case "host":
		p.m.Host = rest
	case "wall":
		p.m.Wall, err = amount(rest)
	case "cpu":
		p.m.CPU, err = amount(rest)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", word, err)
	}
	return nil
}

// body reads a line after the head, which must be complete by then.
func (p *messagesParser) body(read func([]string) error, fields []string) error {
	if !p.begun {
		if err := p.checkRank(); err != nil {
			return err
		}
		p.begun = true
	}
	return read(fields)
}

// checkRank wants a whole head, of a rank that there is.
func (p *messagesParser) checkRank() error {
	for _, word := range headWords {
		if !p.seen[word] {
			return fmt.Errorf("the line of %s is missing before this one", word)
		}
	}
	if p.m.Rank >= p.m.Size {
		return fmt.Errorf("rank %d of %d processes; ranks count from 0", p.m.Rank, p.m.Size)
	}
	return nil
}

// call reads what was counted of one kind of call.
func (p *messagesParser) call(f []string) error {
	if len(f) != callFields {
		return fmt.Errorf("a call has %d fields (name, communicator size, size class, calls, bytes, seconds, shortest, longest), not %d", callFields, len(f))
	}
	c := counters.Call{Name: f[0]}
	var errs [7]error
	c.Comm, errs[0] = wholeNumber(f[1])
	c.Class, errs[1] = wholeNumber(f[2])
	for i, to := range []*float64{&c.Count, &c.Bytes, &c.Seconds, &c.Min, &c.Max} {
		*to, errs[2+i] = amount(f[3+i])
	}
	if err := cmp.Or(errs[:]...); err != nil {
		return err
	}
	if c.Count == 0 || c.Class > largestClass || c.Min > c.Max {
		return fmt.Errorf("a call without count, of a size class above %d, or whose shortest time is above its longest", largestClass)
	}
	key := callKey{c.Name, c.Comm, c.Class}
	i, there := p.calls[key]
	if !there {
		p.calls[key] = len(p.m.Calls)
		p.m.Calls = append(p.m.Calls, c)
		return nil
	}
	old := &p.m.Calls[i]
	old.Count += c.Count
	old.Bytes += c.Bytes
	old.Seconds += c.Seconds
	old.Min, old.Max = min(old.Min, c.Min), max(old.Max, c.Max)
	return nil
}

// peer reads what was sent to one rank.
func (p *messagesParser) peer(f []string) error {
	if len(f) != peerFields {
		return fmt.Errorf("a peer has %d fields (rank, messages, bytes), not %d", peerFields, len(f))
	}
	var one counters.Peer
	var errs [3]error
	one.Rank, errs[0] = wholeNumber(f[0])
	one.Count, errs[1] = amount(f[1])
	one.Bytes, errs[2] = amount(f[2])
	if err := cmp.Or(errs[:]...); err != nil {
		return err
	}
	if one.Rank >= p.m.Size {
		return fmt.Errorf("a peer of rank %d in %d processes", one.Rank, p.m.Size)
	}
	i, there := p.peers[one.Rank]
	if !there {
		p.peers[one.Rank] = len(p.m.Peers)
		p.m.Peers = append(p.m.Peers, one)
		return nil
	}
	p.m.Peers[i].Count += one.Count
	p.m.Peers[i].Bytes += one.Bytes
	return nil
}

// finish wants an end; a file that was cut off says so.
func (p *messagesParser) finish(name string) (counters.Messages, error) {
	if p.line == 0 {
		return counters.Messages{}, fmt.Errorf("%s: there is no whole line in it", name)
	}
	if !p.begun {
		if err := p.checkRank(); err != nil {
			return counters.Messages{}, fmt.Errorf("%s: it ends in its head: %w", name, err)
		}
	}
	if p.ended && p.broken {
		return counters.Messages{}, fmt.Errorf("%s:%d: a line after the end; was something appended to the file?", name, p.line+1)
	}
	m := p.m
	m.Complete = p.ended
	if !m.Complete {
		m.Warnings = append(m.Warnings, fmt.Sprintf("rank %d did not come to MPI_Finalize, or its file was cut off: its counts are of what it did until then", m.Rank))
	}
	if m.Aborted {
		m.Warnings = append(m.Warnings, fmt.Sprintf("rank %d called MPI_Abort: counts are of what was done until then", m.Rank))
	}
	slices.SortFunc(m.Calls, func(a, b counters.Call) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), cmp.Compare(a.Comm, b.Comm), cmp.Compare(a.Class, b.Class))
	})
	slices.SortFunc(m.Peers, func(a, b counters.Peer) int { return cmp.Compare(a.Rank, b.Rank) })
	return m, nil
}

// wholeNumber reads a number of processes, a rank or a class.
func wholeNumber(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return 0, fmt.Errorf("%q is no whole number from 0 to 2147483647", text)
	}
	return int(n), nil
}

// amount reads a count, bytes or seconds.
func amount(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= 0) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%q is no number from 0", text)
	}
	return v, nil
}
