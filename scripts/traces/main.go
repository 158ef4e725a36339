// Command traces writes a known stream of accesses as a trace, for scripts/bench-commands.sh: go run ./scripts/traces STREAM FORMAT FILE, where STREAM is
// matmul, stencil, uniform or zipf, with a number of threads behind a colon that take turns of 64 accesses, as in stencil:8.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"

	"foresee/application/trace"
	"foresee/application/trace/synthetic"
)

// length is how many accesses a trace has. Chosen: the analyses of it take tenths of seconds, much more than starting.
const length = 16_000_000

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "traces:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 3 {
		return fmt.Errorf("usage: traces STREAM FORMAT FILE")
	}
	name, threads, err := split(args[0])
	if err != nil {
		return err
	}
	streams := map[string]synthetic.Stream{
		"matmul": &synthetic.MatrixProduct{N: 200}, "stencil": &synthetic.Stencil{N: 1000},
		"uniform": synthetic.NewUniform(1<<20, 1), "zipf": synthetic.NewZipf(1<<20, 0.99, 1),
	}
	s := streams[name]
	if s == nil {
		return fmt.Errorf("no stream %q", name)
	}
	f, err := os.Create(args[2])
	if err != nil {
		return err
	}
	defer f.Close()
	buffered := bufio.NewWriterSize(f, 1<<20)
	sink, err := trace.Create(buffered, args[1], nil)
	if err != nil {
		return err
	}
	if err := write(sink, s, threads, length); err != nil {
		return err
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// split takes the number of threads from a stream's name.
func split(stream string) (name string, threads int, err error) {
	name, of, found := strings.Cut(stream, ":")
	if !found {
		return name, 1, nil
	}
	threads, err = strconv.Atoi(of)
	if err != nil || threads < 1 {
		return "", 0, fmt.Errorf("%q is no number of threads", of)
	}
	return name, threads, nil
}

// write writes so many accesses of 8 bytes, or up to a buffer more, every fourth of them a store.
func write(sink trace.Sink, s synthetic.Stream, threads, length int) error {
	addresses, events := make([]uint64, 8192), make([]trace.Event, 8192)
	for done := 0; done < length; done += len(addresses) {
		s.Fill(addresses)
		for i, a := range addresses {
			events[i] = trace.Event{Address: 0x7f0000000000 + a, Size: 8, Thread: uint16((done + i) / 64 % threads)}
			if i%4 == 3 {
				events[i].Kind = trace.Write
			}
		}
		if err := sink.Write(events); err != nil {
			return err
		}
	}
	return sink.Close()
}
