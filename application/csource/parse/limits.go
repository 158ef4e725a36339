package parse

import (
	"errors"
	"fmt"
	"path"
	"runtime"
	"runtime/metrics"
	"strings"
	"time"

	"foresee/application/nest"

	"modernc.org/cc/v4"
)

// Limits on what reading a file may take. The parser's library has few of its own; a file that meets one of these is no program that
// somebody wrote, or must be cut down for the models anyway. What they protect: 10 s and 1 GiB for any file of some megabytes.
const (
	expansionLimit = 5_000_000 // tokens that macro expansion works on: more than maxTokens, which the text may have by itself
	deepestInclude = 200       // files within files, as of gcc
	mostIncludes   = 10_000    // files in all
	mostExpanded   = 48 << 20  // bytes of text after macro expansion
	longestDefine  = 500       // bytes of the value of -D: brackets in it nest no deeper than MaxNesting
	parseMemory    = 512 << 20 // bytes of heap; a source of 100 000 lines takes 200 MiB
)

// Limit is how long reading may take; files of 100 000 lines take a second or two.
const Limit = 8 * time.Second

// watchEvery is how often memory is looked at. A macro can double a text in some milliseconds.
const watchEvery = 3 * time.Millisecond

// limited runs f within the limits of time and memory: on some wrong inputs, such as an initialized array of an undefined
// structure, the parser's library does not end. It cannot be stopped then; it is left behind.
func (s *Source) limited(f func() error) error {
	done := make(chan error, 1)
	before := heap()
	go func() { done <- Guard(s.name, f) }()
	end := time.After(Limit)
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case err := <-done:
			return err
		case <-end:
			return s.beyond(fmt.Sprintf("takes more than %v", Limit))
		case <-tick.C:
			if heap() > before+parseMemory && settled() > before+parseMemory {
				return s.beyond(fmt.Sprintf("takes more than %d MiB", parseMemory>>20))
			}
		}
	}
}

// beyond is the error of a file that takes too much.
func (s *Source) beyond(what string) error {
	return &Error{
		Pos: s.At(), Message: "reading it " + what + ": macros that double, or a file of too many parts",
		Remedy: "see whether a C compiler takes the file, and preprocess it: cc -E -P " + s.name,
	}
}

// heap is how many bytes of the heap are in use, with what the garbage collector has not found yet.
func heap() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// settled is the same without garbage.
func settled() uint64 {
	runtime.GC()
	return heap()
}

// includes follows which file includes which, to end where they do so without end. Each file that is read begins and ends with a
// pragma that tells.
type includes struct {
	open  []string // names of the files that are read
	count int
	texts map[string]string // by name
}

const (
	entersWord = "foresee_enters"
	leavesWord = "foresee_leaves"
)

// marked puts the pragmas around a file's text; its lines keep their numbers.
func marked(text string) string {
	return "#pragma " + entersWord + "\n#line 1\n" + text + "#pragma " + leavesWord + "\n"
}

// pragma takes one of the two; it panics with an *Error where files include each other without end.
func (i *includes) pragma(t []cc.Token) {
	if len(t) == 0 {
		return
	}
	switch t[0].SrcStr() {
	case leavesWord:
		i.open = i.open[:max(0, len(i.open)-1)]
	case entersWord:
		name := t[0].Position().Filename
		i.count++
		if len(i.open) >= deepestInclude || i.count > mostIncludes {
			panic(i.endless(name))
		}
		i.open = append(i.open, name)
	}
}

// endless is the error of a file that is included too often, at the line that includes it.
func (i *includes) endless(name string) *Error {
	e := &Error{
		Pos: nest.Pos{File: name}, Message: fmt.Sprintf("files include one another more than %d deep, or %d times", deepestInclude, mostIncludes),
		Remedy: "put a guard into the one that includes itself: #ifndef NAME_H, #define NAME_H, #endif",
	}
	if len(i.open) == 0 {
		return e
	}
	parent := i.open[len(i.open)-1]
	e.Pos.File = parent
	for n, line := range strings.Split(i.texts[parent], "\n") {
		if hash := strings.TrimSpace(line); strings.HasPrefix(hash, "#") && strings.Contains(hash, "include") && strings.Contains(hash, path.Base(name)) {
			e.Pos.Line, e.Pos.Column = n+1, strings.Index(line, "#")+1
			break
		}
	}
	return e
}

var errExpanded = errors.New("too long")

// bounded keeps text up to mostExpanded.
type bounded struct{ strings.Builder }

// Write refuses more text than the parser is given.
func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > mostExpanded {
		return 0, errExpanded
	}
	return b.Builder.Write(p)
}
