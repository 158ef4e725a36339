package record

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/term"

	"foresee/application/record/instrument"
	"foresee/internal/claims"
	"foresee/internal/workspace"
)

// Builder stands in for a compiler.
type Builder struct {
	Compiler *Compiler
	Rustc    string // the compiler of Rust; Compiler then links
	Stdin    io.Reader
	Stdout   io.Writer
	Stderr   io.Writer
	library  *runtimeLibrary
	work     string // folder of what is made on the way
	output   string
}

// ExitError is a compiler's or program's exit code, after it has said itself what is wrong.
type ExitError struct {
	Program string
	Code    int
}

func (e *ExitError) Error() string { return fmt.Sprintf("%s: exit code %d", e.Program, e.Code) }

// Build does what the compiler would do with these arguments, and adds recording to what it compiles.
func (b *Builder) Build(ctx context.Context, args []string) (err error) {
	if args, err = expandFiles(args); err != nil {
		return err
	}
	c := parseCommandLine(args)
	if err := c.keepInputs(); err != nil {
		return err
	}
	if c.output != "" {
		defer claims.Release(c.output) // a process may build several programs of one name
	}
	if c.query || c.mode == "-E" || c.mode == "-fsyntax-only" {
		return b.run(ctx, withoutOpenMPLibrary(args)...)
	}
	if err := c.refused(); err != nil {
		return err
	}
	for _, a := range c.leftOut() {
		fmt.Fprintf(b.Stderr, "foresee: warning: %s is left out: the recorder sees every access itself, and what others add to the code would be recorded as the program's\n", a)
	}
	done, err := b.prepare(ctx)
	if err != nil {
		return err
	}
	defer done()
	b.output = cmp.Or(c.output, "a.out")
	return b.onDisk(b.all(ctx, args, c))
}

// prepare makes what building needs; done releases it.
func (b *Builder) prepare(ctx context.Context) (done func(), err error) {
	library, err := prepareRuntime(ctx, b.Compiler)
	if err != nil {
		return nil, err
	}
	b.library = library
	if library.kept.Unkept != "" {
		fmt.Fprintf(b.Stderr, "foresee: warning: the recorder was compiled for this command alone, there is no folder to keep it in: %s; set XDG_CACHE_HOME to one of your own\n", library.kept.Unkept)
	}
	work, err := workspace.New("cc")
	if err != nil {
		return nil, errors.Join(err, library.close())
	}
	b.work = work.Path
	return func() {
		work.Remove()
		_ = library.close()
	}, nil
}

// all makes the objects, and the program where one is wanted.
func (b *Builder) all(ctx context.Context, args []string, c *commandLine) error {
	dir := b.work
	var objects []string
	for i := range c.arguments {
		a := &c.arguments[i]
		lang := a.language(b.Compiler.Cxx)
		if a.input == "" || lang == "" || lang == fortran && !b.Compiler.Own {
			continue
		}
		object := filepath.Join(dir, fmt.Sprintf("%d-%s.o", i, strings.TrimSuffix(filepath.Base(a.input), filepath.Ext(a.input))))
		if c.mode != "" {
			object = c.objectName(a.input)
		}
		if err := b.compile(ctx, c, a.input, lang, object, filepath.Join(dir, fmt.Sprint(i))); err != nil {
			return err
		}
		objects = append(objects, object)
		a.input, a.words = object, []string{object}
	}
	if c.mode != "" {
		if len(objects) == 0 { // assembly and the like
			return b.run(ctx, withoutOpenMPLibrary(args)...)
		}
		return nil
	}
	return b.link(ctx, c)
}

// keepInputs refuses to write a result over an input, which not all compilers do.
func (c *commandLine) keepInputs() error {
	for _, a := range c.arguments {
		if info, err := os.Stat(a.input); a.input != "" && err == nil {
			if err := claims.Input(a.input, info); err != nil {
				return err
			}
		}
	}
	if c.output == "" {
		return nil
	}
	return claims.Claim(c.output, c.output)
}

// objectName is where -c or -S writes.
func (c *commandLine) objectName(input string) string {
	if c.output != "" {
		return c.output
	}
	end := ".o"
	if c.mode == "-S" {
		end = ".s"
	}
	return strings.TrimSuffix(filepath.Base(input), filepath.Ext(input)) + end
}

