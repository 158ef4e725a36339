! Arrays of assumed shape that are allocated, copied back after each step.
module heat
  implicit none
contains
  subroutine step(u, v)
    real(8), intent(in) :: u(:, :)
    real(8), intent(out) :: v(:, :)
    integer :: i, j
    do j = 2, size(u, 2) - 1
      do i = 2, size(u, 1) - 1
        v(i, j) = 0.25d0 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1))
      end do
    end do
  end subroutine step

  subroutine back(u, v)
    real(8), intent(inout) :: u(:, :)
    real(8), intent(in) :: v(:, :)
    u(2:size(u, 1) - 1, 2:size(u, 2) - 1) = v(2:size(u, 1) - 1, 2:size(u, 2) - 1)
  end subroutine back
end module heat

program main
  use heat
  implicit none
  real(8), allocatable :: u(:, :), v(:, :)
  integer :: t
  allocate(u(40, 30), v(40, 30))
  u = 1
  v = 0
  do t = 1, 3
    call step(u, v)
    call back(u, v)
  end do
  if (abs(u(10, 10) - 1) > 1d-12) stop 1
  deallocate(u, v)
end program main
