! SPDX-License-Identifier: Apache-2.0
! Calls of OpenMP's functions as gfortran makes them, by reference and with an underscore behind the name.
program asks
  use omp_lib
  implicit none
  integer :: sum, levels, of(0:2), t, chunk, got
  integer(omp_sched_kind) :: kind
  integer(omp_lock_kind) :: lock
  integer(omp_nest_lock_kind) :: nest
  real(8) :: began
  began = omp_get_wtime()
  call omp_init_lock(lock)
  call omp_init_nest_lock(nest)
  call omp_set_dynamic(.false.)
  call omp_set_num_threads(3)
  call omp_set_schedule(omp_sched_dynamic, 7)
  call omp_get_schedule(kind, chunk)
  sum = 0
  levels = 0
  of = -1
  !$omp parallel
  of(omp_get_thread_num()) = omp_get_ancestor_thread_num(1) * 10 + omp_get_team_size(1)
  call omp_set_lock(lock)
  sum = sum + omp_get_num_threads()
  call omp_unset_lock(lock)
  call omp_set_nest_lock(nest)
  got = omp_test_nest_lock(nest)
  levels = levels + omp_get_level() * got
  call omp_unset_nest_lock(nest)
  call omp_unset_nest_lock(nest)
  !$omp end parallel
  t = 0
  !$omp parallel do schedule(runtime) reduction(+: t) num_threads(2)
  do chunk = 1, 100
     t = t + chunk
  end do
  call omp_destroy_lock(lock)
  call omp_destroy_nest_lock(nest)
  print *, sum, levels, of, t, kind == omp_sched_dynamic, omp_get_level(), omp_in_final()
  print *, omp_get_wtime() >= began, omp_get_wtick() > 0
  print *, omp_get_max_threads(), omp_get_thread_limit() > 0, omp_get_num_procs() > 0
  print *, omp_get_max_active_levels() > 0, omp_get_num_teams() > 0
end program asks
