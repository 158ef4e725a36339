package server

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"sync"

	"foresee/web/engine"
)

// mostHeld is how many files are held that were dropped onto the page: the last ones. Chosen: as many as tabs are open.
const mostHeld = 4

// holder keeps files in memory, for the requests that are about them.
type holder struct {
	mu    sync.Mutex
	order []string
	files map[string][]byte
}

// put keeps a file, and gives its name here.
func (h *holder) put(data []byte) string {
	sum := sha256.Sum256(data)
	id := hex.EncodeToString(sum[:16])
	h.mu.Lock()
	defer h.mu.Unlock()
	h.order = append(slices.DeleteFunc(h.order, func(o string) bool { return o == id }), id)
	if h.files == nil {
		h.files = map[string][]byte{}
	}
	h.files[id] = data
	if len(h.order) > mostHeld {
		delete(h.files, h.order[0])
		h.order = h.order[1:]
	}
	return id
}

// of is a file that is kept; nil where it is not any more.
func (h *holder) of(id string) []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.files[id]
}

// hold takes a file that was dropped onto the page.
func (s *Server) hold(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Content-Type") != "application/octet-stream" { // which no form of another page sends
		http.Error(w, "files are bytes", http.StatusUnsupportedMediaType)
		return
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, engine.MostData))
	if err != nil {
		http.Error(w, "the file is too long for this page; the command takes it", http.StatusRequestEntityTooLarge)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]string{"held": s.held.put(data)}) // of a browser that is gone nobody needs to know
}