// run runs the compiler with this command's own streams.
func (b *Builder) run(ctx context.Context, args ...string) error {
	return b.runWith(ctx, b.Stderr, args...)
}

// runWith runs the compiler, with what it says going to stderr.
func (b *Builder) runWith(ctx context.Context, stderr io.Writer, args ...string) error {
	return b.runProgram(ctx, b.Compiler.Path, stderr, args...)
}

// runProgram runs a compiler or what else builds.
func (b *Builder) runProgram(ctx context.Context, program string, stderr io.Writer, args ...string) error {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = b.Stdin, b.Stdout, stderr
	cmd.Env = append(os.Environ(), "LC_ALL=C") // what it says is looked at
	if b.work != "" {
		cmd.Env = append(cmd.Env, "TMPDIR="+b.work) // so that nothing stays of a compiler that is killed
	}
	err := cmd.Run()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return &ExitError{filepath.Base(program), exit.ExitCode()}
	}
	return err
}

// step runs the compiler and gives what it printed; it is not shown where the disk is full, as compilers then crash with messages that mislead.
func (b *Builder) step(ctx context.Context, args ...string) (said string, err error) {
	said, err = b.quietStep(ctx, args...)
	_, _ = b.Stderr.Write([]byte(said))
	return said, err
}

// quietStep is step for a caller that shows what was printed, or not.
func (b *Builder) quietStep(ctx context.Context, args ...string) (said string, err error) {
	if f, ok := b.Stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		args = append([]string{"-fdiagnostics-color=always"}, args...)
	}
	var text bytes.Buffer
	err = b.runWith(ctx, &text, args...)
	if err != nil && ctx.Err() == nil {
		if full := workspace.Full(nil, text.String(), b.work, filepath.Dir(b.output)); full != nil {
			return "", full
		}
	}
	return text.String(), err
}

// onDisk names the disk that is behind an error of writing.
func (b *Builder) onDisk(err error) error {
	if full := workspace.Full(err, "", b.work, filepath.Dir(b.output)); err != nil && full != nil {
		return full
	}
	return err
}

// compile makes one object: preprocess, rewrite the loops' schedules, then with clang compile to IR, instrument, generate code; gcc's way is
// compileGCC. part is where files in between lie, without their ends.
func (b *Builder) compile(ctx context.Context, c *commandLine, input, lang, object, part string) error {
	if lang == fortran {
		return b.compileOwn(ctx, c, input, input, object, part, c.words(preprocess, compile, always))
	}
	written, named, source := input, input, part+".i"
	if strings.HasPrefix(lang, "c++") {
		source = part + ".ii"
	}
	if !strings.HasSuffix(lang, "cpp-output") {
		args := append([]string{"-E"}, c.words(preprocess, compile, always)...)
		args = append(args, "-isystem", b.library.include, "-x", lang, input, "-o", source)
		args = b.nameDependencies(args, object)
		if _, err := b.step(ctx, args...); err != nil {
			return err
		}
		input = source
	}
	text, err := os.ReadFile(input)
	if err != nil {
		return err
	}
	if c.openmp {
		text = rewriteSchedules(text)
	}
	if err := os.WriteFile(source, text, 0o644); err != nil {
		return err
	}
	switch {
	case b.Compiler.Own:
		followed := func() (graph, words string, err error) { return b.followed(ctx, c, written, lang, part) }
		if err := b.markAsks(c, source, followed); err != nil {
			return err
		}
		return b.compileOwn(ctx, c, source, named, object, part, c.words(compile, always))
	case !b.Compiler.Clang:
		return b.compileGCC(ctx, c, source, named, object)
	}
	flow := ""
	if c.openmp {
		flow = instrument.ReductionsOf(string(text), strings.HasPrefix(lang, "c++"))
	}
	return b.compileClang(ctx, c, source, named, object, part, flow)
}

