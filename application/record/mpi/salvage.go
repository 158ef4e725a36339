package mpi

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// What the recorder keeps beside the files of ranks while these run.
const (
	snapshotPrefix = ".snapshot." // counts, as they were last: .snapshot.messages.0.txt
	eventsPrefix   = ".events."   // events that are final: .events.0.txt.part
	restPrefix     = ".rest."     // those that were not, and up to where the file goes before them: .rest.0.txt
)

// salvage makes the files of ranks that were killed from what these had written until then. It tells of each by having no end.
func salvage(folder string) error {
	snapshots, err := filepath.Glob(filepath.Join(folder, snapshotPrefix+"*.txt"))
	if err != nil {
		return err
	}
	for _, s := range snapshots {
		whole := filepath.Join(folder, strings.TrimPrefix(filepath.Base(s), snapshotPrefix))
		if _, err := os.Stat(whole); err == nil {
			continue
		}
		if err := os.Rename(s, whole); err != nil {
			return err
		}
	}
	rests, err := filepath.Glob(filepath.Join(folder, restPrefix+"*.txt"))
	if err != nil {
		return err
	}
	for _, r := range rests {
		if err := salvageEvents(folder, strings.TrimPrefix(filepath.Base(r), restPrefix)); err != nil {
			return err
		}
	}
	return nil
}

// salvageEvents puts the events of a rank that was killed together.
func salvageEvents(folder, name string) (err error) {
	whole := filepath.Join(folder, "events."+name)
	if _, err := os.Stat(whole); err == nil {
		return nil
	}
	rest, err := os.ReadFile(filepath.Join(folder, restPrefix+name))
	if err != nil {
		return err
	}
	line, rest, _ := bytes.Cut(rest, []byte("\n"))
	behind, err := strconv.ParseInt(strings.TrimPrefix(string(line), "behind "), 10, 64)
	if err != nil || behind < 0 {
		return fmt.Errorf("%s: %q does not say behind how many bytes it comes", restPrefix+name, line)
	}
	from, err := os.Open(filepath.Join(folder, eventsPrefix+name+".part"))
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.Create(whole)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(to)
	_, err = io.CopyN(out, from, behind)
	if err == nil {
		_, err = out.Write(rest)
	}
	return errors.Join(err, out.Flush(), to.Close())
}
