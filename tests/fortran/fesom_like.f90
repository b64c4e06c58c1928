! Calls as an ocean model of the family of FESOM2 makes them: MPI is begun by the model, whose communicator comes as local_comm; nodes
! and triangles in no order; the vertical is the first dimension of the model's arrays, of which it sends transposed sections.
program fesom_like
  use xios
  use mpi
  implicit none

  integer, parameter :: nodes_glo = 15, elems_glo = 16, levels = 2, steps = 48
  integer :: world, rank, processes, error, provided, step, k
  integer, allocatable :: nodes(:), elems(:)
  real(8), allocatable :: temp(:, :), stress(:, :)
  character(len=2) :: servers
  logical :: has_ended

  ! Servers inside the model's processes are threads there; with others the model knows nothing of threads.
  call get_environment_variable('MODEL_SERVERS', servers)
  if (servers == '0') then
    call mpi_init_thread(mpi_thread_multiple, provided, error)
  else
    call mpi_init(error)
  end if
  call xios_initialize('fesom', local_comm=mpi_comm_world, return_comm=world)
  call mpi_comm_rank(world, rank, error)
  call mpi_comm_size(world, processes, error)
  nodes = scattered(nodes_glo)
  elems = scattered(elems_glo)
  allocate (temp(levels, size(nodes)), stress(2, size(elems)))

  call xios_context_initialize('fesom', world)
  call xios_define_calendar('Gregorian', start_date=xios_date(1958, 1, 1, 0, 0, 0), &
                            time_origin=xios_date(1958, 1, 1, 0, 0, 0), timestep=xios_duration(0, 0, 0, 1, 0, 0, 0))
  call set_mesh('nodes_2D', nodes_glo, nodes, 6)
  call set_mesh('elems_2D', elems_glo, elems, 3)
  call xios_set_axis_attr('nz1', n_glo=levels, value=[2.5d0, 10d0])
  call xios_close_context_definition()
  do step = 1, steps
    call xios_update_calendar(step)
    do k = 1, levels
      temp(k, :) = 20 - 5 * k + 0.5d0 * nodes + 0.125d0 * mod(step, 24)
    end do
    stress(1, :) = 0.25d0 * elems + step
    stress(2, :) = -999
    if (xios_field_is_active('off')) stop 'a field that is switched off is not active'
    call xios_send_field('sst', real(temp(1, :), 4))
    call xios_send_field('temp', transpose(temp))
    call xios_send_field('tx', stress(1, :))
  end do
  call xios_context_finalize()
  call xios_finalize()
  call mpi_finalized(has_ended, error)
  if (has_ended) stop 'MPI has been ended by who did not begin it'
  call mpi_finalize(error)

contains

  ! Global indices (from 0) of every so many, upwards and downwards by turns. Of three processes the middle one has none: its
  ! arrays are empty, and it calls as the others do.
  function scattered(total) result(indices)
    integer, intent(in) :: total
    integer, allocatable :: indices(:)
    integer :: i, share, shares

    share = rank
    shares = processes
    if (processes == 3) then
      share = merge(total, rank / 2, rank == 1)
      shares = 2
    end if
    indices = [(i, i = share, total - 1, shares)]
    if (mod(rank, 2) == 0) indices = indices(size(indices):1:-1)
  end function scattered

  subroutine set_mesh(id, total, indices, corners)
    character(len=*), intent(in) :: id
    integer, intent(in) :: total, indices(:), corners
    real(8) :: lon(size(indices)), lat(size(indices)), corners_lon(corners, size(indices)), corners_lat(corners, size(indices))
    integer :: c

    lon = 7d0 * indices
    lat = 60 - 2d0 * indices
    do c = 1, corners
      corners_lon(c, :) = lon + 2 * cos(c * 2 * acos(-1d0) / corners)
      corners_lat(c, :) = lat + 2 * sin(c * 2 * acos(-1d0) / corners)
    end do
    call xios_set_domain_attr(id, type='unstructured', ni_glo=total, nj_glo=1, ibegin=0, ni=size(indices), i_index=indices)
    call xios_set_domain_attr(id, data_dim=1, data_ni=size(indices), lonvalue_1d=lon, latvalue_1d=lat, nvertex=corners, &
                              bounds_lon_1d=corners_lon, bounds_lat_1d=corners_lat)
  end subroutine set_mesh

end program fesom_like
