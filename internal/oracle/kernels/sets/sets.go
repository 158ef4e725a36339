// Package sets holds programs whose accesses meet few sets of a cache, or just do not: columns, triangles, tiles, diagonals and stencils over arrays
// whose rows lie a power of two apart, or a line less or more. Nothing in foresee was made from them but the count of conflicts.
package sets

import (
	"embed"
	"fmt"
	"hash/fnv"
	"strings"

	"foresee/application/csource"
	"foresee/application/nest"
)

//go:embed sources/*.c
var sources embed.FS

// Case is one program with its sizes.
type Case struct {
	Name    string
	File    string
	Defines []string
}

// shape is a program with the sizes that it takes: the defines of each, in which %d is the leading dimension.
type shape struct {
	file    string
	defines [][]string
	leading []int64 // in numbers of eight bytes
}

// shapes are all programs. Leading dimensions are powers of two, a line less, a line more, and one that is neither.
var shapes = []shape{
	{"columns", [][]string{{"N=300", "M=200"}, {"N=1000", "M=100"}}, []int64{248, 256, 264, 512, 1016, 1024, 1032, 300}},
	{"orthogonal", [][]string{{"N=120", "M=100"}, {"N=240", "M=60"}}, []int64{120, 128, 136, 248, 256, 264, 512, 150}},
	{"forward", [][]string{{"N=120", "R=60"}, {"N=400", "R=20"}}, []int64{400, 504, 512, 520, 1024}},
	{"transposed", [][]string{{"N=240", "M=240"}, {"N=1000", "M=1000"}}, []int64{1000, 1016, 1024, 1032, 2048}},
	{"tiles", [][]string{{"N=100", "T=32"}, {"N=128", "T=20"}}, []int64{128, 136, 248, 256, 264, 512}},
	{"elimination", [][]string{{"N=100"}, {"N=180"}}, []int64{184, 192, 248, 256, 264, 512}},
	{"heat", [][]string{{"P=32", "STEPS=8"}, {"P=60", "STEPS=3"}}, []int64{60, 64, 72, 128}},
	{"vectors", [][]string{{"S=5", "STEPS=8"}, {"S=12", "STEPS=4"}}, []int64{4088, 4096, 4104, 16376, 16384, 16392}},
	{"wavefront", [][]string{{"M=430"}, {"M=500"}}, []int64{512, 701, 801}},
	{"diagonals", [][]string{{}}, []int64{255, 256, 320, 500}},
	{"normal", [][]string{{"N=100", "M=100"}, {"N=600", "M=48"}}, []int64{104, 128, 248, 256, 264, 512, 1024}},
}

// Cases are all programs with all their sizes.
func Cases() (out []Case) {
	for _, s := range shapes {
		for _, d := range s.defines {
			for _, ld := range s.leading {
				c := Case{Name: s.file, File: s.file + ".c", Defines: append([]string{fmt.Sprintf("LD=%d", ld)}, d...)}
				for _, x := range c.Defines {
					c.Name += " " + x
				}
				out = append(out, c)
			}
		}
	}
	return out
}

// Program reads a case.
func (c *Case) Program() (*nest.Program, error) {
	source, err := sources.ReadFile("sources/" + c.File)
	if err != nil {
		return nil, err
	}
	unit, err := csource.Load(c.File, source, csource.Options{Defines: c.Defines})
	if err != nil {
		return nil, err
	}
	if len(unit.Programs) != 1 {
		return nil, fmt.Errorf("%s has %d regions, not one", c.File, len(unit.Programs))
	}
	return unit.Programs[0], nil
}

// HeldBack tells whether a case belongs to the half that nothing was developed on, by a hash of its name. Diagonals were looked at, whatever their names.
func HeldBack(name string) bool {
	if strings.HasPrefix(name, "wavefront ") || strings.HasPrefix(name, "diagonals ") {
		return false
	}
	h := fnv.New32a()
	h.Write([]byte(name))
	return h.Sum32()>>16&1 == 1
}
