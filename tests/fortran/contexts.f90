! Several contexts: one over all processes for the whole run; beside it one per process, opened and
! ended in the middle of the run, twice under one id, as contexts of restarts are. Threads that choose no
! context are in that of the thread that chose first.
program contexts
  use xios
  use mpi
  use omp_lib
  implicit none

  integer :: comm, own, rank, error, step
  character(len=10) :: part, now
  type(xios_context) :: ocean

  call xios_initialize('ocean', return_comm=comm)
  call mpi_comm_rank(comm, rank, error)
  call mpi_comm_split(comm, rank, 0, own, error)
  write (part, '("part", i0)') rank

  if (xios_context_is_initialized('ocean')) stop 'a context is open before its time'
  call begin('ocean', comm, 'all', rank)
  call xios_get_handle('ocean', ocean)
  do step = 1, 4
    call xios_set_current_context(ocean)
    call xios_update_calendar(step)
    call xios_send_field('f', 10d0 * step + rank)
    ! Only one process of two or more is in step 2; contexts do not wait for each other.
    if (step == 2 .and. rank == 0) call write_part(1)
    if (step == 3) call write_part(2)
    call xios_set_current_context('ocean')
    call xios_get_current_context(now)
    if (now /= 'ocean') stop 'the current context is another one'
  end do
  call xios_context_finalize()
  if (xios_context_is_initialized('ocean')) stop 'a context is open after its end'
  call xios_finalize()

contains

  ! One point on the axis of all, or one on that of this process alone.
  subroutine begin(id, members, name, begins)
    character(len=*), intent(in) :: id, name
    integer, intent(in) :: members, begins
    type(xios_filegroup) :: files
    type(xios_file) :: file
    type(xios_field) :: field
    type(xios_fieldgroup) :: fields
    type(xios_axisgroup) :: axes
    type(xios_axis) :: axis
    integer :: processes

    call mpi_comm_size(members, processes, error)
    call xios_context_initialize(id, members)
    call xios_define_calendar('NoLeap', timestep=xios_hour, start_date=xios_date(2000, 1, 1, 0, 0, 0))
    call xios_get_handle('axis_definition', axes)
    call xios_add_child(axes, axis, 'a')
    call xios_set_attr(axis, n_glo=processes, begin=begins, n=1)
    call xios_get_handle('field_definition', fields)
    call xios_add_child(fields, field, 'f')
    call xios_set_attr(field, axis_ref='a', operation='instant', prec=8)
    call xios_get_handle('file_definition', files)
    call xios_add_child(files, file, 'out')
    call xios_set_attr(file, name=name, output_freq=xios_hour, enabled=.true.)
    call xios_add_child(file, field)
    call xios_set_attr(field, field_ref='f')
    call xios_close_context_definition()
  end subroutine begin

  subroutine write_part(time)
    integer, intent(in) :: time
    character(len=20) :: name

    write (name, '(a, "_", i0)') trim(part), time
    call begin(trim(part), own, name, 0)
    call expect_in_threads(trim(part))
    call xios_update_calendar(1)
    call xios_send_field('f', 100d0 * time + rank)
    call xios_context_finalize()
    call xios_set_current_context('ocean')
    call expect_in_threads('ocean')
  end subroutine write_part

  subroutine expect_in_threads(id)
    character(len=*), intent(in) :: id
    character(len=10) :: found(0:1)

    found = id
    !$omp parallel num_threads(2)
    call xios_get_current_context(found(omp_get_thread_num()))
    !$omp end parallel
    if (any(found /= id)) stop 'a thread is in another context'
  end subroutine expect_in_threads

end program contexts
