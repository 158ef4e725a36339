! Complex numbers, single precision and integers of two bytes.
subroutine rotate(n, z, w)
  implicit none
  integer, intent(in) :: n
  complex(8), intent(inout) :: z(n)
  complex(8), intent(in) :: w
  integer :: i
  do i = 1, n
    z(i) = z(i) * w
  end do
end subroutine rotate

subroutine histogram(n, k, counts)
  implicit none
  integer, intent(in) :: n
  integer(2), intent(in) :: k(n)
  real(4), intent(inout) :: counts(n)
  integer :: i
  do i = n, 1, -1
    counts(i) = counts(i) + k(i)
  end do
end subroutine histogram

program main
  implicit none
  complex(8) :: z(100)
  integer(2) :: k(128)
  real(4) :: c(128)
  z = (1d0, 0d0)
  k = 3
  c = 0
  call rotate(100, z, (0d0, 1d0))
  call histogram(128, k, c)
  if (abs(aimag(z(4)) - 1) > 1d-12 .or. c(9) /= 3) stop 1
end program main
