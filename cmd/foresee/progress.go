package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"
)

// bar shows progress on a terminal, and nothing elsewhere.
type bar struct {
	mu    sync.Mutex
	w     *os.File // nil: not a terminal
	next  time.Time
	shown bool
}

const (
	barWidth = 30
	barEvery = 100 * time.Millisecond
)

func newBar(w io.Writer) *bar {
	f, ok := w.(*os.File)
	if v, is := w.(*visible); is {
		f, ok = v.terminal()
	}
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return &bar{}
	}
	return &bar{w: f, next: time.Now().Add(barEvery)} // what is quick shows no bar
}

// update may be called from several goroutines.
func (b *bar) update(done, total int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	if b.w == nil || total <= 0 || now.Before(b.next) {
		return
	}
	b.next, b.shown = now.Add(barEvery), true
	n := min(barWidth, max(0, done*barWidth/total))
	fmt.Fprintf(b.w, "\r[%s%s] %3d %% ", strings.Repeat("█", n), strings.Repeat("·", barWidth-n), min(100, done*100/total))
}

// clear removes the bar.
func (b *bar) clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.shown {
		fmt.Fprint(b.w, "\r\x1b[K")
	}
	b.w = nil
}
