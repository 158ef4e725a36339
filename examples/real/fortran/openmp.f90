! Worksharing loops: static, a reduction, and rows of a triangle dealt by schedule.
subroutine scale(n, a, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a
  real(8), intent(inout) :: x(n)
  integer :: i
  !$omp parallel do
  do i = 1, n
    x(i) = a * x(i)
  end do
end subroutine scale

real(8) function total(n, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  integer :: i
  real(8) :: s
  s = 0
  !$omp parallel do reduction(+:s) schedule(static, 16)
  do i = 1, n
    s = s + x(i)
  end do
  total = s
end function total

subroutine rows(n, a, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(n, n)
  real(8), intent(inout) :: y(n)
  integer :: i, j
  !$omp parallel do private(i)
  do j = 1, n
    do i = 1, j
      y(j) = y(j) + a(i, j)
    end do
  end do
end subroutine rows

program main
  implicit none
  integer, parameter :: n = 400
  real(8) :: x(n), a(20, 20), y(20)
  real(8), external :: total
  x = 1
  a = 1
  y = 0
  call scale(n, 2d0, x)
  call rows(20, a, y)
  if (abs(total(n, x) - 2 * n) > 1d-9 .or. abs(y(20) - 20) > 1d-9) stop 1
end program main
