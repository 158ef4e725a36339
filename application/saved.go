package application

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"foresee/application/nest"
	"foresee/application/nest/portable"
	"foresee/internal/checksum"
)

// SavedSchema names files of signatures.
const SavedSchema = "foresee.signature/v1"

// ErrDamaged is a file of signatures that was changed or cut off after it was written.
var ErrDamaged = errors.New("the signature is damaged")

// SavedFile is the content of a file of signatures: all that predictions need to know of an application, without its source and for
// any number of threads.
type SavedFile struct {
	Schema    string        `json:"schema"`
	Version   string        `json:"version"`
	Input     string        `json:"input"`
	Warnings  []string      `json:"warnings"`
	LineBytes int64         `json:"line_bytes"`
	Regions   []SavedRegion `json:"regions"`
	Checksum  string        `json:"checksum,omitempty" jsonschema:"CRC-32C of this text, with 00000000 in its place"`
}

// SavedRegion is one region.
type SavedRegion struct {
	Region   string  `json:"region"`
	Accesses int64   `json:"accesses"`
	Lines    float64 `json:"lines"` // distinct lines that it touches
	Loops    int     `json:"loops"` // worksharing loops
	Samples  int     `json:"samples"`
	// Program is its loop nests, in the portable form of package nest, compressed with zstd, in base64.
	Program string `json:"program"`
	// Locality is its threads.Signature in base64; absent where every thread runs code of the region, so that each number
	// of threads has to be analysed by itself.
	Locality string `json:"locality,omitempty"`
}

// IsSaved tells whether data begins a file of signatures.
func IsSaved(data []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) && bytes.Contains(data[:min(len(data), headLength)], []byte(`"foresee.signature/`))
}

// headLength is how far into a file its schema stands, in bytes.
const headLength = 512

// mostRegions bounds the regions of a file, each of which is a program with its locality.
const mostRegions = 2000

// What the program of a region, and all of a signature, may unpack to, in bytes.
const (
	mostProgram  = 64 << 20
	MostPrograms = 2 * mostProgram
)

// ErrLongPrograms is a signature of more than that.
var ErrLongPrograms = fmt.Errorf("the loops take more than %d MiB, or those of all regions more than %d; make a signature of some regions only", mostProgram>>20, MostPrograms>>20)

// saved reads a saved signature, of which only the named regions are kept, all where none is named.
func (in *Input) saved(regions []string) (*Signature, error) {
	data, err := in.readText()
	if err != nil {
		return nil, err
	}
	s, err := ReadSaved(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.Name, err)
	}
	s.Name = in.Name
	s.Loops, err = OfRegions(regions, s.Loops, func(p *nest.Program) string { return p.Region })
	return s, err
}

// ReadSaved reads a file of signatures.
func ReadSaved(data []byte) (*Signature, error) {
	data, err := checksum.Open(data)
	if err != nil {
		return nil, err
	}
	var f SavedFile
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrDamaged, err)
	}
	if f.Schema != SavedSchema {
		return nil, fmt.Errorf("schema %q is not %s", f.Schema, SavedSchema)
	}
	if len(f.Regions) > mostRegions {
		return nil, fmt.Errorf("%d regions; a signature has at most %d: make one of each part of the program", len(f.Regions), mostRegions)
	}
	if err := f.whole(); err != nil {
		return nil, err
	}
	out := &Signature{Name: f.Input, Kind: Saved, Warnings: f.Warnings, Locality: map[*nest.Program]Locality{}}
	unpacked := 0
	for i := range f.Regions {
		n, err := out.add(&f, &f.Regions[i])
		if unpacked += n; err == nil && unpacked > MostPrograms {
			err = ErrLongPrograms
		}
		if err != nil {
			return nil, fmt.Errorf("region %s: %w", f.Regions[i].Region, err)
		}
	}
	return out, nil
}

// whole says what is missing that every signature has.
func (f *SavedFile) whole() error {
	if len(f.Regions) == 0 {
		return fmt.Errorf("%w (it has no regions)", ErrDamaged)
	}
	switch {
	case f.LineBytes == 0:
		return fmt.Errorf("%w (it has no line_bytes)", ErrDamaged)
	case f.LineBytes < 0 || f.LineBytes&(f.LineBytes-1) != 0:
		return fmt.Errorf("%w (line_bytes %d is no power of two)", ErrDamaged, f.LineBytes)
	}
	for i, region := range f.Regions {
		switch {
		case region.Region == "":
			return fmt.Errorf("%w (number %d of its regions has no name, a field region)", ErrDamaged, i+1)
		case region.Program == "":
			return fmt.Errorf("region %s: %w (it has no program)", region.Region, ErrDamaged)
		}
	}
	return nil
}

// add takes a region, and says how many bytes its program unpacks to.
func (s *Signature) add(f *SavedFile, r *SavedRegion) (unpacked int, err error) {
	plain, err := unpack(r.Program)
	if err != nil {
		return 0, err
	}
	p, err := portable.Unmarshal(plain)
	if err != nil {
		return 0, err
	}
	if p.Region != r.Region {
		return 0, fmt.Errorf("%w (its parts are of different programs)", ErrDamaged)
	}
	s.Loops = append(s.Loops, p)
	if r.Locality == "" {
		return len(plain), nil
	}
	data, err := base64.StdEncoding.DecodeString(r.Locality)
	if err != nil {
		return 0, fmt.Errorf("%w: locality: %w", ErrDamaged, err)
	}
	one, err := nest.NewStream(p, nest.Options{Threads: 1, Group: 1, Line: f.LineBytes})
	if err != nil || one.Len() != r.Accesses {
		return 0, fmt.Errorf("%w (its parts are of different programs)", ErrDamaged)
	}
	s.Locality[p] = Locality{Line: f.LineBytes, Accesses: r.Accesses, Data: data}
	return len(plain), nil
}

// unpack is the JSON of a program as it was saved.
func unpack(program string) ([]byte, error) {
	packed, err := base64.StdEncoding.DecodeString(program)
	if err != nil {
		return nil, fmt.Errorf("%w: program: %w", ErrDamaged, err)
	}
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(mostProgram))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	plain, err := z.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: program: %w", ErrDamaged, err)
	}
	return plain, nil
}

// NoRegionError is a region that was named and is not there.
type NoRegionError struct {
	Region string
	Known  []string
}

func (e *NoRegionError) Error() string {
	return fmt.Sprintf("there is no region %s; there are: %s", e.Region, strings.Join(e.Known, ", "))
}

// OfRegions keeps those of the regions that are named, in all if none is.
func OfRegions[T any](names []string, all []T, region func(T) string) ([]T, error) {
	if len(names) == 0 {
		return all, nil
	}
	var kept []T
	var known []string
	for _, x := range all {
		if !slices.Contains(known, region(x)) {
			known = append(known, region(x))
		}
		if slices.Contains(names, region(x)) {
			kept = append(kept, x)
		}
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, &NoRegionError{name, known}
		}
	}
	return kept, nil
}
