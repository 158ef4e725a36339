package csource

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// structuresFolder holds functions f that handle structures as values; where they copy such in memory twice: as people write it, and, where MEMBERS is defined,
// member by member in scalars, which is what compilers make of the first.
const structuresFolder = "testdata/structures"

// TestStructures compares the accesses of such functions to what the file declares, in their order but for that within a statement, with those that the second of
// them makes when it runs, compiled by gcc without optimisation.
func TestStructures(t *testing.T) {
	gcc, rt := compilerAndRuntime(t)
	files, err := filepath.Glob(structuresFolder + "/*.c")
	if err != nil || len(files) < 5 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".c"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			u, err := Load(file, text, Options{Regions: []string{"f"}, AsWritten: true})
			if err != nil {
				t.Fatal(err)
			}
			p := u.Programs[0]
			for _, x := range p.Left {
				t.Errorf("left out: %s: %s", x.Pos, x.Reason)
			}
			size := map[string]int64{}
			for _, o := range p.Objects {
				size[o.Name] = o.Bytes
			}
			want := runForm(t, gcc, append([]byte("#define MEMBERS\n"), text...), rt, size)
			declared := map[string]bool{}
			for _, a := range want {
				declared[a.object] = a.object != "?"
			}
			local := func(a touch) bool { return !declared[a.object] }
			checkOrder(t, slices.DeleteFunc(run(p), local), slices.DeleteFunc(want, local))
		})
	}
}