// nameDependencies makes -MD name the object and write beside it, unless -MT, -MQ or -MF say otherwise.
func (b *Builder) nameDependencies(args []string, object string) []string {
	wants, target, file := false, false, false
	for _, a := range args {
		wants = wants || a == "-MD" || a == "-MMD"
		target = target || strings.HasPrefix(a, "-MT") || strings.HasPrefix(a, "-MQ")
		file = file || strings.HasPrefix(a, "-MF")
	}
	if wants && !target {
		args = append(args, "-MT", object)
	}
	if wants && !file {
		args = append(args, "-MF", strings.TrimSuffix(object, filepath.Ext(object))+".d")
	}
	return args
}

// compileClang makes an object of what a file was made into; flow is what the source tells of how it reduces over threads.
func (b *Builder) compileClang(ctx context.Context, c *commandLine, source, named, object, part, flow string) error {
	ir := part + ".ll"
	args := append([]string{"-S", "-emit-llvm", "-Wno-error", "-Qunused-arguments"}, c.words(compile, always)...)
	if !c.debug {
		args = append(args, "-gline-tables-only", "-gdwarf-4") // which valgrind reads
	}
	if _, err := b.step(ctx, append(args, source, "-o", ir)...); err != nil {
		return err
	}
	text, err := os.ReadFile(ir)
	if err != nil {
		return err
	}
	out, m, err := instrument.Instrument(string(text), instrument.Options{
		Opaque: b.Compiler.Opaque(), PIC: c.pic || c.shared, X86: onX86(), Name: filepath.Base(object), Flow: flow,
	})
	if err != nil {
		return fmt.Errorf("%s: %w", named, err)
	}
	if m.Unseen > 0 {
		fmt.Fprintf(b.Stderr, "foresee: warning: %s: %d vector instructions access memory in a way that is not recorded\n", named, m.Unseen)
	}
	if err := os.WriteFile(ir, []byte(out), 0o644); err != nil {
		return err
	}
	how := "-c"
	if c.mode == "-S" {
		how = "-S"
	}
	args = append([]string{how, "-Qunused-arguments", "-Wno-override-module"}, c.words(always)...)
	_, err = b.step(ctx, append(args, "-femulated-tls", "-Xclang", "-disable-llvm-passes", "-x", "ir", ir, "-o", object)...)
	return err
}

// compileGCC compiles a source with GCC, which calls the recorder at each access by itself.
func (b *Builder) compileGCC(ctx context.Context, c *commandLine, source, named, object string) error {
	how := "-c"
	if c.mode == "-S" {
		how = "-S"
	}
	args := append([]string{how, "-Wno-error"}, c.words(compile, always)...)
	if !c.debug {
		args = append(args, "-g1", "-gdwarf-4")
	}
	args = append(args, "-fsanitize=thread", "-fsanitize-coverage=trace-pc", "-fno-inline-small-functions")
	if err := b.markAsks(c, source, nil); err != nil {
		return err
	}
	if _, err := b.step(ctx, append(args, source, "-o", object)...); err != nil {
		return err
	}
	if c.openmp && how == "-c" {
		b.warnThreadLocal(named, object)
	}
	return nil
}

// markAsks notes in a preprocessed source what it asks about its threads. How it uses the answers is what followed finds, which gives the graph of the words
// of what it looked at besides; where that is nil or fails, or where that is of other words, all of it matters.
func (b *Builder) markAsks(c *commandLine, source string, followed func() (graph, words string, err error)) error {
	text, err := os.ReadFile(source)
	if err != nil {
		return err
	}
	graph := c.asksOf(string(text), filepath.Ext(source) == ".ii")
	if graph != "" && followed != nil {
		if better, alike, err := followed(); err == nil && alike == graph {
			graph = better
		}
	}
	if graph == "" {
		return nil
	}
	return os.WriteFile(source, append(text, "\n"+instrument.InSource(graph)...), 0o644)
}

// asksOf is the graph of the words of a preprocessed source.
func (c *commandLine) asksOf(text string, cxx bool) string {
	teams := ""
	if c.openmp {
		teams = teamsOfSource(text, cxx)
	}
	return instrument.AsksOfSource(text, cxx, teams)
}

// openmpLibraries are those that the virtual OpenMP stands in for.
var openmpLibraries = []string{"-lgomp", "-lomp", "-liomp5", "-l:libgomp.so.1", "-l:libomp.so.5"}

