package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"foresee/application"
	"foresee/cmd/foresee/cli"
)

// inputsDocument is docs/inputs.md.
func inputsDocument() string {
	var b strings.Builder
	b.WriteString("# Inputs\n\nAn input is told by its content. This is what each verb takes, and which flags mean something for which input; `foresee` checks the same table, and a flag that means nothing for an input is refused.\n\n")
	b.WriteString("A *source that LLVM compiles* is one in C++, Fortran or Rust, told by the ending of its name, or LLVM IR itself (`.ll`); [the guide](guide.md#c-fortran-and-rust) says what is read of it. A *program that is run* is one that `foresee cc` built, or a source with `--trace`. `-` is standard input. Texts are UTF-8, with a byte order mark or without.\n\n| input |")
	for _, v := range cli.InputVerbs {
		fmt.Fprintf(&b, " %s |", v)
	}
	b.WriteString("\n|---|" + strings.Repeat(":-:|", len(cli.InputVerbs)) + "\n")
	for _, k := range application.Kinds {
		fmt.Fprintf(&b, "| %s |", k)
		for _, v := range cli.InputVerbs {
			if _, no := cli.Refusals[v][k]; no {
				b.WriteString(" no |")
			} else {
				b.WriteString(" yes |")
			}
		}
		b.WriteString("\n")
	}
	b.WriteString("\n`predict` gives no times of a trace, which holds no operations; `trace` compiles and runs a C or C++ source.\n\n" +
		"Of a trace, `--threads` says how many threads it has: one number, no smaller than shows in it, the same for all verbs. It can be left out, but for `predict` and `simulate` of a trace of several threads from a pipe.\n\n## Why not\n\n")
	var messages []string
	verbs := map[string][]string{}
	for _, v := range cli.InputVerbs {
		for _, k := range application.Kinds {
			if r, no := cli.Refusals[v][k]; no {
				m := fmt.Sprintf("FILE: %s; %s", r.Why, r.Remedy)
				if verbs[m] == nil {
					messages = append(messages, m)
				}
				verbs[m] = append(verbs[m], "`"+v+"`")
			}
		}
	}
	for _, m := range messages {
		fmt.Fprintf(&b, "- %s: “%s”\n", cli.JoinWords(verbs[m]), m)
	}
	b.WriteString("\n## Flags that are for some inputs\n\n| flag | for |\n|---|---|\n")
	for _, f := range cli.FlagKinds {
		for _, name := range f.Flags {
			of := ""
			if f.Verb != "" {
				of = " of `" + f.Verb + "`"
			}
			only := ""
			if f.Compiled {
				only = ": sources with `--trace`, no built programs"
			}
			fmt.Fprintf(&b, "| `--%s`%s | %s%s |\n", name, of, cli.KindList(f.Kinds), only)
		}
	}
	return b.String()
}

// docs/inputs.md is the table that the checks use: go test ./cmd/foresee -run TestInputsDocument -update writes it.
func TestInputsDocument(t *testing.T) {
	const file = "../../docs/inputs.md"
	want := inputsDocument()
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Errorf("%s is not the table of inputs.go (%v); write it with -update", file, err)
	}
}

// sampleInputs makes an input of each kind in a folder; those that need a compiler that is not here are left out.
func sampleInputs(t *testing.T, dir string) map[application.Kind]string {
	t.Helper()
	copied := func(name, from string) string {
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		return writeInput(t, dir, name, string(text))
	}
	in := map[application.Kind]string{
		application.Source:     copied("loop.c", "testdata/inputs/loop.c"),
		application.Trace:      writeInput(t, dir, "two.txt", "r 0 8\nw 64 8\nr 0 8\n"),
		application.Listing:    copied("kernel.sass", "../../application/sass/testdata/sum-sm80.sass"),
		application.Parameters: writeInput(t, dir, "point.yaml", "{n: 48, z: 8, e: 1, m: 6, r: 0.1, l: 400}\n"),
	}
	in[application.Saved] = filepath.Join(dir, "loop.sig.json")
	foreseeOK(t, "profile", "-o", in[application.Saved], in[application.Source])
	if _, err := exec.LookPath("clang"); err != nil {
		t.Log("recordings and programs are not tried: no clang")
		return in
	}
	in[application.Module] = writeInput(t, dir, "grow.cpp", "void grow(double *a, int n) {\n#pragma omp parallel for\n    for (int i = 0; i < n; i++) a[i] *= 2;\n}\n"+
		"int main() {\n    double *a = new double[400]();\n    grow(a, 400);\n    return a[3] != 0;\n}\n")
	in[application.Recording], in[application.Program] = filepath.Join(dir, "loop.rec"), filepath.Join(dir, "loop")
	foreseeOK(t, "cc", "-O1", "-fopenmp", in[application.Source], "-o", in[application.Program])
	foreseeOK(t, "trace", "-o", in[application.Recording], in[application.Program])
	return in
}

