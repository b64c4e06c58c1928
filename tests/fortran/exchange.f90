! Two components of one job that exchange fields: an ocean of rows on the processes with odd ranks and
! an atmosphere of columns, with half its time step, on the others. Each checks what it receives.
program exchange
  use xios
  use mpi_f08, only: mpi_comm_rank, mpi_comm_size, mpi_comm, mpi_comm_world, mpi_init_thread, mpi_finalize, &
    MPI_THREAD_MULTIPLE
  implicit none

  integer, parameter :: nx = 6, ny = 4, hours = 12
  integer :: world_rank, provided, comm, rank, ranks, first, last
  type(mpi_comm) :: communicator

  call mpi_init_thread(MPI_THREAD_MULTIPLE, provided)
  call mpi_comm_rank(mpi_comm_world, world_rank)
  if (mod(world_rank, 2) == 1) then
    call begin('ocean', ny)
    call run_ocean(nx, last - first)
  else
    call begin('atmosphere', nx)
    call run_atmosphere(last - first, ny)
  end if
  call xios_finalize()
  call mpi_finalize()

contains

  subroutine begin(code, length)
    character(len=*), intent(in) :: code
    integer, intent(in) :: length

    call xios_initialize(code, return_comm=comm)
    communicator%mpi_val = comm
    call mpi_comm_rank(communicator, rank)
    call mpi_comm_size(communicator, ranks)
    first = rank * length / ranks
    last = (rank + 1) * length / ranks
    call xios_context_initialize(code, comm)
  end subroutine begin

  subroutine run_ocean(ni, nj)
    integer, intent(in) :: ni, nj
    real(8) :: sst(ni, nj), wind(ni, nj)
    real(4) :: rain(ni, nj)
    integer :: hour

    call xios_set_domain_attr('grid', ibegin=0, ni=ni, jbegin=first, nj=nj)
    call xios_close_context_definition()
    do hour = 1, hours
      call xios_update_calendar(hour)
      sst = field(1, real(hour, 8), 0, first, ni, nj)
      call xios_send_field('sst', sst)
      if (xios_field_is_active('wind', .true.)) then
        call xios_recv_field('wind', wind)
        if (any(wind /= field(2, real(hour, 8), 0, first, ni, nj))) error stop 'another wind'
      end if
      if (mod(hour, 6) == 0) then
        call xios_recv_field('rain', rain)
        ! The mean of the hours before, one sample every half of one.
        if (any(rain /= real(field(3, hour - 2.75d0, 0, first, ni, nj), 4))) error stop 'another rain'
      end if
    end do
    call xios_context_finalize()
  end subroutine run_ocean

  subroutine run_atmosphere(ni, nj)
    integer, intent(in) :: ni, nj
    real(8) :: sst(ni, nj)
    real(8) :: hour
    integer :: step

    call xios_set_domain_attr('grid', ibegin=first, ni=ni, jbegin=0, nj=nj)
    call xios_close_context_definition()
    do step = 1, 2 * hours
      call xios_update_calendar(step)
      hour = step / 2d0
      call xios_send_field('wind', field(2, hour, first, 0, ni, nj))
      call xios_send_field('rain', real(field(3, hour, first, 0, ni, nj), 4))
      if (xios_field_is_active('sst', .true.)) then
        call xios_recv_field('sst', sst)
        if (any(sst /= field(1, hour, first, 0, ni, nj))) error stop 'another temperature'
      end if
    end do
    call xios_context_finalize()
  end subroutine run_atmosphere

  pure function field(number, hour, i0, j0, ni, nj) result(values)
    integer, intent(in) :: number, i0, j0, ni, nj
    real(8), intent(in) :: hour
    real(8) :: values(ni, nj)
    integer :: i, j

    do j = 1, nj
      do i = 1, ni
        values(i, j) = 10000 * number + 64 * hour + (i0 + i - 1) + nx * (j0 + j - 1)
      end do
    end do
  end function field

end program exchange
