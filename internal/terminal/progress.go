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

	done, total int // as last told
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
	b.done, b.total = done, total
	now := time.Now()
	if b.w == nil || total <= 0 || now.Before(b.next) {
		return
	}
	b.next, b.shown = now.Add(barEvery), true
	n := min(barWidth, max(0, done*barWidth/total))
	fmt.Fprintf(b.w, "\r[%s%s] %3d %% ", strings.Repeat("█", n), strings.Repeat("·", barWidth-n), min(100, done*100/total))
}

// Share is how much is done, from 0 to 1; 0 where that is not known.
func (b *Bar) Share() float64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.total <= 0 {
		return 0
	}
	return min(1, max(0, float64(b.done)/float64(b.total)))
}

// Visible says whether the bar shows on a terminal.
func (b *Bar) Visible() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.w != nil
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
