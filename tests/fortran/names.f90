! Every name of module xios that no attribute has to do with, called at least once. With several
! processes the last one is a server, in the same program.
program names
  use xios
  use mpi
  implicit none

  integer, parameter :: steps = 4
  integer :: comm, error, rank, processes, step, clients, provided
  type(xios_context) :: context
  type(xios_duration) :: day

  call mpi_init_thread(mpi_thread_multiple, provided, error)
  call mpi_comm_rank(mpi_comm_world, rank, error)
  call mpi_comm_size(mpi_comm_world, processes, error)
  if (processes > 1 .and. rank == processes - 1) then
    call xios_init_server()
    call mpi_finalize(error)
    stop
  end if

  call xios_initialize('names', return_comm=comm)
  call mpi_comm_rank(comm, rank, error)
  call mpi_comm_size(comm, clients, error)
  call expect(clients == max(processes - 1, 1), 'the component has its clients')
  call ask_before_the_context()
  call xios_context_initialize('names', comm)
  call xios_get_handle('names', context)
  call set_up_calendar()
  call use_durations()
  call use_dates()
  call use_variables()
  call describe_file()
  call set_up_parts()
  call xios_solve_inheritance()
  call look_at_grids()
  call xios_oasis_enddef()
  call xios_close_context_definition()
  call look_at_grids()
  call xios_timer_resume('loop', trace=.false.)
  do step = 1, steps
    call xios_update_calendar(step)
    call xios_mem_checker_log('step')
    call send_all()
  end do
  call xios_timer_suspend('loop', .false.)
  call use_timers()
  call use_contexts()
  call go_to_another_planet()
  call xios_mem_checker_log('end', finalize=.true.)
  call expect(xios_mem_checker_get() > 1d0, 'a process takes more than 1 MB')
  call xios_context_finalize()
  call xios_finalize()
  call look_at_memory()
  call mpi_finalize(error)

