! Arrays of explicit shape, sizes as arguments.
subroutine axpy(n, a, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a, x(n)
  real(8), intent(inout) :: y(n)
  integer :: i
  do i = 1, n
    y(i) = y(i) + a * x(i)
  end do
end subroutine axpy

real(8) function dot(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n), y(n)
  integer :: i
  dot = 0
  do i = 1, n
    dot = dot + x(i) * y(i)
  end do
end function dot

program main
  implicit none
  integer, parameter :: n = 500
  real(8) :: x(n), y(n), s
  real(8), external :: dot
  x = 1
  y = 2
  call axpy(n, 3.0d0, x, y)
  s = dot(n, x, y)
  if (abs(s - 5 * n) > 1d-9) stop 1
end program main
