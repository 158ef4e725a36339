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
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"foresee/internal/workspace"
)

//go:embed runtime
var runtimeFiles embed.FS

// runtimeLibrary is the recorder and the virtual OpenMP, compiled.
type runtimeLibrary struct {
	include string   // folder of omp.h
	objects []string // for every program
	cxx     []string // for C++ programs as well
	gcc     []string // for programs compiled by gcc as well
	starts  string   // an archive of what programs that start threads of their own are known by
	idle    string   // an object for what is linked of recorded code and records nothing
	shared  string   // the virtual OpenMP for programs that are run as they are
	kept    *workspace.Kept
}

// prepareRuntime compiles the runtime with a compiler, or takes what it compiled before from the user's cache. The library
// is there until it is closed.
func prepareRuntime(ctx context.Context, c *Compiler) (*runtimeLibrary, error) {
	key, err := runtimeKey(ctx, c)
	if err != nil {
		return nil, err
	}
	kept, err := workspace.Keep("recorder-"+key, func(dir string) error { return buildRuntime(ctx, c, dir) })
	if err != nil {
		return nil, err
	}
	l, err := libraryIn(kept.Dir)
	if err != nil {
		return nil, errors.Join(err, kept.Close())
	}
	l.kept = kept
	return l, nil
}

func (l *runtimeLibrary) close() error {
	if l == nil {
		return nil
	}
	return l.kept.Close()
}

// runtimeKey names what the compiled runtime depends on: the C compiler that makes it, which those of C++ and Fortran share.
func runtimeKey(ctx context.Context, c *Compiler) (string, error) {
	h := sha256.New()
	compiler := cCompiler(c)
	version := c.version
	if compiler != c.Path || version == "" {
		said, err := exec.CommandContext(ctx, compiler, "--version").Output()
		if err != nil {
			return "", err
		}
		version = string(said)
	}
	fmt.Fprintf(h, "%s\n%s\n%v\n", compiler, version, runtimeFlags)
	err := fs.WalkDir(runtimeFiles, "runtime", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := runtimeFiles.ReadFile(name)
		fmt.Fprintf(h, "%s %d\n%s", name, len(text), text)
		return err
	})
	return hex.EncodeToString(h.Sum(nil))[:24], err
}

var runtimeFlags = []string{"-O2", "-g1", "-gdwarf-4", "-fPIC", "-std=gnu11", "-fno-builtin-malloc", "-ffunction-sections", "-fexceptions"}

// buildRuntime compiles into a folder, as many files at once as there are processors.
func buildRuntime(ctx context.Context, c *Compiler, dir string) error {
	if err := extract(dir); err != nil {
		return err
	}
	compiler := cCompiler(c)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	shared, err := sharedParts(dir, entries)
	if err != nil {
		return err
	}
	var all []string
	compiling, each := errgroup.WithContext(ctx)
	compiling.SetLimit(runtime.GOMAXPROCS(0))
	for _, e := range entries {
		base, kind := strings.TrimSuffix(e.Name(), filepath.Ext(e.Name())), filepath.Ext(e.Name())
		if kind != ".c" && kind != ".S" {
			continue
		}
		compiling.Go(func() error {
			return compileRuntime(each, dir, compiler, append(slices.Clone(runtimeFlags), "-c", e.Name(), "-o", base+".o")...)
		})
		if base != idleName && base != startsBase {
			all = append(all, base+".o")
		}
	}
	for i, source := range shared {
		if base, isC := strings.CutSuffix(source, ".c"); isC {
			shared[i] = base + "-preloaded.o"
			compiling.Go(func() error {
				return compileRuntime(each, dir, compiler, append(slices.Clone(runtimeFlags), "-D"+preloadMark, "-c", source, "-o", shared[i])...)
			})
		}
	}
	if err := compiling.Wait(); err != nil {
		return err
	}
	if err := compileRuntime(ctx, dir, "ar", "rcs", startsName, startsBase+".o"); err != nil {
		return err
	}
	if err := compileRuntime(ctx, dir, compiler, slices.Concat([]string{"-shared", "-o", sharedName}, shared, []string{"-ldl", "-lpthread"})...); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, objectsName), []byte(strings.Join(all, "\n")), 0o644)
}

// compileRuntime runs a command that makes a part of the runtime.
func compileRuntime(ctx context.Context, dir, name string, args ...string) error {
	if err := runIn(ctx, dir, name, args...); err != nil {
		return fmt.Errorf("compiling foresee's runtime: %w", err)
	}
	return nil
}

// objectsName is the file that lists the objects.
const objectsName = "objects"

// sharedParts are what the library is made of that programs are run with as they are: the virtual OpenMP, which counts what it deals. They are the
// objects that other programs get too, and the files that ask for preloadMark, which are compiled for it.
func sharedParts(dir string, entries []os.DirEntry) (parts []string, err error) {
	for _, e := range entries {
		base, isC := strings.CutSuffix(e.Name(), ".c")
		if !isC || base == runtimePrefix+"new" || base == runtimePrefix+"sanitizer" || base == startsBase {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		if strings.Contains(string(text), preloadMark) {
			parts = append(parts, e.Name())
		} else {
			parts = append(parts, base+".o")
		}
	}
	return parts, nil
}

// preloadMark is defined where the runtime is compiled into a library to preload. Only C files ask for it, no header.
const preloadMark = "FORESEE_PRELOAD"

const (
	sharedName = "libforesee-openmp.so"
	startsBase = runtimePrefix + "starts"
	startsName = "libforesee-starts.a"
	idleName   = "idle"
)

// cCompiler is the C compiler that belongs to one of C++ or Fortran.
func cCompiler(c *Compiler) string {
	if !c.Cxx && !c.Fortran {
		return c.Path
	}
	dir, name := filepath.Split(c.Path)
	name = strings.NewReplacer("clang++", "clang", "g++", "gcc", "gfortran", "gcc").Replace(name)
	if path, err := exec.LookPath(dir + name); err == nil {
		return path
	}
	return c.Path
}

// extract writes the sources of the runtime into a folder.
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

// libraryIn is the runtime that was built in a folder.
func libraryIn(dir string) (*runtimeLibrary, error) {
	list, err := os.ReadFile(filepath.Join(dir, objectsName))
	if err != nil {
		return nil, err
	}
	l := &runtimeLibrary{include: filepath.Join(dir, "include"), shared: filepath.Join(dir, sharedName), starts: filepath.Join(dir, startsName), idle: filepath.Join(dir, idleName+".o")}
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
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "TMPDIR="+dir) // so that nothing stays of a compiler that is killed
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", filepath.Base(name), err, out)
	}
	return nil
}
