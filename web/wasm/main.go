//go:build js && wasm

// Command wasm is the engine of the page for browsers: the script of the page's worker starts it once and gives it requests.
//
// It puts two functions into the worker's global scope. foreseeStart(id, request, tell) begins to answer a request, whose JSON is given as text;
// tell(kind, text) is called with "progress" and a share, and at the end with "result" or "problem" and JSON. foreseeStop(id) stops it.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"sync"
	"syscall/js"
	"time"

	"foresee/examples"
	"foresee/web/engine"
)

// Bounds of one analysis in a tab. Chosen: a browser is some ten times slower than the command, and whoever waits can stop it.
const (
	longest    = time.Minute
	mostMemory = 480 << 20 // bytes of heap that the collector keeps below where it can
)

// rest is how long work goes on before the worker may hear of a request to stop. Chosen: shorter than anybody notices.
const rest = 30 * time.Millisecond

func main() {
	debug.SetMemoryLimit(mostMemory)
	w := &worker{engine: &engine.Engine{Files: examples.Headers(), Workers: 1}, running: map[int]context.CancelCauseFunc{}}
	js.Global().Set("foreseeStart", js.FuncOf(w.start))
	js.Global().Set("foreseeStop", js.FuncOf(w.stop))
	select {}
}

// worker answers requests one beside the other.
type worker struct {
	engine  *engine.Engine
	mu      sync.Mutex
	running map[int]context.CancelCauseFunc
}

// start begins to answer a request.
func (w *worker) start(_ js.Value, args []js.Value) any {
	id, text, tell := args[0].Int(), args[1].String(), args[2]
	ctx, cancel := context.WithCancelCause(context.Background())
	w.mu.Lock()
	w.running[id] = cancel
	w.mu.Unlock()
	go func() {
		defer func() {
			cancel(nil)
			w.mu.Lock()
			delete(w.running, id)
			w.mu.Unlock()
		}()
		bounded, end := context.WithTimeoutCause(ctx, longest, engine.ErrTooLong)
		defer end()
		kind, answer := w.answer(bounded, text, tell)
		tell.Invoke(kind, answer)
	}()
	return nil
}

// answer gives a result or a problem.
func (w *worker) answer(ctx context.Context, text string, tell js.Value) (kind, answer string) {
	var r engine.Request
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return w.problem(fmt.Errorf("the request is no JSON: %w", err))
	}
	rested := time.Now()
	out, err := w.engine.Answer(ctx, &r, func(done, total int) {
		if time.Since(rested) > rest {
			tell.Invoke("progress", float64(done)/float64(max(total, 1)))
			time.Sleep(time.Millisecond) // gives the worker's event loop a turn
			rested = time.Now()
		}
	})
	if err != nil {
		return w.problem(err)
	}
	return "result", string(out)
}

func (w *worker) problem(err error) (kind, answer string) {
	out, _ := json.Marshal(w.engine.Describe(err)) // plain values, which can be written
	return "problem", string(out)
}

// stop stops the work for a request.
func (w *worker) stop(_ js.Value, args []js.Value) any {
	w.mu.Lock()
	defer w.mu.Unlock()
	if cancel := w.running[args[0].Int()]; cancel != nil {
		cancel(context.Canceled)
	}
	return nil
}
