// Package slurm does the units of a sweep as a job array of Slurm. There is no daemon and no network of its own: the folder of the store is shared,
// each task is the same static program, and what is done is what lies there. A task that fails, or whose node does, is given to Slurm again.
package slurm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"foresee/internal/output"
	"foresee/sweep"
)

// Array is a job array that does what is missing of a plan.
type Array struct {
	Store   *sweep.Store
	Plan    *sweep.Plan
	Name    string   // of the plan in the store
	Program string   // the file of this program
	Command []string // its arguments before the folder, the plan, the task and the number of tasks
	Options []string // of sbatch, such as --partition=short
	Tasks   int      // at most; 0: DefaultTasks
	Tries   int      // how often the array is given to Slurm; 0: DefaultTries
	// Progress is told how many units are done; Say what happens. Both may be nil.
	Progress func(done, total int)
	Say      func(text string)
	Poll     time.Duration // between looks into the folder; 0: two seconds
}

// DefaultTasks is how many tasks an array has at most. Chosen: below MaxArraySize of Slurm as it is installed (1001), and so many that a cluster is
// filled; more units than tasks are dealt round.
const DefaultTasks = 1000

// DefaultTries is how often what is missing is given to Slurm. Chosen: units that fail three times fail by themselves.
const DefaultTries = 3

// MissingError is a cluster without Slurm's commands.
type MissingError struct{ Command string }

func (e *MissingError) Error() string { return e.Command + " is not here, which gives jobs to Slurm" }

// RejectedError is a job that Slurm does not take.
type RejectedError struct{ Said string }

func (e *RejectedError) Error() string { return "sbatch did not take the job: " + e.Said }

// LeftError is an array that was left to Slurm, as the command that gave it was interrupted.
type LeftError struct {
	Job       string
	Done, All int
}

func (e *LeftError) Error() string {
	return fmt.Sprintf("job %s goes on: %d of %d parts are done", e.Job, e.Done, e.All)
}

// FailedError are units that are missing after all tries.
type FailedError struct {
	Missing, All, Tries int
	Log                 string // the last lines of a task that failed
}

func (e *FailedError) Error() string {
	text := fmt.Sprintf("%d of %d parts are missing after %d tries", e.Missing, e.All, e.Tries)
	if e.Log != "" {
		text += "; a task said:\n" + e.Log
	}
	return text
}

// Run gives the array to Slurm until nothing is missing.
func (a *Array) Run(ctx context.Context) error {
	for _, command := range []string{"sbatch", "squeue"} {
		if _, err := exec.LookPath(command); err != nil {
			return &MissingError{command}
		}
	}
	all := len(a.Plan.Units())
	tries := a.Tries
	if tries == 0 {
		tries = DefaultTries
	}
	for try := range tries {
		missing, err := a.Plan.Missing(a.Store)
		if err != nil || len(missing) == 0 {
			return err
		}
		job := a.queued(ctx)
		if job == "" {
			if try > 0 {
				a.say(fmt.Sprintf("%d of %d parts are missing; they are given to Slurm again", len(missing), all))
			}
			if job, err = a.submit(ctx, len(missing)); err != nil {
				return err
			}
		}
		if err := a.wait(ctx, job, all); err != nil {
			return err
		}
	}
	missing, err := a.Plan.Missing(a.Store)
	if err != nil || len(missing) == 0 {
		return err
	}
	return &FailedError{len(missing), all, tries, a.log()}
}

func (a *Array) say(text string) {
	if a.Say != nil {
		a.Say(text)
	}
}

// folder is where what Slurm is given and what tasks say is kept.
func (a *Array) folder() string { return filepath.Join(a.Store.Dir, "slurm-"+a.Name) }

// script is what each task runs. Tasks look themselves what is missing, so that those of a second try are no others than those of the first.
func (a *Array) script(program string, tasks int) string {
	words := append([]string{program}, a.Command...)
	words = append(words, a.Store.Dir, a.Name)
	for i, w := range words {
		words[i] = quoted(w)
	}
	return fmt.Sprintf("#!/bin/sh\n# A task of a sweep: it does the parts that are its own and not there yet.\nexec %s \"$SLURM_ARRAY_TASK_ID\" %d\n", strings.Join(words, " "), tasks)
}

// quoted is a word of a shell's command line.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

var jobID = regexp.MustCompile(`^(\d+)(;.*)?$`)

