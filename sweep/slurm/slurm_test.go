package slurm_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"foresee/application"
	"foresee/application/csource"
	"foresee/machine"
	"foresee/predict"
	"foresee/sweep"
	"foresee/sweep/slurm"
)

// How tasks of these tests behave, as the variable FORESEE_TASKS says.
const (
	work  = "work"
	once  = "once"  // those of odd numbers fail the first time
	never = "never" // all fail
)

func TestMain(m *testing.M) {
	how := os.Getenv("FORESEE_TASKS")
	if how == "" || len(os.Args) != 5 {
		os.Exit(m.Run())
	}
	if err := task(how, os.Args[1], os.Args[2], os.Args[3], os.Args[4]); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// task does the units of one task of an array.
func task(how, dir, name, number, all string) error {
	at, _ := strconv.Atoi(number)
	tasks, _ := strconv.Atoi(all)
	mark := filepath.Join(dir, "slurm-"+name, "failed."+number)
	if how == never {
		return errors.New("the node has no disk")
	}
	if _, err := os.Stat(mark); how == once && at%2 == 1 && err != nil {
		return errors.Join(errors.New("the node failed"), os.WriteFile(mark, nil, 0o644))
	}
	store, err := sweep.NewStore(dir)
	if err != nil {
		return err
	}
	plan, err := store.Plan(name)
	if err != nil {
		return err
	}
	w := &sweep.Worker{Plan: plan, Store: store, Workers: 1}
	for i, u := range plan.Units() {
		if i%tasks != at {
			continue
		}
		if err := w.Do(context.Background(), u); err != nil {
			return err
		}
	}
	return nil
}

// sbatch runs the tasks of an array at once, one after the other, and squeue knows no job any more.
const (
	sbatch = `#!/bin/sh
for a; do
  case $a in
    --array=0-*) last=${a#--array=0-} ;;
    --output=*) log=${a#--output=} ;;
  esac
  script=$a
done
echo given >> "$GIVEN"
i=0
while [ $i -le $last ]; do
  SLURM_ARRAY_TASK_ID=$i sh "$script" > "$(echo "$log" | sed "s/%a/$i/")" 2>&1
  i=$((i + 1))
done
echo "42;cluster"
`
	squeue = "#!/bin/sh\necho 'slurm_load_jobs error: Invalid job id specified' >&2\nexit 1\n"
)

// cluster puts commands of a Slurm into the path, and gives the file with a line for each array.
func cluster(t *testing.T, sbatch, tasks string) (given string) {
	t.Helper()
	bin := t.TempDir()
	for name, text := range map[string]string{"sbatch": sbatch, "squeue": squeue} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	given = filepath.Join(bin, "given")
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("GIVEN", given)
	t.Setenv("FORESEE_TASKS", tasks)
	return given
}

// array is that of a small sweep, in a folder whose name a shell would part.
func array(t *testing.T) *slurm.Array {
	t.Helper()
	store, err := sweep.NewStore(filepath.Join(t.TempDir(), "it's $HOME"))
	if err != nil {
		t.Fatal(err)
	}
	plan := planned(t, store)
	name, err := store.PutPlan(plan)
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &slurm.Array{Store: store, Plan: plan, Name: name, Program: program, Poll: time.Millisecond}
}

func planned(t *testing.T, store *sweep.Store) *sweep.Plan {
	t.Helper()
	m, err := machine.Load("i7-5960x")
	if err != nil {
		t.Fatal(err)
	}
	study := &sweep.Study{
		Input: "copy.c", Sizes: []sweep.Axis{{Name: "N", Values: []string{"100", "200", "300", "400"}}},
		Source: func(_, at []string) (*application.Signature, error) {
			f, err := csource.Load("copy.c", []byte("double a[N], b[N];\nvoid copy(void) { for (int i = 0; i < N; i++) a[i] = b[i]; }\n"), csource.Options{Defines: []string{"N=" + at[0]}})
			if err != nil {
				return nil, err
			}
			return application.OfLoops("copy.c", f.Programs...), nil
		},
		Machines: []*machine.Machine{m}, Threads: []int{1}, Settings: sweep.Settings{Model: predict.ModelAuto, Seed: 1},
	}
	plan, err := study.Plan(store)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// parts are the files of what units gave.
func parts(t *testing.T, a *slurm.Array) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, u := range a.Plan.Units() {
		key, err := a.Plan.Key(u)
		if err != nil {
			t.Fatal(err)
		}
		err = filepath.WalkDir(a.Store.Dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && strings.HasPrefix(d.Name(), key) {
				var text []byte
				text, err = os.ReadFile(path)
				out[key] = string(text)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// TestAgain gives what failed to Slurm again, and ends with the same files as work done here.
func TestAgain(t *testing.T) {
	given := cluster(t, sbatch, once)
	a := array(t)
	if err := a.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(given); err != nil || strings.Count(string(text), "given") != 2 {
		t.Errorf("the array was given to Slurm: %q, %v", text, err)
	}
	here := array(t)
	w := &sweep.Worker{Plan: here.Plan, Store: here.Store, Workers: 1}
	for _, u := range here.Plan.Units() {
		if err := w.Do(t.Context(), u); err != nil {
			t.Fatal(err)
		}
	}
	want, got := parts(t, here), parts(t, a)
	if len(want) != 4 {
		t.Fatalf("%d parts", len(want))
	}
	for key, text := range want {
		if got[key] != text {
			t.Errorf("%s: %q, here %q", key, got[key], text)
		}
	}
}

// TestFails ends after so many tries, with what a task said.
func TestFails(t *testing.T) {
	given := cluster(t, sbatch, never)
	var failed *slurm.FailedError
	if err := array(t).Run(t.Context()); !errors.As(err, &failed) {
		t.Fatal(err)
	}
	if failed.Missing != 4 || failed.All != 4 || failed.Tries != slurm.DefaultTries || failed.Log != "the node has no disk" {
		t.Errorf("%+v", failed)
	}
	if text, _ := os.ReadFile(given); strings.Count(string(text), "given") != slurm.DefaultTries {
		t.Errorf("given to Slurm: %q", text)
	}
}

// TestRejected says why Slurm takes no job.
func TestRejected(t *testing.T) {
	cluster(t, "#!/bin/sh\necho 'sbatch: error: invalid partition specified: long' >&2\nexit 1\n", work)
	var rejected *slurm.RejectedError
	if err := array(t).Run(t.Context()); !errors.As(err, &rejected) || !strings.Contains(err.Error(), "invalid partition specified: long") {
		t.Error(err)
	}
}

// TestMissing names the command that is not there.
func TestMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	var missing *slurm.MissingError
	if err := array(t).Run(t.Context()); !errors.As(err, &missing) || missing.Command != "sbatch" {
		t.Error(err)
	}
}
