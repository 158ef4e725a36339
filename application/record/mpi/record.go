package mpi

import (
	"cmp"
	"context"
	"encoding/json"
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
	"syscall"
	"time"

	"foresee/application/counters/ranks"
	"foresee/application/messages"
	"foresee/internal/checksum"
	"foresee/internal/workspace"
)

// Options say what to run and where to keep what is recorded.
type Options struct {
	Command  []string           // with its launcher, as the user would give it
	Dir      string             // folder to make; "": named after the parameters, mpi.p4.n64.foresee
	Params   map[string]float64 // beside p, the number of ranks
	Events   bool               // the order of calls too
	Counters string             // "", Callgrind or Perf
	Caches   []Cache            // for Callgrind; what is not given is as valgrind finds it on the machine
	Version  string             // of foresee, for run.json
	Stdin    io.Reader
	Stdout   io.Writer
	Stderr   io.Writer
}

// ErrNothing says that no rank left a file.
var ErrNothing = errors.New("no rank left a file")

// CommandError is a command that failed; what its ranks did was kept.
type CommandError struct {
	Name string
	Code int // −1 where a signal ended it
	Wait syscall.WaitStatus
}

func (e *CommandError) Error() string {
	if e.Wait.Signaled() {
		return fmt.Sprintf("%s was ended by signal %d (%v)", e.Name, e.Wait.Signal(), e.Wait.Signal())
	}
	return fmt.Sprintf("%s ended with exit code %d; its own messages say why", e.Name, e.Code)
}

// Record runs a command, waits for it, and gives the folder of what was recorded. When the command failed or was
// interrupted, the error says so, and the folder holds what there is: with .partial behind its name if a rank did not
// come to its end. ErrNothing comes without a folder.
func Record(ctx context.Context, o Options) (dir string, err error) {
	if len(o.Command) == 0 {
		return "", errors.New("no command to run")
	}
	if err := findCommand(o.Command[0]); err != nil {
		return "", err
	}
	if o.Dir != "" {
		if err := checkPlace(o.Dir); err != nil {
			return "", err
		}
	}
	library, kept, err := library(ctx)
	if err != nil {
		return "", err
	}
	defer kept.Close()
	if kept.Unkept != "" {
		fmt.Fprintf(o.Stderr, "foresee: warning: the recorder was compiled for this run alone, there is no folder to keep it in: %s; set XDG_CACHE_HOME to one of your own\n", kept.Unkept)
	}
	folder, err := unfinished(cmp.Or(o.Dir, "mpi.foresee"))
	if err != nil {
		return "", err
	}
	defer folder.Remove()
	under, err := underTool(ctx, &o, folder.Path)
	if err != nil {
		return "", err
	}
	failed := run(ctx, &o, newJob(ctx, o.Command, library, folder.Path, o.Events, under))
	full := diskOf(folder.Path, failed)
	file, err := collect(context.WithoutCancel(ctx), &o, folder.Path, under)
	if errors.Is(err, ErrNothing) && (full != nil || failed != nil) {
		return "", fmt.Errorf("%w: %w", ErrNothing, errors.Join(full, failed)) // which is why
	}
	if err != nil {
		return "", errors.Join(fullOr(err, folder.Path), failed)
	}
	if dir, err = place(folder, name(&o, file)); err != nil {
		return "", errors.Join(err, failed)
	}
	return dir, errors.Join(full, failed)
}

// interruptionDelay is how long a signal to a group may need from one of its processes to the next.
const interruptionDelay = 500 * time.Millisecond

// diskOf says that the disk of the results is full, after a command that failed or left files half written.
func diskOf(folder string, failed error) error {
	if failed == nil && len(lostRanks(folder)) == 0 {
		return nil
	}
	if full := workspace.Full(nil, "", folder); full != nil {
		return full
	}
	return nil
}

// run runs the command to its end.
func run(ctx context.Context, o *Options, j job) error {
	cmd := exec.CommandContext(ctx, j.command[0], j.command[1:]...)
	cmd.Env = j.env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = o.Stdin, o.Stdout, o.Stderr
	cmd.Cancel = func() error {
		// From a terminal, the launcher gets the interruption too; a second signal would make it leave its ranks.
		time.Sleep(time.Second)
		return cmd.Process.Signal(syscall.SIGTERM)
	}
	cmd.WaitDelay = 15 * time.Second
	err := cmd.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return cmp.Or(ctx.Err(), err)
	}
	status, _ := exit.Sys().(syscall.WaitStatus)
	if status.Signaled() { // the interruption may have come to the command before it came here
		select {
		case <-ctx.Done():
		case <-time.After(interruptionDelay):
		}
	}
	return cmp.Or[error](ctx.Err(), &CommandError{o.Command[0], exit.ExitCode(), status})
}

