! run: ./computed 3000
! Subscripts that are computed from data while the loop runs.
module particles
contains
  subroutine deposit(x, n, charge, cells)
    integer, intent(in) :: n, cells
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: charge(cells)
    integer :: i, k
    do i = 1, n
      k = int(x(i)) + 1
      charge(k) = charge(k) + (x(i) - k)
      charge(k + 1) = charge(k + 1) + (k + 1 - x(i))
    end do
  end subroutine
end module

program computed
  use particles
  integer :: n, i
  real(8), allocatable :: x(:), charge(:)
  character(16) :: argument
  n = 3000
  if (command_argument_count() > 0) then
    call get_command_argument(1, argument)
    read (argument, *) n
  end if
  allocate (x(n), charge(200))
  charge = 0
  do i = 1, n
    x(i) = mod(i * 37, 1980) / 10d0
  end do
  call deposit(x, n, charge, 200)
  print '(f16.6)', sum(charge)
end program
