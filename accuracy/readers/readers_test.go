package readers

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foresee/application/ir"
)

func TestTmp(t *testing.T) {
	files, _ := filepath.Glob("../../examples/real/cpp/*.cpp")
	for _, cc := range []string{"clang++ -O2", "clang++ -O1", "clang++-19 -O2", "clang++-19 -O3"} {
	for _, f := range files {
		if o := os.Getenv("ONLY"); o != "" && !strings.Contains(f, o) { continue }
		c := ir.Compilation{Language: ir.Cxx, Path: f, Command: strings.Fields(cc)}
		if strings.Contains(f, "openmp") { c.Command = append(c.Command, "-fopenmp") }
		s, err := look(t.Context(), c)
		if err != nil { fmt.Println(cc, filepath.Base(f), "ERR", err); continue }
		for _, k := range s.skipped { if k.Function != "main" { fmt.Println(cc, filepath.Base(f), "SKIP", k.Function, k.Reason) } }
		for i, p := range s.programs {
			a := compare(p, s.made[i])
			if a.told != a.made || a.equal != a.told || len(p.Warnings) > 0 || os.Getenv("ALL") != "" {
				fmt.Println(cc, filepath.Base(f), p.Region, a, p.Warnings)
			}
		}
	}}
}
func TestTmpC(t *testing.T) {
	files, _ := filepath.Glob("../../examples/kernels/*.c")
	for _, cc := range []string{"clang -O2", "clang-19 -O2"} {
	for _, f := range files {
		if o := os.Getenv("ONLY"); o != "" && !strings.Contains(f, o) { continue }
		c := ir.Compilation{Language: ir.C, Path: f, Command: strings.Fields(cc), Defines: []string{"MINI"}}
		s, err := look(t.Context(), c)
		if err != nil { fmt.Println(cc, filepath.Base(f), "ERR", err); continue }
		for _, k := range s.skipped { if k.Function != "main" { fmt.Println(cc, filepath.Base(f), "SKIP", k.Function, k.Reason) } }
		for i, p := range s.programs {
			a := compare(p, s.made[i])
			if a.told != a.made || a.equal != a.told || os.Getenv("ALL") != "" {
				fmt.Println(cc, filepath.Base(f), p.Region, a, p.Warnings)
			}
		}
	}}
}
