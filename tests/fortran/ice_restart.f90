! A restart of sea ice in five dimensions, all of it built by calls: columns, rows, layers, categories and tracers. It is
! written by clients that have rows and read by clients that have columns, under the same names, without a time.
program ice_restart
  use xios
  use mpi
  implicit none

  integer, parameter :: nx = 5, ny = 7, layers = 2, categories = 3, tracers = 2
  integer :: comm, rank, processes, error
  integer :: first(2), length(2)
  real(8), allocatable :: values(:,:,:,:,:)

  call xios_initialize('ice', return_comm=comm)
  call mpi_comm_rank(comm, rank, error)
  call mpi_comm_size(comm, processes, error)

  first = [0, share(ny, rank)]
  length = [nx, share(ny, rank + 1) - share(ny, rank)]
  call define('write')
  values = truth()
  call xios_update_calendar(1)
  call xios_send_field('ice', values)
  call xios_context_finalize()

  first = [share(nx, rank), 0]
  length = [share(nx, rank + 1) - share(nx, rank), ny]
  call define('read')
  deallocate(values)
  allocate(values(length(1), length(2), layers, categories, tracers), source=-1d0)
  call xios_recv_field('ice', values)
  if (any(values /= truth())) error stop 'what is read is not what was written'
  call xios_context_finalize()
  call xios_finalize()

contains

  integer function share(total, part)
    integer, intent(in) :: total, part
    share = total * part / processes
  end function share

  function truth() result(out)
    real(8) :: out(length(1), length(2), layers, categories, tracers)
    integer :: i, j, k, c, t
    do t = 1, tracers
      do c = 1, categories
        do k = 1, layers
          do j = 1, length(2)
            do i = 1, length(1)
              out(i, j, k, c, t) = first(1) + i + 10 * (first(2) + j) + 100 * k + 1000 * c + 10000 * t
            end do
          end do
        end do
      end do
    end do
  end function truth

  subroutine define(context)
    character(len=*), intent(in) :: context
    character(len=10), parameter :: names(3) = [character(len=10) :: 'layers', 'categories', 'tracers']
    integer, parameter :: sizes(3) = [layers, categories, tracers]
    type(xios_domaingroup) :: domains
    type(xios_domain) :: domain
    type(xios_axisgroup) :: axes
    type(xios_axis) :: axis
    type(xios_gridgroup) :: grids
    type(xios_grid) :: grid
    type(xios_filegroup) :: files
    type(xios_file) :: file
    type(xios_field) :: field
    integer :: n

    call xios_context_initialize(context, comm)
    call xios_define_calendar('NoLeap', start_date=xios_date(2000, 1, 1, 0, 0, 0), timestep=xios_hour)
    call xios_get_handle('domain_definition', domains)
    call xios_add_child(domains, domain, 'd')
    call xios_set_attr(domain, type='curvilinear', ni_glo=nx, nj_glo=ny, ibegin=first(1), ni=length(1), &
                       jbegin=first(2), nj=length(2), data_dim=2)
    call xios_get_handle('grid_definition', grids)
    call xios_add_child(grids, grid, 'all')
    call xios_add_child(grid, domain)
    call xios_set_attr(domain, domain_ref='d')
    call xios_get_handle('axis_definition', axes)
    do n = 1, size(names)
      call xios_add_child(axes, axis, trim(names(n)))
      call xios_set_attr(axis, n_glo=sizes(n))
      call xios_add_child(grid, axis)
      call xios_set_attr(axis, axis_ref=trim(names(n)))
    end do
    call xios_get_handle('file_definition', files)
    call xios_add_child(files, file, 'ice_restart')
    call xios_set_attr(file, output_freq=xios_hour, mode=trim(context))
    call xios_add_child(file, field, 'ice')
    call xios_set_attr(field, grid_ref='all', operation='once', prec=8)
    call xios_close_context_definition()
  end subroutine define
end program ice_restart
