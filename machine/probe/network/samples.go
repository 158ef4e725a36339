package network

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Kinds of routes.
const (
	Node = "node" // between two ranks of a node
	Link = "link" // between two nodes
)

// Samples is what the measuring program printed.
type Samples struct {
	MPI       string             // the library, as it names itself
	Hosts     []string           // by rank
	PingPong  map[Size][]float64 // s one way
	Eager     map[string]int64   // by kind: bytes of the largest message whose sender does not wait
	Call      []float64          // s of a sender
	Pairs     map[Pairs][]float64
	Allreduce map[int64][]float64 // by bytes
	Reduce    []float64           // s
	ReducedBy int64               // bytes
}

// Size is a message over a route.
type Size struct {
	Kind  string
	Bytes int64
}

// Pairs are so many pairs of ranks, each with a stream of messages.
type Pairs struct {
	Kind  string
	Count int
	Bytes int64
}

// Bounds of what is read. Chosen: more than the program prints for 10^5 ranks.
const (
	mostLines = 1 << 20
	mostBytes = 1 << 40
)

// ErrAlone is returned where each rank was started as a program of its own.
var ErrAlone = errors.New("every rank says that it is the only one: the compiler and the launcher are of different MPI libraries, or the launcher started one rank")

// Read reads what the measuring program prints.
func Read(r io.Reader) (*Samples, error) {
	s := &Samples{PingPong: map[Size][]float64{}, Eager: map[string]int64{}, Pairs: map[Pairs][]float64{}, Allreduce: map[int64][]float64{}}
	scanner := bufio.NewScanner(r)
	ended := false
	for number := 1; scanner.Scan(); number++ {
		fields := strings.Fields(scanner.Text())
		if len(fields) == 0 {
			continue
		}
		if fields[0] == "end" {
			ended = true
			continue
		}
		if err := s.line(fields); err != nil || number > mostLines {
			return nil, fmt.Errorf("line %d of what the measuring program printed: %w", number, err)
		}
	}
	switch {
	case scanner.Err() != nil:
		return nil, fmt.Errorf("what the measuring program printed: %w", scanner.Err())
	case !ended:
		return nil, errors.New("the measuring program did not come to its end; start it again")
	case len(s.Hosts) < 2:
		return nil, ErrAlone
	}
	return s, nil
}

// line reads a sample. Lines of other programs, as launchers print them, are passed over.
func (s *Samples) line(fields []string) error {
	rest := fields[1:]
	switch {
	case fields[0] == "mpi" && len(rest) > 0:
		s.MPI = strings.Join(rest, " ")
	case fields[0] == "host" && len(rest) >= 1:
		s.Hosts = append(s.Hosts, strings.Join(rest[1:], " "))
	case fields[0] == "pingpong" && len(rest) == 3:
		bytes, t, err := sample(rest[1], rest[2])
		s.PingPong[Size{rest[0], bytes}] = append(s.PingPong[Size{rest[0], bytes}], t)
		return err
	case fields[0] == "eager" && len(rest) == 2:
		bytes, _, err := sample(rest[1], "1")
		s.Eager[rest[0]] = bytes
		return err
	case fields[0] == "call" && len(rest) == 2:
		_, t, err := sample(rest[0], rest[1])
		s.Call = append(s.Call, t)
		return err
	case fields[0] == "pairs" && len(rest) == 4:
		n, err := strconv.Atoi(rest[1])
		bytes, t, err2 := sample(rest[2], rest[3])
		key := Pairs{rest[0], n, bytes}
		s.Pairs[key] = append(s.Pairs[key], t)
		return errors.Join(err, err2)
	case fields[0] == "allreduce" && len(rest) == 3:
		bytes, t, err := sample(rest[1], rest[2])
		s.Allreduce[bytes] = append(s.Allreduce[bytes], t)
		return err
	case fields[0] == "reduce" && len(rest) == 2:
		bytes, t, err := sample(rest[0], rest[1])
		s.Reduce, s.ReducedBy = append(s.Reduce, t), bytes
		return err
	}
	return nil
}

// sample reads bytes and seconds.
func sample(bytes, seconds string) (int64, float64, error) {
	n, err := strconv.ParseInt(bytes, 10, 64)
	t, err2 := strconv.ParseFloat(seconds, 64)
	if err = errors.Join(err, err2); err != nil {
		return 0, 0, err
	}
	if n < 0 || n > mostBytes || !(t > 0) || t > longest.Seconds() {
		return 0, 0, fmt.Errorf("%s bytes in %s s is no sample", bytes, seconds)
	}
	return n, t, nil
}

// quiet is what samples are when nothing disturbs them: the mean of the lowest third. ok is false where even these differ by more than a quarter, as then
// noise has reached all of them.
func quiet(samples []float64) (t float64, ok bool) {
	v := slices.Sorted(slices.Values(samples))
	n := (len(v) + 2) / 3
	if n < 2 {
		return 0, false
	}
	sum := 0.0
	for _, x := range v[:n] {
		sum += x
	}
	t = sum / float64(n)
	return t, t > 0 && !math.IsInf(t, 0) && v[n-1] <= noiseSurvived*v[0]
}

// noiseSurvived is how many times the lowest sample the highest of the lowest third may be. Chosen.
const noiseSurvived = 1.25
