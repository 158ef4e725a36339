package library_test

import (
	"io/fs"
	"testing"

	"foresee/machine"
	"foresee/machine/library"
)

// Every file holds the machine that it is named after.
func TestFilesAreNamedAfterTheirMachines(t *testing.T) {
	names, err := fs.Glob(library.Files, "*.yaml")
	if err != nil || len(names) == 0 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	for _, name := range names {
		text, err := library.Files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		m, err := machine.Parse(name, text)
		if err != nil {
			t.Error(err)
		} else if m.Name+".yaml" != name {
			t.Errorf("%s holds %s", name, m.Name)
		}
	}
}
