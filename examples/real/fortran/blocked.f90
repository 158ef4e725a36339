! Tiles, their ends held by min, and boxes with bounds of their own.
subroutine transpose_tiled(n, a, b)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(n, n)
  real(8), intent(out) :: b(n, n)
  integer :: i, j, ii, jj
  do jj = 1, n, 16
    do ii = 1, n, 16
      do j = jj, min(jj + 15, n)
        do i = ii, min(ii + 15, n)
          b(j, i) = a(i, j)
        end do
      end do
    end do
  end do
end subroutine transpose_tiled

subroutine halo(lo, hi, u)
  implicit none
  integer, intent(in) :: lo, hi
  real(8), intent(inout) :: u(lo - 1:hi + 1, -1:1)
  integer :: i, k
  do k = -1, 1
    do i = lo, hi
      u(i, k) = u(i, k) + i
    end do
    u(lo - 1, k) = u(hi, k)
    u(hi + 1, k) = u(lo, k)
  end do
end subroutine halo

program main
  implicit none
  integer, parameter :: n = 50
  real(8) :: a(n, n), b(n, n), u(4:65, 3)
  a = 2
  b = 0
  u = 0
  call transpose_tiled(n, a, b)
  call halo(5, 64, u)
  if (abs(b(7, 41) - 2) > 1d-12) stop 1
end program main
