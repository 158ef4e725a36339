package cli

import (
	"bytes"
	"testing"
	"time"

	"foresee/internal/terminal"
)

// Long work says what takes its time, and how much is left where that is known.
func TestLongWorkSaysWhy(t *testing.T) {
	bar := terminal.NewBar(&bytes.Buffer{})
	want := "at work for 5s on 8 numbers of threads and 2 machines; fewer numbers (--threads), or fewer machines, or a smaller problem would take less"
	if got := longWork(bar, 5*time.Second, 8, 2); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	bar.Update(1, 4)
	want = "at work for 5s; a smaller problem would take less; 25 % are done, some 15s are left"
	if got := longWork(bar, 5*time.Second, 1, 1); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// What ended says no more that it is long, however late the clock rings.
func TestEndedWorkIsNotLong(t *testing.T) {
	var said bytes.Buffer
	j := &Job{Progress: terminal.NewBar(&bytes.Buffer{})}
	j.sayLong(&said, 6*time.Second)
	if said.Len() == 0 {
		t.Error("long work that goes on says nothing")
	}
	said.Reset()
	j.Stop()
	j.sayLong(&said, 7*time.Second)
	if said.Len() > 0 {
		t.Errorf("after the end: %q", said.String())
	}
}
