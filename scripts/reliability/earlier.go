package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// earlierSection is a section of a document that was written before. It is kept as it stands, byte by byte.
type earlierSection struct {
	title, text string
	whole       bool
	failed      int // how many things did not end as they should
}

// readEarlier reads the sections of a file; there are none where there is no such file, or nothing in it.
func readEarlier(path string) ([]*earlierSection, error) {
	if info, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil, nil // /dev/null holds no document
	}
	text, err := os.ReadFile(path)
	if err != nil || len(text) == 0 {
		return nil, err
	}
	if !strings.HasPrefix(string(text), head) {
		return nil, fmt.Errorf("%s: does not begin with %q, so it is no document of this script; name another file", path, strings.TrimSpace(head))
	}
	_, rest, _ := strings.Cut(string(text), "\n"+titled)
	var all []*earlierSection
	for one := range strings.SplitSeq(rest, "\n"+titled) {
		if strings.TrimSpace(one) != "" {
			all = append(all, parseSection(strings.TrimSpace(titled+one)))
		}
	}
	return all, nil
}

// parseSection finds in a section what the head of the document tells.
func parseSection(text string) *earlierSection {
	title, _, _ := strings.Cut(text, "\n")
	s := &earlierSection{title: strings.TrimPrefix(title, titled), text: text, whole: true}
	list := ""
	for line := range strings.SplitSeq(text, "\n") {
		n := 0
		switch {
		case line == notTried, line == notWell:
			list = line
			s.whole = s.whole && line != notTried
		case strings.HasPrefix(line, partly):
			s.whole = false
		case list == notWell && strings.HasPrefix(line, "- "):
			s.failed++
		case list == notWell && scanned(line, &n):
			s.failed += n
		}
	}
	return s
}

// scanned reads how many more there are than are listed.
func scanned(line string, n *int) bool {
	_, err := fmt.Sscanf(line, more, n)
	return err == nil
}

// write puts the document into a file, whole or not at all, as its earlier sections may have taken hours.
func (d *document) write(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return os.WriteFile(path, []byte(d.markdown()), 0o644)
	}
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-")
	if err != nil {
		return err
	}
	_, err = temp.WriteString(d.markdown())
	if err = errors.Join(err, temp.Chmod(0o644), temp.Close()); err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		os.Remove(temp.Name())
	}
	return err
}
