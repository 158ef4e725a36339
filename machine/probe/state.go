package probe

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// notebook keeps answers, so that an interrupted measurement goes on where it was.
type notebook struct {
	asker   Asker
	answers map[string]answer
	file    *os.File // nil: nothing is kept
	Kept    int      // answers that were there
}

// answer is one line of the file.
type answer struct {
	Command string    `json:"command"`
	Values  []float64 `json:"values,omitempty"`
	Refused string    `json:"refused,omitempty"`
}

// openNotebook reads the answers of a file that an earlier measurement of the same kind left.
func openNotebook(path, key string, a Asker) (*notebook, error) {
	n := &notebook{asker: a, answers: map[string]answer{}}
	if path == "" {
		return n, nil
	}
	whole, err := n.read(path, key)
	if err != nil {
		return nil, err
	}
	if n.file, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666); err != nil {
		return nil, fmt.Errorf("cannot keep what is measured: %w", err)
	}
	if err := n.file.Truncate(whole); err != nil { // behind the last whole line
		return nil, err
	}
	if n.Kept == 0 {
		return n, n.write(answer{Command: key})
	}
	return n, nil
}

// read gives the bytes of what can be gone on from.
func (n *notebook) read(path, key string) (whole int64, err error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	for first := true; err == nil; first = false {
		line, rest, complete := bytes.Cut(text, []byte("\n"))
		var a answer
		if !complete || json.Unmarshal(line, &a) != nil {
			break
		}
		if first && a.Command != key {
			return 0, fmt.Errorf("%s is of another measurement (other flags, sizes or machine); remove it, or measure as it was begun", path)
		}
		if !first {
			n.answers[a.Command] = a
			n.Kept++
		}
		whole += int64(len(text) - len(rest))
		text = rest
	}
	if n.Kept == 0 {
		whole = 0
	}
	return whole, err
}

func (n *notebook) write(a answer) error {
	if n.file == nil {
		return nil
	}
	line, err := json.Marshal(a)
	if err != nil {
		return err
	}
	if _, err = n.file.Write(append(line, '\n')); errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("no space left on the disk of %s, which keeps what is measured: free some, and the same command goes on from there: %w", n.file.Name(), err)
	}
	return err
}

// Ask implements Asker.
func (n *notebook) Ask(command string) ([]float64, error) {
	if a, ok := n.answers[command]; ok {
		if a.Refused != "" {
			return nil, &RefusedError{command, a.Refused}
		}
		return a.Values, nil
	}
	values, err := n.asker.Ask(command)
	a := answer{Command: command, Values: values}
	var refused *RefusedError
	switch {
	case errors.As(err, &refused):
		a.Refused = refused.Cause
	case err != nil:
		return nil, err
	}
	n.answers[command] = a
	return values, errors.Join(err, n.write(a))
}

func (n *notebook) close() {
	if n.file != nil {
		n.file.Close()
	}
}
