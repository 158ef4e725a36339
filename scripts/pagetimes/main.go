// Command pagetimes measures how long the page's engine takes for the kernels at LARGE, natively and as WebAssembly under Node: for the first look, and
// for the whole; names on its command line choose some kernels. Times are of the processor, on one core, the least of several, so that a machine that does other things as well tells the same.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"foresee/examples"
	"foresee/web/engine"
	"foresee/web/page"
)

func main() {
	names := os.Args[1:]
	if len(names) == 0 {
		names = examples.Kernels()
	}
	if err := run(os.Stdout, names); err != nil {
		fmt.Fprintln(os.Stderr, "pagetimes:", err)
		os.Exit(1)
	}
}

// first is the effort of the page's first look, and times how often it is measured.
const (
	first = 0.02
	times = 3
)

// row is the times of one kernel, in ms.
type row struct {
	name                string
	native, whole, wasm float64
}

// run measures kernels and writes a table.
func run(w io.Writer, names []string) error {
	var rows []row
	for _, name := range names {
		r := row{name: name, native: math.Inf(1)}
		for range times {
			ms, err := native(request(name, first))
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			r.native = min(r.native, ms)
		}
		var err error
		if r.whole, err = native(request(name, 0)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		rows = append(rows, r)
	}
	if err := inNode(rows); err != nil {
		return err
	}
	fmt.Fprintln(w, "| kernel | first look, native | first look, WebAssembly | whole, native |\n|---|---:|---:|---:|")
	var sum, worst row
	for _, r := range rows {
		fmt.Fprintf(w, "| %s | %.0f ms | %.0f ms | %.0f ms |\n", r.name, r.native, r.wasm, r.whole)
		sum.native, sum.wasm, sum.whole = sum.native+r.native, sum.wasm+r.wasm, sum.whole+r.whole
		worst.native, worst.wasm, worst.whole = max(worst.native, r.native), max(worst.wasm, r.wasm), max(worst.whole, r.whole)
	}
	n := float64(len(rows))
	fmt.Fprintf(w, "| mean of %d | %.0f ms | %.0f ms | %.0f ms |\n| worst | %.0f ms | %.0f ms | %.0f ms |\n", len(rows), sum.native/n, sum.wasm/n, sum.whole/n, worst.native, worst.wasm, worst.whole)
	return nil
}

// request is what the page asks of a kernel.
func request(name string, effort float64) *engine.Request {
	text, _ := examples.Kernel(name) // of the list of kernels
	return &engine.Request{Call: "predict", Name: name + ".c", Text: string(text), Machine: "zen4", Threads: []int{1, 2, 4, 8, 16, 32, 64, 96}, Effort: effort}
}

// here is the engine of this program.
var here = &engine.Engine{Files: examples.Headers(), Workers: 1}

// native is the time of an answer by this program.
func native(r *engine.Request) (float64, error) {
	before := used()
	_, err := here.Answer(context.Background(), r, nil)
	return float64(used()-before) / float64(time.Millisecond), err
}

// used is the time of the processor that this program took.
func used() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// inNode fills in the times of WebAssembly.
func inNode(rows []row) error {
	dir, err := os.MkdirTemp("", "foresee-times-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	wasm := filepath.Join(dir, "foresee.wasm")
	build := exec.Command("go", page.Build(wasm)...)
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	goroot, failed := exec.Command("go", "env", "GOROOT").Output()
	if err := errors.Join(build.Run(), failed); err != nil {
		return err
	}
	requests := []*engine.Request{request("gemm", first), request("gemm", first)} // until it is compiled well
	for _, r := range rows {
		for range times {
			requests = append(requests, request(r.name, first))
		}
	}
	asked, err := json.Marshal(requests)
	if err != nil {
		return err
	}
	node := exec.Command("node", "web/wasm/testdata/answer.mjs", filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec.js"), wasm)
	node.Stdin, node.Stderr = bytes.NewReader(asked), os.Stderr
	out, err := node.Output()
	if err != nil {
		return fmt.Errorf("node: %w", err)
	}
	var told []struct{ MS float64 }
	if err := json.Unmarshal(out, &told); err != nil {
		return err
	}
	for i := range rows {
		rows[i].wasm = math.Inf(1)
		for k := range times {
			rows[i].wasm = min(rows[i].wasm, told[2+i*times+k].MS)
		}
	}
	return nil
}
