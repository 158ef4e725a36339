package messages

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// The format of the file of a rank, which docs/formats.md describes.
const (
	formatHead   = "foresee-events "
	formatNumber = "1"
	// longestLine bounds a line. Chosen: a call that completes a hundred thousand requests in no order has one as long.
	longestLine = 1 << 20
	// mostAges bounds the requests that the calls of a file complete, which a short text may name by its first and last. Chosen: 128 MiB.
	mostAges = 1 << 24
)

// headWords begin the lines of the head.
var headWords = []string{"rank", "size", "mpi", "library", "host", "program", "processors", "threads"}

// Read reads the file that the recorder wrote for one rank; name is for errors, which tell the line. A file that was cut off is read as
// far as its lines and loops are whole: Complete is then false.
func Read(name string, r io.Reader) (*File, error) {
	p := newParser(name)
	if err := p.readLines(r); err != nil {
		return nil, err
	}
	return p.finish()
}

// ReadHead reads the head alone.
func ReadHead(name string, r io.Reader) (Head, error) {
	p := newParser(name)
	p.headOnly = true
	err := p.readLines(r)
	return p.file.Head, err
}

type parser struct {
	name     string
	line     int
	file     File
	seen     map[string]bool
	open     [][]Node // bodies of the loops that are open, the sequence itself first
	repeats  []int64
	ages     int
	begun    bool // the head is over
	headOnly bool
	last     bool // the line behind the last call was read
}

func newParser(name string) *parser {
	return &parser{name: name, seen: map[string]bool{}, open: [][]Node{{}}, file: File{Comms: map[int]Comm{}}}
}

func (p *parser) readLines(r io.Reader) error {
	in := bufio.NewReaderSize(r, longestLine)
	for {
		text, err := in.ReadSlice('\n')
		if errors.Is(err, io.EOF) {
			return nil // what has no end was cut off
		}
		p.line++
		if errors.Is(err, bufio.ErrBufferFull) {
			err = fmt.Errorf("a line longer than %d bytes; this is no file of the events of a rank", longestLine)
		}
		if err == nil {
			err = p.read(strings.TrimSuffix(string(text), "\n"))
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", p.name, p.line, err)
		}
		if p.headOnly && p.begun {
			return nil
		}
	}
}

// read reads a line.
func (p *parser) read(line string) error {
	if p.line == 1 {
		return checkFormat(line)
	}
	if p.file.Complete {
		return errors.New("a line after the end; was something appended to the file?")
	}
	word, rest, _ := strings.Cut(line, " ")
	if !p.begun && slices.Contains(headWords, word) {
		return p.head(word, rest)
	}
	if err := p.begin(); err != nil {
		return err
	}
	switch word {
	case "(":
		return p.openLoop(rest)
	case ")":
		return p.closeLoop()
	case "last":
		p.last = true
		return p.seconds(strings.Fields(rest), &p.file.LastWall, &p.file.LastCPU)
	case "comm":
		return p.comm(strings.Fields(rest))
	case "end":
		if len(p.open) > 1 || !p.last {
			return errors.New("an end inside of a loop, or without the time behind the last call")
		}
		p.file.Complete = true
		return nil
	}
	return p.call(word, strings.Fields(rest))
}

func checkFormat(line string) error {
	version, ok := strings.CutPrefix(line, formatHead)
	if !ok {
		return errors.New("this is no file of the events of a rank: it does not begin with foresee-events")
	}
	if version != formatNumber {
		return fmt.Errorf("format %q is not known, only %s; read it with the foresee that wrote it", version, formatNumber)
	}
	return nil
}

func (p *parser) head(word, rest string) (err error) {
	if p.seen[word] {
		return fmt.Errorf("%s is given again", word)
	}
	p.seen[word] = true
	switch h := &p.file.Head; word {
	case "rank":
		h.Rank, err = natural(rest)
	case "size":
		h.Size, err = natural(rest)
	case "processors":
		h.Processors, err = natural(strings.TrimSpace(rest))
	case "mpi":
		h.MPI = rest
	case "library":
		h.Library = rest
	case "host":
		h.Host = rest
	case "program":
		h.Program = rest
	case "threads":
		h.Threads = rest
	}
	return err
}

// begin wants a whole head before anything else.
func (p *parser) begin() error {
	if p.begun {
		return nil
	}
	for _, word := range headWords {
		if !p.seen[word] {
			return fmt.Errorf("the line of %s is missing before this one", word)
		}
	}
	if p.file.Rank >= p.file.Size {
		return fmt.Errorf("rank %d of %d processes; ranks count from 0", p.file.Rank, p.file.Size)
	}
	p.begun = true
	return nil
}

func (p *parser) openLoop(rest string) error {
	n, err := strconv.ParseInt(rest, 10, 64)
	if err != nil || n < 1 {
		return fmt.Errorf("%q is no number of repetitions", rest)
	}
	if len(p.open) > deepest {
		return fmt.Errorf("more than %d loops in loops", deepest)
	}
	p.open, p.repeats = append(p.open, []Node{}), append(p.repeats, n)
	return nil
}

func (p *parser) closeLoop() error {
	top := len(p.open) - 1
	if top == 0 {
		return errors.New("the end of a loop that was not begun")
	}
	body := p.open[top]
	if len(body) == 0 {
		return errors.New("a loop with nothing in it")
	}
	p.open[top-1] = append(p.open[top-1], Node{Repeats: p.repeats[top-1], Body: body})
	p.open, p.repeats = p.open[:top], p.repeats[:top-1]
	return nil
}

// finish gives what was read. Of a loop that was cut off, the order of its first repetition is what is known: it is left out.
func (p *parser) finish() (*File, error) {
	if p.line == 0 {
		return nil, fmt.Errorf("%s: there is no whole line in it", p.name)
	}
	if err := p.begin(); err != nil {
		return nil, fmt.Errorf("%s: it ends in its head: %w", p.name, err)
	}
	p.file.Nodes = p.open[0]
	return &p.file, p.checkComms(p.file.Nodes)
}

// checkComms wants every communicator that calls name. The file of a rank that was killed may lack those behind its calls.
func (p *parser) checkComms(nodes []Node) error {
	for i := range nodes {
		n := &nodes[i]
		if err := p.checkComms(n.Body); err != nil {
			return err
		}
		if _, there := p.file.Comms[n.Comm]; n.Body == nil && n.Comm != None && !there {
			return fmt.Errorf("%s: MPI_%s is on communicator %d, which the file does not describe; it was cut off: record the program again", p.name, n.Name, n.Comm)
		}
	}
	return nil
}
