package record

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"foresee/internal/claims"
)

// Programs in Rust are compiled and linked by rustc, which is asked for the assembly of the crate as well, in one piece. In the place of the linker
// stands a script that keeps what was to be linked; then the crate's object is replaced by that of the assembly with recording, and all is linked with
// the recorder. In a library the object is replaced likewise: what is generic in a library is compiled with the program.

// ErrNotRust says that a compiler is none of Rust.
var ErrNotRust = errors.New("is no compiler of Rust")

// UsualRust is the compiler of Rust that is taken where none is named.
const UsualRust = "rustc"

// RustCompiler looks for a compiler of Rust, and gives its path.
func RustCompiler(ctx context.Context, name string) (string, error) {
	if !onX86() {
		return "", ErrNotX86
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", err
	}
	out, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return "", fmt.Errorf("%s --version: %w", path, err)
	}
	if !bytes.HasPrefix(out, []byte("rustc ")) {
		return "", fmt.Errorf("%s %w", path, ErrNotRust)
	}
	return path, nil
}

// keeper is what stands in the place of the linker: it notes its arguments in a folder of their own, and keeps the files that rustc removes.
const keeper = `#!/bin/sh
n=0
while ! mkdir "%[1]s/link$n" 2>/dev/null; do n=$((n + 1)); done
to=%[1]s/link$n
i=0
for a do
	i=$((i + 1))
	file=
	case $a in
	@*) file=${a#@} head=@ ;;
	*.o) file=$a head= ;;
	-Wl,--version-script=* | -Wl,--dynamic-list=*) file=${a#*=} head=${a%%%%=*}= ;;
	esac
	if [ -n "$file" ] && [ -f "$file" ]; then
		cp "$file" "$to/$i-${file##*/}" || exit 1
		a=$head$to/$i-${file##*/}
	fi
	printf '%%s\0' "$a" >> "$to/arguments" || exit 1
done
`

// BuildRust does what the compiler of Rust would do with these arguments, and adds recording to what it compiles.
func (b *Builder) BuildRust(ctx context.Context, args []string) error {
	args, err := expandFiles(args)
	if err != nil {
		return err
	}
	c := parseRust(args)
	if c.asks || !c.links() {
		return b.runProgram(ctx, b.Rustc, b.Stderr, args...)
	}
	if c.target != "" && !strings.HasPrefix(c.target, "x86_64-") {
		return fmt.Errorf("%s: machine code is recorded on x86-64 alone; name no other target", c.target)
	}
	if c.output != "" {
		if err := claims.Claim(c.output, c.output); err != nil {
			return err
		}
		defer claims.Release(c.output)
	}
	done, err := b.prepare(ctx)
	if err != nil {
		return err
	}
	defer done()
	b.output = c.output
	if c.ofBuild() { // the libraries that it is linked with are recorded
		return b.onDisk(b.runProgram(ctx, b.Rustc, b.Stderr, append(args, "-C", "link-arg="+b.library.idle)...))
	}
	return b.onDisk(b.crate(ctx, c))
}

// crate compiles one.
func (b *Builder) crate(ctx context.Context, c *rustCommand) error {
	linker, text, object := filepath.Join(b.work, "cc"), filepath.Join(b.work, "crate.s"), filepath.Join(b.work, "crate.o")
	if err := os.WriteFile(linker, fmt.Appendf(nil, keeper, b.work), 0o700); err != nil {
		return err
	}
	if c.output == "" && c.folder == "" && len(c.emits) == 0 {
		if names, err := b.namesRust(ctx, c); err == nil && len(names) == 1 { // else rustc says what is wrong
			c.output = names[0]
		}
	}
	words := append(slices.Concat(c.words, c.where(b.work)), "--emit", strings.Join(append(c.outputs(), "asm="+text), ","),
		"-C", "codegen-units=1", "-C", "strip=none", "-C", "linker="+linker)
	if !debugsRust(c.words) {
		words = append(words, "-C", "debuginfo=1") // lines
	}
	if err := b.runProgram(ctx, b.Rustc, b.Stderr, words...); err != nil {
		return err
	}
	if _, err := os.Stat(text); err != nil {
		return nil // nothing but what is generic
	}
	compiling := &commandLine{pic: true, debug: true}
	if !b.Compiler.Clang { // files named in two words, which LLVM writes, are of this version; and it writes prefixes apart from what they belong to
		compiling.arguments = []argument{{words: []string{"-Wa,--gdwarf-5,--no-warn"}, stage: always}}
	}
	if err := b.recordOwn(ctx, compiling, text, c.input, object, filepath.Join(b.work, "crate"), append([]string{filepath.Base(b.Rustc)}, c.words...)); err != nil {
		return err
	}
	if err := b.linkRust(ctx, object); err != nil {
		return err
	}
	return b.archiveRust(ctx, c, object)
}

// debugsRust says whether a command asks for what debuggers read, more than the lines or these.
func debugsRust(words []string) bool {
	for i, w := range words {
		if value, ok := strings.CutPrefix(strings.TrimPrefix(w, "-C"), "debuginfo="); ok && (strings.HasPrefix(w, "-C") || i > 0 && (words[i-1] == "-C" || words[i-1] == "--codegen")) {
			return value != "0" && value != "none"
		}
	}
	for _, w := range words {
		if w == "-g" {
			return true
		}
	}
	return false
}

// ofCrate are the names of the object of a crate that is compiled in one piece.
var ofCrate = regexp.MustCompile(`-cgu\.0\.rcgu\.o$`)

// linkRust links what rustc was to link, with the object in the place of the crate's own.
func (b *Builder) linkRust(ctx context.Context, object string) error {
	for n := 0; ; n++ {
		text, err := os.ReadFile(filepath.Join(b.work, fmt.Sprintf("link%d", n), "arguments"))
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		args, err := expandFiles(strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00"))
		if err != nil {
			return err
		}
		args = slices.DeleteFunc(args, func(a string) bool { return a == "-fuse-ld=lld" }) // which does not take what --wrap asks for out of archives
		for i, a := range args {
			if ofCrate.MatchString(a) {
				args[i] = object
			}
		}
		c := parseCommandLine(args)
		if err := c.refused(); err != nil {
			return err
		}
		if err := b.link(ctx, c); err != nil {
			return err
		}
	}
}

// namesRust are the files that rustc would make of the crate.
func (b *Builder) namesRust(ctx context.Context, c *rustCommand) ([]string, error) {
	var names, said bytes.Buffer
	cmd := exec.CommandContext(ctx, b.Rustc, append(append([]string{}, c.words...), "--print", "file-names")...)
	cmd.Stdout, cmd.Stderr = &names, &said
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s --print file-names: %w\n%s", b.Rustc, err, &said)
	}
	return strings.Fields(names.String()), nil
}

// archiveRust puts the object into the libraries that rustc made, in the place of the crate's own.
func (b *Builder) archiveRust(ctx context.Context, c *rustCommand, object string) error {
	names, err := b.namesRust(ctx, c)
	if err != nil {
		return err
	}
	for _, library := range c.archives(names) {
		listed, err := exec.CommandContext(ctx, "ar", "t", library).Output()
		if err != nil {
			return fmt.Errorf("ar t %s: %w", library, err)
		}
		for member := range strings.FieldsSeq(string(listed)) {
			if !ofCrate.MatchString(member) {
				continue
			}
			replacing := filepath.Join(b.work, member)
			if err := os.Rename(object, replacing); err != nil {
				return err
			}
			if err := runIn(ctx, ".", "ar", "r", library, replacing); err != nil {
				return err
			}
			object = replacing
		}
	}
	return nil
}
