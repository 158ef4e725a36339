package record

import (
	"context"
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Thread-local variables of code that clang compiles are emulated: it makes a control variable for each and calls a function of the
// runtime (emutls.c), which gives each virtual thread memory of its own. Variables of libraries that were not compiled for foresee
// have no such control variable; one is made here, whose function gives the address.

// controlPrefix begins the names of control variables.
const controlPrefix = "__emutls_v."

// wrapThreadLocal makes the linker take the runtime's function, which libgcc has as well.
const wrapThreadLocal = "-Wl,--wrap=__emutls_get_address"

var missingControl = regexp.MustCompile(`undefined (?:reference to|symbol:) [\x60'"]?` + regexp.QuoteMeta(controlPrefix) + `([^\s\x60'"]+)`)

// missingThreadLocals are the thread-local variables that the linker did not find emulated.
func missingThreadLocals(said string) []string {
	var names []string
	for _, m := range missingControl.FindAllStringSubmatch(said, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// openThreadLocals are those of the C++ library that a shared library of instrumented code leaves open. Others may be defined where it
// is loaded.
func openThreadLocals(library string) []string {
	f, err := elf.Open(library)
	if err != nil {
		return nil
	}
	defer f.Close()
	all, err := f.DynamicSymbols()
	if err != nil {
		return nil
	}
	var names []string
	for _, y := range all {
		name, ok := strings.CutPrefix(y.Name, controlPrefix)
		if ok && y.Section == elf.SHN_UNDEF && (strings.HasPrefix(name, "_ZSt") || strings.HasPrefix(name, "_ZNSt")) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// nativeThreadLocals compiles control variables for thread-local variables that libraries define, and gives the object. They are seen
// outside what is linked unless hidden.
func (b *Builder) nativeThreadLocals(ctx context.Context, c *commandLine, names []string) (string, error) {
	visibility := "default"
	if c.shared {
		visibility = "hidden"
	}
	var text strings.Builder
	text.WriteString("struct control { unsigned long bytes, alignment, at; void *(*address)(void); };\n")
	for i, name := range names {
		fmt.Fprintf(&text, "extern __thread char v%d __asm__(%q);\nstatic void *a%d(void) { return &v%d; }\n", i, name, i, i)
		fmt.Fprintf(&text, "extern struct control c%d __asm__(%q) __attribute__((visibility(%q)));\n", i, controlPrefix+name, visibility)
		fmt.Fprintf(&text, "struct control c%d = {1, 0, 0, a%d};\n", i, i)
	}
	source, object := filepath.Join(b.work, "threadlocal.c"), filepath.Join(b.work, "threadlocal.o")
	if err := os.WriteFile(source, []byte(text.String()), 0o644); err != nil {
		return "", err
	}
	args := append(c.words(always), "-w", "-fPIC", "-fno-lto", "-c", "-x", "c", source, "-o", object)
	_, err := b.step(ctx, args...)
	return object, err
}

// linkThreadLocal links, and once more with the control variables that were missing.
func (b *Builder) linkThreadLocal(ctx context.Context, c *commandLine, output string, args []string) (said string, err error) {
	if !b.Compiler.Clang {
		return b.step(ctx, args...)
	}
	args = append(args, wrapThreadLocal)
	said, err = b.quietStep(ctx, args...)
	missing := missingThreadLocals(said)
	if err == nil && c.shared {
		missing = openThreadLocals(output)
	}
	if len(missing) == 0 || ctx.Err() != nil {
		_, _ = b.Stderr.Write([]byte(said))
		return said, err
	}
	object, err := b.nativeThreadLocals(ctx, c, missing)
	if err != nil {
		return "", err
	}
	return b.step(ctx, append(args, object)...)
}

// warnThreadLocal says what gcc, which cannot emulate them, does with the thread-local variables of an object.
func (b *Builder) warnThreadLocal(source, object string) {
	f, err := elf.Open(object)
	if err != nil {
		return
	}
	defer f.Close()
	all, _ := f.Symbols()
	i := slices.IndexFunc(all, func(y elf.Symbol) bool {
		return elf.ST_TYPE(y.Info) == elf.STT_TLS && y.Section != elf.SHN_UNDEF
	})
	if i >= 0 {
		fmt.Fprintf(b.Stderr, "foresee: warning: %s: the thread-local variable %s, compiled by gcc, has one address in all virtual threads: where "+
			"the program reads it through a pointer from another thread, results are wrong; with clang (%s, %s) each thread has its own\n",
			source, all[i].Name, CompilerVariable, CxxCompilerVariable)
	}
}
