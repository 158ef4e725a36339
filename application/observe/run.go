package observe

import (
	"bufio"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"foresee/application/csource"
	"foresee/internal/workspace"
)

// Group are entries of a region with the same values.
type Group struct {
	Count  int64
	Values map[csource.Place]int64
	Varies map[csource.Place]string // values that changed within an entry: from what to what; of iterations the mean is among Values
}

// Entered is how often a function was entered, and with which values, most often first.
type Entered struct {
	Function string
	Entries  int64
	Groups   []Group
	Others   int64 // entries of which no group was kept
}

// Streams are what a program reads and where what it prints goes.
type Streams struct {
	In       io.Reader
	Again    func() (io.ReadCloser, error) // In for each run, from where it begins; nil: it can be read once
	Out, Err io.Writer
}

// RunError is a run that did not end well.
type RunError struct {
	Command string
	Cause   error
}

func (e *RunError) Error() string {
	return "the run of " + e.Command + " failed: " + e.Cause.Error()
}

func (e *RunError) Unwrap() error { return e.Cause }

// Run builds the program so that it tells what a plan asks, runs it, and gives what it told of each region.
func (p *Program) Run(ctx context.Context, plan *csource.Plan, s Streams) ([]Entered, error) {
	folder, err := workspace.New("run")
	if err != nil {
		return nil, err
	}
	defer folder.Remove()
	if err := folder.Executable(); err != nil {
		return nil, err
	}
	made, err := p.build(ctx, folder.Path, plan)
	if err != nil {
		return nil, folder.Cause(err)
	}
	told := filepath.Join(folder.Path, "told")
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", CommandOf(p.Command, made))
	cmd.Env = append(os.Environ(), "FORESEE_TOLD="+told)
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = s.In, s.Out, s.Err, time.Second
	if s.Again != nil {
		in, err := s.Again()
		if err != nil {
			return nil, err
		}
		defer in.Close()
		cmd.Stdin = in
	}
	p.Runs++
	begun := time.Now()
	failed := cmd.Run()
	p.Took = time.Since(begun)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	f, err := os.Open(told)
	if err != nil {
		return nil, &RunError{p.Command, cmp.Or(failed, errors.New("it told nothing"))}
	}
	defer f.Close()
	if p.Failed = nil; failed != nil {
		p.Failed = &RunError{p.Command, failed}
	}
	var out []Entered
	if out, p.Arguments, err = read(f, plan); err != nil {
		return nil, err
	}
	p.Tables, err = arrays(told+".arrays", p.Tables)
	return out, err
}

// assignment is a word of a command that sets a variable of the environment.
var assignment = regexp.MustCompile(`^\s*[A-Za-z_]\w*=('[^']*'|"[^"]*"|[^\s'"])*\s+`)

// CommandOf is a command with the program in place of its first word that is no assignment.
func CommandOf(command, program string) string {
	before, rest := assigned(command)
	end := len(firstWord(command))
	exec := "exec " // so that a signal reaches the program
	if strings.ContainsAny(rest[end:], "|;") || strings.Contains(rest[end:], "&&") {
		exec = "" // more follows
	}
	return before + exec + "'" + strings.ReplaceAll(program, "'", `'\''`) + "'" + rest[end:]
}

// assigned are the assignments that a command begins with, and what follows them.
func assigned(command string) (before, rest string) {
	rest = command
	for {
		found := assignment.FindString(rest)
		if found == "" {
			return before, strings.TrimLeft(rest, " \t\n")
		}
		before += found
		rest = rest[len(found):]
	}
}

// firstWord is the word of a command that stands for the program.
func firstWord(command string) string {
	_, command = assigned(command)
	if end := strings.IndexAny(command, " \t\n<>|&;"); end >= 0 {
		command = command[:end]
	}
	return command
}

// OtherProgramError is a command whose first word is no program of the source.
type OtherProgramError struct{ Word string }

