package main

import (
	"bytes"
	"testing"
	"time"

	"foresee/internal/terminal"
)

// Long work says what takes its time, and how much is left where that is known.
func TestLongWorkSaysWhy(t *testing.T) {
	bar := terminal.NewBar(&bytes.Buffer{})
	want := "at work for 5s: every access is followed at 8 numbers of threads on 2 machines; fewer (--threads), or a smaller problem, take less"
	if got := longWork(bar, 5*time.Second, 8, 2); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	bar.Update(1, 4)
	want = "at work for 5s: every access is followed; a smaller problem takes less; 25 % are done, some 15s are left"
	if got := longWork(bar, 5*time.Second, 1, 1); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
