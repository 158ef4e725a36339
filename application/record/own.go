package record

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"foresee/application/layout"
	"foresee/application/record/instrument"
	"foresee/application/record/rewrite"
)

// compileOwn makes an object of a source with the compiler's own machine code: it writes assembly, to which recording is added.
func (b *Builder) compileOwn(ctx context.Context, c *commandLine, source, named, object, part string, flags []string) error {
	text := part + ".s"
	args := append([]string{"-S", "-Wno-error"}, flags...)
	args = append(args, "-g1", "-gdwarf-4", "-masm=att") // lines, and no more of what debuggers read
	if b.Compiler.Clang {
		args = append(args, "-Qunused-arguments")
		if c.openmp {
			args = append(args, "-femulated-tls") // so that virtual threads have their own
		}
	}
	if _, err := b.step(ctx, append(args, source, "-o", text)...); err != nil {
		return err
	}
	return b.recordOwn(ctx, c, text, named, object, part, append([]string{filepath.Base(b.Compiler.Path)}, flags...))
}

// recordOwn makes an object of assembly that a compiler, whose command line that was, wrote of a source of that name.
func (b *Builder) recordOwn(ctx context.Context, c *commandLine, text, named, object, part string, command []string) error {
	assembly, err := os.ReadFile(text)
	if err != nil {
		return err
	}
	var plain *layout.Object
	if c.mode != "-S" { // which is to stand alone
		plain = layout.Assemble(ctx, append([]string{b.Compiler.Path}, c.words(always)...), b.work, assembly, part+".plain.o")
	}
	folder, err := os.Getwd()
	if err != nil {
		return err
	}
	made, err := rewrite.Rewrite(assembly, rewrite.Options{
		Name: filepath.Base(object), Compiler: strings.Join(command, " "), PIC: c.pic || c.shared, Source: filepath.Base(named), Plain: plain, Folder: folder,
		Traps: slices.Contains(command, "-fnon-call-exceptions"),
	})
	if err != nil {
		return fmt.Errorf("%s: %w", named, err)
	}
	if made.Inline > 0 && slices.Contains(command, "-masm=intel") {
		return fmt.Errorf("%s: it holds assembly in Intel's form (-masm=intel), and code is recorded in AT&T's; write that, or keep the file out of the recording", named)
	}
	b.sayUnrecorded(named, made)
	if b.Compiler.Fortran && c.openmp {
		made.Text = append(made.Text, instrument.AsksAll(named, "OpenMP in Fortran, whose loops are not looked into")...)
	}
	if c.mode == "-S" {
		return os.WriteFile(object, made.Text, 0o666)
	}
	if err := os.WriteFile(text, made.Text, 0o600); err != nil {
		return err
	}
	args := append([]string{"-c"}, c.words(always)...)
	if b.Compiler.Clang {
		args = append(args, "-Qunused-arguments")
	}
	if _, err := b.step(ctx, append(args, text, "-o", object)...); err != nil {
		return err
	}
	if c.openmp && !b.Compiler.Clang {
		b.warnThreadLocal(named, object)
	}
	return nil
}

// followed gives the graph of what a source asks about its threads, which clang's IR of it shows, optimised whatever the program is, and that of the words of
// what clang made the IR of. It fails where there is no clang, or where that does not compile what another compiler does.
func (b *Builder) followed(ctx context.Context, c *commandLine, written, lang, part string) (graph, words string, err error) {
	clang := b.Compiler
	if !clang.Clang {
		if clang, err = findClang(ctx, clang.Cxx); err != nil {
			return "", "", err
		}
	}
	cxx := strings.HasPrefix(lang, "c++")
	source, ir := part+".asks.i", part+".asks.ll"
	if cxx {
		source = part + ".asks.ii"
	}
	run := func(args ...string) error {
		return b.runProgram(ctx, clang.Path, io.Discard, append(args, "-w", "-Qunused-arguments")...)
	}
	if !strings.HasSuffix(lang, "cpp-output") {
		args := append([]string{"-E"}, c.withoutDependencies(preprocess, compile, always)...)
		if err := run(append(args, "-isystem", b.library.include, "-x", lang, written, "-o", source)...); err != nil {
			return "", "", err
		}
		written = source
	}
	text, err := os.ReadFile(written)
	if err != nil {
		return "", "", err
	}
	reductions := ""
	if c.openmp {
		text = rewriteSchedules(text)
		reductions = instrument.ReductionsOf(string(text), cxx)
	}
	words = c.asksOf(string(text), cxx)
	if err := os.WriteFile(source, text, 0o600); err != nil {
		return "", "", err
	}
	args := append([]string{"-S", "-emit-llvm"}, c.words(compile, always)...)
	if err := run(append(args, "-O2", "-gline-tables-only", "-gdwarf-4", source, "-o", ir)...); err != nil {
		return "", "", err
	}
	if text, err = os.ReadFile(ir); err != nil {
		return "", "", err
	}
	return instrument.AsksOfIR(string(text), reductions), words, nil
}

// sayUnrecorded says what of a source runs as it is.
func (b *Builder) sayUnrecorded(source string, made *rewrite.Made) {
	for _, of := range []struct {
		n    int
		what string
	}{
		{made.Inline, "stretches of assembly that people wrote run as they are, unrecorded"},
		{made.Whole, "functions with jumps that reach a few bytes only run as they are, unrecorded"},
		{made.Module.Unseen, "instructions access memory in a way that is not recorded"},
	} {
		if of.n > 0 {
			fmt.Fprintf(b.Stderr, "foresee: warning: %s: %d %s\n", source, of.n, of.what)
		}
	}
}
