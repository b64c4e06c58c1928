! What module xios costs above the C++ interface (a header on the C functions called here): run with a server, ./bench_fortran
! in the folder of bench_fortran.xml. Medians; ratios are taken from alternating calls of one run.
program bench_fortran
  use, intrinsic :: iso_c_binding
  use xios
  implicit none

  interface
    integer(c_int) function epios_send_double(context, field, data, count) bind(c)
      import :: c_int, c_ptr, c_char, c_double, c_int64_t
      type(c_ptr), value :: context
      character(kind=c_char), intent(in) :: field(*)
      real(c_double), intent(in) :: data(*)
      integer(c_int64_t), value :: count
    end function
  end interface

  integer, parameter :: nx = 1250, ny = 1550, rounds = 60, calls = 1000000, fields = 5000
  real(8), allocatable :: whole(:, :), contiguous(:, :), copy(:, :), strided(:, :)
  real(8) :: t(6, rounds), one(1)
  type(xios_context) :: context
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
  call xios_close_context_definition()
  do step = 1, rounds
    call xios_update_calendar(step)
    call tick()
    call xios_send_field('by_fortran', contiguous)
    call tock(t(1, step))
    if (epios_send_double(context%element%context, 'by_c' // c_null_char, contiguous, &
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
    call tick()
    do i = 1, fields
      write (id, '("field_", i0)') i
      call xios_set_field_attr(id, name=id, standard_name='sea_water_temperature', long_name='temperature', unit='degC', &
        enabled=.true., level=1, prec=8, operation='average', freq_op=xios_timestep, freq_offset=0 * xios_timestep, &
        default_value=1d20, detect_missing_value=.true., compression_level=0, add_offset=0d0, scale_factor=1d0, &
        valid_min=-10d0, valid_max=50d0, indexed_output=.false., read_access=.false., comment='all', &
        cell_methods='time: mean', grid_path='', ts_enabled=.false., ts_split_freq=xios_month)
    end do
    call tock(seconds)
    print '(a, f7.1, a)', '24 attributes of 5,000 fields by id: ', 1d3 * seconds, ' ms   (target <= 100)'
    call xios_close_context_definition()
    call xios_context_finalize()
  end subroutine set_attributes

end program bench_fortran