func (e *OtherProgramError) Error() string {
	return "the first word of the command stands for the program, and " + e.Word + " is another one: begin with the program, such as ./app"
}

// builtins are words that the shell runs itself, before a program.
var builtins = map[string]bool{"cd": true, "exec": true, "time": true, "export": true, "set": true, "ulimit": true, "source": true, ".": true, "if": true, "for": true, "while": true, "{": true}

// Check refuses a command that begins with a word of the shell, or with a program of the system.
func Check(command string) error {
	word := firstWord(command)
	_, err := exec.LookPath(word)
	if builtins[word] || strings.HasPrefix(word, "(") || err == nil && !strings.Contains(word, "/") {
		if _, here := os.Stat(word); here != nil {
			return &OtherProgramError{word}
		}
	}
	return nil
}

// longestTold is the longest line of what a run tells, in bytes: that of an argument, of which Linux takes 128 KiB.
const longestTold = 1 << 20

// read reads what a run told: its regions, and the arguments that it was given.
func read(r io.Reader, plan *csource.Plan) (_ []Entered, arguments []string, _ error) {
	all := make([]Entered, len(plan.Regions))
	var now *Entered
	var places []int
	whole := false
	s := bufio.NewScanner(r)
	s.Buffer(nil, longestTold)
	for s.Scan() {
		words := strings.Fields(s.Text())
		if len(words) == 0 {
			continue
		}
		switch words[0] {
		case "region":
			var n int
			var entries, others int64
			if _, err := fmt.Sscan(strings.Join(words[1:], " "), &n, &entries, &others); err != nil || n < 0 || n >= len(all) {
				return nil, nil, fmt.Errorf("a run told %q, which cannot be read", s.Text())
			}
			all[n] = Entered{Function: plan.Regions[n].Function, Entries: entries, Others: others}
			now, places = &all[n], plan.Regions[n].Places
		case "group":
			if now == nil || len(words) != 2+len(places) {
				return nil, nil, fmt.Errorf("a run told %q, which cannot be read", s.Text())
			}
			now.Groups = append(now.Groups, group(words[1:], places, plan))
		case "argument":
			text, err := hex.DecodeString(strings.TrimPrefix(words[len(words)-1], "x"))
			if len(words) != 2 || err != nil {
				return nil, nil, fmt.Errorf("a run told %q, which cannot be read", s.Text())
			}
			arguments = append(arguments, string(text))
		case "end":
			whole = true
		}
	}
	if err := s.Err(); err != nil {
		return nil, nil, fmt.Errorf("what the run told: %w", err)
	}
	if !whole {
		return nil, nil, errors.New("what the run told ends in the middle")
	}
	for i := range all {
		all[i].scale()
		slices.SortStableFunc(all[i].Groups, func(a, b Group) int { return cmp.Compare(b.Count, a.Count) })
	}
	return all, arguments, nil
}

// group reads the count of a group and the values of its places.
func group(words []string, places []int, plan *csource.Plan) Group {
	g := Group{Values: map[csource.Place]int64{}, Varies: map[csource.Place]string{}}
	g.Count, _ = strconv.ParseInt(words[0], 10, 64)
	for i, word := range words[1:] {
		place := plan.Places[places[i]]
		value, span, mean := strings.Cut(word, "~")
		if v, err := strconv.ParseInt(value, 10, 64); err == nil {
			g.Values[place] = v
		} else {
			span, mean = word, word != "-"
		}
		if mean {
			g.Varies[place] = span
		}
	}
	return g
}

// scale counts entries that were not looked at, of regions that are entered very often, like the others.
func (e *Entered) scale() {
	seen := e.Others
	for _, g := range e.Groups {
		seen += g.Count
	}
	if seen == 0 || seen >= e.Entries {
		return
	}
	by := float64(e.Entries) / float64(seen)
	for i := range e.Groups {
		e.Groups[i].Count = int64(float64(e.Groups[i].Count)*by + 0.5)
	}
	e.Others = int64(float64(e.Others)*by + 0.5)
}
