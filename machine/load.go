package machine

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"foresee/internal/claims"
	"foresee/machine/library"
)

// MaxFile is the most bytes of a machine file that is read. Chosen: the largest of the library has 44 KiB.
const MaxFile = 1 << 20

// Library returns the names of the machines that foresee ships, sorted.
func Library() []string {
	files, err := fs.Glob(library.Files, "*.yaml")
	if err != nil {
		return nil // the pattern is constant
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(f, ".yaml")
	}
	slices.Sort(files) // names, not those of files: a dash comes before a dot
	return files
}

// Load reads a machine: one of the library by its name, a .yaml file by its path, or "host", the machine that
// foresee runs on.
func Load(nameOrFile string) (*Machine, error) {
	switch {
	case nameOrFile == "host":
		return Local()
	case IsFile(nameOrFile):
		return loadFile(nameOrFile)
	}
	data, err := library.Files.ReadFile(nameOrFile + ".yaml")
	if err != nil {
		return nil, &UnknownError{nameOrFile, didYouMean(nameOrFile, append(Library(), "host"))}
	}
	return Parse(nameOrFile+".yaml", data)
}

// IsFile says whether Load takes this for a path, not the name of a machine of the library.
func IsFile(s string) bool {
	ext := strings.ToLower(filepath.Ext(s))
	return ext == ".yaml" || ext == ".yml" || strings.ContainsRune(s, os.PathSeparator) || strings.Contains(s, "/")
}

// UnknownError says that the library has no machine of a name.
type UnknownError struct {
	Name    string
	Similar string // "; did you mean …?", or empty
}

func (e *UnknownError) Error() string { return fmt.Sprintf("unknown machine %q%s", e.Name, e.Similar) }

// NoFileError says that there is no machine file of a path.
type NoFileError struct {
	Path string
	Err  error
}

func (e *NoFileError) Error() string {
	return fmt.Sprintf("%s: no such machine file: %v", e.Path, e.Err)
}

// Unwrap is what the system said.
func (e *NoFileError) Unwrap() error { return e.Err }

// loadFile reads a machine file.
func loadFile(path string) (*Machine, error) {
	f, err := claims.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &NoFileError{path, err}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: cannot open the machine file: %w", path, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err != nil {
		return nil, fmt.Errorf("%s: cannot read the machine file: %w", path, err)
	}
	return Parse(path, data)
}
