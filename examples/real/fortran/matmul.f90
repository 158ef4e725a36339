! Columns first: three nested loops, and a triangle.
module linear
  implicit none
contains
  subroutine multiply(a, b, c, n)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n, n), b(n, n)
    real(8), intent(inout) :: c(n, n)
    integer :: i, j, k
    do j = 1, n
      do k = 1, n
        do i = 1, n
          c(i, j) = c(i, j) + a(i, k) * b(k, j)
        end do
      end do
    end do
  end subroutine multiply

  subroutine solve(l, x, n)
    integer, intent(in) :: n
    real(8), intent(in) :: l(n, n)
    real(8), intent(inout) :: x(n)
    integer :: i, j
    do j = 1, n
      x(j) = x(j) / l(j, j)
      do i = j + 1, n
        x(i) = x(i) - l(i, j) * x(j)
      end do
    end do
  end subroutine solve
end module linear

program main
  use linear
  implicit none
  integer, parameter :: n = 24
  real(8) :: a(n, n), b(n, n), c(n, n), x(n)
  a = 1
  b = 2
  c = 0
  x = 1
  call multiply(a, b, c, n)
  call solve(a, x, n)
  if (abs(c(3, 5) - 2 * n) > 1d-9) stop 1
end program main
