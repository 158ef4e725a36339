package messages

import (
	"fmt"
	"slices"
	"strings"
)

// Program is what all ranks of an MPI program do, with communicators that are the same for all of them.
type Program struct {
	MPI      string // openmpi, mpich, or what a trace says
	Ranks    []Rank // by number
	Comms    []Members
	Places   []int // the number of the node of each rank; nil: unknown
	Warnings []string

	members int // of all communicators together
}

// Rank is the sequence of calls of one rank.
type Rank struct {
	Nodes             []Node
	LastWall, LastCPU float64 // s behind the last call
	Host              string
	Processors        int
	Threads           string
}

// Members are the ranks in MPI_COMM_WORLD of a communicator's processes.
type Members []int

// NewProgram puts the ranks of a run together. Every rank must be there.
func NewProgram(files []*File) (*Program, error) {
	size := files[0].Size
	p := &Program{MPI: files[0].MPI, Ranks: make([]Rank, len(files))}
	if len(files) != size {
		return nil, fmt.Errorf("the events of %d of %d ranks are there; all of them are needed: record the program again", len(files), size)
	}
	numbers := map[string]int{}
	seen := make([]bool, size)
	unfinished := 0
	for _, f := range files {
		if f.Size != size || seen[f.Rank] {
			return nil, fmt.Errorf("rank %d is there twice, or says another number of ranks than %d", f.Rank, size)
		}
		seen[f.Rank] = true
		if !f.Complete {
			unfinished++
		}
		own, err := p.addComms(f, numbers)
		if err != nil {
			return nil, err
		}
		renumber(f.Nodes, own)
		p.Ranks[f.Rank] = Rank{f.Nodes, f.LastWall, f.LastCPU, f.Host, f.Processors, f.Threads}
	}
	if unfinished > 0 {
		p.Warnings = append(p.Warnings, fmt.Sprintf("%d of %d ranks did not come to MPI_Finalize: the order of calls is of what they did until then", unfinished, size))
	}
	return p, nil
}

// mostMembers bounds the members of all communicators together; chosen: 512 MiB.
const mostMembers = 1 << 26

// addComms gives the communicators of a rank their numbers in the program.
func (p *Program) addComms(f *File, numbers map[string]int) (own map[int]int, err error) {
	own = map[int]int{}
	locals := make([]int, 0, len(f.Comms))
	for n := range f.Comms {
		locals = append(locals, n)
	}
	slices.Sort(locals)
	for _, n := range locals {
		c := f.Comms[n]
		key := fmt.Sprint(c.Instance, " ", spans(c.Members))
		number, there := numbers[key]
		if !there {
			number = len(p.Comms)
			numbers[key] = number
			members := expand(c.Members)
			if p.members += len(members); p.members > mostMembers {
				return nil, fmt.Errorf("the communicators have more than %d members", mostMembers)
			}
			if !distinct(members) {
				return nil, fmt.Errorf("communicator %d of rank %d has a member twice", n, f.Rank)
			}
			p.Comms = append(p.Comms, members)
		}
		own[n] = number
	}
	return own, nil
}

func expand(all []Span) (members Members) {
	for _, s := range all {
		for r := s.First; r <= s.Last; r++ {
			members = append(members, r)
			if len(members) > mostMembers {
				return members
			}
		}
	}
	return members
}

func distinct(members Members) bool {
	sorted := slices.Clone(members)
	slices.Sort(sorted)
	return len(slices.Compact(sorted)) == len(members)
}

func renumber(nodes []Node, own map[int]int) {
	for i := range nodes {
		if nodes[i].Body != nil {
			renumber(nodes[i].Body, own)
		} else if nodes[i].Comm != None {
			nodes[i].Comm = own[nodes[i].Comm]
		}
	}
}

func spans(all []Span) string {
	var text []string
	for _, s := range all {
		if s.First == s.Last {
			text = append(text, fmt.Sprint(s.First))
		} else {
			text = append(text, fmt.Sprintf("%d-%d", s.First, s.Last))
		}
	}
	return strings.Join(text, ",")
}
