package ranks

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"foresee/internal/checksum"
)

// rankText is the file of one rank that did one barrier.
func rankText(rank, size int) string {
	text := strings.Replace(messagesHeadText, "rank 1\nsize 4\n", fmt.Sprintf("rank %d\nsize %d\n", rank, size), 1)
	return text + fmt.Sprintf("call MPI_Barrier %d 0 1 0 0.001 0.001 0.001\nend\n", size)
}

// writeRun makes a folder with one file for each of the texts.
func writeRun(t *testing.T, p float64, ranks []int, texts []string) string {
	t.Helper()
	dir := t.TempDir()
	file := File{Schema: Schema, Command: []string{"mpirun", "a"}, Parameters: map[string]float64{"p": p}}
	for i, text := range texts {
		name := fmt.Sprintf("messages.%d-%d.txt", ranks[i], i)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		file.Files = append(file.Files, Files{Rank: ranks[i], Messages: name})
	}
	writeRunFile(t, dir, &file)
	return dir
}

func writeRunFile(t *testing.T, dir string, file *File) {
	t.Helper()
	text, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, FileName), text, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestReadRun(t *testing.T) {
	whole := writeRun(t, 2, []int{1, 0}, []string{rankText(1, 2), rankText(0, 2)})
	run, err := Read(whole)
	if err != nil || len(run.Warnings) > 0 || len(run.Messages) != 2 || run.Messages[0].Rank != 0 || run.Params["p"] != 2 || !slices.Equal(run.Command, []string{"mpirun", "a"}) {
		t.Errorf("%+v, %v", run, err)
	}
	missing := writeRun(t, 8, []int{1, 5}, []string{rankText(1, 8), rankText(5, 8)})
	run, err = Read(missing)
	if want := "6 of 8 ranks left no file: 0, 2-4, 6-7;"; err != nil || len(run.Warnings) != 1 || !strings.Contains(run.Warnings[0], want) {
		t.Errorf("%+v, %v, want %q", run, err, want)
	}
	cut := writeRun(t, 1, []int{0}, []string{strings.TrimSuffix(rankText(0, 1), "end\n")})
	run, err = Read(cut)
	if err != nil || len(run.Warnings) != 1 || run.Messages[0].Complete || run.Messages[0].Calls[0].Count != 1 {
		t.Errorf("%+v, %v", run, err)
	}
}

// TestReadRunDamaged wants any byte noticed that is another, missing or too much, with the name of its file.
func TestReadRunDamaged(t *testing.T) {
	dir := writeRun(t, 2, []int{1, 0}, []string{rankText(1, 2), rankText(0, 2)})
	file, err := readRunFile(dir)
	if err == nil {
		err = file.SetChecksums(dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(file, "", "  ")
	if err == nil {
		text, err = checksum.Put(text)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, FileName), text, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Read(dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{FileName, "messages.0-1.txt"} {
		path := filepath.Join(dir, name)
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		damaged := [][]byte{append(slices.Clone(whole), 'x'), append(slices.Clone(whole), '\n')}
		for i := range whole {
			other := slices.Clone(whole)
			other[i] ^= 1
			damaged = append(damaged, other, whole[:i])
		}
		for i, text := range damaged {
			if err := os.WriteFile(path, text, 0o644); err != nil {
				t.Fatal(err)
			}
			if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), path) {
				t.Errorf("%s, damage %d: %v", name, i, err)
			}
		}
		if err := os.WriteFile(path, whole, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestReadRunWrong(t *testing.T) {
	for _, test := range []struct{ dir, want string }{
		{t.TempDir(), "there is no run.json in it"},
		{writeRun(t, 2, []int{0, 1}, []string{rankText(0, 2), rankText(1, 3)}), "rank 0 says that there are 2 ranks, rank 1 says 3"},
		{writeRun(t, 2, []int{0, 0}, []string{rankText(0, 2), rankText(0, 2)}), "rank 0 is there twice"},
		{writeRun(t, 2, []int{0}, []string{rankText(1, 2)}), "is of rank 1, but run.json says rank 0"},
		{writeRun(t, 3, []int{0}, []string{rankText(0, 2)}), "p is 3 in run.json, but the ranks say that they are 2"},
		{writeRun(t, 1, nil, nil), "no rank left a file"},
		{writeRun(t, 1, []int{0}, []string{"x\n"}), "messages.0-0.txt:1: this is no file of the messages of a rank"},
	} {
		_, err := Read(test.dir)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %q", err, test.want)
		}
	}
}

// TestReadRunFiles wants run.json to be what it says, and to name files of its folder only.
func TestReadRunFiles(t *testing.T) {
	dir := writeRun(t, 1, []int{0}, []string{rankText(0, 1)})
	for _, test := range []struct {
		change func(*File)
		want   string
	}{
		{func(f *File) { f.Schema = "foresee.run/v2" }, `its schema is "foresee.run/v2"`},
		{func(f *File) { f.Files[0].Messages = "../other.txt" }, "../other.txt is not in the folder"},
		{func(f *File) { f.Files[0].Messages = "gone.txt" }, "gone.txt: no such file"},
		{func(f *File) { f.Files[0].Counters = []string{"/etc/passwd"} }, "/etc/passwd is not in the folder"},
	} {
		file := &File{Schema: Schema, Parameters: map[string]float64{"p": 1}, Files: []Files{{Rank: 0, Messages: "messages.0-0.txt"}}}
		test.change(file)
		writeRunFile(t, dir, file)
		if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %q", err, test.want)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, FileName), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), "run.json: unexpected end") {
		t.Error(err)
	}
}

// TestReadRunCounters leaves out counters that cannot be read, with a warning, and gives the others their rank.
func TestReadRunCounters(t *testing.T) {
	dir := writeRun(t, 1, []int{0}, []string{rankText(0, 1)})
	for name, text := range map[string]string{
		"callgrind.out.0": "# callgrind format\nversion: 1\nevents: Ir Dr\n\nfn=main\n3 100 20\n4 11 2\n\ntotals: 111 22\n",
		"broken":          "\x00\x01",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file := &File{Schema: Schema, Parameters: map[string]float64{"p": 1}, Files: []Files{{Rank: 0, Messages: "messages.0-0.txt", Counters: []string{"callgrind.out.0", "broken"}}}}
	writeRunFile(t, dir, file)
	run, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Profiles) != 1 || run.Profiles[0].Rank != 0 || run.Profiles[0].Total("Ir") != 111 {
		t.Errorf("%+v", run.Profiles)
	}
	if len(run.Warnings) != 1 || !strings.Contains(run.Warnings[0], "rank 0: its counters are left out") {
		t.Errorf("%q", run.Warnings)
	}
}
