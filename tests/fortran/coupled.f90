! A coupled system of which only the ocean writes: a coupler has begun MPI and given each component
! a communicator. The atmosphere, process 0, has never heard of this library. With an argument, the
! last process is a server that the system itself starts, on a communicator with the ocean.
program coupled
  use xios
  use epios, only: epios_run_server
  use mpi
  implicit none

  integer, parameter :: atmosphere = 0, ocean = 1
  integer :: provided, error, rank, processes, code, local, component, size, step
  logical :: has_server
  character(len=8) :: argument

  call mpi_init_thread(MPI_THREAD_MULTIPLE, provided, error)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
  call mpi_comm_size(MPI_COMM_WORLD, processes, error)
  call get_command_argument(1, argument)
  has_server = argument == 'server'
  code = merge(atmosphere, ocean, rank == 0)
  call mpi_comm_split(MPI_COMM_WORLD, code, 0, local, error)
  if (code == ocean) then
    if (has_server .and. rank == processes - 1) then
      call epios_run_server(local)
    else
      call write_field()
    end if
  end if
  ! The coupler ends MPI, with all.
  call mpi_barrier(MPI_COMM_WORLD, error)
  call mpi_finalize(error)
  if (error /= MPI_SUCCESS) stop 1

contains

  subroutine write_field()
    if (has_server) then
      call xios_initialize('ocean', local_comm=local, return_comm=component, job_comm=local)
    else
      call xios_initialize('ocean', local_comm=local, return_comm=component)
    end if
    call mpi_comm_size(component, size, error)
    if (size /= processes - merge(2, 1, has_server)) stop 'the component is another one'
    call mpi_comm_rank(component, rank, error)
    call xios_context_initialize('ocean', component)
    call xios_set_domain_attr('d', ibegin=0, ni=3, jbegin=2 * rank / size, &
                              nj=2 * (rank + 1) / size - 2 * rank / size)
    call xios_close_context_definition()
    call xios_oasis_enddef()
    do step = 1, 2
      call xios_update_calendar(step)
      call send(2 * (rank + 1) / size - 2 * rank / size)
    end do
    call xios_context_finalize()
    call xios_finalize()
  end subroutine write_field

  subroutine send(rows)
    integer, intent(in) :: rows
    real(8) :: values(3, rows)
    integer :: i, j

    do j = 1, rows
      do i = 1, 3
        values(i, j) = 100 * step + 10 * (2 * rank / size + j) + i
      end do
    end do
    call xios_send_field('f', values)
  end subroutine send
end program coupled
