package workspace

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestMain is also the command that is killed.
func TestMain(m *testing.M) {
	if os.Getenv("FORESEE_TEST_HOLD") != "" {
		f, err := New("test")
		if err == nil {
			err = os.WriteFile(filepath.Join(f.Path, "big"), make([]byte, 1000), 0o600)
		}
		fmt.Println(f.Path, err)
		time.Sleep(time.Minute)
		return
	}
	os.Exit(m.Run())
}

// holding starts a process that holds a folder.
func holding(t *testing.T) (path string, kill func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "FORESEE_TEST_HOLD=1")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.HasSuffix(line, "<nil>\n") {
		t.Fatal(line, err)
	}
	kill = func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	t.Cleanup(kill)
	return strings.Fields(line)[0], kill
}

// The folder of a killed process is cleared; that of one that lives, and whatever is not ours, is not.
func TestClearDead(t *testing.T) {
	temp := homeless(t)
	path, kill := holding(t)
	keep := map[string]func(dir string){
		"foresee-test-1.work":  func(dir string) { mkdir(t, dir, 0o700) }, // without a lock, and new
		"foresee-test-2.other": func(dir string) { mkdir(t, dir, 0o700); age(t, dir) },
		"foresee-test-3.work":  func(dir string) { mkdir(t, dir, 0o777); age(t, dir) },
		"foresee-test-4.work": func(dir string) { // a link to what is ours
			real := filepath.Join(t.TempDir(), "real")
			mkdir(t, real, 0o700)
			if err := os.Symlink(real, dir); err != nil {
				t.Fatal(err)
			}
		},
		"foresee-test-5.work": func(dir string) { // of another machine
			mkdir(t, dir, 0o700)
			if err := os.WriteFile(filepath.Join(dir, lockName), []byte("elsewhere\nother\n1\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			age(t, dir)
		},
	}
	if os.Geteuid() == 0 {
		keep["foresee-test-6.work"] = func(dir string) {
			mkdir(t, dir, 0o700)
			age(t, dir)
			if err := os.Chown(dir, other, other); err != nil {
				t.Fatal(err)
			}
		}
	}
	keep["foresee-test-7.work"] = func(dir string) { // of a command that makes a result of it
		mkdir(t, dir, 0o700)
		if err := os.WriteFile(filepath.Join(dir, "result"), []byte("new"), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
			t.Fatal(err)
		}
	}
	for name, prepare := range keep {
		prepare(filepath.Join(temp, name))
	}
	earlier := filepath.Join(temp, "foresee-test-8.work") // what was there before, of a command that was killed then
	mkdir(t, earlier, 0o700)
	if err := os.WriteFile(filepath.Join(earlier, "result"), []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	old := filepath.Join(temp, "foresee-test-9.work")
	mkdir(t, old, 0o700)
	age(t, old)
	empty := filepath.Join(temp, "foresee-test-10"+goneEnd) // new, of a command that was killed while it removed it
	mkdir(t, empty, 0o700)
	clearDead(temp, time.Now().Add(time.Minute))
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the folder of a living process: %v", err)
	}
	kill()
	clearDead(temp, time.Now().Add(-time.Second))
	if _, err := os.Stat(path); err != nil {
		t.Errorf("cleared after its time: %v", err)
	}
	clearDead(temp, time.Now().Add(time.Minute))
	for _, dead := range []string{path, old, earlier, empty} {
		if _, err := os.Stat(dead); err == nil {
			t.Errorf("%s is still there", dead)
		}
	}
	for name := range keep {
		if _, err := os.Lstat(filepath.Join(temp, name)); err != nil {
			t.Error(err)
		}
	}
}

// age makes a folder older than a start takes.
func age(t *testing.T, dir string) {
	t.Helper()
	old := time.Now().Add(-2 * unlockedAge)
	if err := os.Chtimes(dir, old, old); err != nil {
		t.Fatal(err)
	}
}

// Folders are ours alone, gone when they are removed, and keep nothing of the work when they are renamed.
func TestFolder(t *testing.T) {
	temp := homeless(t)
	f, err := New("test")
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(f.Path); err != nil || info.Mode().Perm() != 0o700 || filepath.Dir(f.Path) != temp {
		t.Error(f.Path, err)
	}
	if err := f.Remove(); err != nil {
		t.Error(err)
	}
	if f, err = Beside(temp, "test"); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(filepath.Join(f.Path, "x"), nil, 0o600), f.Become(filepath.Join(temp, "done")), f.Remove()); err != nil {
		t.Error(err)
	}
	entries, err := os.ReadDir(temp)
	if err != nil || len(entries) != 1 || entries[0].Name() != "done" {
		t.Errorf("%v %v", entries, err)
	}
	inside, err := os.ReadDir(filepath.Join(temp, "done"))
	if err != nil || len(inside) != 1 {
		t.Errorf("%v %v", inside, err)
	}
	file, err := File()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if entries, _ := os.ReadDir(temp); len(entries) != 1 {
		t.Errorf("a file has a name: %v", entries)
	}
}

// Folders that are made while others clear are not taken for ones that a killed command left.
func TestNewWhileOthersClear(t *testing.T) {
	temp := homeless(t)
	done := make(chan struct{})
	var others sync.WaitGroup
	for range 2 {
		others.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					clearDead(temp, time.Now().Add(time.Minute))
				}
			}
		})
	}
	for range 300 {
		f, err := Beside(temp, "test")
		if err != nil {
			t.Fatal(err)
		}
		err = os.WriteFile(filepath.Join(f.Path, "x"), nil, 0o600)
		if _, held := os.Stat(filepath.Join(f.Path, lockName)); err != nil || held != nil {
			t.Fatal(err, held)
		}
		f.Remove()
	}
	close(done)
	others.Wait()
}