contains

  subroutine expect(is, what)
    logical, intent(in) :: is
    character(len=*), intent(in) :: what

    if (is) return
    print '(2a)', 'FAIL: it is not true that ', what
    error stop 1
  end subroutine expect

  subroutine ask_before_the_context()
    call expect(.not. xios_context_is_initialized('names'), 'the context is not open yet')
    call expect(xios_is_valid_context('names'), 'the XML has the context')
    call expect(xios_is_valid_field('r1'), 'the XML has the field')
    call expect(.not. xios_is_valid_field('r9'), 'the XML has no such field')
    call expect(.not. xios_field_is_active('r1'), 'no field is active before the context')
  end subroutine ask_before_the_context

  subroutine set_up_calendar()
    type(xios_date) :: date, same
    type(xios_duration) :: step_length
    character(len=20) :: type

    call xios_define_calendar(type='NoLeap', timestep=6 * xios_hour, &
                              start_date=xios_date(1999, 1, 1, 0, 0, 0), &
                              time_origin=xios_date(1999, 1, 1, 0, 0, 0))
    call xios_get_calendar_type(type)
    call expect(type == 'noleap' .or. type == 'NoLeap', 'the calendar is the one set')
    call xios_set_timestep(12 * xios_hour)
    call xios_get_timestep(step_length)
    call expect(step_length == 12 * xios_hour, 'the time step is the one set')
    date = xios_date(2000, 2, 28, 12, 0, 0)
    call xios_set_start_date(date)
    call xios_get_start_date(same)
    call expect(date == same, 'the start date is the one set')
    call xios_set_time_origin(xios_date(1900, 1, 1, 0, 0, 0))
    call xios_get_time_origin(same)
    call expect(same == xios_date(1900, 1, 1, 0, 0, 0), 'the origin is the one set')
    call xios_get_current_date(same)
    call expect(same == date, 'the run begins at its start')
    call expect(xios_get_day_length_in_seconds() == 86400, 'a day has 86,400 s')
    call expect(xios_get_year_length_in_seconds(2000) == 365 * 86400, 'a year has 365 days')
  end subroutine set_up_calendar

  subroutine use_durations()
    type(xios_duration) :: a, b
    character(len=40) :: text

    day = xios_day
    a = xios_year + xios_month + day + xios_hour + xios_minute + xios_second + xios_timestep
    call xios_duration_convert_to_string(a, text)
    b = xios_duration_convert_from_string(text)
    call expect(xios_duration_eq(a, b), 'a duration is the same after its text')
    call expect(a == b, '== says so, too')
    call expect(xios_duration_add(day, day) == xios_duration_mult(2, day), '1d + 1d is 2 * 1d')
    call expect(day * 2 == 2 * day, '* takes both orders')
    call expect(day * 2d0 == 2e0 * day, '* takes both kinds of reals')
    call expect(xios_duration_sub(a, a) == 0 * day, 'a - a is nothing')
    call expect((a - a) == 0 * day, 'the operator says so, too')
    call expect(xios_duration_neg(day) == (-day), '- changes the sign')
    call expect(xios_duration_neq(day, xios_hour), 'a day is no hour')
    call expect(day /= xios_hour, '/= says so, too')
  end subroutine use_durations

  subroutine use_dates()
    type(xios_date) :: early, late, from_duration
    character(len=40) :: text

    early = xios_date(2000, 2, 28, 6, 0, 0)
    late = xios_date_add_duration(early, day)
    call expect(late == xios_date(2000, 3, 1, 6, 0, 0), 'NoLeap has no 29 February')
    call expect(early + day == late, '+ says so, too')
    call expect(xios_date_sub_duration(late, day) == early, 'back again')
    call expect(late - day == early, '- says so, too')
    call expect(xios_date_convert_to_seconds(late - (late - early)) &
                == xios_date_convert_to_seconds(early), 'dates differ by a duration')
    call expect((early + xios_date_sub(late, early)) == late, 'dates differ by it, added')
    call expect(xios_date_eq(early, early) .and. .not. xios_date_neq(early, early), 'a date is itself')
    call expect(xios_date_lt(early, late) .and. early < late, 'early is before late')
    call expect(xios_date_le(early, early) .and. early <= late, 'early is not after late')
    call expect(xios_date_gt(late, early) .and. late > early, 'late is after early')
    call expect(xios_date_ge(late, late) .and. late >= early, 'late is not before early')
    call expect(late /= early, 'they differ')
    call xios_date_convert_to_string(late, text)
    call expect(xios_date_convert_from_string(text) == late, 'a date is the same after its text')
    call expect(xios_date_get_second_of_day(late) == 6 * 3600, '6 h are so many seconds')
    call expect(abs(xios_date_get_fraction_of_day(late) - 0.25d0) < 1d-12, '6 h are a quarter')
    call expect(abs(xios_date_get_day_of_year(late) - 59.25d0) < 1d-12, '6 h of day 59, from 0')
    call expect(xios_date_get_second_of_year(late) == 59 * 86400 + 6 * 3600, 'of the year, too')
    call expect(abs(xios_date_get_fraction_of_year(late) - 59.25d0 / 365) < 1d-12, 'and its fraction')
    call use_times_of_day()
    from_duration = 3 * xios_year
    call expect(from_duration%year == 3, 'a date may be assigned a duration')
  end subroutine use_dates

  ! With hours, minutes and seconds, and fractions of durations.
  subroutine use_times_of_day()
    type(xios_date) :: late
    type(xios_duration) :: half
    real(8) :: part

    late = xios_date(2001, 12, 31, 15, 20, 30)
    part = 55230d0 / 86400
    call expect(xios_date_get_second_of_day(late) == 55230, '15:20:30 in seconds')
    call expect(abs(xios_date_get_fraction_of_day(late) - part) < 1d-12, 'as part of the day')
    call expect(abs(xios_date_get_day_of_year(late) - 364 - part) < 1d-12, 'behind 364 days')
    call expect(xios_date_get_second_of_year(late) == 364 * 86400 + 55230, 'in seconds')
    call expect(abs(xios_date_get_fraction_of_year(late) - (364 + part) / 365) < 1d-12, 'nearly a year')
    half = 0.5d0 * day
    call expect(late + half == xios_date(2002, 1, 1, 3, 20, 30), 'half a day later is next year')
    call expect(late - half == xios_date(2001, 12, 31, 3, 20, 30), 'half a day before')
    call expect(late + 2 * xios_month == xios_date(2002, 2, 28, 15, 20, 30), 'February is short')
    call expect(xios_date_convert_to_seconds(late + half) - xios_date_convert_to_seconds(late) &
                == 43200, 'half a day in seconds')
  end subroutine use_times_of_day

  subroutine use_variables()
    integer :: whole
    real(8) :: part
    real(4) :: single
    logical :: yes, there
    character(len=8) :: who

    ! One call per statement: an operator may leave a function out.
    there = xios_getVar('whole', whole)
    call expect(there, 'there is a variable')
    there = xios_setVar('whole', whole + 1)
    call expect(there, 'it can be set')
    there = xios_getVar('whole', whole)
    call expect(whole == 4, 'it is what was set')
    there = xios_getVar('part', part)
    there = xios_setVar('part', 2 * part)
    there = xios_getVar('part', single)
    call expect(abs(single - 1.) < 1e-6, 'real(8) is what was set')
    there = xios_setVar('part', 0.25)
    there = xios_getVar('part', part)
    call expect(abs(part - 0.25d0) < 1d-12, 'real(4) is what was set')
    there = xios_getVar('yes', yes)
    call expect(yes, 'logical is what the XML says')
    there = xios_setVar('yes', .false.)
    there = xios_getVar('yes', yes)
    call expect(.not. yes, 'logical is what was set')
    there = xios_getVar('who', who)
    call expect(who == 'me', 'character is what the XML says')
    there = xios_setVar('who', 'you')
    there = xios_getVar('who', who)
    call expect(there .and. who == 'you', 'character is what was set')
    there = xios_getVar('nobody', whole)
    call expect(.not. there, 'there is no such variable')
    there = xios_setVar('nobody', whole)
    call expect(.not. there, 'nor can it be set')
  end subroutine use_variables

  ! What files and fields say of themselves has values in the same way, whether the XML or the model made it.
  subroutine describe_file()
    type(xios_file) :: file
    type(xios_field) :: field
    type(xios_variable) :: variable
    integer :: member
    logical :: there

    there = xios_getVar('member', member)
    call expect(there .and. member == 1, 'a variable of a file has the value of the XML')
    there = xios_setVar('member', 7)
    call expect(there, 'a variable of a file can be set')
    call xios_get_handle('out', file)
    call xios_add_child(file, variable, 'branch_time')
    call xios_set_attr(variable, type='double', name='branch_time_in_parent')
    there = xios_setVar('branch_time', 3.5d0)
    call expect(there, 'so can one that the model has made')
    call xios_add_child(file, field, 'made')
    call xios_set_attr(field, field_ref='r1', operation='maximum')
    call xios_add_child(field, variable, 'origin')
    call xios_set_attr(variable, type='string')
    there = xios_setVar('origin', 'the model')
    call expect(there, 'or one of a field')
  end subroutine describe_file

  ! Everything is on the first client.
  subroutine set_up_parts()
    integer :: all

    all = merge(1, 0, rank == 0)
    call xios_set_axis_attr('a', begin=0, n=2 * all)
    call xios_set_axis_attr('b', begin=0, n=3)
    call xios_set_domain_attr('d', ibegin=0, ni=4 * all, jbegin=0, nj=2 * all)
  end subroutine set_up_parts

  ! Of a field's own grid, of another field's, by id and by handle, first and later elements.
  subroutine look_at_grids()
    type(xios_field) :: field
    type(xios_domain) :: domain, same
    type(xios_axis) :: axis
    type(xios_scalar) :: scalar
    integer :: size

    call xios_get_handle('alike', field)
    call xios_field_get_domain(field, domain)
    call xios_get_attr(domain, ni_glo=size)
    call expect(size == 4, 'the domain is that of the grid')
    call xios_field_get_domain('whole_grid', same, 0)
    call expect(domain%daddr == same%daddr, 'both fields have the same')
    call xios_field_get_axis(field, axis)
    call xios_get_attr(axis, n_glo=size)
    call expect(size == 3, 'the first axis of the grid is b')
    call xios_field_get_axis('alike', axis, idx=1)
    call xios_get_attr(axis, n_glo=size)
    call expect(size == 2, 'the second axis of the grid is a')
    call xios_field_get_axis('r1', axis)
    call xios_get_attr(axis, n_glo=size)
    call expect(size == 2, 'a field without a grid has its axis')
    call xios_field_get_scalar(field, scalar)
    call xios_field_get_scalar('r0', scalar, 0)
  end subroutine look_at_grids

  subroutine send_all()
    real(8) :: r2(2, merge(1, 0, rank == 0)), many(4, 2, 3, 2), nothing(0)
    type(xios_field) :: field
    integer :: i

    if (rank == 0) then
      r2(:, 1) = [1d0 * step, 2d0 * step]
      many = reshape([(step + 0.5d0 * i, i=1, size(many))], shape(many))
    end if
    call xios_get_handle('r1', field)
    call xios_send_field('r0', 1d0 * step)
    call expect(xios_field_is_active('r1'), 'r1 is needed')
    call expect(xios_field_is_active(field), 'r1 is needed, says its handle')
    call expect(xios_field_is_active(field, .true.), 'r1 is needed now')
    call expect(.not. xios_field_is_active('idle', at_current_timestep_arg=.true.), 'idle is not')
    if (rank == 0) then
      call xios_send_field(field, r2(:, 1))
      call xios_send_field('whole_grid', many)
    else
      call xios_send_field(field, nothing)
      call xios_send_field('whole_grid', nothing)
    end if
    call xios_send_field('idle ', [1., 2.])
  end subroutine send_all

  subroutine use_timers()
    real(8) :: seconds, clock

    clock = xios_timer_get_time()
    seconds = xios_timer_get_time('loop')
    call expect(seconds > 0d0, 'the loop took its time')
    call xios_timer_reset('loop')
    call expect(xios_timer_get_time('loop') < seconds, 'a timer goes back')
    call expect(clock > 0d0 .and. xios_timer_get_time() > clock, 'without a name it is the time')
  end subroutine use_timers

  ! A title, a line per step and one for the end.
  subroutine look_at_memory()
    integer :: unit, lines, status
    character(len=40) :: name, line, last

    write (name, '("xios_memory_", i0, ".csv")') rank
    open (newunit=unit, file=name, status='old', iostat=status)
    call expect(status == 0, 'there is a table of memory')
    lines = 0
    do
      read (unit, '(a)', iostat=status) line
      if (status /= 0) exit
      lines = lines + 1
      last = line
    end do
    close (unit)
    call expect(lines == steps + 2, 'the table of memory has a line per call')
    call expect(index(last, 'end,') == 1, 'the last one is the last call')
  end subroutine look_at_memory

  subroutine use_contexts()
    character(len=20) :: id
    type(xios_context) :: same

    call xios_get_current_context(id)
    call expect(id == 'names', 'the current context is the open one')
    call xios_set_current_context(context, withswap=.true.)
    call xios_get_current_context(same)
    call expect(same%daddr == context%daddr, 'the handle stands for it')
    call xios_set_current_context('names')
  end subroutine use_contexts

  ! Dates of a year without months. Would have found that they had months when they were set, and were refused.
  subroutine go_to_another_planet()
    type(xios_date) :: date, same
    character(len=20) :: text

    call xios_context_initialize('planet', comm)
    call xios_define_calendar(type='user_defined', day_length=1000, year_length=3500, timestep=xios_minute)
    date = xios_date(2, 1, 4, 0, 8, 19)
    call xios_set_start_date(date)
    call xios_get_start_date(same)
    call expect(date == same, 'the start date is the last second of the year')
    call xios_date_convert_to_string(date, text)
    call expect(text == '0002-04 00:08:19', 'a year without months has days')
    call expect(xios_date_convert_from_string(text) == date, 'a date without months is the same after its text')
    call xios_close_context_definition()
    call xios_get_current_date(same)
    call expect(date == same, 'the run begins at the last second of the year')
    call xios_context_finalize()
    call xios_set_current_context(context)
  end subroutine go_to_another_planet

end program names
