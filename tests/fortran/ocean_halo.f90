! A small ocean that calls as ocean models do: a curvilinear grid in rows, each process with a halo of
! one around its part, a land mask, real(4) and real(8), sections of larger arrays, a file and its
! fields made at run time. Values follow from global places, so that any layout writes the same.
program ocean_halo
  use xios
  use mpi
  implicit none

  integer, parameter :: ni_glo = 6, nj_glo = 5, levels = 2, steps = 4
  integer :: comm, rank, processes, error, jbegin, nj, step
  real(8), allocatable :: sst(:,:), temp(:,:,:), lon(:), lat(:)
  real(4), allocatable :: ssh(:,:), two(:,:,:)
  logical, allocatable :: mask(:)
  type(xios_context) :: context
  type(xios_date) :: date

  call xios_initialize('ocean', return_comm=comm)
  call mpi_comm_rank(comm, rank, error)
  call mpi_comm_size(comm, processes, error)
  if (xios_field_is_active('sst')) stop 'a field is active before the first context'
  if (.not. xios_is_valid_field('sst')) stop 'a field of the XML is not known'
  if (xios_is_valid_field('ice')) stop 'a field is known that nobody defines'

  call xios_context_initialize('ocean', comm)
  call xios_get_handle('ocean', context)
  call xios_set_current_context(context)
  call xios_define_calendar(type='D360', start_date=xios_date(2001, 1, 1, 0, 0, 0), &
                            time_origin=xios_date(2000, 1, 1, 0, 0, 0))
  call read_variables()
  call split_rows()
  call define_grid()
  call define_files()
  call xios_set_timestep(6 * xios_hour)
  call xios_close_context_definition()

  do step = 1, steps
    call xios_update_calendar(step)
    call xios_get_current_date(date)
    if (date /= xios_date(2001, 1, 1, 0, 0, 0) + step * (6 * xios_hour)) stop 'the date is wrong'
    call make_fields(step)
    call xios_send_field('sst', sst)
    call xios_send_field('temp', temp)
    if (xios_field_is_active('ssh', .true.)) call xios_send_field('ssh', two(2, :, :))
    call xios_send_field('unused', sst)
    call xios_send_field('level', real(step, 8))
  end do
  call xios_context_finalize()
  call xios_finalize()

contains

  subroutine read_variables()
    real(8) :: scale
    integer :: members
    logical :: on
    character(len=20) :: who

    if (.not. xios_getVar('scale', scale)) stop 'no scale'
    if (.not. xios_getVar('members', members)) stop 'no members'
    if (.not. xios_getVar('on', on)) stop 'no on'
    if (.not. xios_getVar('who', who)) stop 'no who'
    if (scale /= 0.5d0 .or. members /= 3 .or. .not. on .or. who /= 'me') stop 'variables are wrong'
    if (xios_getVar('nobody', members)) stop 'a variable that is not there'
    if (.not. xios_setVar('members', 4)) stop 'not set'
    if (.not. xios_getVar('members', members) .or. members /= 4) stop 'set to something else'
  end subroutine read_variables

  subroutine split_rows()
    jbegin = rank * nj_glo / processes
    nj = (rank + 1) * nj_glo / processes - jbegin
  end subroutine split_rows

  ! The model's arrays have a halo of one: data begin at -1.
  subroutine define_grid()
    real(8), allocatable :: bounds_lon(:,:), bounds_lat(:,:), area(:,:)
    integer :: i, j, n, known
    logical :: has_name, has_comment

    allocate(lon(ni_glo * nj), lat(ni_glo * nj), mask(ni_glo * nj), area(ni_glo, nj))
    allocate(bounds_lon(4, ni_glo * nj), bounds_lat(4, ni_glo * nj))
    do j = 1, nj
      do i = 1, ni_glo
        n = i + (j - 1) * ni_glo
        lon(n) = 10d0 * i + (jbegin + j)
        lat(n) = 5d0 * (jbegin + j) + 0.25d0 * i
        bounds_lon(:, n) = lon(n) + [-5d0, 5d0, 5d0, -5d0]
        bounds_lat(:, n) = lat(n) + [-2.5d0, -2.5d0, 2.5d0, 2.5d0]
        mask(n) = .not. (i == 2 .and. jbegin + j == 3)
        area(i, j) = 100d0 * i + (jbegin + j)
      end do
    end do
    call xios_set_domain_attr('grid_T', type='curvilinear', ni_glo=ni_glo, nj_glo=nj_glo, &
                              ibegin=0, ni=ni_glo, jbegin=jbegin, nj=nj)
    call xios_set_domain_attr('grid_T', data_dim=2, data_ibegin=-1, data_ni=ni_glo + 2, &
                              data_jbegin=-1, data_nj=nj + 2)
    call xios_set_domain_attr('grid_T', lonvalue_1d=lon, latvalue_1d=lat, mask_1d=mask)
    call xios_set_domain_attr('grid_T', nvertex=4, bounds_lon_1d=bounds_lon, bounds_lat_1d=bounds_lat, &
                              area=area)
    call xios_set_axis_attr('depth', n_glo=levels, value=[5d0, 15d0])
    call xios_get_domain_attr('grid_T', ni=known)
    if (known /= ni_glo) stop 'ni comes back as something else'
    call xios_is_defined_axis_attr('depth', name=has_name, comment=has_comment)
    if (.not. has_name .or. has_comment) stop 'defined attributes are wrong'
  end subroutine define_grid

  ! A file that no XML knows.
  subroutine define_files()
    type(xios_filegroup) :: files
    type(xios_file) :: file
    type(xios_field) :: field
    character(len=20) :: unit, operation
    type(xios_duration) :: freq

    call xios_get_handle('file_definition', files)
    call xios_add_child(files, file, 'made')
    call xios_set_attr(file, name='made', output_freq=1 * xios_day, enabled=.true.)
    call xios_add_child(file, field)
    call xios_set_attr(field, field_ref='sst', name='tos', operation='maximum')
    call xios_solve_inheritance()
    call xios_get_attr(field, unit=unit, operation=operation)
    if (unit /= 'degC' .or. operation /= 'maximum') stop 'inheritance is not solved'
    call xios_get_file_attr('made', output_freq=freq)
    if (freq /= xios_day) stop 'output_freq comes back as something else'
  end subroutine define_files

  ! The halo holds what may not be written.
  subroutine make_fields(step)
    integer, intent(in) :: step
    integer :: i, j, k

    if (.not. allocated(sst)) then
      allocate(sst(0:ni_glo + 1, 0:nj + 1), temp(0:ni_glo + 1, 0:nj + 1, levels))
      allocate(ssh(0:ni_glo + 1, 0:nj + 1), two(3, 0:ni_glo + 1, 0:nj + 1))
    end if
    sst = -999
    temp = -999
    ssh = -999
    do j = 1, nj
      do i = 1, ni_glo
        sst(i, j) = 100 * step + 10 * (jbegin + j) + i
        ssh(i, j) = real(i + 0.5 * (jbegin + j), 4)
        do k = 1, levels
          temp(i, j, k) = 1000 * k + sst(i, j)
        end do
      end do
    end do
    two = -999
    two(2, :, :) = ssh
  end subroutine make_fields

end program ocean_halo
