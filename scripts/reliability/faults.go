package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// fault is something that is wrong around a command.
type fault struct {
	name   string
	disk   bool     // needs a small disk, which takes root
	env    []string // changes of the environment
	may    []int    // exit codes that are right; with 0 the result must be whole, else the earlier one must be kept
	says   []string // one of these, in lower case, must be in the error
	before func(f *field) error
	after  func(f *field) error
}

// nowhere is a path that not even root can make.
const nowhere = "/dev/null/nowhere"

// faults are all; small is a disk that is full or cannot be written.
func faults() []fault {
	none := []string{"HOME=" + nowhere, "XDG_CACHE_HOME=" + nowhere}
	noTemp := []string{"temporary", "tmpdir", "temp", nowhere}
	return []fault{
		{name: "full disk", disk: true, may: []int{1}, says: []string{"no space left", "full"}, before: (*field).fill, after: (*field).empty},
		{name: "read-only disk", disk: true, may: []int{1}, says: []string{"read-only"}, before: (*field).lock, after: (*field).unlock},
		{name: "full folder for temporary files", disk: true, may: []int{0, 1}, says: []string{"no space left", "full"}, env: []string{"TMPDIR=DISK"}, before: (*field).fill, after: (*field).empty},
		{name: "HOME is not set", may: []int{0}, env: []string{"HOME"}},
		{name: "HOME cannot be made", may: []int{0}, env: none},
		{name: "TMPDIR cannot be made", may: []int{0, 1}, says: noTemp, env: []string{"TMPDIR=" + nowhere}},
		{name: "neither HOME nor TMPDIR", may: []int{0, 1}, says: noTemp, env: append([]string{"TMPDIR=" + nowhere}, none...)},
	}
}

// field is where a fault is tried on a writer: a folder for its result, and a small disk.
type field struct {
	*bench
	w         *writer
	disk, dir string
	known     []byte
	folder    bool // the result is one, and there is none before: only a recording would be written over
}

// sizeOfDisk is more than any result takes.
const sizeOfDisk = 4 << 20

// tryFaults runs writers where they cannot write, and verbs whose output is closed.
func tryFaults(ctx context.Context, b *bench, e effort) (*section, error) {
	s := &section{
		text: "Commands that write over an earlier result on a disk that is full or read-only, without a usable home, or without a folder for temporary files; and verbs whose " +
			"standard output is closed or full. Where a command cannot do its work, it must exit with 1, name the cause, keep the earlier result and leave nothing behind; else its result must be whole.",
		columns: []string{"fault", "commands", "as they should", "of these, worked", "of these, refused"},
	}
	if err := b.inputs(); err != nil {
		return nil, err
	}
	disk := filepath.Join(b.dir, "disk")
	unmount, err := smallDisk(disk)
	if err != nil {
		s.skip("full and read-only disks: %v", err)
	} else {
		defer unmount()
	}
	fields, err := prepare(ctx, b, s, e.some(writers(), s), disk)
	if err != nil {
		return nil, err
	}
	for _, f := range faults() {
		if f.disk && unmount == nil {
			continue
		}
		if err := f.try(ctx, s, fields); err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
	}
	return s, tryOutputs(ctx, b, s)
}

// smallDisk mounts one, and gives what takes it away.
func smallDisk(dir string) (func(), error) {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	if err := syscall.Mount("none", dir, "tmpfs", 0, fmt.Sprintf("size=%d", sizeOfDisk)); err != nil {
		return nil, fmt.Errorf("mounting one needs root on Linux: %w", err)
	}
	return func() { syscall.Unmount(dir, syscall.MNT_DETACH) }, nil
}

// prepare runs each writer once as it should be.
func prepare(ctx context.Context, b *bench, s *section, all []writer, disk string) ([]*field, error) {
	var fields []*field
	for i := range all {
		f := &field{bench: b, w: &all[i], disk: disk, dir: filepath.Join(b.dir, fmt.Sprintf("fault-%d", i))}
		if name := f.w.lacks(); name != "" {
			s.skip("%s: needs %s", f.w.name, name)
			continue
		}
		if err := os.Mkdir(f.dir, 0o755); err != nil {
			return nil, err
		}
		e, err := finish(b.command(ctx, f.dir, f.w.out, f.w.args))
		if err != nil {
			return nil, err
		}
		if e.code != 0 {
			s.fail("%s: a run ended with %d: %s", f.w.name, e.code, e.stderr)
			continue
		}
		info, err := os.Stat(filepath.Join(f.dir, f.w.out))
		if err != nil {
			return nil, err
		}
		if f.folder = info.IsDir(); f.w.check == nil {
			if f.known, err = os.ReadFile(filepath.Join(f.dir, f.w.out)); err != nil {
				return nil, err
			}
		}
		fields = append(fields, f)
	}
	return fields, nil
}

// try runs all writers under a fault and adds a row.
func (f *fault) try(ctx context.Context, s *section, fields []*field) error {
	worked, refused := 0, 0
	for _, at := range fields {
		e, wrong, err := at.under(ctx, f)
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", at.w.name, err)
		case wrong != "":
			s.fail("%s, %s: %s", f.name, at.w.name, wrong)
		case e.code == 0:
			worked++
		default:
			refused++
		}
	}
	s.add(f.name, len(fields), worked+refused, worked, refused)
	return nil
}

