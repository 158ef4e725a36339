package instructions

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// filler is what lies between two loads that miss all caches: as long as the core has all of it in flight, the misses overlap.
type filler struct {
	name  string
	first []string // behind a load into the register @
	text  []string // in turn
	last  []string // in front of the next load, from #
}

// fillers are one for each window. @ is the pointer that was just loaded, # the other.
var fillers = []filler{
	{name: "reorder", text: []string{"xor r8d, r8d", "xor r9d, r9d", "xor r10d, r10d", "xor r11d, r11d"}},
	{name: "integers", text: []string{"lea r8, [r12 + 1]", "lea r9, [r12 + 1]", "lea r10, [r12 + 1]", "lea r11, [r12 + 1]"}},
	{name: "vectors", text: vectors("pshufd xmm%d, xmm15, 0")},
	{name: "loads", text: []string{"mov r8, [rsp - 64]", "mov r9, [rsp - 56]", "mov r10, [rsp - 64]", "mov r11, [rsp - 56]"}},
	{name: "branches", text: []string{"cmp r12, r12\n\tjne 2f"}},
	{name: "stores", text: []string{"mov [rsp - 64], r12", "mov [rsp - 56], r12"}},
	{name: "waiting_integers", text: []string{"lea r8, [@ + 1]", "lea r9, [@ + 1]", "lea r10, [@ + 1]", "lea r11, [@ + 1]"}},
	{name: "waiting_addresses", text: []string{"mov r8, [@ + 8]", "mov r9, [@ + 16]"}},
	{name: "waiting_vectors", first: []string{"movq xmm0, @"}, text: vectors("addpd xmm%d, xmm0")},
	{name: "vector_queue", first: []string{"movq xmm0, @"}, text: vectors("addpd xmm%d, xmm0"), last: []string{"movq xmm9, #", "movq #, xmm9"}},
}

// vectors are instructions that write vector registers in turn.
func vectors(format string) []string {
	var all []string
	for i := range 7 {
		all = append(all, fmt.Sprintf(format, 1+i))
	}
	return all
}

// distances of the two loads are tried that are so many instructions, each a sixteenth more than the one before. Chosen: today's largest cores
// have some 600 in flight.
func distances() []int {
	var all []int
	for n := 16; n <= 768; n += max(2, n/16) {
		all = append(all, n)
	}
	return all
}

// buildWindows builds the program that finds how many instructions of each kind the core has in flight, by the distance from which on two misses no longer overlap.
func (m *Measured) buildWindows(ctx context.Context, compiler []string, dir string) error {
	assembly, source, program := filepath.Join(dir, "windows.s"), filepath.Join(dir, "windows.c"), filepath.Join(dir, "windows")
	if err := writeFile(assembly, windowsAssembly()); err != nil {
		return err
	}
	if err := writeFile(source, windowsText()); err != nil {
		return err
	}
	if _, err := compile(ctx, compiler, dir, "-O1", "-o", program, source, assembly); err != nil {
		return err
	}
	m.windowsProgram = program
	return nil
}

// lookAhead looks at the windows once more. The longest counts: who shares a core has a part of it.
func (m *Measured) lookAhead(ctx context.Context) error {
	out, err := output(ctx, m.windowsProgram)
	if err != nil {
		return err
	}
	w := &m.Windows
	fields := map[string]*int{
		"reorder": &w.Reorder, "integers": &w.Integers, "vectors": &w.Vectors, "loads": &w.Loads, "branches": &w.Branches, "stores": &w.Stores, "waiting_integers": &w.WaitingIntegers,
		"waiting_addresses": &w.WaitingAddresses, "waiting_vectors": &w.WaitingVectors, "vector_queue": &w.VectorQueue,
	}
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		if len(f) == 2 && fields[f[0]] != nil {
			n, _ := strconv.Atoi(f[1])
			*fields[f[0]] = max(*fields[f[0]], n)
		}
	}
	if w.Reorder > 0 { // what is of one kind has a place among all
		w.Reorder = max(w.Reorder, w.Integers, w.Vectors, w.Loads, w.Branches, w.Stores)
	}
	return nil
}

