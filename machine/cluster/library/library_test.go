package library_test

import (
	"io/fs"
	"strings"
	"testing"

	"foresee/machine/cluster"
	"foresee/machine/cluster/library"
)

// Every file is a cluster of the file's name, which says where its figures are from.
func TestFiles(t *testing.T) {
	names, err := fs.Glob(library.Files, "*.yaml")
	if err != nil || len(names) < 5 {
		t.Fatalf("%v, %v", names, err)
	}
	for _, file := range names {
		name := strings.TrimSuffix(file, ".yaml")
		c, err := cluster.Load(name)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if c.Name != name {
			t.Errorf("%s names itself %q", file, c.Name)
		}
		text, err := library.Files.ReadFile(file)
		if err != nil || !strings.Contains(string(text), "source") {
			t.Errorf("%s has no source: %v", file, err)
		}
	}
}
