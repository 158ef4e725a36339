package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"runtime/metrics"
	"strings"
	"sync"
	"time"

	"foresee/web/engine"
)

// mostBody is how many bytes a request may have: two sources and a machine file, each twice as long in JSON at most, and some more.
const mostBody = 2*(2*engine.MostText+1<<20) + 64<<10

// ask answers a request of the engine: as lines of JSON of which the last is the result or a problem, or as the result alone where that is what the
// browser accepts.
func (s *Server) ask(w http.ResponseWriter, r *http.Request) {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		http.Error(w, "requests are JSON", http.StatusUnsupportedMediaType)
		return
	}
	var q engine.Request
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBody))
	if err != nil {
		http.Error(w, "the request is too long", http.StatusRequestEntityTooLarge)
		return
	}
	if err := json.Unmarshal(body, &q); err != nil {
		http.Error(w, "the request is no JSON: "+err.Error(), http.StatusBadRequest)
		return
	}
	if q.Held != "" {
		q.Data = s.held.of(q.Held)
	}
	if r.Header.Get("Accept") == "application/json" {
		s.askPlain(w, r, &q)
		return
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	t := &teller{w: w, controller: http.NewResponseController(w)}
	out, err := s.answer(r.Context(), &q, t.progress)
	if err != nil {
		t.tell(map[string]any{"problem": s.options.Engine.Describe(err)})
		return
	}
	t.tell(map[string]any{"result": string(out)})
}

// askPlain answers with the result alone, as the command prints it.
func (s *Server) askPlain(w http.ResponseWriter, r *http.Request, q *engine.Request) {
	out, err := s.answer(r.Context(), q, nil)
	w.Header().Set("Content-Type", "application/json")
	if err != nil {
		w.WriteHeader(http.StatusUnprocessableEntity)
		out, _ = json.Marshal(s.options.Engine.Describe(err)) // plain values, which can be written
	}
	_, _ = w.Write(out) // of a browser that is gone nobody needs to know
}

// errBusy is that too much is asked at a time.
var errBusy = errors.New("other analyses are running; ask again when they have ended")

// answer waits for a turn and answers within the limits. What the library cannot stop goes on without anybody waiting for it, and keeps its turn.
func (s *Server) answer(ctx context.Context, q *engine.Request, progress func(done, total int)) ([]byte, error) {
	turn := time.NewTimer(patience)
	defer turn.Stop()
	select {
	case s.running <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-turn.C:
		return nil, errBusy
	}
	ctx, cancel := context.WithTimeoutCause(ctx, s.options.Longest, engine.ErrTooLong)
	ctx, stop := context.WithCancelCause(ctx)
	type answer struct {
		out []byte
		err error
	}
	done := make(chan answer, 1)
	go func() {
		defer func() {
			stop(nil)
			cancel()
			<-s.running
		}()
		out, err := s.options.Engine.Answer(ctx, q, progress)
		done <- answer{out, err}
	}()
	watched := time.NewTicker(watchEvery)
	defer watched.Stop()
	before := heap()
	ended := func(a answer) ([]byte, error) {
		if a.err != nil && ctx.Err() != nil && errors.Is(a.err, ctx.Err()) {
			a.err = context.Cause(ctx)
		}
		return a.out, a.err
	}
	for {
		select {
		case a := <-done:
			return ended(a)
		case <-ctx.Done():
			select {
			case a := <-done: // which ends the context as well
				return ended(a)
			default:
				return nil, context.Cause(ctx)
			}
		case <-watched.C:
			if heap() > before+mostMemory {
				stop(engine.ErrTooLarge)
			}
		}
	}
}

const (
	watchEvery = 20 * time.Millisecond // memory is looked at so often; chosen
	mostMemory = 1 << 30               // bytes that the heap may grow by during an analysis
)

// heap is the memory of objects, in bytes.
func heap() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// teller writes lines of JSON. It is safe for use by several goroutines.
type teller struct {
	mu         sync.Mutex
	w          io.Writer
	controller *http.ResponseController
	last       time.Time
	ended      bool
}

// tellEvery is how often progress is told. Chosen: as often as eyes follow.
const tellEvery = 100 * time.Millisecond

func (t *teller) progress(done, total int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended || time.Since(t.last) < tellEvery {
		return
	}
	t.last = time.Now()
	t.write(map[string]any{"progress": float64(done) / float64(max(total, 1))})
}

// tell writes the last line.
func (t *teller) tell(v any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = true
	t.write(v)
}

func (t *teller) write(v any) {
	line, err := json.Marshal(v)
	if err == nil {
		_, _ = t.w.Write(append(line, '\n')) // of a browser that is gone nobody needs to know
		_ = t.controller.Flush()
	}
}

// mostFiles is how many sources of the folder are offered, and mostDeep how deep they lie. Chosen: more than a list shows.
const (
	mostFiles = 500
	mostDeep  = 6
)

// folder is what the page offers of the folder.
func (s *Server) folder(w http.ResponseWriter, _ *http.Request) {
	out := struct {
		Files []string `json:"files"`
		Open  string   `json:"open"`
	}{s.sources(), s.options.Open}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(out) // of a browser that is gone nobody needs to know
}

// sources are those of the folder.
func (s *Server) sources() []string {
	all := []string{}
	if s.options.Folder == nil {
		return all
	}
	_ = fs.WalkDir(s.options.Folder, ".", func(name string, d fs.DirEntry, err error) error { // what cannot be read is not offered
		switch {
		case err != nil:
			return nil //nolint:nilerr // others can be
		case len(all) >= mostFiles:
			return fs.SkipAll
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || strings.Count(name, "/") >= mostDeep):
			return fs.SkipDir
		case d.Type().IsRegular() && path.Ext(name) == ".c":
			all = append(all, name)
		}
		return nil
	})
	return all
}

// file gives a source of the folder.
func (s *Server) file(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("name")
	text, err := s.read(name)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write(text) // of a browser that is gone nobody needs to know
}

// read reads a source of the folder.
func (s *Server) read(name string) ([]byte, error) {
	if s.options.Folder == nil || !fs.ValidPath(name) || path.Ext(name) != ".c" {
		return nil, fmt.Errorf("%.80q is no source of the folder", name)
	}
	info, err := fs.Stat(s.options.Folder, name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > engine.MostText {
		return nil, fmt.Errorf("%.80q cannot be read, or has more than %d KiB", name, engine.MostText>>10)
	}
	return fs.ReadFile(s.options.Folder, name)
}

// joined is one file system before another.
type joined struct{ first, second fs.FS }

// Open implements fs.FS.
func (j joined) Open(name string) (fs.File, error) {
	if j.first != nil {
		if f, err := j.first.Open(name); err == nil {
			return f, nil
		}
	}
	return j.second.Open(name)
}
