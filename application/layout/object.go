package layout

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"foresee/application/assembly"
)

// Object is an assembly as a compiler makes an object of it, which can be linked later to see where its code comes to lie.
type Object struct {
	Name string     // no other object has it
	Path string     // of the object
	At   map[int]At // of instructions, by their line in the assembly; their sections are numbered from 0
}

// based begins the labels of an object's sections of code: the object's name, and the section's number, follow.
const based = "foresee.of."

// Assemble makes an object of an assembly, in a file, which tells nothing of its instructions but where its sections of code begin. Files of the compiler
// lie in the folder. Nil where it cannot be assembled.
func Assemble(ctx context.Context, command []string, dir string, text []byte, object string) *Object {
	file, err := assembly.ReadLoosely("", bytes.NewReader(text))
	if err != nil {
		return nil
	}
	source := filepath.Join(dir, "labelled.s")
	defer os.Remove(source)
	if os.WriteFile(source, withLabels(text, file), 0o600) != nil || run(ctx, command, dir, "-c", "-o", object, source) != nil {
		return nil
	}
	sum := sha256.Sum256(text)
	o := &Object{Name: hex.EncodeToString(sum[:12]), Path: object, At: places(object)}
	first := o.number()
	lines := bytes.SplitAfter(text, []byte("\n"))
	for k, line := range first {
		label := fmt.Sprintf("%s%s.%d.%d: ", based, o.Name, k, o.At[line].Offset)
		lines[line-1] = append([]byte(label), lines[line-1]...)
	}
	if len(first) == 0 || os.WriteFile(source, bytes.Join(lines, nil), 0o600) != nil || run(ctx, command, dir, "-c", "-o", object, source) != nil {
		return nil
	}
	return o
}

// number numbers the sections from 0, and gives the line of an instruction of each.
func (o *Object) number() (first []int) {
	numbers := map[int]int{}
	for _, line := range slices.Sorted(maps.Keys(o.At)) {
		at := o.At[line]
		n, ok := numbers[at.Section]
		if !ok {
			n = len(first)
			numbers[at.Section] = n
			first = append(first, line)
		}
		o.At[line] = At{n, at.Offset}
	}
	return first
}

// Bases are where the sections of code of objects begin in a program that was linked of them, by the objects' names and the sections' numbers; 0: not
// there.
func Bases(program string) map[string][]uint64 {
	found := map[string][]uint64{}
	each(program, func(s *elf.Symbol) {
		name, ok := strings.CutPrefix(s.Name, based)
		parts := strings.Split(name, ".")
		if !ok || len(parts) != 3 {
			return
		}
		k, err := strconv.Atoi(parts[1])
		offset, errOffset := strconv.ParseUint(parts[2], 10, 64)
		if cmp.Or(err, errOffset) != nil || k < 0 || k >= mostSections || offset > s.Value {
			return
		}
		all := found[parts[0]]
		for len(all) <= k {
			all = append(all, 0)
		}
		all[k] = s.Value - offset
		found[parts[0]] = all
	})
	return found
}

// mostSections bounds the sections of code of an object, as ELF does without extensions.
const mostSections = 0xff00

// Carried is the section in which objects with recording carry those without it.
const Carried = ".foresee.plain"

// BasesOf is the name of a table of where an object's sections of code begin: their number, then their addresses, of eight bytes each.
func BasesOf(object string) string { return "foresee.bases." + object }

// Unpack writes the object without recording that one with it carries to a file; false where it carries none.
func Unpack(object, to string) bool {
	f, err := elf.Open(object)
	if err != nil {
		return false
	}
	defer f.Close()
	s := f.Section(Carried)
	if s == nil {
		return false
	}
	data, err := s.Data()
	return err == nil && os.WriteFile(to, data, 0o600) == nil
}

// Tables are the tables of bases, as assembly.
func Tables(bases map[string][]uint64) []byte {
	var b bytes.Buffer
	b.WriteString("\t.section .rodata\n\t.p2align 3\n")
	for _, name := range slices.Sorted(maps.Keys(bases)) {
		table := BasesOf(name)
		fmt.Fprintf(&b, "\t.globl %s\n\t.hidden %s\n%s:\n\t.quad %d\n", table, table, table, len(bases[name]))
		for _, at := range bases[name] {
			fmt.Fprintf(&b, "\t.quad %d\n", at)
		}
	}
	b.WriteString("\t.section .note.GNU-stack,\"\",@progbits\n")
	return b.Bytes()
}
