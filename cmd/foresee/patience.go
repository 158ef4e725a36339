package main

import (
	"fmt"
	"time"

	"foresee/internal/terminal"
)

// soon is the time after which work is long: then it is said what takes it, where no bar shows. Chosen: what a person waits without wondering.
const soon = 5 * time.Second

// patience says once, after some time, that work is long; stop ends it.
func (j *job) patience(s *streams) {
	begun, counts, machines := time.Now(), len(j.threads), len(j.machines)
	j.long = time.AfterFunc(soon, func() {
		if !j.progress.Visible() || j.progress.Share() == 0 {
			fmt.Fprintf(s.err, "foresee: %s\n", longWork(j.progress, time.Since(begun), counts, machines))
		}
	})
}

// longWork says what takes the time, how much of it is left where that is known, and what takes less.
func longWork(progress *terminal.Bar, spent time.Duration, counts, machines int) string {
	work := "every access is followed"
	remedy := "a smaller problem takes less"
	if counts > 1 {
		work += fmt.Sprintf(" at %d numbers of threads", counts)
		remedy = "fewer (--threads), or a smaller problem, take less"
	}
	if machines > 1 {
		work += fmt.Sprintf(" on %d machines", machines)
	}
	said := fmt.Sprintf("at work for %v: %s; %s", spent.Round(time.Second), work, remedy)
	if share := progress.Share(); share > 0 {
		left := time.Duration(float64(spent) * (1 - share) / share)
		said += fmt.Sprintf("; %.0f %% are done, some %v are left", 100*share, left.Round(time.Second))
	}
	return said
}
