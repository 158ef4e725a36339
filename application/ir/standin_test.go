package ir

import (
	"slices"
	"testing"
)

// TestStandIn has a compiler of GNU's replaced by one that writes LLVM IR, with the flags that mean the same.
func TestStandIn(t *testing.T) {
	needs(t, "clang++")
	asked := Compilation{Language: Cxx, Command: []string{"g++", "-O3", "-Wall", "-I", "include", "-DN=3", "-std=c++20", "-fopenmp", "-fno-tree-vrp", "-march=native"}}
	got, dropped, ok := asked.StandIn()
	if !ok || !writesIR(got.Command[0]) || !slices.Equal(got.Command[1:], []string{"-O3", "-I", "include", "-DN=3", "-std=c++20", "-fopenmp", "-march=native"}) {
		t.Errorf("%q", got.Command)
	}
	if !slices.Equal(dropped, []string{"-Wall", "-fno-tree-vrp"}) {
		t.Errorf("dropped %q", dropped)
	}
	for _, fit := range []Compilation{{Language: Cxx, Command: []string{"clang++-19", "-Wall"}}, {Language: Cxx}, {Language: Rust, Command: []string{"rustc"}}} {
		if same, _, ok := fit.StandIn(); ok || !slices.Equal(same.Command, fit.Command) {
			t.Errorf("%q is replaced by %q", fit.Command, same.Command)
		}
	}
}
