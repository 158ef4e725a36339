! Strides of two that begin by the row, sizes in a module.
module grid
  implicit none
  integer, parameter :: n = 33
  real(8) :: p(n, n), r(n, n)
contains
  subroutine sweep(colour)
    integer, intent(in) :: colour
    integer :: i, j
    do j = 2, n - 1
      do i = 2 + mod(j + colour, 2), n - 1, 2
        p(i, j) = 0.25d0 * (p(i - 1, j) + p(i + 1, j) + p(i, j - 1) + p(i, j + 1) - r(i, j))
      end do
    end do
  end subroutine sweep

  subroutine solve(steps)
    integer, intent(in) :: steps
    integer :: t
    do t = 1, steps
      call sweep(0)
      call sweep(1)
    end do
  end subroutine solve
end module grid

program main
  use grid
  implicit none
  p = 1
  r = 0
  call solve(4)
  if (abs(p(5, 5) - 1) > 1d-12) stop 1
end program main
