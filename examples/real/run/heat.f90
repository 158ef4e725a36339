! run: ./heat 40 5
! The number of cells and steps from the command line; arrays that are allocated.
module fields
  implicit none
  integer :: cells = 0
  real(8), allocatable :: old(:,:), new(:,:)
contains
  subroutine step()
    integer :: i, j
    do j = 2, cells - 1
      do i = 2, cells - 1
        new(i,j) = 0.25d0*(old(i-1,j) + old(i+1,j) + old(i,j-1) + old(i,j+1))
      end do
    end do
  end subroutine
end module

subroutine scale(a, n, m, f)
  integer, intent(in) :: n, m
  real(8), intent(inout) :: a(n,m)
  real(8), intent(in) :: f
  integer :: i, j
  do j = 1, m
    do i = 1, n
      a(i,j) = f*a(i,j)
    end do
  end do
end subroutine

program heat
  use fields
  implicit none
  integer :: steps, t
  character(len=32) :: arg
  call get_command_argument(1, arg)
  read(arg, *) cells
  call get_command_argument(2, arg)
  read(arg, *) steps
  allocate(old(cells,cells), new(cells,cells))
  old = 1.0d0
  new = 0.0d0
  call scale(old, cells, cells, 2.0d0)
  call step()
  do t = 1, steps
    old(t,t) = new(t,t)
  end do
  print *, sum(old)
end program
