package programs

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"foresee/accuracy"
	"foresee/examples"
)

// program is one that is measured.
type program struct {
	name, half string
	own        bool     // of examples/programs
	words      []string // of the compiler: sources and flags
	cxx        bool
	args       []string // of the program
	dir        string   // where it runs
}

// List is the name of the file that lists the programs of a folder: a line for each, "name: words of the compiler -- arguments", and lines that begin
// with # beside. Words that are files or folders below the folder, alone or behind -I, are taken from there; programs run in it.
const List = "programs.txt"

// ListError is a line that cannot be read.
type ListError struct {
	Path, Problem string
	Line          int
}

func (e *ListError) Error() string { return fmt.Sprintf("%s:%d: %s", e.Path, e.Line, e.Problem) }

// looked are the programs of examples/programs whose errors were seen while the models were made: they are of half A.
var looked = []string{"chase.c", "graph.c", "hashtable.c", "montecarlo.c", "sort.c", "spmv.c", "tree.cpp"}

// half says to which half of the programs one belongs, by the SHA-256 of its name.
func half(name string) string {
	if slices.Contains(looked, name) {
		return "A"
	}
	sum := sha256.Sum256([]byte(name))
	return string(rune('A' + sum[0]%2))
}

// chosen are the programs that are asked for: of a folder with a list, else of the examples, whose sources are put into a folder.
func chosen(o accuracy.Options, work string) (set []*program, err error) {
	if o.Data != "" {
		set, err = list(o.Data)
	} else {
		set, err = carried(work)
	}
	if err != nil || len(o.Kernels) == 0 {
		return set, err
	}
	for _, name := range o.Kernels {
		if !slices.ContainsFunc(set, func(p *program) bool { return p.name == name }) {
			return nil, &UnknownError{name, set}
		}
	}
	return slices.DeleteFunc(set, func(p *program) bool { return !slices.Contains(o.Kernels, p.name) }), nil
}

// carried are the programs of examples/programs.
func carried(work string) (set []*program, err error) {
	for _, name := range examples.Programs() {
		text, err := examples.Program(name)
		if err != nil {
			return nil, err
		}
		source := filepath.Join(work, name)
		if err := os.WriteFile(source, text, 0o600); err != nil {
			return nil, err
		}
		set = append(set, &program{name: name, half: half(name), own: true, words: []string{source, "-lm"}, cxx: filepath.Ext(name) != ".c", dir: work})
	}
	return set, nil
}

// UnknownError is a program that was asked for and is not there.
type UnknownError struct {
	Program string
	there   []*program
}

func (e *UnknownError) Error() string {
	var names []string
	for _, p := range e.there {
		names = append(names, p.name)
	}
	return fmt.Sprintf("there is no program %s; there are %s", e.Program, strings.Join(names, ", "))
}

// list reads the programs of a folder.
func list(dir string) ([]*program, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, List)
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return parse(f, dir, path)
}

// parse reads a list of programs.
func parse(r io.Reader, dir, path string) (set []*program, err error) {
	lines := bufio.NewScanner(r)
	seen := map[string]bool{}
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		p, err := parseLine(line, dir)
		if err == nil && seen[p.name] {
			err = fmt.Errorf("a second program %s", p.name)
		}
		if err != nil {
			return nil, &ListError{path, err.Error(), n}
		}
		seen[p.name] = true
		set = append(set, p)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return set, nil
}

func parseLine(line, dir string) (*program, error) {
	name, rest, ok := strings.Cut(line, ":")
	name = strings.TrimSpace(name)
	if !ok || name == "" || strings.ContainsAny(name, "/|") {
		return nil, errors.New("a line is a name without / and |, a colon, sources and flags of the compiler, and behind -- the program's arguments")
	}
	words, args, _ := strings.Cut(rest+" ", " -- ")
	p := &program{name: name, half: half(name), args: strings.Fields(args), dir: dir}
	for _, w := range strings.Fields(words) {
		if w == "--" {
			continue
		}
		p.words = append(p.words, below(dir, w))
		switch filepath.Ext(w) {
		case ".cc", ".cpp", ".cxx", ".C":
			p.cxx = true
		}
	}
	if len(p.words) == 0 {
		return nil, fmt.Errorf("%s has no sources", name)
	}
	return p, nil
}

// below takes a word of the compiler from a folder where it names something in it.
func below(dir, word string) string {
	prefix := ""
	if strings.HasPrefix(word, "-I") {
		prefix, word = word[:2], word[2:]
	}
	if whole := filepath.Join(dir, word); word != "" && !filepath.IsAbs(word) {
		if _, err := os.Stat(whole); err == nil {
			word = whole
		}
	}
	return prefix + word
}

// make makes a program in each way that compilers are here for.
func (p *program) make(ctx context.Context, dir, number string) (all []*outcome, err error) {
	for i, by := range making {
		if by.ownOnly && !p.own {
			continue
		}
		o := &outcome{program: p, plain: filepath.Join(dir, fmt.Sprintf("%s-%d", number, i))}
		there, err := o.build(ctx, by)
		if err != nil {
			return nil, err
		}
		if there {
			all = append(all, o)
		}
	}
	return all, nil
}
