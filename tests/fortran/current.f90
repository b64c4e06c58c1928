! The current context is a thread's own; threads that never choose one are in that of the thread that chose first,
! wherever it goes.
program current
  include 'xios.inc'
  use omp_lib
  implicit none

  integer :: comm

  call xios_initialize('current', return_comm=comm)
  call begin('a')
  call begin('b')
  call expect('b')
  !$omp parallel num_threads(3)
  if (omp_get_num_threads() /= 3) stop 'there are not three threads'
  if (omp_get_thread_num() == 1) call xios_set_current_context('a')
  !$omp barrier
  if (omp_get_thread_num() == 1) then
    call expect('a')
  else
    call expect('b')
  end if
  !$omp end parallel
  call xios_set_current_context('a')
  !$omp parallel num_threads(3)
  call expect('a')
  !$omp end parallel
  call xios_set_current_context('b')
  !$omp parallel num_threads(3)
  if (omp_get_thread_num() == 1) then
    call expect('a')
  else
    call expect('b')
  end if
  !$omp end parallel
  call xios_context_finalize()
  call xios_set_current_context('a')
  !$omp parallel num_threads(3)
  call expect('a')
  !$omp end parallel
  call xios_context_finalize()
  call xios_finalize()

contains

  subroutine begin(id)
    character(len=*), intent(in) :: id

    call xios_context_initialize(id, comm)
    call xios_define_calendar('NoLeap', timestep=xios_hour, start_date=xios_date(2000, 1, 1, 0, 0, 0))
    call xios_close_context_definition()
  end subroutine begin

  subroutine expect(id)
    character(len=*), intent(in) :: id
    character(len=10) :: now

    call xios_get_current_context(now)
    if (now == id) return
    print *, 'thread ', omp_get_thread_num(), ' is in ', now, ' instead of ', id
    error stop 1
  end subroutine expect
end program current
