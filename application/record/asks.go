package record

import (
	"debug/elf"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"foresee/application/record/instrument"
)

// Asks tells what a program that foresee cc built is told of its threads, and so whether one run of it can be dealt to any number of
// them. Libraries that foresee cc built as well are looked at where the program finds them by itself.
func Asks(program string) (*instrument.Asks, error) {
	var text strings.Builder
	seen := map[string]bool{}
	if err := appendFlow(&text, program, seen); err != nil {
		return nil, fmt.Errorf("%s: %w", program, err)
	}
	a, err := instrument.ReadFlow(text.String())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", program, err)
	}
	for _, object := range append([]string{program}, slices.Sorted(maps.Keys(seen))...) {
		if starter := startsThreads(object); starter != "" {
			a.Decisive = slices.Insert(a.Decisive, 0, instrument.Ask{What: "it starts threads of its own, " + starter, Place: filepath.Base(object)})
			break
		}
	}
	return a, nil
}

// startsThreads gives what an object starts threads of its own with, "" where it does not by itself. In a program it is what starts.c adds to it;
// in a library it is not defined.
func startsThreads(object string) string {
	f, err := elf.Open(object)
	if err != nil {
		return ""
	}
	defer f.Close()
	all, err := f.DynamicSymbols()
	if err != nil {
		return ""
	}
	for _, y := range all {
		name, wrapped := strings.CutPrefix(y.Name, "__wrap_")
		defined := y.Section != elf.SHN_UNDEF
		switch {
		case wrapped == defined && (name == "pthread_create" || name == "thrd_create"):
			return name
		case !defined && strings.HasPrefix(name, "_ZNSt6thread15_M_start_thread"):
			return "std::thread"
		case !defined && strings.HasPrefix(name, "_ZN3tbb"):
			return "TBB"
		}
	}
	return ""
}

// appendFlow adds what an object and the libraries that it needs say of themselves.
func appendFlow(text *strings.Builder, object string, seen map[string]bool) error {
	f, err := elf.Open(object)
	if err != nil {
		return err
	}
	defer f.Close()
	if s := f.Section(instrument.FlowSection); s != nil {
		data, err := s.Data()
		if err != nil {
			return err
		}
		text.Write(data)
	}
	needed, err := f.ImportedLibraries()
	if err != nil {
		return nil // linked statically
	}
	for _, name := range needed {
		path := findLibrary(f, object, name)
		if path == "" || seen[path] {
			continue
		}
		seen[path] = true
		if err := appendFlow(text, path, seen); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// findLibrary looks where an object says and the environment does; the system's own libraries are not foresee's.
func findLibrary(f *elf.File, object, name string) string {
	folders := filepath.SplitList(os.Getenv("LD_LIBRARY_PATH"))
	for _, tag := range []elf.DynTag{elf.DT_RPATH, elf.DT_RUNPATH} {
		lists, _ := f.DynString(tag)
		for _, l := range lists {
			folders = append(folders, filepath.SplitList(l)...)
		}
	}
	if strings.Contains(name, "/") {
		folders = []string{""}
	}
	i := slices.IndexFunc(folders, func(dir string) bool {
		info, err := os.Stat(libraryPath(dir, object, name))
		return err == nil && info.Mode().IsRegular()
	})
	if i < 0 {
		return ""
	}
	return libraryPath(folders[i], object, name)
}

func libraryPath(dir, object, name string) string {
	origin := filepath.Dir(object)
	return filepath.Join(strings.NewReplacer("$ORIGIN", origin, "${ORIGIN}", origin).Replace(dir), name)
}
