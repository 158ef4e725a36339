package ranks

import (
	"os"
	"path/filepath"
	"testing"

	"foresee/application/counters"
	"foresee/application/counters/check"
)

// A folder of a run, whatever is in its two files, gives an error or values that are finite.
func FuzzReadRun(f *testing.F) {
	const run = `{"schema":"foresee.run/v1","command":["x"],"parameters":{"p":4},"ranks":4,"complete":true,"files":[{"rank":1,"messages":"m"}]}`
	f.Add([]byte(run), []byte(messagesText))
	f.Add([]byte(`{"schema":"foresee.run/v1","parameters":{"p":4,"n":1e308},"files":[{"rank":1,"messages":"m","counters":["m"]}]}`), []byte(messagesText))
	f.Add([]byte(`{"schema":"foresee.run/v1","files":[{"rank":1,"messages":"../m"},{"rank":1,"messages":"m"}]}`), []byte(messagesHeadText+"end\n"))
	f.Fuzz(func(t *testing.T, run, messages []byte) {
		dir := t.TempDir()
		for name, text := range map[string][]byte{FileName: run, "m": messages} {
			if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		r, err := Read(dir)
		if err != nil {
			return
		}
		set := &counters.Set{}
		if err := r.AddTo(set, nil); err == nil && len(set.Series) > 0 {
			check.Set(t, set)
		}
	})
}
