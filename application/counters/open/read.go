// Package open reads a measurement file of any format that foresee knows. It tells the format by the content of the file, whatever its name,
// and is the one package that knows all formats. The packages beside it read one format each, but extrap six, perf three and cube two.
package open

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"

	"foresee/application/counters"
	"foresee/application/counters/caliper"
	"foresee/application/counters/callgrind"
	"foresee/application/counters/cube"
	"foresee/application/counters/extrap"
	"foresee/application/counters/gprof"
	"foresee/application/counters/hpctoolkit"
	"foresee/application/counters/input"
	"foresee/application/counters/likwid"
	"foresee/application/counters/mpip"
	"foresee/application/counters/papi"
	"foresee/application/counters/perf"
	"foresee/application/counters/reuse"
	"foresee/application/counters/runtable"
	"foresee/application/counters/tau"
	"foresee/internal/encoding"
)

// File is what one measurement file holds: profiles, or a set of series where the format is one of Extra-P's, or reuse profiles.
type File struct {
	Format   string             // a name of [Formats]
	Set      *counters.Set      // nil for a tool's profile
	Profiles []counters.Profile // nil for a set
	Reuse    []counters.Reuse   // of foresee profile alone
	Run      *counters.Run      // a whole run, where the tool reports its messages
}

// format is a kind of measurement file: told by its first bytes, read by its reader.
type format struct {
	name string
	is   func(head []byte) bool
	read func(*input.Lines) (*File, error)
}

// formats are tried in this order: those that a word tells which no other format has come before those that the layout of their lines tells,
// as numbers between commas may be many things.
var formats = []format{
	{"extrap-archive", extrap.IsArchive, sets(extrap.ReadArchive)},
	{"extrap-3", extrap.IsVersion3, sets(extrap.ReadVersion3)},
	{"cube", cube.Is, profiles(cube.Read)},
	{"mpip", mpip.Is, runs(mpip.Read)},
	{"tau", tau.Is, profiles(tau.Read)},
	{"cube-dump", cube.IsDump, profiles(cube.ReadDump)},
	{"hpctoolkit-csv", hpctoolkit.Is, profiles(hpctoolkit.Read)},
	{"callgrind", callgrind.Is, profiles(callgrind.Read)},
	{"caliper", caliper.Is, profiles(caliper.Read)},
	{"perf-stat-json", perf.IsStatJSON, profiles(perf.ReadStatJSON)},
	{"foresee-profile", reuse.Is, reuses},
	{"papi", papi.Is, profiles(papi.Read)},
	{"extrap-talpas", extrap.IsTalpas, sets(extrap.ReadTalpas)},
	{"extrap-jsonl", extrap.IsLines, sets(extrap.ReadLines)},
	{"extrap-json", extrap.IsJSON, sets(extrap.ReadJSON)},
	{"likwid", likwid.Is, profiles(likwid.Read)},
	{"gprof", gprof.Is, profiles(gprof.Read)},
	{"extrap-text", extrap.IsText, sets(extrap.ReadText)},
	{"perf-stat-csv", perf.IsStatCSV, profiles(perf.ReadStatCSV)},
	{"perf-script", perf.IsScript, profiles(perf.ReadScript)},
	{"table", runtable.Is, sets(runtable.Read)},
}

// Formats are the names of the formats that [Read] knows.
func Formats() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// HeadSize is how much of a file tells its format, in bytes. Chosen: LIKWID prints its tables after the program's own output, which must be
// shorter for its file to be told.
const HeadSize = 1 << 16

// mostUnpacked is the most bytes of a file that was packed. Chosen: more than files of tools have; without a bound a small file could fill any
// memory, as gzip packs what repeats a thousandfold.
const mostUnpacked = 512 << 20

// gzipMagic begins a file packed by gzip (RFC 1952, section 2.3.1).
var gzipMagic = []byte{0x1f, 0x8b}

// detect tells a file's format by its first bytes (up to HeadSize are of use); nil where it is none of [Formats].
func detect(head []byte) *format {
	for i := range formats {
		if formats[i].is(head) {
			return &formats[i]
		}
	}
	return nil
}

