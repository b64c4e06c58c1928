! Calls as an ocean model of the family of NEMO makes them: questions before the first context, one routine that sets what ids there
! are, halos and masks, the time step after the definitions, files named by the model, diagnostics only where they are needed, a
! restart in a context of its own in the middle of the run. With three processes the middle one has nothing but land.
program nemo_like
  use xios
  use mpi
  implicit none

  integer, parameter :: ni_glo = 6, nj_glo = 6, levels = 2, halo = 1, steps = 16
  integer :: comm, rank, processes, error, jbegin, nj, step, diagnosed = 0
  logical, allocatable :: ocean(:, :)
  logical :: has_ended
  real(8), allocatable :: sst(:, :), toce(:, :, :), e3t(:, :, :)

  call xios_initialize('nemo', return_comm=comm)
  call mpi_comm_rank(comm, rank, error)
  call mpi_comm_size(comm, processes, error)
  jbegin = nj_glo * rank / processes
  nj = nj_glo * (rank + 1) / processes - jbegin
  allocate (ocean(ni_glo, nj), sst(1 - halo:ni_glo + halo, 1 - halo:nj + halo))
  allocate (toce(1 - halo:ni_glo + halo, 1 - halo:nj + halo, levels))
  allocate (e3t(1 - halo:ni_glo + halo, 1 - halo:nj + halo, levels))
  call read_options()

  call xios_context_initialize('nemo', comm)
  call xios_define_calendar(type='D360', time_origin=xios_date(1900, 1, 1, 0, 0, 0), &
                            start_date=xios_date(2000, 1, 1, 0, 0, 0))
  call set_grids()
  call set_file_names()
  call xios_set_timestep(xios_duration(0, 0, 0, 3, 0, 0, 0))
  call xios_close_context_definition()
  call xios_solve_inheritance()  ! as some routine does that is called at any time
  if (.not. xios_setVar('cn_exp', 'LATER')) stop 'the experiment cannot change its name'
  do step = 1, steps
    call xios_set_current_context('nemo')
    call xios_update_calendar(step)
    call compute()
    call write_diagnostics()
    if (step == steps / 2) call write_restart()
  end do
  call xios_set_current_context('nemo')
  call xios_context_finalize()
  ! A rare diagnostic in a file that is not enabled is never computed; the square at every step.
  if (diagnosed /= 0) stop 'a diagnostic was computed that nobody needs'
  call xios_finalize()
  call mpi_finalized(has_ended, error)
  if (.not. has_ended) stop 'MPI goes on that xios_initialize began'

