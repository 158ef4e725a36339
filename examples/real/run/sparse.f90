! run: ./sparse 600
! A sparse matrix by rows, and a gather: what is accessed stands in arrays of integers that are made before.
module sparse
  implicit none
  type matrix
    integer :: rows
    integer, allocatable :: begins(:), column(:)
    real(8), allocatable :: values(:)
  end type
contains
  subroutine multiply(a, x, y)
    type(matrix), intent(in) :: a
    real(8), intent(in) :: x(:)
    real(8), intent(inout) :: y(:)
    integer :: i, k
    real(8) :: s
    do i = 1, a%rows
      s = 0
      do k = a%begins(i), a%begins(i + 1) - 1
        s = s + a%values(k) * x(a%column(k))
      end do
      y(i) = s
    end do
  end subroutine

  subroutine gather(n, place, x, y)
    integer, intent(in) :: n, place(n)
    real(8), intent(in) :: x(*)
    real(8), intent(inout) :: y(n)
    integer :: i
    do i = 1, n
      y(i) = y(i) + x(place(i))
    end do
  end subroutine
end module

program main
  use sparse
  implicit none
  type(matrix) :: a
  real(8), allocatable :: x(:), y(:)
  integer :: i, k, n, m, r
  character(20) :: argument
  call get_command_argument(1, argument)
  read (argument, *) n
  a%rows = n
  allocate (a%begins(n + 1), a%column(6 * n), a%values(6 * n), x(n), y(n))
  a%begins(1) = 1
  m = 0
  r = 1
  do i = 1, n
    do k = 1, mod(i * i, 6)
      r = mod(r * 1103 + 12345, 65536)
      m = m + 1
      a%column(m) = 1 + mod(r, n)
      a%values(m) = 1
    end do
    a%begins(i + 1) = m + 1
  end do
  x = 1
  y = 0
  call multiply(a, x, y)
  call gather(n, a%column, x, y)
  print *, y(1)
end program