// Read reads a measurement file of any of [Formats]; the name is for messages only. Errors name the line or the
// place in the JSON.
func Read(name string, r io.Reader) (*File, error) {
	buffered := bufio.NewReaderSize(r, HeadSize)
	head, err := buffered.Peek(HeadSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: reading: %w", name, err)
	}
	if bytes.HasPrefix(head, gzipMagic) {
		unpacked, err := gzip.NewReader(buffered)
		if err != nil {
			return nil, fmt.Errorf("%s: unpacking: %w", name, err)
		}
		buffered = bufio.NewReaderSize(&unpacking{r: unpacked, left: mostUnpacked}, HeadSize)
		if head, err = buffered.Peek(HeadSize); err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%s: unpacking: %w", name, err)
		}
	}
	encoding.SkipMark(buffered)
	f := detect(encoding.WithoutMark(head))
	switch {
	case f == nil && isBinaryProfile(head) != "":
		return nil, fmt.Errorf("%s: %s", name, isBinaryProfile(head))
	case f == nil && encoding.IsUTF16(head):
		return nil, fmt.Errorf("%s: is text in UTF-16, and UTF-8 is read here; convert it: iconv -f UTF-16 -t UTF-8 FILE", name)
	case len(bytes.TrimSpace(head)) == 0:
		return nil, fmt.Errorf("%s is empty", name)
	case f == nil:
		return nil, fmt.Errorf("%s: this is no measurement file that can be read; give a table, a line of names (p,time) and one of numbers for each run (4,2.5), or one of these formats: %s", name, strings.Join(Formats(), ", "))
	}
	file, err := f.read(input.NewLines(name, buffered))
	if err != nil {
		return nil, err
	}
	file.Format = f.name
	return file, nil
}

// isBinaryProfile says how to convert what other tools keep in binary forms that are not read; "" of anything else.
func isBinaryProfile(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("HPCTOOLKIT")) || bytes.HasPrefix(head, []byte("HPCRUN")):
		return "this is a binary profile of HPCToolkit; make a database of it with hpcprof, and export the bottom-up view of hpcviewer as CSV"
	case bytes.HasPrefix(head, []byte("OTF2")):
		return "this is a trace of OTF2; profile the run with Score-P (SCOREP_ENABLE_PROFILING=true), whose profile.cubex is read"
	case bytes.HasPrefix(head, []byte("PERFILE2")):
		return "this is binary data of perf; print them: perf script -i FILE > FILE.txt"
	}
	return ""
}

// unpacking reads what was compressed, up to a limit: a small file may hold very much.
type unpacking struct {
	r    io.Reader
	left int64
}

// Read gives no more than is left of what may be unpacked.
func (u *unpacking) Read(p []byte) (int, error) {
	if u.left <= 0 {
		return 0, fmt.Errorf("it holds more than %d MiB once it is unpacked; unpack it and take what is needed", mostUnpacked>>20)
	}
	n, err := u.r.Read(p[:min(int64(len(p)), u.left)])
	u.left -= int64(n)
	return n, err
}

// profiles, reuses, runs and sets make the readers of packages, which give what their format holds, into readers of a [File].

// profiles is for the formats of tools, which hold profiles.
func profiles(read func(*input.Lines) ([]counters.Profile, error)) func(*input.Lines) (*File, error) {
	return func(in *input.Lines) (*File, error) {
		p, err := read(in)
		if err != nil {
			return nil, err
		}
		return &File{Profiles: p}, nil
	}
}

// reuses is for what foresee profile writes, which holds reuse profiles.
func reuses(in *input.Lines) (*File, error) {
	r, err := reuse.Read(in)
	if err != nil {
		return nil, err
	}
	return &File{Reuse: r}, nil
}

// runs is for reports of whole runs.
func runs(read func(*input.Lines) (*counters.Run, error)) func(*input.Lines) (*File, error) {
	return func(in *input.Lines) (*File, error) {
		r, err := read(in)
		if err != nil {
			return nil, err
		}
		return &File{Run: r}, nil
	}
}

// sets is for the formats of Extra-P, which hold a set of series; one without any is an error.
func sets(read func(*input.Lines) (*counters.Set, error)) func(*input.Lines) (*File, error) {
	return func(in *input.Lines) (*File, error) {
		s, err := read(in)
		if err != nil {
			return nil, err
		}
		if len(s.Series) == 0 {
			return nil, fmt.Errorf("%s: there are no measurements in the file; write the file again", in.Name)
		}
		return &File{Set: s}, nil
	}
}
