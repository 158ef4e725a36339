package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/sys/unix"

	"foresee/cmd/foresee/cli"
	"foresee/internal/output"
)

// writer is a command that writes files, and what it reads.
type writer struct {
	args   []string
	inputs []string
	needs  string // a program
	quiet  bool   // its results do not depend on when they are made
}

// writers has one command at least for each verb that writes files; TestWritersAreKnown asks for those that are missing.
var writers = map[string]writer{
	"predict":          {args: words("predict --machine m.yaml --threads 1,2 k.c"), inputs: words("k.c h.h m.yaml"), quiet: true},
	"compare":          {args: words("compare --machine m.yaml --threads 1 k.c k.c"), inputs: words("k.c h.h m.yaml"), quiet: true},
	"rank":             {args: words("rank --machine m.yaml k.c"), inputs: words("k.c h.h m.yaml"), quiet: true},
	"advise":           {args: words("advise --machine m.yaml --threads 1 slow.c"), inputs: words("slow.c h.h m.yaml"), quiet: true},
	"sweep":            {args: words("sweep --machine m.yaml --threads 1,2 k.c"), inputs: words("k.c h.h m.yaml"), quiet: true},
	"mrc":              {args: words("mrc --machine m.yaml t.txt"), inputs: words("m.yaml t.txt"), quiet: true},
	"mrc -":            {args: words("mrc --machine m.yaml k.c"), inputs: words("k.c h.h m.yaml"), quiet: true},
	"profile":          {args: words("profile --machine m.yaml t.txt"), inputs: words("m.yaml t.txt"), quiet: true},
	"profile -":        {args: words("profile --machine m.yaml k.c"), inputs: words("k.c h.h m.yaml"), quiet: true},
	"simulate":         {args: words("simulate --machine m.yaml t.txt"), inputs: words("m.yaml t.txt"), quiet: true},
	"xgraph":           {args: words("xgraph --machine m.yaml --threads 2 k.c"), inputs: words("k.c h.h m.yaml"), quiet: true},
	"xgraph -":         {args: words("xgraph x.yaml"), inputs: words("x.yaml"), quiet: true},
	"scale":            {args: words("scale --machine m.yaml --at p=16 one.jsonl"), inputs: words("one.jsonl m.yaml"), quiet: true},
	"trace":            {args: words("trace k.c"), inputs: words("k.c h.h"), needs: "clang"},
	"mrc --trace":      {args: words("mrc --machine m.yaml --trace k.c"), inputs: words("k.c h.h m.yaml"), needs: "clang"},
	"machine show":     {args: words("machine show measured.yaml"), inputs: words("measured.yaml"), quiet: true},
	"machine import":   {args: words("machine import kerncraft hardware.yml"), inputs: words("hardware.yml"), quiet: true},
	"validate nextuse": {args: words("validate nextuse --size MINI --kernel gemm"), quiet: true},
}

// unlike are verbs that write files as the others do, but measure for long or need what may not be here; mpi writes a folder, of
// which its package has tests.
var unlike = []string{
	"machine measure", "mpi", "validate cache", "validate conflicts", "validate core", "validate compiled", "validate threads", "validate sampling", "validate time", "validate bandwidth",
	"validate scaling", "validate trace", "validate tracecost", "validate engines", "validate signatures", "validate advise", "validate speed", "validate readers", "validate compare", "validate programs", "validate replay", "replay",
}

func words(text string) []string { return strings.Fields(text) }

// flagsThatWrite are the flags of a verb that name files to be written, with the ends of their names.
func flagsThatWrite(cmd *cobra.Command) (flags []string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if slices.Contains([]string{"output", "plot", "html", "write-extrap", "sarif", "patch"}, f.Name) {
			flags = append(flags, "--"+f.Name)
		}
	})
	return flags
}

// endOf is what the name of a file for a flag ends with; the picture of a machine is one too.
func endOf(flag, verb string) string {
	switch {
	case flag == "--plot":
		return ".svg"
	case strings.HasPrefix(verb, "machine import"):
		return ".yaml"
	}
	return ".out"
}

// written is one command with one of its flags.
type written struct {
	name, flag, end string
	writer
}

func allWritten(t *testing.T) (all []written) {
	t.Helper()
	for name, w := range writers {
		if _, err := exec.LookPath(w.needs); w.needs != "" && (err != nil || testing.Short()) {
			t.Logf("%s: needs %s, and time", name, w.needs)
			continue
		}
		cmd, _, err := newRoot(&cli.Streams{}).Find(w.args)
		if err != nil {
			t.Fatal(err)
		}
		for _, flag := range flagsThatWrite(cmd) {
			if w.needs == "" || flag == "--output" { // the compiler takes its time
				all = append(all, written{name, flag, endOf(flag, cmd.CommandPath()[len("foresee "):]), w})
			}
		}
	}
	slices.SortFunc(all, func(a, b written) int { return strings.Compare(a.name+a.flag, b.name+b.flag) })
	return all
}