// windowsAssembly are functions of two pointers and a number of rounds, one for each filler and distance.
func windowsAssembly() string {
	var s strings.Builder
	s.WriteString(".intel_syntax noprefix\n.text\n")
	for _, f := range fillers {
		for _, n := range distances() {
			fmt.Fprintf(&s, ".globl window_%s_%d\n.type window_%[1]s_%[2]d, @function\nwindow_%[1]s_%[2]d:\n\tpush r12\n\tmov rcx, rdx\n1:\n", f.name, n)
			f.half(&s, n, "rdi", "rsi")
			f.half(&s, n, "rsi", "rdi")
			s.WriteString("\tdec rcx\n\tjnz 1b\n2:\tpop r12\n\tret\n")
		}
	}
	s.WriteString(".section .note.GNU-stack,\"\",@progbits\n")
	return s.String()
}

// half writes one load and what lies behind it.
func (f *filler) half(s *strings.Builder, n int, own, other string) {
	registers := strings.NewReplacer("@", own, "#", other)
	write := func(text string) { s.WriteString("\t" + registers.Replace(text) + "\n") }
	write("mov @, [@]")
	for _, text := range f.first {
		write(text)
	}
	for i := range n {
		write(f.text[i%len(f.text)])
	}
	for _, text := range f.last {
		write(text)
	}
}

// windowsText is the C program that chases two pointers through memory by those functions, and looks for the largest distance at which both
// chases take little longer than at the smallest; it prints the middle between that and the next, and nothing where there is none.
func windowsText() string {
	var s strings.Builder
	s.WriteString("#define _GNU_SOURCE\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <sys/mman.h>\n#include <x86intrin.h>\n")
	for _, f := range fillers {
		for _, n := range distances() {
			fmt.Fprintf(&s, "void window_%s_%d(void *, void *, long);\n", f.name, n)
		}
	}
	tried := distances()
	fmt.Fprintf(&s, "enum { COUNT = %d };\nstatic const int distances[COUNT] = {%s};\n", len(tried), strings.Trim(strings.ReplaceAll(fmt.Sprint(tried), " ", ","), "[]"))
	s.WriteString("static const struct { const char *name; void (*at[COUNT])(void *, void *, long); } all[] = {\n")
	for _, f := range fillers {
		fmt.Fprintf(&s, "    {%q, {", f.name)
		for _, n := range distances() {
			fmt.Fprintf(&s, "window_%s_%d,", f.name, n)
		}
		s.WriteString("}},\n")
	}
	s.WriteString(`};
enum { LINE = 64, ROUNDS = 100 };
static const size_t bytes = 96u << 20;
static char *memory;
static uint32_t *order;
static size_t lines, place;

static uint64_t least(void (*f)(void *, void *, long), int times) {
    uint64_t best = -1;
    unsigned cpu;
    for (int r = 0; r < times; r++) {
        char *a = memory + (size_t)order[place % lines] * LINE, *b = memory + (size_t)order[(place + lines / 2) % lines] * LINE;
        place += 2 * ROUNDS; /* what was not touched lately */
        uint64_t begun = __rdtscp(&cpu);
        f(a, b, ROUNDS);
        uint64_t took = __rdtscp(&cpu) - begun;
        best = took < best ? took : best;
    }
    return best;
}

int main(void) {
    const size_t huge = 2u << 20;
    char *m = mmap(0, bytes + huge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (m == MAP_FAILED)
        return 0;
    memory = (char *)(((uintptr_t)m + huge - 1) & ~(uintptr_t)(huge - 1));
    madvise(memory, bytes, MADV_HUGEPAGE);
    lines = bytes / LINE;
    if (!(order = malloc(lines * sizeof *order)))
        return 0;
    for (size_t i = 0; i < lines; i++)
        order[i] = i;
    uint64_t s = 88172645463325252u;
    for (size_t i = lines - 1; i > 0; i--) {
        s ^= s << 13, s ^= s >> 7, s ^= s << 17;
        size_t j = s % (i + 1);
        uint32_t t = order[i];
        order[i] = order[j], order[j] = t;
    }
    for (size_t i = 0; i < lines; i++)
        *(char **)(memory + (size_t)order[i] * LINE) = memory + (size_t)order[(i + 1) % lines] * LINE;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        double both = least(all[k].at[0], 60);
        int low = 0, high = COUNT; /* at low they overlap, at high they do not */
        while (high - low > 1) {
            int middle = (low + high) / 2;
            if (least(all[k].at[middle], 40) > 1.5 * both)
                high = middle;
            else
                low = middle;
        }
        if (high < COUNT)
            printf("%s %d\n", all[k].name, (distances[low] + distances[high]) / 2);
    }
    return 0;
}
`)
	return s.String()
}
