package predict

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/klauspost/compress/zstd"

	"foresee/application/nest"
	"foresee/internal/checksum"
	"foresee/model/threads"
)

// SignatureSchema names files of signatures.
const SignatureSchema = "foresee.signature/v1"

// SignatureResult is what foresee profile writes into NAME.sig.json: all that predictions need to know of an
// application, without its source and for any number of threads.
type SignatureResult struct {
	Header
	LineBytes int64             `json:"line_bytes"`
	Regions   []SignatureRegion `json:"regions"`
	Checksum  string            `json:"checksum,omitempty" jsonschema:"CRC-32C of this text, with 00000000 in its place"`
	Alone     []string          `json:"-"` // why regions have no locality
}

// SignatureRegion is one region.
type SignatureRegion struct {
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

// SignatureRequest asks for signatures.
type SignatureRequest struct {
	Input    string
	Programs []*nest.Program
	Warnings []string
	Line     int64 // bytes; 0: 64
	Options  Options
}

// Signatures analyses programs once, for any number of threads.
func Signatures(ctx context.Context, r SignatureRequest) (*SignatureResult, error) {
	line := lineOf(r.Line, nil)
	out := &SignatureResult{
		Header: newHeader(SignatureSchema, r.Input, r.Warnings, r.Programs), LineBytes: line, Regions: []SignatureRegion{},
	}
	progress := newMeter(r.Options.Progress, len(r.Programs))
	known := newLocalities(ctx, r.Options, func(done, total int) { progress.part(float64(done) / float64(total)) })
	for _, p := range r.Programs {
		region, err := known.region(p, line)
		if err != nil {
			return nil, inRegion(p, err)
		}
		out.Regions = append(out.Regions, *region)
		progress.next()
	}
	out.Alone = known.warnings
	return out, nil
}

func (l *localities) region(p *nest.Program, line int64) (*SignatureRegion, error) {
	plain, err := nest.MarshalProgram(p)
	if err != nil {
		return nil, err
	}
	if l.written += len(plain); len(plain) > mostProgram || l.written > mostPrograms {
		return nil, errLongPrograms
	}
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	out := &SignatureRegion{Region: p.Region, Program: base64.StdEncoding.EncodeToString(z.EncodeAll(plain, nil))}
	model, _, err := l.choose(p, 2, line)
	if err != nil {
		return nil, err
	}
	if model != ThreadsSymbolic {
		s, err := nest.NewStream(p, nest.Options{Threads: 1, Group: 1, Line: line})
		if err != nil {
			return nil, err
		}
		out.Accesses = s.Len()
		out.Lines, err = s.Footprint(l.options.Seed)
		return out, err
	}
	m, err := l.model(p, line)
	if err != nil {
		return nil, err
	}
	s := m.Signature()
	data, err := s.MarshalBinary()
	out.Accesses, out.Lines, out.Loops, out.Samples = s.Accesses, s.Lines, len(s.Loops), len(s.Samples)
	out.Locality = base64.StdEncoding.EncodeToString(data)
	return out, err
}

// IsSignature tells whether data begins a file of signatures.
func IsSignature(data []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) && bytes.Contains(data[:min(len(data), headLength)], []byte(`"foresee.signature/`))
}

// headLength is how far into a file its schema stands.
const headLength = 512

// Saved is what a file of signatures holds.
type Saved struct {
	Input    string // name of the source
	Programs []*nest.Program
	Known    map[*nest.Program]*threads.Signature
	Warnings []string

	read int // bytes of programs
}

// mostRegions bounds the regions of a file, each of which is a program with its locality.
const mostRegions = 2000

// What the program of a region, and all of a signature, may unpack to, in bytes.
const (
	mostProgram  = 64 << 20
	mostPrograms = 2 * mostProgram
)

var errLongPrograms = fmt.Errorf("the loops take more than %d MiB, or those of all regions more than %d; make a signature of some regions only", mostProgram>>20, mostPrograms>>20)

// ReadSignatures reads a file of signatures.
func ReadSignatures(data []byte) (*Saved, error) {
	if err := checksum.Check(data); err != nil {
		return nil, err
	}
	var r SignatureResult
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("%w (%w)", threads.ErrDamaged, err)
	}
	if r.Schema != SignatureSchema {
		return nil, fmt.Errorf("schema %q is not %s", r.Schema, SignatureSchema)
	}
	if len(r.Regions) > mostRegions {
		return nil, fmt.Errorf("%d regions; a signature has at most %d: make one of each part of the program", len(r.Regions), mostRegions)
	}
	if err := r.whole(); err != nil {
		return nil, err
	}
	out := &Saved{Input: r.Input, Known: map[*nest.Program]*threads.Signature{}, Warnings: r.Warnings}
	for i := range r.Regions {
		if err := out.add(&r, &r.Regions[i]); err != nil {
			return nil, fmt.Errorf("region %s: %w", r.Regions[i].Region, err)
		}
	}
	return out, nil
}

// whole says what is missing that every signature has.
func (r *SignatureResult) whole() error {
	if len(r.Regions) == 0 {
		return fmt.Errorf("%w (it has no regions)", threads.ErrDamaged)
	}
	if r.LineBytes == 0 {
		return fmt.Errorf("%w (it has no line_bytes)", threads.ErrDamaged)
	}
	for i, region := range r.Regions {
		switch {
		case region.Region == "":
			return fmt.Errorf("%w (number %d of its regions has no name, a field region)", threads.ErrDamaged, i+1)
		case region.Program == "":
			return fmt.Errorf("region %s: %w (it has no program)", region.Region, threads.ErrDamaged)
		}
	}
	return nil
}

func (s *Saved) add(file *SignatureResult, r *SignatureRegion) error {
	packed, err := base64.StdEncoding.DecodeString(r.Program)
	if err != nil {
		return fmt.Errorf("%w: program: %w", threads.ErrDamaged, err)
	}
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(mostProgram))
	if err != nil {
		return err
	}
	defer z.Close()
	plain, err := z.DecodeAll(packed, nil)
	if err != nil {
		return fmt.Errorf("%w: program: %w", threads.ErrDamaged, err)
	}
	if s.read += len(plain); s.read > mostPrograms {
		return errLongPrograms
	}
	p, err := nest.UnmarshalProgram(plain)
	if err != nil {
		return err
	}
	s.Programs = append(s.Programs, p)
	if r.Locality == "" {
		return nil
	}
	locality, err := base64.StdEncoding.DecodeString(r.Locality)
	if err != nil {
		return fmt.Errorf("%w: locality: %w", threads.ErrDamaged, err)
	}
	known := &threads.Signature{}
	if err := known.UnmarshalBinary(locality); err != nil {
		return err
	}
	if known.Line != file.LineBytes || known.Accesses != r.Accesses || p.Region != r.Region {
		return fmt.Errorf("%w (its parts are of different programs)", threads.ErrDamaged)
	}
	if one, err := nest.NewStream(p, nest.Options{Threads: 1, Group: 1, Line: known.Line}); err != nil || one.Len() != known.Accesses {
		return fmt.Errorf("%w (its parts are of different programs)", threads.ErrDamaged)
	}
	s.Known[p] = known
	return nil
}
