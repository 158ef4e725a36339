package compiled

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

// Layout finds where instructions lie in the program that a compiler links of an assembly, by their line in it: labels are put in front of them,
// which changes no code. Where it cannot be linked, places are those in the object; nil where it cannot even be assembled. more are further
// arguments of the linking, such as libraries; files of the compiler lie in the folder.
func Layout(ctx context.Context, command []string, dir string, text []byte, file *assembly.File, more ...string) map[int]uint64 {
	source, program := filepath.Join(dir, "labelled.s"), filepath.Join(dir, "labelled")
	if err := os.WriteFile(source, withLabels(text, file), 0o600); err != nil {
		return nil
	}
	for _, last := range [][]string{append([]string{"-o", program, source}, more...), {"-c", "-o", program, source}} {
		cmd := exec.CommandContext(ctx, command[0], slices.Concat(command[1:], []string{"-w"}, last)...)
		cmd.Env = append(os.Environ(), "LC_ALL=C", "TMPDIR="+dir)
		if cmd.Run() != nil {
			continue
		}
		if found := places(program); len(found) > 0 {
			return found
		}
	}
	return nil
}

// withLabels puts a label in front of each instruction.
func withLabels(text []byte, file *assembly.File) []byte {
	lines := bytes.SplitAfter(slices.Clone(text), []byte("\n"))
	for _, f := range file.Functions {
		for _, b := range f.Blocks {
			for _, x := range b.Instructions {
				if i := x.At.Line - 1; i >= 0 && i < len(lines) && !bytes.HasPrefix(lines[i], []byte(labelled)) {
					lines[i] = append([]byte(fmt.Sprintf("%s%d: ", labelled, x.At.Line)), lines[i]...)
				}
			}
		}
	}
	return bytes.Join(lines, nil)
}

// places are the addresses of the labels in an ELF file.
func places(program string) map[int]uint64 {
	f, err := elf.Open(program)
	if err != nil {
		return nil
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		return nil
	}
	found := map[int]uint64{}
	for _, s := range symbols {
		if number, ok := strings.CutPrefix(s.Name, labelled); ok {
			if line, err := strconv.Atoi(number); err == nil {
				found[line] = s.Value
			}
		}
	}
	return found
}
