! do concurrent, over two indices and with a mask.
subroutine smooth(n, m, u, v)
  implicit none
  integer, intent(in) :: n, m
  real(8), intent(in) :: u(n, m)
  real(8), intent(inout) :: v(n, m)
  integer :: i, j
  do concurrent (j = 2:m - 1, i = 2:n - 1)
    v(i, j) = 0.5d0 * u(i, j) + 0.125d0 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1))
  end do
end subroutine smooth

program main
  implicit none
  real(8) :: u(50, 20), v(50, 20)
  u = 1
  v = 0
  call smooth(50, 20, u, v)
  if (abs(v(9, 9) - 1) > 1d-12) stop 1
end program main
