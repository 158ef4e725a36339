// Package engine answers what the page of foresee asks: a request with a source goes in, and the same JSON comes out that the command prints. The
// page calls it in two ways, by HTTP (package server) and compiled to WebAssembly (package wasm); both give it the same requests.
//
// It knows no files but those that it is given, and bounds what it is asked: the source, the numbers of threads, the sizes of caches. How long an
// analysis may take whoever calls it says by the context.
package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"sync"

	"foresee/machine"
	"foresee/predict"
	"foresee/report"
)

// Request is what the page asks. Fields that a call has no use for are left out.
type Request struct {
	Call string `json:"call"` // one of Calls
	Name string `json:"name"` // of the source, as results call it; a relative path where headers lie beside it
	Text string `json:"text"` // of the source
	// Data are those of a signature, a recording or a trace, which take the place of the source.
	Data []byte `json:"data"`
	// Held is the name of data that whoever answers holds already, and puts into Data.
	Held    string   `json:"held"`
	Defines []string `json:"defines"`
	ByLoop  bool     `json:"by_loop"`
	Region  string   `json:"region"`  // the one that is meant, of calls that look at one
	Command string   `json:"command"` // that a report says it was made by
	Machine string   `json:"machine"` // of the library, or Local
	// Described is the text of a machine file, which takes the place of Machine.
	Described string        `json:"described"`
	Levels    []LevelChange `json:"levels"`   // what differs in the machine
	Before    *Version      `json:"before"`   // what the source is compared with
	Compiled  bool          `json:"compiled"` // times are of the code of the engine's compiler
	Threads   []int         `json:"threads"`
	Seed      uint64        `json:"seed"` // 0: 1, as of the command
	// Effort is the share of the usual sampling: above 0 and below 1 for a first look. 0 or 1: as the command does it.
	Effort float64 `json:"effort"`
}

// Local is the name of the machine that the engine runs on.
const Local = "host"

// What a request may hold. All are chosen: more than people look at.
const (
	MostText    = 1 << 20 // bytes of a source
	mostName    = 1 << 10 // bytes of its name
	mostDefines = 64
	mostCounts  = 64   // numbers of threads
	mostThreads = 4096 // as the command takes
)

// Engine answers requests. It is safe for concurrent use where its fields are.
type Engine struct {
	// Files are where headers are looked for, from the folder of the source on; nil: there are none.
	Files fs.FS
	// Host describes the machine that the engine runs on; nil: it cannot be described, as in a browser.
	Host func() (*machine.Machine, error)
	// Remedy gives what can be done about an error, to stand behind its text; nil: nothing is said of that.
	Remedy func(error) string
	// Say puts texts of libraries into words of whoever shows them; nil: as they are.
	Say func(string) string
	// Workers is how many goroutines an analysis takes; 0: one a core.
	Workers int
	// Compiler is a compiler with its flags, of whose code times are where that is asked for, and Folder where it looks for headers of sources; empty: there
	// is none. It reads what it finds on this machine.
	Compiler []string
	Folder   string
	// Recorded opens recordings and traces; nil: they are refused.
	Recorded Opener
	// Report writes a report as a page of its own; nil: there is none.
	Report func(w io.Writer, p *predict.PredictionResult, c *predict.CurveResult, m *machine.Machine, command string) error

	machines sync.Map // of the library, by name, as they were read
}

// call answers one kind of request with a result that is written as JSON.
type call func(e *Engine, ctx context.Context, r *Request, progress func(done, total int)) (any, error)

// calls are all kinds of requests that this engine answers, by name. What is added here the page can ask for; Calls tells it so.
func (e *Engine) calls() map[string]call {
	all := map[string]call{
		"accesses": (*Engine).accesses,
		"advise":   (*Engine).advise,
		"choices":  (*Engine).choices,
		"compare":  (*Engine).compare,
		"curves":   (*Engine).curves,
		"example":  (*Engine).example,
		"machine":  (*Engine).machine,
		"predict":  (*Engine).predict,
		"rank":     (*Engine).rank,
		"source":   (*Engine).source,
		"xgraph":   (*Engine).xgraph,
		"xsliders": (*Engine).xsliders,
	}
	if e.Report != nil {
		all["report"] = (*Engine).report
	}
	return all
}

// Calls are the names of the requests that are answered.
func (e *Engine) Calls() []string { return slices.Sorted(maps.Keys(e.calls())) }

