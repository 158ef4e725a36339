// Package layout finds where machine code lies in the program that a compiler links of its assembly: labels are put in front of instructions, which
// changes no code, and read from what assembler and linker make.
package layout

import (
	"bytes"
	"context"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"foresee/application/assembly"
)

// labelled is the begin of labels that stand in front of instructions, and end in the number of their line.
const labelled = "foresee.at."

// Linked finds where instructions lie in the program that a compiler links of an assembly, by their line in it. Where it cannot be linked, places are
// those in the object; nil where it cannot even be assembled. more are further arguments of the linking, such as libraries; files of the compiler lie in
// the folder.
func Linked(ctx context.Context, command []string, dir string, text []byte, file *assembly.File, more ...string) map[int]uint64 {
	source, program := filepath.Join(dir, "labelled.s"), Program(dir)
	if err := os.WriteFile(source, withLabels(text, file), 0o600); err != nil {
		return nil
	}
	whole := append([]string{"-o", program, source}, more...)
	part := append(slices.Clone(whole), "-Wl,--unresolved-symbols=ignore-all") // of a program of several files, as each calls others
	for _, last := range [][]string{whole, part, {"-c", "-o", program, source}} {
		if run(ctx, command, dir, last...) != nil {
			continue
		}
		found := map[int]uint64{}
		for line, at := range places(program) {
			found[line] = at.Offset
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// Program is what Linked leaves in its folder: the program, or the object where that is all.
func Program(dir string) string { return filepath.Join(dir, "labelled") }

// run runs a compiler.
func run(ctx context.Context, command []string, dir string, args ...string) error {
	cmd := exec.CommandContext(ctx, command[0], slices.Concat(command[1:], []string{"-w"}, args)...)
	cmd.Env = append(os.Environ(), "LC_ALL=C", "TMPDIR="+dir)
	return cmd.Run()
}

// withLabels puts a label in front of each instruction.
func withLabels(text []byte, file *assembly.File) []byte {
	lines := bytes.SplitAfter(slices.Clone(text), []byte("\n"))
	for _, f := range file.Functions {
		for _, b := range f.Blocks {
			for _, x := range b.Instructions {
				if i := x.Line() - 1; !x.Joined && i >= 0 && i < len(lines) && !bytes.HasPrefix(lines[i], []byte(labelled)) {
					lines[i] = append([]byte(fmt.Sprintf("%s%d: ", labelled, x.Line())), lines[i]...)
				}
			}
		}
	}
	return bytes.Join(lines, nil)
}

// At is where an instruction lies in a file: a section, by its number in the file, and the bytes from its begin; in a program, its address.
type At struct {
	Section int
	Offset  uint64
}

// places are the places of the labels in an ELF file.
func places(path string) map[int]At {
	found := map[int]At{}
	each(path, func(s *elf.Symbol) {
		if number, ok := strings.CutPrefix(s.Name, labelled); ok {
			if line, err := strconv.Atoi(number); err == nil {
				found[line] = At{int(s.Section), s.Value}
			}
		}
	})
	return found
}

// each calls a function with each symbol of an ELF file, of none where it cannot be read.
func each(path string, f func(s *elf.Symbol)) {
	file, err := elf.Open(path)
	if err != nil {
		return
	}
	defer file.Close()
	symbols, err := file.Symbols()
	if err != nil {
		return
	}
	for i := range symbols {
		f(&symbols[i])
	}
}
