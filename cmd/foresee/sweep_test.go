package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// sweptSource has sizes whose analysis takes a moment each.
const sweptSource = `double A[N][N], B[N][N], C[N][N];
void mm(void) {
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        C[i][j] += A[i][k] * B[k][j];
}
`

// privateSlurm is a Slurm of its own.
type privateSlurm struct {
	t   *testing.T
	dir string
}

// newCluster starts one of two nodes.
func newCluster(t *testing.T) *privateSlurm {
	t.Helper()
	for _, program := range []string{"slurmctld", "slurmd", "sbatch", "squeue"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("needs %s: apt-get install --no-install-recommends slurm-wlm munge", program)
		}
	}
	c := &privateSlurm{t, t.TempDir()}
	port := 20000 + os.Getpid()%20000
	out, err := exec.Command("bash", "../../sweep/slurm/testdata/private-slurm.sh", c.dir, "2", fmt.Sprint(port)).CombinedOutput()
	t.Cleanup(c.end)
	if err != nil {
		t.Skipf("no private Slurm comes up here: %v\n%s", err, out)
	}
	return c
}

func (c *privateSlurm) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "SLURM_CONF="+filepath.Join(c.dir, "slurm.conf"))
	return cmd
}

// end ends all daemons, and waits until they have written what they keep.
func (c *privateSlurm) end() {
	_ = c.command("scontrol", "shutdown").Run()
	for range 200 {
		left, _ := filepath.Glob(filepath.Join(c.dir, "slurm*.pid"))
		alive := false
		for _, file := range left {
			pid, err := os.ReadFile(file)
			alive = alive || err == nil && exec.Command("kill", "-0", strings.TrimSpace(string(pid))).Run() == nil
		}
		if !alive {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// killNode kills a node with all that runs on it, as when its power is cut.
func (c *privateSlurm) killNode(name string) {
	c.t.Helper()
	pid, err := os.ReadFile(filepath.Join(c.dir, "slurmd-"+name+".pid"))
	if err != nil {
		c.t.Fatal(err)
	}
	// The tasks of a node are children of processes whose command line names its spool.
	script := fmt.Sprintf(`kill -9 %s; for p in $(pgrep -f 'slurmstepd: ' || true); do pkill -9 -P $p; kill -9 $p; done`, strings.TrimSpace(string(pid)))
	_ = c.command("bash", "-c", script).Run()
}

// TestSweepBySlurm loses a node and what runs, and gets what this machine alone gets, byte for byte. Slurm would start the lost tasks again itself,
// after two minutes; told not to, they are missing and given to it once more.
func TestSweepBySlurm(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	t.Parallel()
	c := newCluster(t)
	dir := t.TempDir()
	program := filepath.Join(dir, "foresee")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.WriteFile(filepath.Join(dir, "mm.c"), []byte(sweptSource), 0o644); err != nil {
		t.Fatal(err)
	}
	sweep := func(args ...string) *exec.Cmd {
		cmd := c.command(program, append([]string{"sweep", "mm.c", "-D", "N=100..500:50", "--machine", "i7-5960x", "--level", "L3:size=x1,x2", "--threads", "1,2,4,8"}, args...)...)
		cmd.Dir = dir
		return cmd
	}
	var said bytes.Buffer
	far := sweep("--results", "shared", "--slurm", "--tasks", "9", "--sbatch=--no-requeue", "--format", "json", "-o", "far.json")
	far.Stderr = &said
	if err := far.Start(); err != nil {
		t.Fatal(err)
	}
	for range 300 { // until something is done
		if done, _ := filepath.Glob(filepath.Join(dir, "shared/results/*.json")); len(done) > 1 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	c.killNode("n1")
	if err := far.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, &said)
	}
	if out, err := sweep("--format", "json", "-o", "near.json").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	a, b := mustRead(t, filepath.Join(dir, "far.json")), mustRead(t, filepath.Join(dir, "near.json"))
	if !bytes.Equal(a, b) || bytes.Count(a, []byte(`"region"`)) < 9*2*4 {
		t.Errorf("%d bytes by Slurm, %d here, which differ", len(a), len(b))
	}
	// What is there is not done again, and what was damaged is.
	parts, _ := filepath.Glob(filepath.Join(dir, "shared/results/*.json"))
	if err := os.WriteFile(parts[0], []byte(`{"schema":`), 0o644); err != nil {
		t.Fatal(err)
	}
	again := sweep("--results", "shared", "--format", "json", "-o", "again.json")
	out, err := again.CombinedOutput()
	if err != nil || !strings.Contains(string(out), fmt.Sprintf("%d of %d parts are there already", len(parts)-1, len(parts))) {
		t.Errorf("%v\n%s", err, out)
	}
	if !bytes.Equal(mustRead(t, filepath.Join(dir, "again.json")), b) {
		t.Error("the result of what was kept is another")
	}
}

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
