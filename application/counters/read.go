package counters

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
)

// File is what one measurement file holds: profiles, or a set of series where the format is one of Extra-P's, or reuse profiles.
type File struct {
	Format   string    // a name of [Formats]
	Set      *Set      // nil for a tool's profile
	Profiles []Profile // nil for a set
	Reuse    []Reuse   // of foresee profile alone
}

// format is a kind of measurement file: told by its first bytes, read by its reader.
type format struct {
	name string
	is   func(head []byte) bool
	read func(*lines) (*File, error)
}

// formats are tried in this order: what is certain by one word comes before what is told by its layout.
var formats = []format{
	{"callgrind", isCallgrind, profiles(readCallgrind)},
	{"caliper", isCaliper, profiles(readCaliper)},
	{"perf-stat-json", isPerfStatJSON, profiles(readPerfStatJSON)},
	{"foresee-profile", isReuse, reuses},
	{"papi", isPAPI, profiles(readPAPI)},
	{"extrap-talpas", isTalpas, sets(readTalpas)},
	{"extrap-jsonl", isExtraPLines, sets(readExtraPLines)},
	{"extrap-json", isExtraPJSON, sets(readExtraPJSON)},
	{"likwid", isLIKWID, profiles(readLIKWID)},
	{"gprof", isGprof, profiles(readGprof)},
	{"extrap-text", isExtraPText, sets(readExtraPText)},
	{"perf-stat-csv", isPerfStatCSV, profiles(readPerfStatCSV)},
	{"perf-script", isPerfScript, profiles(readPerfScript)},
}

// Formats are the names of the formats that [Read] knows.
func Formats() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// headSize is how much of a file tells its format: LIKWID prints its tables after the program's own output.
const headSize = 1 << 16

// detect tells a file's format by its first bytes (up to headSize are of use); nil where it is none of [Formats].
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
	buffered := bufio.NewReaderSize(r, headSize)
	head, err := buffered.Peek(headSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: reading: %w", name, err)
	}
	if bytes.HasPrefix(head, []byte{0x1f, 0x8b}) {
		unpacked, err := gzip.NewReader(buffered)
		if err != nil {
			return nil, fmt.Errorf("%s: unpacking: %w", name, err)
		}
		buffered = bufio.NewReaderSize(&unpacking{r: unpacked, left: mostUnpacked}, headSize)
		if head, err = buffered.Peek(headSize); err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%s: unpacking: %w", name, err)
		}
	}
	f := detect(head)
	if f == nil {
		return nil, fmt.Errorf("%s: this is no measurement file that can be read; give one of these formats: %s", name, strings.Join(Formats(), ", "))
	}
	file, err := f.read(newLines(name, buffered))
	if err != nil {
		return nil, err
	}
	file.Format = f.name
	return file, nil
}

// unpacking reads what was compressed, up to a limit: a small file may hold very much.
type unpacking struct {
	r    io.Reader
	left int64
}

func (u *unpacking) Read(p []byte) (int, error) {
	if u.left <= 0 {
		return 0, fmt.Errorf("it holds more than %d MiB once it is unpacked; unpack it and take what is needed", mostUnpacked>>20)
	}
	n, err := u.r.Read(p[:min(int64(len(p)), u.left)])
	u.left -= int64(n)
	return n, err
}

func profiles(read func(*lines) ([]Profile, error)) func(*lines) (*File, error) {
	return func(in *lines) (*File, error) {
		p, err := read(in)
		if err != nil {
			return nil, err
		}
		return &File{Profiles: p}, nil
	}
}

func reuses(in *lines) (*File, error) {
	r, err := readReuse(in)
	if err != nil {
		return nil, err
	}
	return &File{Reuse: r}, nil
}

func sets(read func(*lines) (*Set, error)) func(*lines) (*File, error) {
	return func(in *lines) (*File, error) {
		s, err := read(in)
		if err != nil {
			return nil, err
		}
		if len(s.Series) == 0 {
			return nil, fmt.Errorf("%s: there are no measurements in the file; write the file again", in.name)
		}
		return &File{Set: s}, nil
	}
}