func writeInput(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func foresee(args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = run(args, strings.NewReader(""), &out, &err)
	return code, out.String(), err.String()
}

func foreseeOK(t *testing.T, args ...string) {
	t.Helper()
	if code, _, stderr := foresee(args...); code != 0 {
		t.Fatalf("foresee %s: %d: %s", strings.Join(args, " "), code, stderr)
	}
}

// Every verb does its work on every kind of input, or refuses it with the sentence of the table.
func TestVerbsByInputs(t *testing.T) {
	inputs := sampleInputs(t, t.TempDir())
	for _, machine := range []string{"i7-5960x", "host"} {
		t.Run(machine, func(t *testing.T) { testVerbs(t, inputs, machine) })
	}
}

// testVerbs gives each verb each kind of input, on a machine.
func testVerbs(t *testing.T, inputs map[application.Kind]string, machine string) {
	for _, verb := range cli.InputVerbs {
		for _, kind := range application.Kinds {
			input, here := inputs[kind]
			if !here {
				continue
			}
			args := []string{verb, input}
			switch {
			case verb == "xgraph" && kind == application.Listing:
				args = append(args, "--machine", "gtx570-sp", "--block-size", "256")
			case verb == "xgraph" && kind == application.Parameters, verb == "trace":
			default:
				args = append(args, "--machine", machine)
			}
			code, stdout, stderr := foresee(args...)
			if r, no := cli.Refusals[verb][kind]; no {
				if code != exitFailed || stdout != "" || !strings.Contains(stderr, r.Why) || !strings.Contains(stderr, strings.ReplaceAll(r.Remedy, "FILE", input)) {
					t.Errorf("foresee %s: exit %d, %q; it should refuse as the table says", strings.Join(args, " "), code, stderr)
				}
				continue
			}
			if machine == "host" && code == exitFailed && strings.Contains(stderr, "foresee machine measure makes one of this machine") {
				continue // what needs times needs a machine that was measured, and says so
			}
			if code != 0 || stdout == "" && !(verb == "trace" && strings.Contains(stderr, "iterations")) {
				t.Errorf("foresee %s: exit %d, %q, %q", strings.Join(args, " "), code, stdout, stderr)
			}
		}
	}
}

// flagValues are values of flags that can be meant.
var flagValues = map[string]string{
	"cc": "clang++ -O2", "define": "N=40", "include": ".", "project": "build", "by": "function", "samples": "100", "threads-model": "symbolic", "miss-ratio": "0.1", "interleave": "uniform", "dealing": "mimic",
	"at-threads": "2", "check": "off", "compile": "-O1", "partial": "true", "trace-format": "text", "trace": "true", "kernel": "saxpy", "block-size": "64",
	"shared-memory": "1KiB", "trips": "all=3", "operations": "all", "registers": "16", "block": "all",
}

// A flag that means nothing for an input is refused, with one that says for what it is; one that does is not.
func TestFlagsByInputs(t *testing.T) {
	for _, verb := range cli.InputVerbs {
		for _, f := range cli.FlagKinds {
			for _, name := range f.Flags {
				for _, kind := range application.Kinds {
					if _, no := cli.Refusals[verb][kind]; no {
						continue
					}
					cmd := commandOf(t, verb)
					if cmd.Flags().Lookup(name) == nil || !f.Is(verb, name) {
						continue
					}
					if err := cmd.Flags().Set(name, flagValues[name]); err != nil {
						t.Fatalf("%s --%s: %v", verb, name, err)
					}
					in := &application.Input{Name: "input", Path: "input", Kind: kind, Compiled: kind == application.Program}
					err := cli.CheckInput(cmd, in, nil)
					if means := slices.Contains(f.Kinds, kind); means != (err == nil) {
						t.Errorf("%s --%s of a %s: %v", verb, name, kind, err)
					} else if err != nil && !strings.Contains(err.Error(), "is for "+cli.KindList(f.Kinds)) {
						t.Errorf("%s --%s of a %s: %v", verb, name, kind, err)
					}
				}
			}
		}
	}
}

func commandOf(t *testing.T, name string) *cobra.Command {
	t.Helper()
	s := cli.NewStreams(nil, nil, &bytes.Buffer{}, &bytes.Buffer{})
	cmd, _, err := newRoot(s).Find([]string{name})
	if err != nil {
		t.Fatal(err)
	}
	cmd.SetContext(context.Background())
	return cmd
}
