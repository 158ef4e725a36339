package hostile

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// program builds foresee.
func program(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "foresee")
	if out, err := exec.Command("go", "build", "-o", file, "foresee/cmd/foresee").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return file
}

// quickTime is how long the test runs cases; the script runs all of them.
const quickTime = 40 * time.Second

// TestQuick runs some cases of every area, evenly chosen, for a while: as many as fit.
func TestQuick(t *testing.T) {
	file := program(t)
	cases, most := spread(Cases(), 211), quickTime
	if names := os.Getenv("HOSTILE"); names != "" {
		cases, most = matching(names), time.Hour
	}
	begin := time.Now()
	queue := make(chan Case)
	done := make(chan int)
	for range max(1, runtime.NumCPU()/2) {
		go func() {
			ran := 0
			for c := range queue {
				try(t, file, c)
				ran++
			}
			done <- ran
		}()
	}
	for _, c := range cases {
		if time.Since(begin) > most {
			break
		}
		queue <- c
	}
	close(queue)
	ran := 0
	for range max(1, runtime.NumCPU()/2) {
		ran += <-done
	}
	t.Logf("%d of %d cases", ran, len(Cases()))
}

func try(t *testing.T, file string, c Case) {
	dir, err := os.MkdirTemp(t.TempDir(), "")
	if err != nil {
		t.Error(err)
		return
	}
	defer os.RemoveAll(dir)
	r, err := c.Run(t.Context(), file, dir, Most)
	if err != nil {
		t.Errorf("%s: %v", c.Name, err)
	} else if what := c.Wrong(r, Most); what != "" {
		t.Errorf("%s: %s", c.Name, what)
	}
}

// spread takes every case, in an order that goes through all areas early.
func spread(all []Case, step int) (out []Case) {
	for first := range step {
		for i := first; i < len(all); i += step {
			out = append(out, all[i])
		}
	}
	return out
}

// matching are the cases whose names match a pattern, for a look at some.
func matching(pattern string) (out []Case) {
	for _, c := range Cases() {
		if ok, _ := filepath.Match(pattern, c.Name); ok {
			out = append(out, c)
		}
	}
	return out
}

// TestNames wants every case to have a name of its own, files by their names, and exit codes.
func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Cases() {
		if seen[c.Name] {
			t.Errorf("%s is there twice", c.Name)
		}
		seen[c.Name] = true
		if len(c.Exit) == 0 || c.Area() == c.Name {
			t.Errorf("%s has no exit codes, or no area", c.Name)
		}
	}
}