// collect writes run.json about the files that the ranks left.
func collect(ctx context.Context, o *Options, folder string, under []string) (*ranks.File, error) {
	if err := salvage(folder); err != nil {
		return nil, err
	}
	if err := finishTool(ctx, o, folder); err != nil {
		return nil, err
	}
	file := &ranks.File{
		Schema: ranks.Schema, Version: o.Version, Input: strings.Join(o.Command, " "), Warnings: []string{},
		Command: o.Command, Parameters: map[string]float64{}, Counters: describeTool(o, under, folder),
	}
	for name, value := range o.Params {
		file.Parameters[name] = value
	}
	if err := describeRanks(file, folder); err != nil {
		return nil, err
	}
	if file.Ranks == 0 {
		return nil, nothing(file, under)
	}
	file.Parameters["p"] = float64(file.Ranks)
	for _, r := range lostRanks(folder) {
		file.Warnings = append(file.Warnings, fmt.Sprintf("rank %s could not write what it did", r))
	}
	if err := tidy(folder); err != nil {
		return nil, err
	}
	if o.Counters == Callgrind {
		file.Warnings = append(file.Warnings, "times are of a run under callgrind, which is slower many times over; counts are of the program alone, from MPI_Init to MPI_Finalize, without what it does in MPI")
	}
	return file, writeRunFile(file, folder)
}

// writeRunFile writes run.json with its checksums, and waits until the disk has it: the folder gets its name then.
func writeRunFile(file *ranks.File, folder string) error {
	if err := file.SetChecksums(folder); err != nil {
		return err
	}
	text, err := json.MarshalIndent(file, "", "  ")
	if err != nil {
		return err
	}
	if text, err = checksum.Put(append(text, '\n')); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(folder, ranks.FileName))
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Sync(), f.Close())
}

// nothing is the error of a run of which no rank was recorded.
func nothing(file *ranks.File, under []string) error {
	why := "the command calls no MPI, the MPI library is linked into the program (it must be a shared one), or the ranks ran on nodes that do not see this folder"
	if len(under) > 0 {
		why += "; " + file.Counters.Tool + " may have failed as well, which a run without counters shows"
	}
	return fmt.Errorf("%w: %s", ErrNothing, why)
}

// rankFile are the names of files of a rank; a second MPI program under the same command writes messages.0-2.txt.
var rankFile = regexp.MustCompile(`^(messages|events|callgrind\.out|perf\.stat|perf\.script)\.(\d+)(-\d+)?(\.txt|\.csv)?$`)

// describeRanks lists the files by rank.
func describeRanks(file *ranks.File, folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	complete := 0
	for _, e := range entries {
		m := rankFile.FindStringSubmatch(e.Name())
		if m == nil {
			continue
		}
		rank, err := strconv.Atoi(m[2])
		if err != nil {
			continue
		}
		one := ranks.Files{Rank: rank}
		switch m[1] {
		case "events":
			one.Events = e.Name()
			if err := describePlace(file, rank, filepath.Join(folder, e.Name())); err != nil {
				return err
			}
		case "messages":
			one.Messages = e.Name()
			whole, err := describeLibrary(file, filepath.Join(folder, e.Name()))
			if err != nil {
				return err
			}
			if whole {
				complete++
			}
		default:
			one.Counters = []string{e.Name()}
		}
		file.Files = append(file.Files, one)
	}
	file.Files = merge(file.Files)
	file.Complete = complete > 0 && complete == file.Ranks
	return nil
}

// describeLibrary takes from one rank's file what is the same in all, and says whether the rank came to its end.
func describeLibrary(file *ranks.File, path string) (whole bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	m, err := ranks.ReadMessages(filepath.Base(path), f)
	if err != nil {
		return false, err
	}
	file.MPI, file.Library, file.Ranks = m.MPI, m.Library, m.Size
	return m.Complete && !m.Aborted, nil
}

// describePlace takes from one rank's file where it ran.
func describePlace(file *ranks.File, rank int, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	head, err := messages.ReadHead(filepath.Base(path), f)
	if err != nil {
		return err
	}
	file.AddPlace(rank, head.Host, head.Processors, head.Threads)
	return nil
}

// merge puts the files of a rank together; a rank's second file of messages stays alone, for ReadRun to find.
func merge(files []ranks.Files) []ranks.Files {
	slices.SortStableFunc(files, func(a, b ranks.Files) int { return cmp.Compare(a.Rank, b.Rank) })
	var all []ranks.Files
	for _, f := range files {
		last := len(all) - 1
		if last < 0 || all[last].Rank != f.Rank || (f.Messages != "" && all[last].Messages != "") {
			all = append(all, f)
			continue
		}
		all[last].Events = cmp.Or(all[last].Events, f.Events)
		all[last].Messages = cmp.Or(all[last].Messages, f.Messages)
		all[last].Counters = append(all[last].Counters, f.Counters...)
	}
	return all
}

// name is that of the folder: the one that was asked for, or of the parameters.
func name(o *Options, file *ranks.File) string {
	dir := o.Dir
	if dir == "" {
		names := make([]string, 0, len(file.Parameters))
		for n := range file.Parameters {
			if n != "p" {
				names = append(names, n)
			}
		}
		slices.Sort(names)
		dir = "mpi"
		for _, n := range append([]string{"p"}, names...) {
			dir += "." + n + strconv.FormatFloat(file.Parameters[n], 'g', -1, 64)
		}
		dir += ".foresee"
	}
	if !file.Complete {
		dir += ".partial"
	}
	return dir
}
