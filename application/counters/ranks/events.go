package ranks

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"foresee/application/messages"
)

// Place is a node on which ranks ran.
type Place struct {
	Host       string `json:"host"`
	Processors int    `json:"processors" jsonschema:"that the first of these ranks may run on"`
	Ranks      []int  `json:"ranks"`
}

// AddPlace notes where a rank ran, and its OMP_NUM_THREADS.
func (f *File) AddPlace(rank int, host string, processors int, threads string) {
	f.Threads = threads
	i := slices.IndexFunc(f.Places, func(p Place) bool { return p.Host == host })
	if i < 0 {
		i = len(f.Places)
		f.Places = append(f.Places, Place{Host: host, Processors: processors})
	}
	f.Places[i].Ranks = append(f.Places[i].Ranks, rank)
	slices.Sort(f.Places[i].Ranks)
}

// ErrNoEvents says that a run was recorded without the order of its calls.
var ErrNoEvents = errors.New("the order of calls was not recorded")

// ReadEvents reads the calls of a recorded run in their order. All ranks must be there: without one, others would wait for it for ever.
// What it says of ranks that did not come to their end are warnings.
func ReadEvents(dir string) (*messages.Program, error) {
	file, err := readRunFile(dir)
	if err != nil {
		return nil, err
	}
	if err := file.checkFiles(dir); err != nil {
		return nil, err
	}
	var all []*messages.File
	for _, f := range file.Files {
		if f.Events == "" {
			continue
		}
		one, err := readEventsFile(dir, f.Events)
		if err != nil {
			return nil, err
		}
		if one.Rank != f.Rank {
			return nil, fmt.Errorf("%s is of rank %d, but %s says rank %d; were files exchanged?", filepath.Join(dir, f.Events), one.Rank, FileName, f.Rank)
		}
		all = append(all, one)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: %w", dir, ErrNoEvents)
	}
	p, err := messages.NewProgram(all)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	p.Places = places(file)
	return p, nil
}

func readEventsFile(dir, name string) (*messages.File, error) {
	f, err := openInside(dir, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: the events of a rank are missing, without which others would wait for ever: record the program again", filepath.Join(dir, name))
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return messages.Read(filepath.Join(dir, name), f)
}

// places gives the number of the node of each rank.
func places(file *File) []int {
	all := make([]int, file.Ranks)
	for i, p := range file.Places {
		for _, r := range p.Ranks {
			if r >= 0 && r < len(all) {
				all[r] = i
			}
		}
	}
	return all
}
