! An array of a derived type, and a derived type of arrays.
module bodies
  implicit none
  type particle
    real(8) :: x, y, z, vx, vy, vz
    integer :: kind
  end type particle
  type cloud
    real(8) :: x(400), vx(400)
    integer :: n
  end type cloud
contains
  subroutine push(p, n, dt)
    integer, intent(in) :: n
    type(particle), intent(inout) :: p(n)
    real(8), intent(in) :: dt
    integer :: i
    do i = 1, n
      p(i)%x = p(i)%x + dt * p(i)%vx
      p(i)%y = p(i)%y + dt * p(i)%vy
    end do
  end subroutine push

  subroutine drift(c, n, dt)
    type(cloud), intent(inout) :: c
    integer, intent(in) :: n
    real(8), intent(in) :: dt
    integer :: i
    do i = 1, n
      c%x(i) = c%x(i) + dt * c%vx(i)
    end do
  end subroutine drift
end module bodies

program main
  use bodies
  implicit none
  type(particle) :: p(200)
  type(cloud) :: c
  integer :: i
  do i = 1, 200
    p(i) = particle(0d0, 0d0, 0d0, 1d0, 2d0, 3d0, 1)
  end do
  c%x = 0
  c%vx = 1
  call push(p, 200, 0.5d0)
  call drift(c, 400, 0.5d0)
  if (abs(p(7)%y - 1) > 1d-12 .or. abs(c%x(9) - 0.5d0) > 1d-12) stop 1
end program main
