package messages

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// Write writes the file of a rank as the recorder does, so that what is read can be compared with what is written.
func Write(w io.Writer, f *File) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s%s\nrank %d\nsize %d\nmpi %s\nlibrary %s\nhost %s\nprogram %s\nprocessors %d\nthreads %s\n", formatHead, formatNumber,
		f.Rank, f.Size, f.MPI, f.Library, f.Host, f.Program, f.Processors, f.Threads)
	writeNodes(out, f.Nodes)
	fmt.Fprintf(out, "last %d %d\n", ns(f.LastWall), ns(f.LastCPU))
	numbers := make([]int, 0, len(f.Comms))
	for n := range f.Comms {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	for _, n := range numbers {
		fmt.Fprintf(out, "comm %d %d %s\n", n, f.Comms[n].Instance, spans(f.Comms[n].Members))
	}
	if f.Complete {
		fmt.Fprintln(out, "end")
	}
	return out.Flush()
}

func writeNodes(out *bufio.Writer, nodes []Node) {
	for i := range nodes {
		n := &nodes[i]
		if n.Body != nil {
			fmt.Fprintf(out, "( %d\n", n.Repeats)
			writeNodes(out, n.Body)
			fmt.Fprintln(out, ")")
			continue
		}
		fmt.Fprintf(out, "%s %d %d %d %d %d %d", n.Name, n.Times, n.Bytes, ns(n.Wall), ns(n.CPU), ns(n.Median), ns(n.MPI))
		for _, field := range []struct {
			letter byte
			value  int
		}{{'p', n.Peer}, {'t', n.Tag}, {'s', n.Source}, {'u', n.SourceTag}, {'c', n.Comm}, {'r', n.Root}} {
			if field.value != None {
				fmt.Fprintf(out, " %c%d", field.letter, field.value)
			}
		}
		if len(n.Completes) > 0 {
			fmt.Fprintf(out, " w%s", ages(n.Completes))
		}
		fmt.Fprintln(out)
	}
}

func ns(seconds float64) int64 { return int64(math.Round(seconds * 1e9)) }

// ages writes runs that rise or fall by one as 6-1.
func ages(all []int) string {
	var text strings.Builder
	for i := 0; i < len(all); {
		last := i
		if i+1 < len(all) {
			step := all[i+1] - all[i]
			for (step == 1 || step == -1) && last+1 < len(all) && all[last+1]-all[last] == step {
				last++
			}
		}
		if i > 0 {
			text.WriteByte(',')
		}
		fmt.Fprint(&text, all[i])
		if last > i {
			fmt.Fprintf(&text, "-%d", all[last])
		}
		i = last + 1
	}
	return text.String()
}
