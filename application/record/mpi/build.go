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

// Library gives the recorder's shared library. It is compiled when it is not in the user's cache yet.
func Library(ctx context.Context) (string, error) {
	c, err := record.FindCompiler(ctx, false)
	if err != nil {
		return "", err
	}
	key, err := libraryKey(c)
	if err != nil {
		return "", err
	}
	for _, base := range cacheFolders() {
		dir := filepath.Join(base, "foresee", "mpi-"+key)
		library := filepath.Join(dir, libraryName)
		if _, err := os.Stat(library); err == nil {
			return library, nil
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			continue
		}
		err := build(ctx, c, dir)
		if errors.Is(err, fs.ErrPermission) {
			continue
		}
		return library, err
	}
	return "", errors.New("no folder to keep the compiled recorder in; set XDG_CACHE_HOME or TMPDIR to one that can be written")
}

func cacheFolders() []string {
	var all []string
	if dir, err := os.UserCacheDir(); err == nil {
		all = append(all, dir)
	}
	return append(all, filepath.Join(os.TempDir(), fmt.Sprintf("foresee-%d", os.Getuid())))
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

// build compiles in a folder of its own and moves the library to its place: somebody else may do the same.
func build(ctx context.Context, c *record.Compiler, dir string) error {
	part, err := os.MkdirTemp(dir, "part-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(part)
	sources, err := extract(part)
	if err != nil {
		return err
	}
	args := append(append([]string{}, compilerFlags...), sources...)
	cmd := exec.CommandContext(ctx, c.Path, append(args, "-ldl", "-lpthread")...)
	cmd.Dir = part
	if out, err := cmd.CombinedOutput(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("compiling the MPI recorder: %s: %w\n%s", filepath.Base(c.Path), err, out)
	}
	return os.Rename(filepath.Join(part, libraryName), filepath.Join(dir, libraryName))
}

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
