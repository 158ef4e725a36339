// Package ranks reads the folder of a recorded run of an MPI program, as package foresee/application/record/mpi leaves it: run.json, and
// for each rank its messages (text, see [ReadMessages]) and its counters (of any format that package open knows).
package ranks

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"foresee/application/counters"
	"foresee/application/counters/open"
	"foresee/internal/checksum"
	"foresee/internal/claims"
)

// What describes a run, in its folder.
const (
	FileName = "run.json"
	Schema   = "foresee.run/v1"
)

// ErrNoRun says that a folder holds no recorded run.
var ErrNoRun = errors.New("there is no " + FileName + " in it")

// File is run.json in the folder of a run.
type File struct {
	Schema     string             `json:"schema"`
	Version    string             `json:"version"`
	Input      string             `json:"input" jsonschema:"the command line that was run"`
	Warnings   []string           `json:"warnings"`
	Command    []string           `json:"command"`
	Parameters map[string]float64 `json:"parameters" jsonschema:"p is the number of ranks"`
	MPI        string             `json:"mpi" jsonschema:"openmpi or mpich (and what is made from it)"`
	Library    string             `json:"library" jsonschema:"as the MPI library names itself"`
	Ranks      int                `json:"ranks"`
	Complete   bool               `json:"complete" jsonschema:"every rank came to its end"`
	Files      []Files            `json:"files" jsonschema:"by rank"`
	Places     []Place            `json:"places,omitempty" jsonschema:"where the ranks ran, if the order of calls was recorded"`
	Threads    string             `json:"threads,omitempty" jsonschema:"OMP_NUM_THREADS of the ranks"`
	Counters   *Counters          `json:"counters,omitempty"`
	Checksums  map[string]string  `json:"checksums,omitempty" jsonschema:"CRC-32C of the files"`
	Checksum   string             `json:"checksum,omitempty" jsonschema:"CRC-32C of this text, with 00000000 in its place"`
}

// Files are the files of one rank, in the folder of the run.
type Files struct {
	Rank     int      `json:"rank"`
	Messages string   `json:"messages,omitempty"`
	Events   string   `json:"events,omitempty" jsonschema:"calls in their order"`
	Counters []string `json:"counters,omitempty"`
}

// Counters says what the ranks ran under.
type Counters struct {
	Tool    string   `json:"tool" jsonschema:"callgrind or perf"`
	Command []string `json:"command" jsonschema:"as it was put before each rank; %r stands for the rank"`
}

// Read reads the folder that recording an MPI program left. Ranks without a file, files that were cut off and counters that cannot
// be read are warnings; ranks that disagree on how many they are, or that are there twice, are an error.
func Read(dir string) (*counters.Run, error) {
	file, err := readRunFile(dir)
	if err != nil {
		return nil, err
	}
	r := &counters.Run{Params: file.Parameters, Command: file.Command, Warnings: slices.Clone(file.Warnings), Slowed: file.Counters != nil && file.Counters.Tool == "callgrind"}
	if err := file.checkFiles(dir); err != nil {
		return nil, err
	}
	seen := map[int]bool{}
	for _, f := range file.Files {
		if seen[f.Rank] {
			return nil, fmt.Errorf("%s: rank %d is there twice; record the run again", filepath.Join(dir, FileName), f.Rank)
		}
		seen[f.Rank] = true
		if f.Messages != "" {
			m, err := readMessagesFile(dir, f.Messages)
			if err != nil {
				return nil, err
			}
			if m.Rank != f.Rank {
				return nil, fmt.Errorf("%s is of rank %d, but %s says rank %d; were files exchanged?", filepath.Join(dir, f.Messages), m.Rank, FileName, f.Rank)
			}
			r.Messages = append(r.Messages, m)
		}
		for _, name := range f.Counters {
			if err := readCounters(r, dir, name, f.Rank); err != nil {
				return nil, err
			}
		}
	}
	if len(r.Messages) == 0 {
		return nil, fmt.Errorf("%s: no rank left a file", dir)
	}
	return r, checkRanks(r, dir)
}

// readRunFile reads and checks run.json.
func readRunFile(dir string) (*File, error) {
	path := filepath.Join(dir, FileName)
	text, err := readBounded(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", dir, ErrNoRun)
	}
	if err != nil {
		return nil, err
	}
	if text, err = checksum.Open(text); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	file := &File{}
	if err := json.Unmarshal(text, file); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if file.Schema != Schema {
		return nil, fmt.Errorf("%s: its schema is %q, not %s; read it with the foresee that wrote it", path, file.Schema, Schema)
	}
	if len(file.Parameters) == 0 {
		return nil, fmt.Errorf("%s: it has no parameters, as p, the number of ranks, is one; add them: {\"parameters\":{\"p\":4},…}", path)
	}
	return file, nil
}

