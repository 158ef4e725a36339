// Package browser drives a headless Chromium through the page, for tests of it and for its pictures in the documentation.
package browser

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// ErrNone is that there is no Chromium.
var ErrNone = errors.New("needs Chromium: apt-get install chromium-headless-shell")

// names are those of Debian's packages and of others.
var names = []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"}

// Tab is a tab of a browser of its own.
type Tab struct {
	ctx  context.Context
	mu   sync.Mutex
	said []string
}

// Open starts a browser, which lives until close is called.
func Open(ctx context.Context) (t *Tab, closeAll func(), err error) {
	var path string
	for _, name := range names {
		if path, err = exec.LookPath(name); err == nil {
			break
		}
	}
	if err != nil {
		return nil, nil, ErrNone
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox) // its own pages alone are opened, also by root
	allocator, freed := chromedp.NewExecAllocator(ctx, options...)
	tab, closed := chromedp.NewContext(allocator)
	t = &Tab{ctx: tab}
	closeAll = func() {
		closed()
		freed()
	}
	if err := chromedp.Listen(tab, t.hear); err != nil {
		closeAll()
		return nil, nil, err
	}
	return t, closeAll, nil
}

// hear keeps what the page says in the console, and what it throws.
func (t *Tab) hear(event any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		for _, a := range e.Args {
			t.said = append(t.said, fmt.Sprintf("%s: %s %s", e.Type, a.Value, a.Description))
		}
	case *runtime.EventExceptionThrown:
		what := e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			what += " " + e.ExceptionDetails.Exception.Description
		}
		t.said = append(t.said, what)
	}
}

// Said is what the page said in the console and threw.
func (t *Tab) Said() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]string{}, t.said...)
}

// Do runs steps one after the other.
func (t *Tab) Do(steps ...chromedp.Action[chromedp.Void]) error { return chromedp.Do(t.ctx, steps...) }

// Size sets the size of the window, in CSS pixels, and whether it is that of a phone.
func (t *Tab) Size(width, height int64, phone bool) error {
	if phone {
		return t.Do(chromedp.EmulateViewport(width, height, chromedp.EmulateMobile, chromedp.EmulateTouch))
	}
	return t.Do(chromedp.EmulateViewport(width, height))
}

// Go opens an address.
func (t *Tab) Go(address string) error { return t.Do(chromedp.Navigate(address)) }

// Wait waits until an expression is true.
func (t *Tab) Wait(expression string, most time.Duration) error {
	_, err := chromedp.Run(t.ctx, chromedp.Poll[bool]("Boolean("+expression+")", chromedp.WithPollingTimeout(most), chromedp.WithPollingInterval(20*time.Millisecond)))
	if err != nil {
		return fmt.Errorf("waiting for %s: %w (the page says %q)", expression, err, t.Said())
	}
	return nil
}

// Picture is what the tab shows, as PNG.
func (t *Tab) Picture() ([]byte, error) { return chromedp.Run(t.ctx, chromedp.CaptureScreenshot()) }

// Value is what an expression, or the promise that it gives, comes to.
func Value[T any](t *Tab, expression string) (T, error) {
	return chromedp.Run(t.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// Dark chooses between the page's dark and light colours.
func (t *Tab) Dark(dark bool) error {
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	return t.Do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		})
		return err
	}))
}