func TestWritersAreKnown(t *testing.T) {
	for _, verb := range verbs(newRoot(&cli.Streams{})) {
		name := strings.TrimPrefix(verb.CommandPath(), "foresee ")
		if _, ok := writers[name]; len(flagsThatWrite(verb)) > 0 && !ok && !slices.Contains(unlike, name) {
			t.Errorf("foresee %s writes files: add it to writers", name)
		}
	}
}

// writerInputs puts what the writers read into a new folder, which is gone to.
func writerInputs(t *testing.T, references int) {
	t.Helper()
	t.Chdir(t.TempDir())
	_, machine, _ := command("machine", "show", "--format", "yaml", "i7-5960x")
	_, measured, _ := command("machine", "show", "--format", "yaml", "granite-rapids-vm")
	var trace strings.Builder
	random := rand.New(rand.NewPCG(1, 2))
	for range references {
		fmt.Fprintf(&trace, "%c 0x%x 8\n", "rw"[random.IntN(2)], 8*random.IntN(1<<16))
	}
	for name, text := range map[string]string{
		"m.yaml": machine, "measured.yaml": measured, "t.txt": trace.String(), "h.h": "#define N 64\n",
		"k.c": "#include \"h.h\"\ndouble A[N][N], B[N][N];\nvoid f(void)\n{\n#pragma omp parallel for\n    for (int i = 0; i < N; i++)\n" +
			"        for (int j = 0; j < N; j++)\n            A[i][j] += B[j][i];\n}\nint main(void)\n{\n    f();\n    return 0;\n}\n",
		"slow.c": "#include \"h.h\"\ndouble A[800][800], B[800][800];\nvoid f(void)\n{\n    for (int j = 0; j < 800; j++)\n" +
			"        for (int i = 0; i < 800; i++)\n            A[i][j] += B[i][j];\n}\nint main(void)\n{\n    f();\n    return 0;\n}\n",
		"x.yaml":    "n: 48\nz: 8\ne: 1\nm: 6\nr: 0.1\nl: 400\n",
		"one.jsonl": measuredExamples()["runs.jsonl"],
		"hardware.yml": "clock: 2 GHz\nsockets: 1\ncores per socket: 2\ncacheline size: 64 B\nmemory hierarchy:\n- level: L1\n  cores per group: 1\n" +
			"  cache per group: {sets: 64, ways: 8, cl_size: 64, replacement_policy: LRU}\n- level: MEM\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestNoResultOverAnInput gives every command each of its inputs as each of its outputs, under another name.
func TestNoResultOverAnInput(t *testing.T) {
	writerInputs(t, 100)
	for _, w := range allWritten(t) {
		for _, input := range w.inputs {
			for kind, link := range map[string]func(from, to string) error{"hard": os.Link, "symbolic": os.Symlink} {
				name := kind + w.end
				if err := link(input, name); err != nil {
					t.Fatal(err)
				}
				before, _ := os.ReadFile(input)
				code, stdout, stderr := command(append(slices.Clone(w.args), w.flag, name)...)
				after, _ := os.ReadFile(input)
				if code != exitUsage || stdout != "" || !strings.Contains(stderr, "is the input") || !bytes.Equal(before, after) {
					t.Errorf("%s %s over %s: code %d, %s", w.name, w.flag, input, code, stderr)
				}
				os.Remove(name)
			}
		}
	}
	nothingUnfinished(t)
}

// nothingUnfinished fails for files that were to become others.
func nothingUnfinished(t *testing.T) {
	t.Helper()
	if left, _ := filepath.Glob(".*"); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// TestNoTwoResultsInOneFile gives every command with two outputs one file for both.
func TestNoTwoResultsInOneFile(t *testing.T) {
	writerInputs(t, 100)
	for _, w := range allWritten(t) {
		if w.flag == "--output" || w.name == "machine show" {
			continue
		}
		code, _, stderr := command(append(slices.Clone(w.args), w.flag, "x.svg", "-o", "./x.svg")...)
		if _, err := os.Stat("x.svg"); code != exitUsage || !strings.Contains(stderr, "two results") || err == nil {
			t.Errorf("%s %s: code %d, %s", w.name, w.flag, code, stderr)
		}
	}
	nothingUnfinished(t)
}

// TestResultsKeepModesAndLinks writes every output through a link over a file that only its owner reads, and through one that leads
// nowhere yet.
func TestResultsKeepModesAndLinks(t *testing.T) {
	writerInputs(t, 100)
	if err := os.Mkdir("elsewhere", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, w := range allWritten(t) {
		place, link := filepath.Join("elsewhere", "place"+w.end), "link"+w.end
		for _, there := range []bool{true, false} {
			os.Remove(place)
			if there {
				if err := os.WriteFile(place, nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			_ = os.Symlink(place, link)
			if code, _, stderr := command(append(slices.Clone(w.args), w.flag, link)...); code != exitDone {
				t.Errorf("%s %s: code %d, %s", w.name, w.flag, code, stderr)
				continue
			}
			info, err := os.Lstat(place)
			if err != nil || info.Size() == 0 || there && info.Mode() != 0o600 {
				t.Errorf("%s %s: %v, %v", w.name, w.flag, info, err)
			}
			if to, err := os.Readlink(link); err != nil || to != place {
				t.Errorf("%s %s: the link leads to %q, %v", w.name, w.flag, to, err)
			}
		}
		os.Remove(link)
	}
	nothingUnfinished(t)
}

// TestProtectedFilesStay refuses to replace files whose mode forbids it.
func TestProtectedFilesStay(t *testing.T) {
	writerInputs(t, 100)
	for _, w := range allWritten(t) {
		name := "protected" + w.end
		if err := os.WriteFile(name, []byte("old"), 0o444); err != nil {
			t.Fatal(err)
		}
		code, _, stderr := command(append(slices.Clone(w.args), w.flag, name)...)
		if text, _ := os.ReadFile(name); code != exitFailed || !strings.Contains(stderr, "chmod u+w") || string(text) != "old" {
			t.Errorf("%s %s: code %d, %s", w.name, w.flag, code, stderr)
		}
		os.Remove(name)
	}
	nothingUnfinished(t)
}

// TestOutputThatIsMounted mounts a file over itself, as containers mount single files: nothing can take its place, which is said first.
func TestOutputThatIsMounted(t *testing.T) {
	writerInputs(t, 100)
	if err := os.WriteFile("mounted", []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("mounted", "mounted", "", unix.MS_BIND, ""); err != nil {
		t.Skipf("needs root, to mount: %v", err)
	}
	defer func() {
		if err := unix.Unmount("mounted", 0); err != nil {
			t.Error(err)
		}
	}()
	code, _, stderr := command("mrc", "t.txt", "--output", "mounted")
	if text, _ := os.ReadFile("mounted"); code != exitFailed || !strings.Contains(stderr, "mounted by itself") || string(text) != "old" {
		t.Errorf("code %d, %s", code, stderr)
	}
	nothingUnfinished(t)
}

// TestInterruptedCommandsKeepWholeFiles ends every command at some moment: an output is then either as it was or whole, and a part
// has a name of its own and says what it is.
func TestInterruptedCommandsKeepWholeFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("takes its time")
	}
	program, err := exec.LookPath("foresee")
	if err != nil {
		t.Fatal(err)
	}
	writerInputs(t, 100_000)
	random := rand.New(rand.NewPCG(3, 4))
	asked := []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} // to end: by turns
	for turn, w := range allWritten(t) {
		if !w.quiet {
			continue
		}
		name := "result" + w.end
		args := append(slices.Clone(w.args), w.flag, name)
		begun := time.Now()
		if text, err := exec.Command(program, args...).CombinedOutput(); err != nil {
			t.Fatalf("%s %s: %v\n%s", w.name, w.flag, err, text)
		}
		took := time.Since(begun)
		whole, _ := os.ReadFile(name)
		for i, signal := range []os.Signal{asked[turn%3], syscall.SIGKILL} {
			before := []byte(fmt.Sprintf("whole %d", i))
			if strings.HasPrefix(w.name, "validate") {
				before = whole // the document is gone on with
			}
			if err := os.WriteFile(name, before, 0o644); err != nil {
				t.Fatal(err)
			}
			var said bytes.Buffer
			cmd := exec.Command(program, args...)
			cmd.Stderr = &said
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(random.Int64N(int64(took))))
			_ = cmd.Process.Signal(signal)
			_ = cmd.Wait()
			after, _ := os.ReadFile(name)
			if !bytes.Equal(after, before) && !bytes.Equal(after, whole) {
				t.Errorf("%s %s after %v: neither what was there nor a whole result:\n%s", w.name, w.flag, signal, after)
			}
			checkPart(t, name, said.String())
		}
		command(args...) // clears what the killed one left
		nothingUnfinished(t)
	}
}

// checkPart looks at the part of a result, if there is one.
func checkPart(t *testing.T, name, said string) {
	t.Helper()
	part := output.PartName(name, 1)
	text, err := os.ReadFile(part)
	if err != nil {
		return
	}
	if !strings.Contains(strings.ToLower(string(text)), "partial") || !strings.Contains(said, part) {
		t.Errorf("%s does not say that it is a part:\n%s\n%s", part, text, said)
	}
	os.Remove(part)
}
