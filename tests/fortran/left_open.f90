! Contexts that the model leaves open at its end: one over all processes, one of each process alone. Run and first context are
! begun back to back.
program left_open
  use xios
  use mpi
  implicit none

  integer :: comm, own, rank, processes, error, step
  character(len=8) :: part

  call xios_initialize('ocean', return_comm=comm)
  call xios_context_initialize('ocean', comm)
  call mpi_comm_rank(comm, rank, error)
  call mpi_comm_size(comm, processes, error)
  call xios_set_axis_attr('a', n_glo=processes, begin=rank, n=1)
  call xios_close_context_definition()

  call mpi_comm_split(comm, rank, 0, own, error)
  write (part, '("part", i0)') rank
  call xios_context_initialize(trim(part), own)
  call xios_close_context_definition()
  do step = 1, 3
    call xios_set_current_context('ocean')
    call xios_update_calendar(step)
    call xios_send_field('f', [10d0 * step + rank])
    call xios_set_current_context(trim(part))
    call xios_update_calendar(step)
    call xios_send_field('s', 100d0 * step + rank)
  end do
  call xios_finalize()
  if (xios_context_is_initialized('ocean')) error stop 'a context is open after the end of the run'
end program left_open
