package codegen

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Target is for what, and how hard, a compiler works.
type Target struct {
	Level  int // of optimisation: 2 or 3, as in -O2
	Vector int // bytes of the widest vectors that it uses
	FMA    bool
	Fast   bool // sums may be taken in another order (-ffast-math)
	Scalar bool // no vectors (-fno-tree-vectorize)
}

const (
	sse, avx2, avx512 = 16, 32, 64 // bytes of vectors
)

// Plain is gcc -O2 without further flags.
var Plain = Target{Level: 2, Vector: sse}

// asGCC are the flags of rustc as gcc has them.
var asGCC = strings.NewReplacer("-Copt-level=", "-O", "opt-level=", "-O", "-Ctarget-cpu=", "-march=", "target-cpu=", "-march=")

// TargetOf is what a command of a compiler asks for; native says what -march=native means.
func TargetOf(command []string, native Target) Target {
	flags := command[1:]
	if strings.Contains(filepath.Base(command[0]), "rustc") {
		var own []string
		for _, f := range flags {
			if f = asGCC.Replace(f); f == "-O" {
				f = "-O3"
			}
			own = append(own, f)
		}
		flags = own
	}
	t := Target{Level: 0, Vector: sse}
	for _, f := range flags {
		switch {
		case f == "-O" || f == "-O1" || f == "-Os" || f == "-Og":
			t.Level = 1
		case f == "-O0":
			t.Level = 0
		case f == "-O2":
			t.Level = 2
		case f == "-O3":
			t.Level = 3
		case f == "-Ofast":
			t.Level, t.Fast = 3, true
		case f == "-ffast-math" || f == "-fassociative-math":
			t.Fast = true
		case f == "-fno-tree-vectorize":
			t.Scalar = true
		case f == "-march=native" || f == "-xHost":
			t.Vector, t.FMA = native.Vector, native.FMA
		case strings.HasPrefix(f, "-march="):
			t.Vector, t.FMA = ofArchitecture(f[len("-march="):])
		case f == "-mavx" || f == "-mavx2":
			t.Vector = max(t.Vector, avx2)
		case strings.HasPrefix(f, "-mavx512"):
			t.Vector = avx512
		case f == "-mfma":
			t.FMA = true
		case f == "-mprefer-vector-width=256":
			t.Vector = min(t.Vector, avx2)
		}
	}
	return t
}

// Native is what -march=native means on a core, by its name in machine files.
func Native(core string) Target {
	for _, n := range natives {
		if strings.Contains(core, n.core) {
			return Target{Vector: n.vector, FMA: n.fma}
		}
	}
	return Target{Vector: sse}
}

// natives are cores by what their names contain, with the width of vectors that gcc 12 uses there by itself.
var natives = []struct {
	core   string
	vector int
	fma    bool
}{
	{"Zen 4", avx512, true},
	{"Zen 5", avx512, true},
	{"Zen", avx2, true},
	{"Sandy Bridge", avx2, false},
	{"Ivy Bridge", avx2, false},
	{"Haswell", avx2, true},
	{"Broadwell", avx2, true},
	{"Skylake", avx2, true},
	{"Cascade Lake", avx2, true},
	{"Ice Lake", avx2, true},
	{"Sunny Cove", avx2, true},
	{"Sapphire Rapids", avx2, true},
	{"Emerald Rapids", avx2, true},
	{"Granite Rapids", avx2, true},
	{"Golden Cove", avx2, true},
	{"Raptor Cove", avx2, true},
	{"Redwood Cove", avx2, true},
	{"Neoverse", sse, true},
}

// ofArchitecture is the width of vectors that gcc uses for an architecture by its name: GCC manual, "x86 Options"; 256 bits on Intel's servers
// with AVX-512 (-mprefer-vector-width), 512 on Zen 4 and 5.
func ofArchitecture(name string) (vector int, fma bool) {
	switch name {
	case "znver4", "znver5":
		return avx512, true
	case "haswell", "broadwell", "skylake", "skylake-avx512", "cascadelake", "icelake-server", "icelake-client", "sapphirerapids", "graniterapids",
		"emeraldrapids", "alderlake", "znver1", "znver2", "znver3", "x86-64-v3", "x86-64-v4":
		return avx2, true
	case "sandybridge", "ivybridge", "bdver1":
		return avx2, false
	}
	return sse, false
}

// String names a target by gcc's flags.
func (t Target) String() string {
	s := fmt.Sprintf("gcc -O%d", t.Level)
	if t.Fast {
		s = "gcc -Ofast"
	}
	switch {
	case t.Scalar:
		s += " without vectors"
	case t.Vector >= avx512:
		s += " with AVX-512"
	case t.Vector >= avx2:
		s += " with AVX2"
	}
	return s
}