contains

  ! Before there is a context: what the XML has counts, and nothing is active.
  subroutine read_options()
    if (.not. xios_is_valid_field('sst')) stop 'the XML has sst'
    if (xios_is_valid_field('nothing')) stop 'the XML has no field of that name'
    if (.not. xios_is_valid_filegroup('1d')) stop 'the XML has the group'
    if (xios_field_is_active('sst')) stop 'no field is active yet'
  end subroutine read_options

  subroutine set_grids()
    real(8) :: lon(ni_glo * nj), lat(ni_glo * nj), corners_lon(4, ni_glo * nj), corners_lat(4, ni_glo * nj)
    logical :: mask_3d(ni_glo, nj, levels)
    integer :: i, j, cell

    do j = 1, nj
      do i = 1, ni_glo
        cell = i + (j - 1) * ni_glo
        lon(cell) = 10 * i + jbegin + j
        lat(cell) = 5 * (jbegin + j) + 0.25d0 * i
        corners_lon(:, cell) = lon(cell) + [-5d0, 5d0, 5d0, -5d0]
        corners_lat(:, cell) = lat(cell) + [-2d0, -2d0, 2d0, 2d0]
        ocean(i, j) = .not. (i == 1 .or. (jbegin + j > 2 .and. jbegin + j < 5))
      end do
    end do
    mask_3d(:, :, 1) = ocean
    mask_3d(:, :, 2) = ocean
    mask_3d(ni_glo, :, 2) = .false.
    call set_domain('grid_T', lon, lat, corners_lon, corners_lat, -halo, ni_glo + 2 * halo, nj + 2 * halo)
    call set_domain('grid_T_inner', lon, lat, corners_lon, corners_lat, 0, ni_glo, nj)
    call set_domain('grid_none', lon, lat, corners_lon, corners_lat, 0, ni_glo, nj)
    call xios_set_axis_attr('deptht', n_glo=levels, value=[5d0, 50d0], &
                            bounds=reshape([0d0, 10d0, 10d0, 90d0], [2, 2]))
    if (xios_is_valid_grid('grid_T_3D')) call xios_set_grid_attr('grid_T_3D', mask_3d=mask_3d)
    ! One number per process.
    call xios_set_domain_attr('ptr', type='rectilinear', ni_glo=processes, nj_glo=1, ibegin=rank, jbegin=0, ni=1, nj=1, &
                              lonvalue_1d=[real(rank, 8)], latvalue_1d=[0d0])
    call xios_set_field_attr('mean_sst', domain_ref='ptr')
  end subroutine set_grids

  ! Sets the domain, or the group, of an id, if there is one.
  subroutine set_domain(id, lon, lat, corners_lon, corners_lat, data_begin, data_ni, data_nj, area)
    character(len=*), intent(in) :: id
    real(8), intent(in) :: lon(:), lat(:), corners_lon(:, :), corners_lat(:, :)
    integer, intent(in) :: data_begin, data_ni, data_nj
    real(8), intent(in), optional :: area(:, :)  ! never given: absent it stays

    if (xios_is_valid_domain(id)) then
      call xios_set_domain_attr(id, type='curvilinear', ni_glo=ni_glo, nj_glo=nj_glo, ibegin=0, jbegin=jbegin, &
                                ni=ni_glo, nj=nj, area_2d=area)
      call xios_set_domain_attr(id, data_dim=2, data_ibegin=data_begin, data_ni=data_ni, data_jbegin=data_begin, &
                                data_nj=data_nj, lonvalue_1d=lon, latvalue_1d=lat, nvertex=4, &
                                bounds_lon_1d=corners_lon, bounds_lat_1d=corners_lat, &
                                mask_1d=reshape(ocean, [size(ocean)]))
    end if
    if (xios_is_valid_domaingroup(id)) stop 'there is no group of that id'
  end subroutine set_domain

  ! Names with what only the model knows, for every file there may be.
  subroutine set_file_names()
    character(len=100) :: name, suffix, id
    character(len=10) :: experiment
    type(xios_duration) :: frequency
    logical :: is_there, has_suffix
    integer :: i

    if (.not. xios_getVar('cn_exp', experiment)) stop 'the experiment has a name'
    call xios_solve_inheritance()
    do i = 1, 10
      write (id, '("file", i0)') i
      if (.not. xios_is_valid_file(id)) cycle
      call xios_is_defined_file_attr(id, name=is_there, name_suffix=has_suffix)
      if (.not. is_there .or. .not. has_suffix) stop 'every file inherits a name and has a suffix'
      call xios_get_file_attr(id, name=name, name_suffix=suffix, output_freq=frequency)
      call replace(name, '@expname@', trim(experiment))
      call replace(name, '@freq@', merge('6h', '1d', frequency == 6 * xios_hour))
      call xios_set_file_attr(id, name=name)
    end do
  end subroutine set_file_names

  subroutine replace(text, what, by)
    character(len=*), intent(inout) :: text
    character(len=*), intent(in) :: what, by
    integer :: at

    at = index(text, what)
    if (at > 0) text = text(:at - 1) // by // text(at + len(what):)
  end subroutine replace

  subroutine compute()
    integer :: i, j, k

    sst = -999  ! in halos
    toce = -999
    e3t = -999
    do j = 1, nj
      do i = 1, ni_glo
        sst(i, j) = 10 + 0.5d0 * step + i + 10 * (jbegin + j)
        do k = 1, levels
          toce(i, j, k) = sst(i, j) - k
          e3t(i, j, k) = 10 * k + mod(step, 2)
        end do
      end do
    end do
  end subroutine compute

  subroutine write_diagnostics()
    call xios_send_field('sst', real(sst, 4))
    if (xios_field_is_active('zos')) call xios_send_field('zos', sst(1:ni_glo, 1:nj) / 100)
    if (xios_field_is_active('rare', at_current_timestep_arg=.true.)) diagnosed = diagnosed + 1
    call xios_send_field('toce', toce, tileid=-1)  ! no tile, as models compute it that have none
    call xios_send_field('e3t', e3t)
    ! Fields that refer to others are asked for like all: needed where a file takes them, and else not.
    if (xios_field_is_active('sst_copy') .or. xios_field_is_active('sst_double')) diagnosed = diagnosed + 1
    call xios_send_field('sst_copy', sst)
    call xios_send_field('sst_double', sst)
    if (.not. xios_field_is_active('e1t_copy')) stop 'a file has e1t_copy'
    if (xios_field_is_active('e1t_copy', .true.) .neqv. xios_field_is_active('e1t', .true.)) stop 'e1t_copy is e1t'
    if (xios_field_is_active('e1t', .true.)) call xios_send_field('e1t', 0 * sst + 1d5)
    call xios_send_field('mean_sst', [sum(sst(1:ni_glo, 1:nj))])  ! in no file
  end subroutine write_diagnostics

  ! The state bit for bit, in a file that is made here.
  subroutine write_restart()
    logical :: wanted
    type(xios_filegroup) :: files
    type(xios_file) :: file
    type(xios_field) :: field
    type(xios_domaingroup) :: domains
    type(xios_domain) :: domain
    type(xios_axisgroup) :: axes
    type(xios_axis) :: axis
    type(xios_scalargroup) :: scalars
    type(xios_scalar) :: scalar
    type(xios_gridgroup) :: grids
    type(xios_grid) :: grid

    if (.not. xios_getVar('ln_restart', wanted)) stop 'there is the switch'
    if (.not. wanted) return
    call xios_context_initialize('restart_write', comm)
    call xios_define_calendar('D360', start_date=xios_date(2000, 1, 2, 0, 0, 0), timestep=3 * xios_hour)
    call xios_get_handle('domain_definition', domains)
    call xios_add_child(domains, domain, 'all')
    call xios_set_attr(domain, type='curvilinear', ni_glo=ni_glo, nj_glo=nj_glo, ibegin=0, ni=ni_glo, jbegin=jbegin, nj=nj)
    call xios_set_attr(domain, data_dim=2, data_ibegin=-halo, data_ni=ni_glo + 2 * halo, data_jbegin=-halo, &
                       data_nj=nj + 2 * halo)
    call xios_get_handle('axis_definition', axes)
    call xios_add_child(axes, axis, 'levels')
    call xios_set_attr(axis, n_glo=levels)
    call xios_get_handle('scalar_definition', scalars)
    call xios_add_child(scalars, scalar, 'one')
    call xios_get_handle('grid_definition', grids)
    call xios_add_child(grids, grid, 'volume')
    call xios_add_child(grid, domain)
    call xios_set_attr(domain, domain_ref='all')
    call xios_add_child(grid, axis)
    call xios_set_attr(axis, axis_ref='levels')
    call xios_get_handle('file_definition', files)
    call xios_add_child(files, file, 'wrestart')
    call xios_set_attr(file, name='BASIN_restart', type='one_file', enabled=.true., output_freq=xios_timestep, &
                       time_counter='none')
    call xios_add_child(file, field, 'kt')
    call xios_set_attr(field, enabled=.true., name='kt', scalar_ref='one', operation='instant', prec=8)
    call xios_add_child(file, field, 'tn')
    call xios_set_attr(field, enabled=.true., name='tn', grid_ref='volume', operation='instant', prec=8)
    call xios_close_context_definition()
    call xios_update_calendar(1)
    call xios_send_field('kt', real(step, 8))
    call xios_send_field('tn', toce)
    call xios_context_finalize()
  end subroutine write_restart

end program nemo_like
