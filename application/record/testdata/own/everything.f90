! everything.f90 - what gfortran makes of Fortran that could go wrong when its assembly is rewritten.
module shapes
  implicit none
  type :: point
     real(8) :: x, y
  end type point
contains
  recursive integer function fib(n) result(f)
    integer, intent(in) :: n
    if (n < 2) then
       f = n
    else
       f = fib(n - 1) + fib(n - 2)
    end if
  end function fib
  pure elemental real(8) function norm(p)
    type(point), intent(in) :: p
    norm = sqrt(p%x**2 + p%y**2)
  end function norm
end module shapes

program everything
  use shapes
  implicit none
  integer, parameter :: n = 60
  real(8) :: a(n, n), b(n, n), c(n, n)
  complex(8) :: z
  type(point) :: p(100)
  character(len=20) :: text
  integer :: i, j
  do j = 1, n
     do i = 1, n
        a(i, j) = 1.0d0 / (i + j)
        b(i, j) = i - j
     end do
  end do
  c = matmul(a, transpose(b))
  z = (0.0d0, 1.0d0)
  do i = 1, 20
     z = z * (0.9d0, 0.1d0) + c(i, i) * 1.0d-3
  end do
  do i = 1, 100
     p(i) = point(i * 0.5d0, i * 0.25d0)
  end do
  write (text, '(i6)') fib(18)
  print '(a,f12.6,2f12.8,f12.5)', trim(adjustl(text)), sum(c), z, sum(norm(p))
  select case (mod(fib(10), 5))
  case (0)
     print *, 'zero'
  case (1:3)
     print *, 'some'
  case default
     print *, 'four'
  end select
end program everything