// Answer answers a request with the bytes of a JSON result. Progress, which may be nil, is called now and then by any goroutine. An error is of the
// request; Describe makes JSON of it.
func (e *Engine) Answer(ctx context.Context, r *Request, progress func(done, total int)) (out []byte, err error) {
	defer func() { // a fault here must not end what else the page does
		if fault := recover(); fault != nil {
			out, err = nil, fmt.Errorf("internal error: %v; please report this with the source that led to it", fault)
		}
	}()
	do, known := e.calls()[r.Call]
	if !known {
		return nil, fmt.Errorf("unknown call %q", r.Call)
	}
	if err := e.check(r); err != nil {
		return nil, err
	}
	result, err := do(e, ctx, r, progress)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	var b bytes.Buffer
	err = report.JSON(&b, result)
	return b.Bytes(), err
}

// errNoCompiler is that there is no compiler.
var errNoCompiler = errors.New("this page has no compiler; whoever serves it may name one")

// check refuses what is more than anybody asks.
func (e *Engine) check(r *Request) error {
	switch {
	case len(r.Text) > MostText:
		return fmt.Errorf("the source has %d bytes; this page takes %d KiB, the command 16 MiB", len(r.Text), MostText>>10)
	case r.Compiled && len(e.Compiler) == 0:
		return errNoCompiler
	case r.Held != "" && len(r.Data) == 0:
		return fmt.Errorf("%s is not held any more; drop it onto the page again", r.name())
	case len(r.Data) > MostData:
		return fmt.Errorf("the file has %d bytes; this page takes %d MiB, the command more", len(r.Data), MostData>>20)
	case r.Before != nil && len(r.Before.Text) > MostText:
		return fmt.Errorf("the other version has %d bytes; this page takes %d KiB", len(r.Before.Text), MostText>>10)
	case len(r.Name) > mostName || r.Name != "" && !fs.ValidPath(path.Clean(r.Name)):
		return fmt.Errorf("%.80q is no name of a source", r.Name)
	case len(r.Defines) > mostDefines:
		return fmt.Errorf("%d definitions; this page takes %d", len(r.Defines), mostDefines)
	case len(r.Threads) > mostCounts:
		return fmt.Errorf("%d numbers of threads; this page takes %d", len(r.Threads), mostCounts)
	case len(r.Described) > machine.MaxFile:
		return fmt.Errorf("the machine file has %d bytes; %d are taken", len(r.Described), machine.MaxFile)
	case r.Effort < 0 || r.Effort > 1:
		return fmt.Errorf("an effort of %v is not from 0 to 1", r.Effort)
	}
	for _, n := range r.Threads {
		if n < 1 || n > mostThreads {
			return fmt.Errorf("%d is no number of threads from 1 to %d", n, mostThreads)
		}
	}
	return nil
}

// options are those of the analysis: the command's where the effort is whole.
func (e *Engine) options(r *Request, progress func(done, total int)) predict.Options {
	o := predict.Options{Seed: r.Seed, Workers: e.Workers, Progress: progress, ThreadsModel: predict.ThreadsAuto, Remedy: e.Remedy, Rate: usualRate}
	if o.Seed == 0 {
		o.Seed = 1
	}
	if r.Effort < 1 {
		o.Effort = r.Effort
	}
	return o
}

// usualRate is the share of the lines that the command follows at least, where lines are followed.
const usualRate = 0.01

// compiler is the compiler whose code is meant; nil: code as foresee makes it.
func (e *Engine) compiler(r *Request) []string {
	if !r.Compiled {
		return nil
	}
	return e.Compiler
}

// files are where headers are looked for.
func (e *Engine) files() fs.FS {
	if e.Files == nil {
		return none{}
	}
	return e.Files
}

// none holds no files.
type none struct{}

func (none) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// name is that of the source, as results have it.
func (r *Request) name() string {
	if r.Name == "" {
		return "source.c"
	}
	return r.Name
}

// ErrTooLong is the cause of an analysis that is stopped as it takes too long, ErrTooLarge of one that takes too much memory.
var (
	ErrTooLong  = errors.New("the analysis takes too long for this page; make the problem or the source smaller, or take the command")
	ErrTooLarge = errors.New("the analysis takes too much memory for this page; make the problem or the source smaller, or take the command")
)