// isOpenMPLibrary says whether an argument links a library of OpenMP.
func isOpenMPLibrary(a string) bool {
	for _, l := range openmpLibraries {
		if a == l {
			return true
		}
	}
	base := filepath.Base(a)
	return strings.HasPrefix(base, "libgomp.") || strings.HasPrefix(base, "libomp.") || strings.HasPrefix(base, "libiomp5.")
}

// withoutOpenMPLibrary leaves out libraries of OpenMP: the recorder stands in for them.
func withoutOpenMPLibrary(args []string) []string {
	var kept []string
	for _, a := range args {
		if !isOpenMPLibrary(a) {
			kept = append(kept, a)
		}
	}
	return kept
}

// wrapped are functions that the recorder has to see.
var wrapped = []string{"main", "_exit", "_Exit", "pthread_create", "thrd_create"}

var wrappedCxx = []string{"_Znwm", "_Znam", "_ZnwmSt11align_val_t", "_ZnamSt11align_val_t"}

// link links objects with the runtime, a shared library without it.
func (b *Builder) link(ctx context.Context, c *commandLine) error {
	var args []string
	for _, a := range c.arguments {
		if a.stage == linking || a.stage == always {
			args = append(args, withoutOpenMPLibrary(a.words)...)
		}
	}
	output := c.output
	if output == "" {
		output = "a.out"
	}
	if bases := b.placed(ctx, c); bases != "" {
		args = append(args, bases)
	}
	args = append(args, "-o", output)
	if b.Compiler.Clang {
		args = append(args, "-Qunused-arguments")
	}
	if !c.shared {
		args = append(args, b.library.objects...)
		names := wrapped
		if b.Compiler.Cxx {
			args = append(args, b.library.cxx...)
			names = append(append([]string{}, wrapped...), wrappedCxx...)
		}
		if !b.Compiler.Clang && !b.Compiler.Own {
			args = append(args, b.library.gcc...)
		}
		for _, n := range names {
			args = append(args, "-Wl,--wrap="+n)
		}
		args = append(args, b.library.starts, "-rdynamic", "-ldl", "-lpthread")
		if slices.Contains(args, "-nodefaultlibs") { // the program's own stand before what the recorder needs of them
			args = append(args, "-lgcc_s", "-lgcc", "-lc")
		}
	}
	said, err := b.linkThreadLocal(ctx, c, output, args)
	if err != nil {
		for _, line := range missingConstructs(said) {
			fmt.Fprintf(b.Stderr, "foresee: %s\n", line)
		}
	}
	return err
}

// constructs by the beginning of the entry points that the virtual OpenMP does not have.
var constructs = []struct{ prefix, name string }{
	{"__tgt_", "target (offloading to a device)"},
	{"GOMP_target", "target (offloading to a device)"},
	{"__kmpc_distribute", "distribute"},
	{"__kmpc_dist_", "distribute"},
	{"GOMP_workshare_task_reduction", "reduction(task)"},
	{"GOMP_parallel_reductions", "reduction(task)"},
	{"GOMP_loop_start", "reduction(task) or reduction(inscan)"},
	{"GOMP_loop_ull_start", "reduction(task) or reduction(inscan)"},
	{"GOMP_scope_start", "reduction(task)"},
	{"GOMP_sections2_start", "reduction(task)"},
	{"__kmpc_", "an OpenMP construct"},
	{"GOMP_", "an OpenMP construct"},
	{"omp_", "an OpenMP function"},
}

// remedy says how a program can have what a compiler's OpenMP was not found to have.
func remedy(construct string) string {
	if strings.HasPrefix(construct, "reduction(task)") {
		return "; clang's are followed: compile it for recording with clang"
	}
	return ""
}

// missingConstructs explains what the linker did not find.
func missingConstructs(said string) []string {
	var all []string
	seen := map[string]bool{}
	for line := range strings.SplitSeq(said, "\n") {
		if !strings.Contains(line, "undefined") {
			continue
		}
		for word := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune(" `'\":;,()", r) }) {
			for _, k := range constructs {
				if !strings.HasPrefix(word, k.prefix) {
					continue
				}
				if !seen[k.name] {
					all = append(all, fmt.Sprintf("%s is not supported when tracing (%s is not there)%s", k.name, word, remedy(k.name)))
				}
				seen[k.name] = true
				break
			}
		}
	}
	return all
}