// submit gives the array to Slurm, and remembers its number in the folder.
func (a *Array) submit(ctx context.Context, missing int) (job string, err error) {
	dir := a.folder()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	program, err := a.copyProgram()
	if err != nil {
		return "", err
	}
	limit := a.Tasks
	if limit == 0 {
		limit = DefaultTasks
	}
	tasks := min(limit, missing)
	script := filepath.Join(dir, "task.sh")
	if err := write(script, a.script(program, tasks)); err != nil {
		return "", err
	}
	args := append([]string{
		"--parsable", "--job-name=foresee-sweep", "--requeue", "--array=0-" + strconv.Itoa(tasks-1),
		"--output=" + filepath.Join(dir, "%a.log"), "--open-mode=truncate",
	}, a.Options...)
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, "sbatch", append(args, script)...)
	cmd.Stderr = &said
	out, err := cmd.Output()
	id := jobID.FindStringSubmatch(strings.TrimSpace(string(out)))
	if err != nil || id == nil {
		return "", &RejectedError{strings.TrimSpace(said.String() + " " + string(out))}
	}
	a.say("job " + id[1] + " of " + strconv.Itoa(tasks) + " tasks is given to Slurm")
	return id[1], write(filepath.Join(dir, "job"), id[1]+"\n")
}

// copyProgram keeps this program beside the tasks' files, as the one that runs may be of a disk that the nodes do not see.
func (a *Array) copyProgram() (string, error) {
	place := filepath.Join(a.Store.Dir, "slurm-program-"+a.Plan.Program)
	if _, err := os.Stat(place); err == nil {
		return place, nil
	}
	in, err := os.Open(a.Program)
	if err != nil {
		return "", err
	}
	defer in.Close()
	f, err := output.Create(place)
	if err != nil {
		return "", err
	}
	defer f.Discard()
	if err := f.Finish(func(w io.Writer) error { _, err := io.Copy(w, in); return err }); err != nil {
		return "", err
	}
	return place, os.Chmod(place, 0o755)
}

func write(path, text string) error {
	temporary := path + ".new"
	if err := os.WriteFile(temporary, []byte(text), 0o755); err != nil {
		return err
	}
	return os.Rename(temporary, path)
}

// queued is the job of an earlier command that Slurm still has; "" where there is none.
func (a *Array) queued(ctx context.Context) string {
	data, err := os.ReadFile(filepath.Join(a.folder(), "job"))
	if err != nil {
		return ""
	}
	job := strings.TrimSpace(string(data))
	if !jobID.MatchString(job) || !a.alive(ctx, job) {
		return ""
	}
	a.say("job " + job + " of an earlier command is still there, and is waited for")
	return job
}

// alive says whether Slurm still has tasks of a job that wait or run. A job that squeue does not know is done; where squeue fails otherwise, as
// when the controller does not answer, it is taken to be there.
func (a *Array) alive(ctx context.Context, job string) bool {
	cmd := exec.CommandContext(ctx, "squeue", "--noheader", "--format=%i", "--jobs="+job)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return !strings.Contains(said.String(), "Invalid job id")
	}
	return len(bytes.TrimSpace(out)) > 0
}

// usualPoll is how often the folder is looked into. Chosen: often enough for people, seldom enough for a shared disk.
const usualPoll = 2 * time.Second

// wait waits until nothing is missing, or Slurm has no task of the job any more.
func (a *Array) wait(ctx context.Context, job string, all int) error {
	poll := a.Poll
	if poll == 0 {
		poll = usualPoll
	}
	for {
		gone := !a.alive(ctx, job) // asked before the folder is looked into, in which the last tasks may just have put their parts
		done := a.Plan.Done(a.Store)
		if a.Progress != nil {
			a.Progress(done, all)
		}
		if done == all || gone && ctx.Err() == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), &LeftError{job, done, all})
		case <-time.After(poll):
		}
	}
}

// mostLog bounds what is shown of a task, in bytes.
const mostLog = 2000

// log is what the first task that said something said last.
func (a *Array) log() string {
	all, _ := filepath.Glob(filepath.Join(a.folder(), "*.log"))
	for _, path := range all {
		data, err := os.ReadFile(path)
		if data = bytes.TrimSpace(data); err != nil || len(data) == 0 {
			continue
		}
		return string(data[max(0, len(data)-mostLog):])
	}
	return ""
}
