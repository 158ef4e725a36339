package terminal

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"
)

// Bar shows progress on a terminal, and nothing elsewhere.
type Bar struct {
	mu    sync.Mutex
	w     *os.File // nil: not a terminal
	next  time.Time
	shown bool
}

const (
	barWidth = 30
	barEvery = 100 * time.Millisecond
)

// NewBar shows nothing where w is no terminal.
func NewBar(w io.Writer) *Bar {
	f, ok := w.(*os.File)
	if v, is := w.(*Visible); is {
		f, ok = v.terminal()
	}
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return &Bar{}
	}
	return &Bar{w: f, next: time.Now().Add(barEvery)} // what is quick shows no bar
}

// Update may be called from several goroutines.
func (b *Bar) Update(done, total int) {
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

// Clear removes the bar.
func (b *Bar) Clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.shown {
		fmt.Fprint(b.w, "\r\x1b[K")
	}
	b.w = nil
}
