package recording

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"foresee/application/trace"
	"foresee/internal/tracetest"
)

// fileOf writes a recording to a file, of this version or of the one before.
func fileOf(t testing.TB, records []byte, version int) []byte {
	t.Helper()
	var file bytes.Buffer
	if version == 1 {
		file.WriteString(magic)
		z, err := zstd.NewWriter(&file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := z.Write(records); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return file.Bytes()
	}
	w, err := NewWriter(&file)
	if err != nil {
		t.Fatal(err)
	}
	tee := &Tee{Source: NewScanner(bytes.NewReader(records)), Writer: w}
	if err := errors.Join(Drain(tee), tee.Failed); err != nil && !errors.Is(err, ErrCut) {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// readFile gives the accesses of a file and how reading it ended; nil is a whole one.
func readFile(data []byte) ([]trace.Event, error) {
	r, err := Open(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	team, err := NewTeam(r, Options{Threads: 2})
	if err != nil {
		return nil, err
	}
	defer team.Close()
	return tracetest.All(team)
}

// manyRecords is a recording whose file has several blocks.
func manyRecords(t testing.TB) []byte {
	t.Helper()
	p := newTape(1, true)
	p.enter()
	x := uint64(1)
	for range 400 {
		p.piece(0, pieceEach)
		for range 100 {
			x = x*6364136223846793005 + 1442695040888963407
			p.run(0, 0x10000+x>>24)
		}
	}
	p.leave()
	return p.end().Bytes()
}

// Any byte that is another is noticed, and so is any that is missing or too much.
func TestDamagedFile(t *testing.T) {
	for name, records := range map[string][]byte{"small": loop(scheduleStatic, 0, 10).Bytes(), "large": manyRecords(t)} {
		whole := fileOf(t, records, fileVersion)
		if _, err := readFile(whole); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		step := max(1, len(whole)/200)
		for at := 0; at < len(whole); at += step {
			for _, bit := range []byte{1, 0x80, 0xff} {
				damaged := bytes.Clone(whole)
				damaged[at] ^= bit
				if _, err := readFile(damaged); err == nil {
					t.Errorf("%s: byte %d of %d changed by %#x: nothing was noticed", name, at, len(whole), bit)
				}
			}
			_, err := readFile(whole[:at])
			if err == nil || at >= len(magic) && !errors.Is(err, ErrCut) {
				t.Errorf("%s: cut to %d bytes of %d: %v", name, at, len(whole), err)
			}
		}
		if _, err := readFile(append(bytes.Clone(whole), 0)); !IsDamaged(err) {
			t.Errorf("%s: one byte too many: %v", name, err)
		}
		if len(whole) > 3*mostInBlock {
			second := fileHead + blockHead + mostInBlock
			without := append(bytes.Clone(whole[:second]), whole[second+blockHead+mostInBlock:]...)
			if _, err := readFile(without); !IsDamaged(err) || !strings.Contains(err.Error(), "from byte 65560 on") {
				t.Errorf("a block is missing: %v", err)
			}
		}
	}
}

// What is whole before the place where a file is cut off can be taken.
func TestCutFileKeepsWhatIsWhole(t *testing.T) {
	records := manyRecords(t)
	whole := fileOf(t, records, fileVersion)
	all, err := readFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	some, err := readFile(whole[:len(whole)*3/4])
	if !errors.Is(err, ErrCut) || len(some) < len(all)/4 || len(some) >= len(all) {
		t.Errorf("%d events of %d, %v", len(some), len(all), err)
	}
}

// Files of version 1, which had no checksums of their own, are read as before.
func TestVersion1(t *testing.T) {
	records := loop(scheduleStatic, 0, 10).Bytes()
	want, err := readFile(fileOf(t, records, fileVersion))
	if err != nil {
		t.Fatal(err)
	}
	old := fileOf(t, records, 1)
	got, err := readFile(old)
	if err != nil || len(got) != len(want) {
		t.Errorf("%d events of %d, %v", len(got), len(want), err)
	}
	if _, err := readFile(old[:len(old)-2]); err == nil {
		t.Error("a file of version 1 that is cut off is not noticed")
	}
	later := bytes.Clone(fileOf(t, records, fileVersion))
	later[len(magic)]++
	if _, err := readFile(later); err == nil {
		t.Error("a version that is not known is read")
	}
}

// A program that did not come to its end is told, by the file alone.
func TestProgramCutOff(t *testing.T) {
	for _, test := range []struct {
		end  []byte
		want string
	}{
		{nil, "the recording ends before the program did"},
		{[]byte{1, 15}, "signal 15 (terminated) ended it"},
		{[]byte{2, 0}, "the recorder ended it"},
		{[]byte{0, 5}, ""},
	} {
		p := newTape(1, true)
		p.enter()
		p.piece(0, pieceEach)
		p.run(0, 0x1000)
		p.leave()
		if test.end != nil {
			p.record(typeEnd, 0, test.end)
		}
		events, err := readFile(fileOf(t, p.Bytes(), fileVersion))
		switch {
		case test.want == "" && err != nil, test.want != "" && (!errors.Is(err, ErrCut) || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%v: %v", test.end, err)
		case len(events) == 0:
			t.Errorf("%v: what was recorded is lost", test.end)
		}
	}
}

// A writer whose disk is full says so.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("needs /dev/full")
	}
	defer full.Close()
	w, err := NewWriter(full)
	if err == nil {
		err = errors.Join(w.Write(&Record{Type: typeEnd, Data: []byte{0, 0}}), w.Close())
	}
	if err == nil {
		t.Error("nothing was noticed")
	}
}

// An error of the disk is passed on as it is: the recording is not to blame.
func TestReadError(t *testing.T) {
	whole := fileOf(t, manyRecords(t), fileVersion)
	r, err := Open(io.MultiReader(bytes.NewReader(whole[:len(whole)/2]), failing{}))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err = Drain(r); !errors.Is(err, errDisk) || IsDamaged(err) {
		t.Error(err)
	}
}

var errDisk = errors.New("input/output error")

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errDisk }

// FuzzFile reads whole files. The checksums keep a fuzzer out of what they hold, so that it is also packed here.
func FuzzFile(f *testing.F) {
	for _, p := range []*tape{loop(scheduleStatic, 0, 5), loop(scheduleGuided, 2, 9)} {
		for version := 1; version <= fileVersion; version++ {
			f.Add(fileOf(f, p.Bytes(), version), false)
		}
		f.Add(p.Bytes(), true)
	}
	f.Fuzz(func(t *testing.T, data []byte, pack bool) {
		if pack {
			data = fileOf(t, data, 1)
		}
		r, err := Open(bytes.NewReader(data))
		if err != nil {
			return
		}
		defer r.Close()
		team, err := NewTeam(r, Options{Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		defer team.Close()
		events := make([]trace.Event, 256)
		for tries := 0; err == nil && tries < 1<<12; tries++ {
			_, err = team.Read(events)
		}
	})
}
