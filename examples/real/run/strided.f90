! run: ./strided 60
! Arrays of assumed shape, and pointers, that are parts of others: a row of a matrix that is kept by columns, and every other row.
module parts
  implicit none
contains
  subroutine scale(x)
    real(8), intent(inout) :: x(:)
    integer :: i
    do i = 1, size(x)
      x(i) = 2 * x(i)
    end do
  end subroutine

  subroutine shift(r)
    real(8), pointer, intent(in) :: r(:)
    integer :: i
    do i = 2, size(r)
      r(i) = r(i - 1)
    end do
  end subroutine

  subroutine smooth(a, b)
    real(8), intent(in) :: a(:, :)
    real(8), intent(inout) :: b(:, :)
    integer :: i, j
    do j = 1, size(a, 2)
      do i = 1, size(a, 1)
        b(i, j) = b(i, j) + a(i, j)
      end do
    end do
  end subroutine
end module

program main
  use parts
  implicit none
  real(8), allocatable, target :: q(:, :), s(:, :)
  real(8), pointer :: r(:)
  integer :: n
  character(20) :: argument
  call get_command_argument(1, argument)
  read (argument, *) n
  allocate (q(n, n), s(n, n))
  q = 1
  s = 2
  call scale(q(3, :))
  r => q(5, :)
  call shift(r)
  call smooth(q(1:n:2, 2:n:3), s(1:n:2, 1:n:3))
  print *, s(2, 2), q(5, 5)
end program