// checkFiles compares the files of a folder with their checksums, where there are any.
func (f *File) checkFiles(dir string) error {
	if f.Checksums == nil { // as before foresee wrote any
		return nil
	}
	for _, rank := range f.Files {
		for _, name := range rank.names() {
			sum, err := sumInside(dir, name)
			if err != nil {
				return err
			}
			if sum != f.Checksums[name] {
				return fmt.Errorf("%s: damaged, cut off, or changed since it was recorded: %s has another checksum of it; record the program again", filepath.Join(dir, name), FileName)
			}
		}
	}
	return nil
}

// names are those of all files of a rank.
func (f *Files) names() (all []string) {
	for _, name := range []string{f.Messages, f.Events} {
		if name != "" {
			all = append(all, name)
		}
	}
	return append(all, f.Counters...)
}

// SetChecksums takes those of all files in the folder.
func (f *File) SetChecksums(dir string) (err error) {
	f.Checksums, f.Checksum = map[string]string{}, checksum.Blank
	for _, rank := range f.Files {
		for _, name := range rank.names() {
			if f.Checksums[name], err = sumInside(dir, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// sumInside is the checksum of a file of the folder.
func sumInside(dir, name string) (string, error) {
	f, err := openInside(dir, name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum, err := checksum.Of(f)
	if err != nil {
		return "", fmt.Errorf("%s: %w", filepath.Join(dir, name), err)
	}
	return sum, nil
}

// longestRunFile is the most bytes of run.json. Chosen: some hundred for each of more than half a million ranks.
const longestRunFile = 64 << 20

// readBounded reads a file of no more than longestRunFile.
func readBounded(path string) ([]byte, error) {
	f, err := claims.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, longestRunFile+1))
	if err == nil && len(text) > longestRunFile {
		err = fmt.Errorf("%s: longer than %d MiB, which no description of a run is", path, longestRunFile>>20)
	}
	return text, err
}

// readMessagesFile reads what a rank sent.
func readMessagesFile(dir, name string) (counters.Messages, error) {
	f, err := openInside(dir, name)
	if err != nil {
		return counters.Messages{}, err
	}
	defer f.Close()
	return ReadMessages(filepath.Join(dir, name), f)
}

// openInside opens a file of the folder; run.json may come from anywhere and must not name others.
func openInside(dir, name string) (*os.File, error) {
	if !filepath.IsLocal(name) {
		return nil, fmt.Errorf("%s: %s is not in the folder", filepath.Join(dir, FileName), name)
	}
	return claims.Open(filepath.Join(dir, name))
}

// readCounters reads the counters of a rank.
func readCounters(r *counters.Run, dir, name string, rank int) error {
	f, err := openInside(dir, name)
	if err != nil {
		return err
	}
	defer f.Close()
	file, err := open.Read(filepath.Join(dir, name), f)
	if err != nil {
		r.Warnings = append(r.Warnings, fmt.Sprintf("rank %d: its counters are left out: %v", rank, err))
		return nil
	}
	for _, p := range file.Profiles {
		p.Rank = rank
		r.Profiles = append(r.Profiles, p)
	}
	return nil
}

// checkRanks compares the ranks with each other.
func checkRanks(r *counters.Run, dir string) error {
	slices.SortStableFunc(r.Messages, func(a, b counters.Messages) int { return cmp.Compare(a.Rank, b.Rank) })
	size := r.Messages[0].Size
	var missing []string
	next := 0
	for i, m := range r.Messages {
		if m.Size != size {
			return fmt.Errorf("%s: rank %d says that there are %d ranks, rank %d says %d; the command ran several MPI programs: record each by itself", dir, r.Messages[0].Rank, size, m.Rank, m.Size)
		}
		if i > 0 && m.Rank == r.Messages[i-1].Rank {
			return fmt.Errorf("%s: rank %d is there twice; the command ran several MPI programs: record each by itself", dir, m.Rank)
		}
		missing = appendRange(missing, next, m.Rank-1)
		next = m.Rank + 1
		r.Warnings = append(r.Warnings, m.Warnings...)
	}
	missing = appendRange(missing, next, size-1)
	if len(missing) > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d of %d ranks left no file: %s; sums and means are of the others", size-len(r.Messages), size, strings.Join(missing, ", ")))
	}
	if p, ok := r.Params["p"]; ok && p != float64(size) {
		return fmt.Errorf("%s: p is %g in %s, but the ranks say that they are %d", dir, p, FileName, size)
	}
	return nil
}

// appendRange adds the ranks from one to another, as 3 or 5-7.
func appendRange(to []string, from, last int) []string {
	switch {
	case from > last:
		return to
	case from == last:
		return append(to, strconv.Itoa(from))
	}
	return append(to, fmt.Sprintf("%d-%d", from, last))
}
