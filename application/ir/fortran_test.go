package ir

import (
	"slices"
	"strings"
	"testing"

	"foresee/application/csource"
	"foresee/application/nest/nesttest"
)

// TestFortranIdioms: numbers that Fortran gives by their address, arrays that descriptors lead to, what the program sets before, and choices between
// neighbours. The first error is that without definitions.
func TestFortranIdioms(t *testing.T) {
	needs(t, "flang-new-19")
	for name, c := range map[string]struct {
		source, defines, asks string
		want                  []string // accesses
	}{
		"a number by its address": {`
subroutine scale(n, a, b)
  integer :: n, i
  real(8) :: a(n), b(n)
  do i = 1, n
    a(i) = a(i) * b(i)
  end do
end subroutine`, "n=12", "the value of n is not known; define it, such as n=1000", []string{"for i = 0..11", "r a[i]", "w a[i]"}},
		"assumed shape": {`
subroutine scale(a)
  real(8) :: a(:,:)
  integer :: i, j
  do j = 1, size(a, 2)
    do i = 1, size(a, 1)
      a(i,j) = a(i,j) * 2
    end do
  end do
end subroutine`, "a.size1=6 a.size2=5", "the value of a.size1 is not known", []string{"for j = 0..4", "for i = 0..5", "w a[((j * 6) + i)]"}},
		"allocatable of a module": {`
module sizes
  integer :: n
  real(8), allocatable :: a(:)
end module
subroutine scale
  use sizes
  integer :: i
  do i = 1, n
    a(i) = a(i) * 2
  end do
end subroutine`, "n=7", "the value of n is not known", []string{"for i = 0..6", "w a[i]"}},
		"set by what main calls before": {`
module m
  integer :: n = 0
  real(8) :: a(100)
contains
  subroutine set(k)
    integer :: k
    n = k
  end subroutine
  subroutine work()
    integer :: i
    do i = 1, n
      a(i) = a(i) * 2
    end do
  end subroutine
end module
program main
  use m
  call set(10)
  print *, n
end program`, "n=9", "the value of n is not known", []string{"work", "for i = 0..8"}},
		"a status of allocate": {`
program main
  integer :: i, err
  real(8), allocatable :: a(:)
  allocate(a(50), stat=err)
  if (err /= 0) stop 1
  do i = 1, 50
    a(i) = i
  end do
  print *, a(5)
end program`, "", "", []string{"for i = 0..49", "w a[i]"}},
		"simd": {`
subroutine tri(n, a, b)
  integer, value :: n
  integer :: i
  real(8) :: a(n), b(n)
!$omp simd
  do i = 1, n
    a(i) = b(i) * 2
  end do
end subroutine`, "n=16", "the value of n is not known", []string{"for i1 = 0..15", "r b[i1]", "w a[i1]"}},
		"an option": {`
program main
  real(8) :: a(10), b(20)
  common /d/ a, b
  call work('T', a, b)
contains
  subroutine work(option, a, b)
    character :: option
    real(8) :: a(10), b(20)
    integer :: i
    if (option == 'N') then
      do i = 1, 10
        a(i) = 1
      end do
    else
      do i = 2, 20
        b(i) = b(i-1) * 2
      end do
    end if
  end subroutine
end program`, "", "", []string{"for i = 0..18"}},
		"neighbours": {`
subroutine upwind(n, flux, pre, out)
  integer, value :: n
  integer :: j, donor
  real(8) :: flux(n), pre(n), out(n)
  do j = 2, n
    donor = merge(j-1, j, flux(j) > 0)
    out(j) = pre(donor)
  end do
end subroutine`, "n=30", "the value of n is not known", []string{"r flux[", "r pre[", "w out["}},
		"a variable of each thread": {`
module m
  real(8) :: w(100)
  !$omp threadprivate(w)
contains
  subroutine work(a, n)
    integer, value :: n
    integer :: i
    real(8) :: a(n)
    !$omp parallel do
    do i = 1, n
      w(3) = a(i)
      a(i) = w(3) + w(5)
    end do
  end subroutine
end module`, "n=40", "the value of n is not known", []string{"w w (own)[2]", "r w (own)[4]", "for i1 = 0..39"}},
	} {
		t.Run(name, func(t *testing.T) {
			path := write(t, "a.f90", strings.TrimSpace(c.source)+"\n")
			module, err := Compile(t.Context(), Compilation{Language: Fortran, Path: path, Command: []string{"flang-new-19", "-O2", "-fopenmp"}})
			if err != nil {
				t.Fatal(err)
			}
			if c.asks != "" {
				if _, err := Load("a.f90", module, csource.Options{}); err == nil || !strings.Contains(err.Error(), c.asks) {
					t.Errorf("without values: %v, want %q", err, c.asks)
				}
			}
			u, err := Load("a.f90", module, csource.Options{Defines: strings.Fields(c.defines)})
			if err != nil {
				t.Fatal(err)
			}
			shaped := strings.Contains(c.source, ":: a(:,:)") // and not allocated
			if said := slices.ContainsFunc(u.Programs[0].Warnings, func(w string) bool { return strings.Contains(w, "elements of a are taken to lie one behind the other") }); said != shaped {
				t.Errorf("warnings %q", u.Programs[0].Warnings)
			}
			got := nesttest.Accesses(u.Programs[len(u.Programs)-1])
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("no %q in\n%s", want, got)
				}
			}
			if strings.Contains(got, "for i = 0..9") && name == "an option" {
				t.Errorf("the side that is not taken is counted:\n%s", got)
			}
		})
	}
}
