! Operations on whole arrays and sections of them.
subroutine combine(n, a, b, c)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: b(n), c(n)
  real(8), intent(out) :: a(n)
  a = b + 2 * c
  a(1:n:2) = a(1:n:2) - 1
end subroutine combine

real(8) function norm(n, a)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(n)
  norm = sum(a * a)
end function norm

program main
  implicit none
  integer, parameter :: n = 300
  real(8) :: a(n), b(n), c(n)
  real(8), external :: norm
  b = 1
  c = 2
  call combine(n, a, b, c)
  if (abs(norm(n, a) - (n / 2 * 25 + n / 2 * 16)) > 1d-9) stop 1
end program main