// under runs the writer under a fault and says what is wrong with how it ended.
func (a *field) under(ctx context.Context, f *fault) (ended, string, error) {
	dir := a.dir
	if f.disk && f.env == nil {
		dir = a.disk
	}
	if err := a.putEarlier(dir); err != nil {
		return ended{}, "", err
	}
	var env []string
	for _, e := range f.env {
		env = append(env, strings.ReplaceAll(e, "DISK", a.disk))
	}
	if f.before != nil {
		if err := f.before(a); err != nil {
			return ended{}, "", err
		}
	}
	e, err := finish(a.command(ctx, dir, a.w.out, a.w.args, env...))
	if err != nil {
		return e, "", err
	}
	if f.after != nil {
		if err := f.after(a); err != nil {
			return e, "", err
		}
	}
	at, err := a.look(ctx, a.w, dir, a.known)
	if err != nil {
		return e, "", err
	}
	if at == gone && a.folder {
		at = kept
	}
	left, err := a.leftovers(a.w, dir)
	if f.disk && dir != a.disk {
		entries, failed := os.ReadDir(a.disk)
		for _, entry := range entries {
			left = append(left, entry.Name())
		}
		err = errors.Join(err, failed)
	}
	if e.code != 0 {
		left = slices.DeleteFunc(left, func(name string) bool { return name == a.w.keeps && os.RemoveAll(filepath.Join(dir, name)) == nil })
	}
	wrong := f.judge(e, at, left)
	for _, name := range append(left, a.w.out) {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, name)), os.RemoveAll(filepath.Join(a.temp, name)), os.RemoveAll(filepath.Join(a.disk, name)))
	}
	return e, wrong, err
}

// judge says what is wrong with an end under a fault, or nothing.
func (f *fault) judge(e ended, at state, left []string) string {
	switch {
	case !slices.Contains(f.may, e.code):
		return fmt.Sprintf("exit code %d, not one of %v: %s", e.code, f.may, e.stderr)
	case e.code == 0 && at != whole:
		return fmt.Sprintf("it ended well and the result is %s", at)
	case e.code != 0 && at != kept:
		return fmt.Sprintf("it was refused and the result is %s: %s", at, e.stderr)
	case e.code != 0 && !names(e.stderr, f.says):
		return fmt.Sprintf("the error names none of %q: %s", f.says, e.stderr)
	case len(left) > 0:
		return "it leaves " + strings.Join(left, " ")
	}
	return ""
}

func names(stderr string, says []string) bool {
	for _, s := range says {
		if strings.Contains(strings.ToLower(stderr), s) {
			return true
		}
	}
	return len(says) == 0
}

// putEarlier lays an earlier result there.
func (a *field) putEarlier(dir string) error {
	if a.folder {
		return os.RemoveAll(filepath.Join(dir, a.w.out))
	}
	return os.WriteFile(filepath.Join(dir, a.w.out), []byte(earlier), 0o644)
}

const filler = "filler"

// fill leaves the disk without a free byte.
func (a *field) fill() error {
	file, err := os.Create(filepath.Join(a.disk, filler))
	if err != nil {
		return err
	}
	defer file.Close()
	for size := 1 << 16; size > 0; size /= 2 {
		for {
			if _, err := file.Write(make([]byte, size)); err != nil {
				break
			}
		}
	}
	return nil
}

func (a *field) empty() error { return os.Remove(filepath.Join(a.disk, filler)) }

func (a *field) lock() error {
	return syscall.Mount("none", a.disk, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, "")
}

func (a *field) unlock() error { return syscall.Mount("none", a.disk, "", syscall.MS_REMOUNT, "") }

// printers are commands that print a result.
var printers = [][]string{
	{"mrc", "--machine", "i7-5960x", "-D", "MINI", "KERNEL"},
	{"profile", "--machine", "i7-5960x", "-D", "MINI", "KERNEL"},
	{"simulate", "--machine", "i7-5960x", "-D", "MINI", "KERNEL"},
	{"predict", "--machine", "i7-5960x", "-D", "MINI", "KERNEL"},
	{"predict", "--machine", "i7-5960x", "--format", "json", "-D", "MINI", "KERNEL"},
	{"predict", "--machine", "i7-5960x", "--format", "csv", "-D", "MINI", "KERNEL"},
	{"xgraph", "--machine", "i7-5960x", "-D", "MINI", "KERNEL"},
	{"scale", "--at", "p=64,n=64", "SERIES"},
	{"machine", "list"},
	{"machine", "show", "i7-5960x"},
	{"--help"},
	{"--version"},
}

// tryOutputs runs commands whose standard output cannot be written.
func tryOutputs(ctx context.Context, b *bench, s *section) error {
	for _, fault := range []struct{ name, script string }{
		{"standard output closed", `exec "$@" >&-`},
		{"standard output full", `exec "$@" >/dev/full`},
	} {
		refused := 0
		for _, args := range printers {
			plain := b.command(ctx, b.dir, "", args)
			cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", fault.script, "sh"}, plain.Args...)...)
			cmd.Dir, cmd.Env = plain.Dir, plain.Env
			e, err := finish(cmd)
			if err != nil {
				return err
			}
			if e.code == 1 && strings.TrimSpace(e.stderr) != "" {
				refused++
				continue
			}
			s.fail("%s, %s: exit code %d: %s", fault.name, strings.Join(args, " "), e.code, e.stderr)
		}
		s.add(fault.name, len(printers), refused, 0, refused)
	}
	return nil
}
