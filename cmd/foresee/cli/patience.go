package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"foresee/internal/terminal"
)

// soon is the time after which work is long: then it is said what takes it, where no bar shows. Chosen: what a person waits without wondering.
const soon = 5 * time.Second

// patience says once, after some time, that work is long; Stop ends it.
func (j *Job) patience(s *Streams) {
	begun := time.Now()
	j.long = time.AfterFunc(soon, func() { j.sayLong(s.Err, time.Since(begun)) })
}

// sayLong says that work is long, unless a bar shows it or the work has ended.
func (j *Job) sayLong(w io.Writer, spent time.Duration) {
	j.saying.Lock()
	defer j.saying.Unlock()
	if !j.ended && (!j.Progress.Visible() || j.Progress.Share() == 0) {
		fmt.Fprintf(w, "foresee: %s\n", longWork(j.Progress, spent, len(j.Threads), len(j.Machines)))
	}
}

// longWork says what takes the time, how much of it is left where that is known, and what takes less.
func longWork(progress *terminal.Bar, spent time.Duration, counts, machines int) string {
	var work, fewer []string
	if counts > 1 {
		work, fewer = append(work, fmt.Sprintf("%d numbers of threads", counts)), append(fewer, "fewer numbers (--threads)")
	}
	if machines > 1 {
		work, fewer = append(work, fmt.Sprintf("%d machines", machines)), append(fewer, "fewer machines")
	}
	said := fmt.Sprintf("at work for %v", spent.Round(time.Second))
	if len(work) > 0 {
		said += " on " + strings.Join(work, " and ")
	}
	said += "; " + strings.Join(append(fewer, "a smaller problem"), ", or ") + " would take less"
	if share := progress.Share(); share > 0 {
		left := time.Duration(float64(spent) * (1 - share) / share)
		said += fmt.Sprintf("; %.0f %% are done, some %v are left", 100*share, left.Round(time.Second))
	}
	return said
}
