package mpi

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
	"path"
	"path/filepath"
	"strings"

	"foresee/application/record"
	"foresee/internal/workspace"
)

//go:embed recorder
var recorderFiles embed.FS

const libraryName = "libforesee-mpi.so"

var compilerFlags = []string{
	"-std=gnu11", "-O2", "-fPIC", "-fvisibility=hidden",
	// The library is there when the program starts, so that its thread-local variables need no call.
	"-ftls-model=initial-exec",
	"-shared", "-o", libraryName,
}

// library gives the recorder's shared library, in a folder that is there until it is closed. It is compiled when it is not
// in the user's cache yet.
func library(ctx context.Context) (path string, kept *workspace.Kept, err error) {
	c, err := record.FindCompiler(ctx, false)
	if err != nil {
		return "", nil, err
	}
	key, err := libraryKey(c)
	if err != nil {
		return "", nil, err
	}
	kept, err = workspace.Keep("mpi-recorder-"+key, func(dir string) error { return build(ctx, c, dir) })
	if err != nil {
		return "", nil, err
	}
	if err := workspace.Executable(kept.Dir); err != nil {
		return "", nil, errors.Join(err, kept.Close())
	}
	return filepath.Join(kept.Dir, libraryName), kept, nil
}

// libraryKey names what the library depends on.
func libraryKey(c *record.Compiler) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%v\n%v\n", c.Path, c, compilerFlags)
	err := fs.WalkDir(recorderFiles, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := recorderFiles.ReadFile(name)
		fmt.Fprintf(h, "%s %d\n%s", name, len(text), text)
		return err
	})
	return hex.EncodeToString(h.Sum(nil))[:24], err
}

// build compiles in a folder.
func build(ctx context.Context, c *record.Compiler, dir string) error {
	sources, err := extract(dir)
	if err != nil {
		return err
	}
	args := append(append([]string{}, compilerFlags...), sources...)
	cmd := exec.CommandContext(ctx, c.Path, append(args, "-ldl", "-lpthread")...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "TMPDIR="+dir) // so that nothing stays of a compiler that is killed
	if out, err := cmd.CombinedOutput(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("compiling the MPI recorder: %s: %w\n%s", filepath.Base(c.Path), err, out)
	}
	return nil
}

// extract writes the sources of the recorder into a folder.
func extract(dir string) (sources []string, err error) {
	files, err := recorderFiles.ReadDir("recorder")
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		text, err := recorderFiles.ReadFile(path.Join("recorder", f.Name()))
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(dir, f.Name()), text, 0o644); err != nil {
			return nil, err
		}
		if strings.HasSuffix(f.Name(), ".c") {
			sources = append(sources, f.Name())
		}
	}
	return sources, nil
}
