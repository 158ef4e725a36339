package recording

import (
	"os"
	"path/filepath"

	"foresee/internal/workspace"
)

// frame is encoded events of a piece, in memory or in a file.
type frame struct {
	data []byte
	at   int64 // in the file, where data is nil
	size int
}

// holder keeps frames until all threads of a phase can go on together. What does not fit goes into a temporary file,
// so that memory does not grow with the length of the run.
type holder struct {
	most int64 // bytes in memory
	held int64
	file *os.File
	end  int64
}

// mostHeld is what stays in memory.
const mostHeld = 128 << 20

// keep keeps data in memory as long as there is room, and then in a file.
func (h *holder) keep(data []byte) (frame, error) {
	if h.held+int64(len(data)) <= h.most {
		h.held += int64(len(data))
		return frame{data: data, size: len(data)}, nil
	}
	if h.file == nil {
		f, err := workspace.File()
		if err != nil {
			return frame{}, &holdError{err}
		}
		h.file = f
	}
	if _, err := h.file.WriteAt(data, h.end); err != nil {
		if full := workspace.Full(err, "", filepath.Dir(h.file.Name())); full != nil {
			err = full
		}
		return frame{}, &holdError{err}
	}
	f := frame{at: h.end, size: len(data)}
	h.end += int64(len(data))
	return f, nil
}

// read gives back what was kept.
func (h *holder) read(f frame) ([]byte, error) {
	if f.data != nil || f.size == 0 {
		return f.data, nil
	}
	data := make([]byte, f.size)
	if _, err := h.file.ReadAt(data, f.at); err != nil {
		return nil, &holdError{err}
	}
	return data, nil
}

// holdError is what is wrong with the place of the frames, not with the recording.
type holdError struct{ error }

func (e *holdError) Error() string {
	return "a parallel region's accesses do not fit in memory, and not on disk: " + e.error.Error()
}

func (e *holdError) Unwrap() error { return e.error }

// drop forgets all frames.
func (h *holder) drop() {
	h.held, h.end = 0, 0
	if h.file != nil {
		_ = h.file.Truncate(0)
	}
}

func (h *holder) close() {
	if h.file != nil {
		h.file.Close()
		h.file = nil
	}
}
