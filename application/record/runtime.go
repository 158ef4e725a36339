package record

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed runtime
var runtimeFiles embed.FS

// runtimeLibrary is the recorder and the virtual OpenMP, compiled.
type runtimeLibrary struct {
	include string   // folder of omp.h
	objects []string // for every program
	cxx     []string // for C++ programs as well
	gcc     []string // for programs compiled by gcc as well
	shared  string   // the virtual OpenMP for programs that are run as they are
}

// prepareRuntime compiles the runtime with a compiler, or takes what it compiled before from the user's cache.
func prepareRuntime(ctx context.Context, c *Compiler) (*runtimeLibrary, error) {
	key, err := runtimeKey(ctx, c)
	if err != nil {
		return nil, err
	}
	for _, base := range cacheFolders() {
		dir := filepath.Join(base, "foresee", "runtime-"+key)
		if _, err := os.Stat(filepath.Join(dir, "complete")); err == nil {
			return libraryIn(dir)
		}
		if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
			continue
		}
		if err := buildRuntime(ctx, c, dir); err != nil {
			if errors.Is(err, fs.ErrPermission) {
				continue
			}
			return nil, err
		}
		return libraryIn(dir)
	}
	return nil, errors.New("no folder to keep the compiled runtime in; set XDG_CACHE_HOME or TMPDIR to one that can be written")
}

func cacheFolders() []string {
	var all []string
	if dir, err := os.UserCacheDir(); err == nil {
		all = append(all, dir)
	}
	return append(all, filepath.Join(os.TempDir(), fmt.Sprintf("foresee-%d", os.Getuid())))
}

// runtimeKey names what the compiled runtime depends on.
func runtimeKey(ctx context.Context, c *Compiler) (string, error) {
	h := sha256.New()
	version, err := exec.CommandContext(ctx, c.Path, "--version").Output()
	if err != nil {
		return "", err
	}
	fmt.Fprintf(h, "%s\n%s\n%v\n", c.Path, version, runtimeFlags)
	err = fs.WalkDir(runtimeFiles, "runtime", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := runtimeFiles.ReadFile(name)
		fmt.Fprintf(h, "%s %d\n%s", name, len(text), text)
		return err
	})
	return hex.EncodeToString(h.Sum(nil))[:24], err
}

var runtimeFlags = []string{"-O2", "-g1", "-gdwarf-4", "-fPIC", "-std=gnu11", "-fno-builtin-malloc", "-ffunction-sections"}

// buildRuntime compiles into a folder beside dir and renames it.
func buildRuntime(ctx context.Context, c *Compiler, dir string) error {
	part, err := os.MkdirTemp(filepath.Dir(dir), "part-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(part)
	if err := extract(part); err != nil {
		return err
	}
	compiler := cCompiler(c)
	entries, err := os.ReadDir(part)
	if err != nil {
		return err
	}
	var all []string
	for _, e := range entries {
		base, isC := strings.CutSuffix(e.Name(), ".c")
		if !isC {
			if base, isC = strings.CutSuffix(e.Name(), ".S"); !isC {
				continue
			}
		}
		args := append([]string{}, runtimeFlags...)
		args = append(args, "-c", e.Name(), "-o", base+".o")
		if err := runIn(ctx, part, compiler, args...); err != nil {
			return fmt.Errorf("compiling foresee's runtime: %w", err)
		}
		all = append(all, base+".o")
	}
	if err := buildShared(ctx, part, compiler, entries); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(part, "complete"), []byte(strings.Join(all, "\n")), 0o644); err != nil {
		return err
	}
	if err := os.Rename(part, dir); err != nil {
		if _, there := os.Stat(filepath.Join(dir, "complete")); there == nil {
			return nil // somebody else was faster
		}
		return err
	}
	return nil
}

// buildShared makes the library that programs are run with as they are: the virtual OpenMP, which counts what it deals.
func buildShared(ctx context.Context, dir, compiler string, entries []os.DirEntry) error {
	args := append([]string{}, runtimeFlags...)
	args = append(args, "-DFORESEE_PRELOAD", "-shared", "-o", sharedName)
	for _, e := range entries {
		switch e.Name() {
		case runtimePrefix + "new.c", runtimePrefix + "sanitizer.c", "step.S":
		default:
			if strings.HasSuffix(e.Name(), ".c") {
				args = append(args, e.Name())
			}
		}
	}
	if err := runIn(ctx, dir, compiler, append(args, "-ldl", "-lpthread")...); err != nil {
		return fmt.Errorf("compiling foresee's runtime: %w", err)
	}
	return nil
}

const sharedName = "libforesee-openmp.so"

// cCompiler is the C compiler that belongs to a C++ one.
func cCompiler(c *Compiler) string {
	if !c.Cxx {
		return c.Path
	}
	dir, name := filepath.Split(c.Path)
	name = strings.NewReplacer("clang++", "clang", "g++", "gcc").Replace(name)
	if path, err := exec.LookPath(dir + name); err == nil {
		return path
	}
	return c.Path
}

func extract(dir string) error {
	return fs.WalkDir(runtimeFiles, "runtime", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(dir, strings.TrimPrefix(name, "runtime"))
		if d.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		text, err := runtimeFiles.ReadFile(name)
		if err != nil {
			return err
		}
		if strings.HasSuffix(name, ".c") {
			to = filepath.Join(filepath.Dir(to), runtimePrefix+filepath.Base(to))
		}
		return os.WriteFile(to, text, 0o644)
	})
}

// runtimePrefix begins the names of the runtime's source files, by which symbols tells its variables from the program's.
const runtimePrefix = "foresee-"

func libraryIn(dir string) (*runtimeLibrary, error) {
	list, err := os.ReadFile(filepath.Join(dir, "complete"))
	if err != nil {
		return nil, err
	}
	l := &runtimeLibrary{include: filepath.Join(dir, "include"), shared: filepath.Join(dir, sharedName)}
	for name := range strings.FieldsSeq(string(list)) {
		path := filepath.Join(dir, name)
		switch name {
		case runtimePrefix + "new.o":
			l.cxx = append(l.cxx, path)
		case runtimePrefix + "sanitizer.o":
			l.gcc = append(l.gcc, path)
		default:
			l.objects = append(l.objects, path)
		}
	}
	return l, nil
}

// runIn runs a command and gives what it printed as the error when it fails.
func runIn(ctx context.Context, dir, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", filepath.Base(name), err, out)
	}
	return nil
}
