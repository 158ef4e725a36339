//go:build !js

package application

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"foresee/application/csource"
	"foresee/application/nest/nesttest"
)

// TestJoined reads programs of several files as one: calls are followed from one into the other, headers that nothing guards are read once, and modules come
// before what uses them.
func TestJoined(t *testing.T) {
	for name, c := range map[string]struct {
		compiler, want string
		files          []string // name and text in turn, the first two those that are given first
	}{
		"C++": {"clang++", "main\n for r = 0..2\n  for i = 0..49\n   r v[i]\n   w v[i]\n r v[3]\n", []string{
			"main.cpp", "#include \"k.hpp\"\nstatic double v[50];\nint main() { for (int r = 0; r < 3; r++) scale(v, 50); return one(v[3]) > 1; }\n",
			"k.cpp", "#include \"k.hpp\"\ntemplate <> double one<double>(double x) { return x; }\nvoid scale(double *a, int n) { for (int i = 0; i < n; i++) a[i] *= 2; }\n",
		}},
		"Fortran": {"flang-new-19", "main\n for i = 0..19\n  w c_[(i * 8)]\n", []string{
			"main.f90", "program main\n  use sizes\n  real(8) :: a(n)\n  common /c/ a\n  integer :: i\n  do i = 1, n\n    a(i) = i\n  end do\nend program\n",
			"sizes.f90", "module sizes\n  integer, parameter :: n = 20\nend module\n",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := exec.LookPath(c.compiler); err != nil {
				t.Skip("needs " + c.compiler)
			}
			dir := t.TempDir()
			var paths []string
			for i := 0; i < len(c.files); i += 2 {
				path := filepath.Join(dir, c.files[i])
				paths = append(paths, path)
				if err := os.WriteFile(path, []byte(c.files[i+1]), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(filepath.Join(dir, "k.hpp"), []byte("#include \"cell.hpp\"\nenum { width = 50 };\ntemplate <typename T> T one(T x);\nvoid scale(double *a, int n);\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "cell.hpp"), []byte("struct cell { double v; };\ninline int twice(int n) { return 2 * n; }\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if !OneLanguage(paths) || OneLanguage(append(paths, "a.rs")) || OneLanguage([]string{paths[0], "a.c"}) {
				t.Error("files of one program are not told from others")
			}
			in, err := Find(t.Context(), paths[0], nil, Told{})
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			o, err := in.Open(t.Context(), Options{Source: csource.Options{Others: paths[1:]}})
			if err != nil {
				t.Fatal(err)
			}
			defer o.Close()
			if got := nesttest.Accesses(o.Loops[0]); got != c.want {
				t.Errorf("%s", got)
			}
		})
	}
}
