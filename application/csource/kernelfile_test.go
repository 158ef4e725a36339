package csource

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestKernelFile refuses a header whose text the kernel makes, which passes for a regular file: /proc/kmsg never ends.
func TestKernelFile(t *testing.T) {
	if _, err := os.Stat("/proc/kmsg"); err != nil {
		t.Skip("needs /proc")
	}
	dir := t.TempDir()
	if err := os.Symlink("/proc/kmsg", filepath.Join(dir, "x.h")); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "a.c")
	if err := os.WriteFile(file, []byte("#include \"x.h\"\ndouble a[9]; void f(void) { for (int i = 0; i < 9; i++) a[i] = 1; }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(file, nil, Options{}); err == nil || !strings.Contains(err.Error(), "a.c:1:10: include file x.h is made by the kernel") {
		t.Error(err)
	}
}
