! A model that names the modules beside `module xios`, as older ones do: it defines everything by handle, sends with the
! keywords of XIOS, and looks into its handles.
program modules
  use xios
  use mod_wait, only: init_wait, wait_us
  use icontext, only: xios_get_context_handle, xios_get_current_context
  use iaxis_attr
  use iaxisgroup_attr
  use icontext_attr
  use idate
  use idomain_attr
  use ifield_attr
  use ifile_attr
  use igrid_attr
  use igridgroup_attr
  use ixml_tree
  use idata, only: xios_send_field_r4_1d
  use ireorder_domain_attr
  use ireduce_axis_to_axis_attr
  use itemporal_splitting_attr
  use iduplicate_scalar_to_axis_attr
  use ireduce_scalar_to_scalar_attr
  use, intrinsic :: iso_c_binding, only: c_double, c_intptr_t
  implicit none
  integer, parameter :: nx = 4, ny = 3, nz = 2
  real(8) :: lon(nx), lat(ny), deep(nx, ny, nz), flat(nx, ny)
  real(4) :: column(nz)
  integer :: comm, step, clock(3), rate
  logical :: is

  if (command_argument_count() == 1) call xios_init_server(1)  ! what older servers say; never here

  call system_clock(clock(1), rate)
  call init_wait
  call wait_us(20000)
  call wait_us(-1)
  call system_clock(clock(2))
  call expect(clock(2) - clock(1) >= rate / 100, 'waiting takes its time')

  call xios_initialize('model', return_comm=comm)
  call xios_context_initialize('old', comm)
  call take_context()
  call xios_define_calendar('D360', start_date=xios_date(2000, 1, 1, 0, 0, 0), timestep=xios_hour)
  lon = [0d0, 90d0, 180d0, 270d0]
  lat = [-60d0, 0d0, 60d0]
  call define_domain()
  call define_axis()
  call define_grid()
  call define_file()
  call set_transformations()
  call take_doubles(xios_timer_get_time(), xios_timer_get_time('none'), xios_mem_checker_get())
  call xios_close_context_definition()
  do step = 1, 2
    call xios_update_calendar(step)
    flat = step
    deep = 10 * step
    column = 100 * step
    call xios_send_field(fieldid='flat', data2d_k8=flat)
    call xios_send_field('deep', data3d_k8=deep, tileid=-1)
    call xios_send_field_r4_1d(fieldid='column', data1d_k4=column)
    call xios_send_field('mean', data_k8=real(step, 8))
  end do
  call xios_context_finalize()
  call xios_finalize()
  print '(a)', 'all names were called'

