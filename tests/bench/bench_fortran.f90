! What module xios costs above the C++ interface (a header on the C functions called here): run with a server, ./bench_fortran
! in the folder of bench_fortran.xml. Medians; ratios are taken from alternating calls of one run.
program bench_fortran
  use, intrinsic :: iso_c_binding
  use xios
  implicit none

  type, bind(c) :: c_element
    type(c_ptr) :: context
    integer(c_int32_t) :: node
  end type c_element

  interface
    integer(c_int) function epios_send_double(context, field, data, count) bind(c)
      import :: c_int, c_ptr, c_char, c_double, c_int64_t
      type(c_ptr), value :: context
      character(kind=c_char), intent(in) :: field(*)
      real(c_double), intent(in) :: data(*)
      integer(c_int64_t), value :: count
    end function
    integer(c_int) function epios_xios_element(number, element) bind(c)
      import :: c_int, c_intptr_t, c_element
      integer(c_intptr_t), value :: number
      type(c_element), intent(out) :: element
    end function
  end interface

  integer, parameter :: nx = 1250, ny = 1550, rounds = 60, calls = 1000000, fields = 5000
  real(8), allocatable :: whole(:, :), contiguous(:, :), copy(:, :), strided(:, :)
  real(8) :: t(6, rounds), one(1)
  type(xios_context) :: context
  type(c_element) :: element
  integer :: comm, step, i, active
  real(8) :: begin

  allocate (whole(0:nx + 1, 0:ny + 1), contiguous(nx, ny), copy(nx, ny), strided(2 * nx, ny))
  whole = 1
  contiguous = 1
  strided = 1
  one = 1
  call xios_initialize('bench', return_comm=comm)
  call set_attributes()
  call xios_context_initialize('bench', comm)
  call xios_set_axis_attr('x', n_glo=nx)
  call xios_set_axis_attr('y', n_glo=ny)
  call xios_get_handle('bench', context)
  if (epios_xios_element(context%daddr, element) /= 0) stop 'the context has no element'
  call xios_close_context_definition()
  do step = 1, rounds
    call xios_update_calendar(step)
    call tick()
    call xios_send_field('by_fortran', contiguous)
    call tock(t(1, step))
    if (epios_send_double(element%context, 'by_c' // c_null_char, contiguous, &
                          size(contiguous, kind=c_int64_t)) /= 0) stop 'the C interface fails'
    call tock(t(2, step))
    copy(:, :) = whole(1:nx, 1:ny)
    call tock(t(3, step))
    call xios_send_field('section', whole(1:nx, 1:ny))
    call tock(t(4, step))
    call xios_send_field('strided', strided(1::2, :))
    call tock(t(5, step))
    copy(:, :) = strided(1::2, :)
    call tock(t(6, step))
  end do
  print '(a, f7.2, a)', 'send of 15.5 MB through module xios: ', 1d3 * median(t(1, :)), ' ms'
  print '(a, f6.3, a)', 'the same / C interface:              ', median(t(1, :)) / median(t(2, :)), '   (target <= 1.02)'
  print '(a, f6.3, a)', 'section / (contiguous + copy):       ', median(t(4, :)) / (median(t(1, :)) + median(t(3, :))), &
    '   (target <= 1.1)'
  print '(a, f6.3, a)', 'every second value / the same:       ', median(t(5, :)) / (median(t(1, :)) + median(t(6, :))), &
    '   (target <= 1.1)'
  call tick()
  do i = 1, calls
    call xios_send_field('idle', one)
  end do
  call tock(t(1, 1))
  print '(a, f7.1, a)', 'send by id of a field nobody needs: ', 1d9 * t(1, 1) / calls, ' ns   (target <= 120)'
  active = 0
  do i = 1, calls
    if (xios_field_is_active('by_fortran')) active = active + 1
  end do
  call tock(t(1, 1))
  if (active /= calls) stop 'the field is active'
  print '(a, f7.1, a)', 'xios_field_is_active(id):           ', 1d9 * t(1, 1) / calls, ' ns   (target <= 120)'
  call xios_context_finalize()
  call xios_finalize()

contains

  subroutine tick()
    call cpu_time(begin)
  end subroutine tick

  ! Seconds of this process since the last tick or tock: nothing here waits, and others may use the machine.
  subroutine tock(seconds)
    real(8), intent(out) :: seconds
    real(8) :: now

    call cpu_time(now)
    seconds = now - begin
    begin = now
  end subroutine tock

  real(8) function median(times)
    real(8), intent(in) :: times(:)
    real(8) :: sorted(size(times)), least
    integer :: i, place

    sorted = times
    do i = 1, size(sorted)
      place = i - 1 + minloc(sorted(i:), 1)
      least = sorted(place)
      sorted(place) = sorted(i)
      sorted(i) = least
    end do
    median = sorted((size(sorted) + 1) / 2)
  end function median

  ! In a context of its own, which never ends its definition: it is ended by the end of the job.
  subroutine set_attributes()
    type(xios_fieldgroup) :: group
    type(xios_field) :: field
    type(xios_domaingroup) :: domains
    type(xios_domain) :: domain
    type(xios_axisgroup) :: axes
    type(xios_axis) :: axis
    character(len=20) :: id
    real(8) :: seconds
    integer :: i

    call xios_context_initialize('attributes', comm)
    call xios_define_calendar('NoLeap', timestep=xios_hour)
    call xios_get_handle('field_definition', group)
    do i = 1, fields
      write (id, '("field_", i0)') i
      call xios_add_child(group, field, id)
    end do
    ! What they refer to.
    call xios_get_handle('domain_definition', domains)
    call xios_add_child(domains, domain, 'sphere')
    call xios_set_attr(domain, type='rectilinear', ni_glo=4, nj_glo=2, ibegin=0, ni=4, jbegin=0, nj=2)
    call xios_get_handle('axis_definition', axes)
    call xios_add_child(axes, axis, 'levels')
    call xios_set_attr(axis, n_glo=3)
    call tick()
    do i = 1, fields
      write (id, '("field_", i0)') i
      call xios_set_field_attr(id, name=id, standard_name='sea_water_temperature', long_name='temperature', comment='all', &
        unit='degC', convert_units=.false., operation='average', freq_op=xios_timestep, freq_offset=0 * xios_timestep, &
        detect_missing_value=.true., default_value=1d20, prec=8, level=1, enabled=.true., expr='_reset_', &
        cell_methods='time: mean', valid_min=-10d0, valid_max=50d0, field_ref='_reset_', grid_ref='_reset_', &
        domain_ref='sphere', axis_ref='levels', scalar_ref='_reset_', conversion_by_netcdf=.true., read_access=.false., &
        indexed_output=.false., check_if_active=.true., grid_path='_reset_', add_offset=0d0, scale_factor=1d0, &
        significant_digits=7, compression_type='gzip', compression_level=0, compression_params=[5d0], &
        chunking_blocksize_target=20d0, ts_enabled=.false., ts_split_freq=xios_month, cell_methods_mode='overwrite', &
        build_workflow_graph=.false., build_workflow_graph_start=0 * xios_day, build_workflow_graph_end=xios_day)
    end do
    call tock(seconds)
    print '(a, f7.1, a)', '41 attributes of 5,000 fields by id: ', 1d3 * seconds, ' ms   (target <= 100)'
    call xios_close_context_definition()
    call xios_context_finalize()
  end subroutine set_attributes

end program bench_fortran
