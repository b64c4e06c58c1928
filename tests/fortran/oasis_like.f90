! A coupler that plays OASIS: it begins MPI, splits it among its components and ends it. Nothing of it is OASIS; what matters is
! who is collective with whom. Components: an ocean and an atmosphere that write through `module xios`, one that has never heard
! of it, and perhaps a server, which begins as a component as well, or a twin: a second ocean that gives the same name.
module coupler
  use mpi
  implicit none
  private

  public :: coupler_begin, coupler_shared, coupler_enddef, coupler_end

  integer :: everyone = MPI_COMM_NULL  ! of the coupler itself

contains

  ! Collective over MPI_COMM_WORLD, as oasis_init_comp and oasis_get_localcomm.
  subroutine coupler_begin(component, local)
    integer, intent(in) :: component
    integer, intent(out) :: local
    integer :: provided, error

    call mpi_init_thread(MPI_THREAD_MULTIPLE, provided, error)
    call mpi_comm_dup(MPI_COMM_WORLD, everyone, error)
    call mpi_comm_split(everyone, component, 0, local, error)
  end subroutine coupler_begin

  ! Of several components together, as oasis_get_intracomm; for others MPI_COMM_NULL.
  subroutine coupler_shared(has_part, shared)
    logical, intent(in) :: has_part
    integer, intent(out) :: shared
    integer :: error

    call mpi_comm_split(everyone, merge(1, MPI_UNDEFINED, has_part), 0, shared, error)
  end subroutine coupler_shared

  ! As oasis_enddef; of the models alone: who only serves says `coupled=.false.` to oasis_init_comp.
  subroutine coupler_enddef(coupled)
    logical, intent(in) :: coupled
    integer :: models, error

    call mpi_comm_split(everyone, merge(1, MPI_UNDEFINED, coupled), 0, models, error)
    if (.not. coupled) return
    call mpi_barrier(models, error)
    call mpi_comm_free(models, error)
  end subroutine coupler_enddef

  ! As oasis_terminate, which ends MPI when the coupler began it.
  subroutine coupler_end()
    integer :: error

    call mpi_barrier(everyone, error)
    call mpi_comm_free(everyone, error)
    call mpi_finalize(error)
    if (error /= MPI_SUCCESS) stop 1
  end subroutine coupler_end
end module coupler

! Arguments: how the components meet ("shared": on a communicator that the coupler makes; "listed": EPIOS_RANKS has those that use
! the library; "alone": each component by itself), and who ends its run first ("ocean", "atm"; "coupler", which is a mistake).
program oasis_like
  use coupler
  use xios
  use epios, only: epios_run_server
  use mpi
  implicit none

  integer, parameter :: foreign = 0, ocean = 1, atm = 2, server = 3, twin = 4
  character(len=8) :: meets, first
  integer :: component, local, shared

  call get_command_argument(1, meets)
  call get_command_argument(2, first)
  component = own_component()
  call coupler_begin(component, local)
  call coupler_shared(component /= foreign, shared)
  ! What waits for all models comes before anybody waits for servers.
  if (component /= server) then
    call coupler_enddef(.true.)
  else
    call coupler_enddef(.false.)
  end if
  select case (component)
  case (ocean, twin)
    call run('ocean')
  case (atm)
    call run('atm')
  case (server)
    call serve()
  end select
  call coupler_end()

contains

  ! By COMPONENT of the environment, as an executable of its own would know.
  integer function own_component()
    character(len=8) :: name

    call get_environment_variable('COMPONENT', name)
    own_component = foreign
    if (name == 'ocean') own_component = ocean
    if (name == 'atm') own_component = atm
    if (name == 'server') own_component = server
    if (name == 'twin') own_component = twin
  end function own_component

  subroutine serve()
    if (meets == 'shared') then
      call epios_run_server(shared)
    else
      call epios_run_server()
    end if
  end subroutine serve

  ! Two rows of three points, dealt out.
  subroutine run(code)
    character(len=*), intent(in) :: code
    integer :: comm, size, rank, rows, step, error

    if (meets == 'shared') then
      call xios_initialize(code, local_comm=local, return_comm=comm, job_comm=shared)
    else
      call xios_initialize(code, local_comm=local, return_comm=comm)
    end if
    call mpi_comm_size(comm, size, error)
    call mpi_comm_rank(comm, rank, error)
    call mpi_comm_size(local, rows, error)
    if (size /= rows) stop 'the component is another one than the coupler says'
    rows = 2 * (rank + 1) / size - 2 * rank / size
    call xios_context_initialize(code, comm)
    call xios_set_domain_attr('d', ibegin=0, ni=3, jbegin=2 * rank / size, nj=rows)
    call xios_oasis_enddef()
    call xios_close_context_definition()
    do step = 1, 2
      call xios_update_calendar(step)
      call send(2 * rank / size, rows, step, merge(1, 2, code == 'ocean'))
    end do
    call xios_context_finalize()
    if (first == 'coupler') call coupler_end()
    if (code /= first) call mpi_sleep(300)
    call xios_finalize()
  end subroutine run

  subroutine send(first_row, rows, step, component)
    integer, intent(in) :: first_row, rows, step, component
    real(8) :: values(3, rows)
    integer :: i, j

    do j = 1, rows
      do i = 1, 3
        values(i, j) = 1000 * component + 100 * step + 10 * (first_row + j) + i
      end do
    end do
    call xios_send_field('f', values)
  end subroutine send

  subroutine mpi_sleep(milliseconds)
    integer, intent(in) :: milliseconds
    real(8) :: start

    start = mpi_wtime()
    do while (1000 * (mpi_wtime() - start) < milliseconds)
      call execute_command_line('sleep 0.05')
    end do
  end subroutine mpi_sleep
end program oasis_like