contains

  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: what

    if (holds) return
    print '(2a)', 'FAIL: ', what
    error stop 3
  end subroutine expect

  subroutine take_context()
    type(xios_context) :: context, same

    call xios_get_context_handle('old', context)
    call xios_get_current_context(same)
    call expect(context%daddr == same%daddr .and. context%daddr /= 0_c_intptr_t, 'the current context')
    call xios_set_context_attr_hdl(context, output_dir='.')
    call xios_is_defined_context_attr_hdl(context, output_dir=is)
    call expect(is, 'an attribute of the context')
  end subroutine take_context

  subroutine define_domain()
    type(xios_domain) :: domain, copy
    type(xios_domaingroup) :: group
    integer :: found

    call expect(domain%daddr == 0, 'a handle begins as none')
    call xios_get_domaingroup_handle('domain_definition', group)
    call xios_add_domain(group, domain, 'globe')
    call xios_get_domain_handle('globe', copy)
    call expect(copy%daddr == domain%daddr, 'one handle for one element')
    call xios_set_domain_attr_hdl(domain, type='rectilinear', ni_glo=nx, nj_glo=ny, ibegin=0, ni=nx, jbegin=0, nj=ny)
    call xios_set_domain_attr_hdl(domain, lonvalue_1d=lon, latvalue_1d=lat)
    copy%daddr = 0
    copy%daddr = domain%daddr
    call xios_get_domain_attr_hdl(copy, nj_glo=found)
    call expect(found == ny, 'a copied address is a handle')
    call xios_is_defined_domain_attr_hdl(domain, ni_glo=is)
    call expect(is, 'ni_glo is defined')
  end subroutine define_domain

  subroutine define_axis()
    type(xios_axis) :: axis
    type(xios_axisgroup) :: group

    call xios_get_axisgroup_handle('axis_definition', group)
    call xios_set_axisgroup_attr_hdl(group, unit='m')
    call xios_add_axis(group, axis, 'level')
    call xios_set_axis_attr_hdl(axis, n_glo=nz, value=[1d0, 2d0])
  end subroutine define_axis

  ! Of the elements above, with a mask under its older name.
  subroutine define_grid()
    type(xios_grid) :: grid
    type(xios_gridgroup) :: group
    type(xios_domain) :: domain
    type(xios_axis) :: axis
    logical :: wet(nx, ny, nz), found(nx, ny, nz)

    call xios_get_gridgroup_handle('grid_definition', group)
    call xios_add_grid(group, grid, 'volume')
    call xios_add_domaintogrid(grid, domain)
    call xios_set_domain_attr_hdl(domain, domain_ref='globe')
    call xios_add_axistogrid(grid, axis)
    call xios_set_axis_attr_hdl(axis, axis_ref='level')
    wet = .true.
    wet(2, 2, 1) = .false.
    call xios_set_grid_attr('volume', mask3=wet)
    call xios_is_defined_grid_attr_hdl(grid, mask3=is)
    call expect(is, 'mask3 is defined')
    call xios_get_grid_attr(grid_id='volume', mask_3d=found)
    call expect(all(found .eqv. wet), 'mask3 is mask_3d')
    call xios_set_gridgroup_attr_hdl(group, mask3=wet)
    found = .true.
    call xios_get_gridgroup_attr_hdl(group, mask3=found)
    call expect(all(found .eqv. wet), 'groups have it, too')
  end subroutine define_grid

  subroutine define_file()
    type(xios_file) :: file
    type(xios_filegroup) :: group
    type(xios_field) :: field
    character(len=8), parameter :: ids(4) = [character(len=8) :: 'flat', 'deep', 'column', 'mean']
    character(len=20) :: operation
    integer :: i

    call xios_get_filegroup_handle('file_definition', group)
    call xios_add_file(group, file, 'written')
    call xios_set_file_attr_hdl(file, name='written', output_freq=xios_hour, enabled=.true.)
    call expect(xios_is_valid_file('written'), 'the file is there')
    do i = 1, size(ids)
      call xios_add_fieldtofile(file, field, trim(ids(i)))
      call xios_set_field_attr_hdl(field, operation='instant', enabled=.true.)
      call xios_get_field_attr_hdl(field, operation=operation)
      call expect(operation == 'instant', 'operation')
      if (i == 1) call xios_set_field_attr_hdl(field, domain_ref='globe')
      if (i == 2) call xios_set_field_attr_hdl(field, grid_ref='volume')
      if (i == 3) call xios_set_field_attr_hdl(field, axis_ref='level')
      if (i == 4) call xios_set_field_attr_hdl(field, scalar_ref='total')
    end do
  end subroutine define_file

  ! Which module xios does not export.
  subroutine set_transformations()
    type(xios_reorder_domain) :: turn
    type(xios_reduce_axis_to_axis) :: reduced_axis
    type(xios_temporal_splitting) :: split
    type(xios_duplicate_scalar_to_axis) :: duplicated
    type(xios_reduce_scalar_to_scalar) :: reduced_scalar
    character(len=20) :: operation, place

    call xios_get_reorder_domain_handle('turn', turn)
    call xios_set_reorder_domain_attr_hdl(turn, invert_lat=.true.)
    is = .false.
    call xios_get_reorder_domain_attr('turn', invert_lat=is)
    call expect(is, 'reorder_domain')
    call xios_get_reduce_axis_to_axis_handle('reduced_axis', reduced_axis)
    call xios_set_reduce_axis_to_axis_attr('reduced_axis', operation='sum')
    call xios_get_reduce_axis_to_axis_attr_hdl(reduced_axis, operation=operation)
    call expect(operation == 'sum', 'reduce_axis_to_axis')
    call xios_get_temporal_splitting_handle('split', split)
    call xios_set_temporal_splitting_attr_hdl(split, place='client')
    call xios_get_temporal_splitting_attr('split', place=place)
    call expect(place == 'client', 'temporal_splitting')
    call xios_get_duplicate_scalar_to_axis_handle('duplicated', duplicated)
    call xios_is_defined_duplicate_scalar_to_axis_attr_hdl(duplicated, place=is)
    call expect(xios_is_valid_duplicate_scalar_to_axis('duplicated') .and. .not. is, 'duplicate_scalar_to_axis')
    call xios_get_reduce_scalar_to_scalar_handle('reduced_scalar', reduced_scalar)
    call xios_set_reduce_scalar_to_scalar_attr('reduced_scalar', operation='max')
    call xios_get_reduce_scalar_to_scalar_attr_hdl(reduced_scalar, operation=operation)
    call expect(operation == 'max', 'reduce_scalar_to_scalar')
    call expect(.not. xios_is_valid_reduce_scalar_to_scalar('turn'), 'each kind has its own ids')
  end subroutine set_transformations

  ! Results have the kind that XIOS gives them, or this does not compile.
  subroutine take_doubles(clock, timer, memory)
    real(c_double), intent(in) :: clock, timer, memory

    call expect(clock > 0 .and. timer == 0 .and. memory > 0, 'measurements')
  end subroutine take_doubles

end program modules
