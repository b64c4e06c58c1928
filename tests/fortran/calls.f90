! One call in one state of a run, which may be too early, too late or once too often for it:
!   fortran_calls <state> <call>
! calls.txt says what becomes of each.
program calls
  use mpi
  use xios
  implicit none

  character(len=*), parameter :: states(7) = [character(len=10) :: 'unbegun', 'begun', 'defining', 'closed', &
                                              'stepping', 'finalized', 'ended']
  character(len=4) :: short
  character(len=40) :: state, call_name, text
  integer :: comm, number, i
  logical :: is_so
  real(kind=8) :: values(4, 2)
  type(xios_date) :: now
  type(xios_duration) :: step
  type(xios_field) :: field, none
  type(xios_fieldgroup) :: group, no_group
  type(xios_domain) :: domain
  type(xios_context) :: context
  real(kind=8) :: seconds

  call get_command_argument(1, state)
  call get_command_argument(2, call_name)
  values = 1
  do i = 2, findloc(states, state, dim=1)
    call enter(states(i))
  end do
  call make(call_name)
  print '(a)', 'done'
  do i = findloc(states, state, dim=1) + 1, size(states)
    call enter(states(i))
  end do

contains

  !> Goes from the state before to this one.
  subroutine enter(next)
    character(len=*), intent(in) :: next

    select case (next)
    case ('begun')
      call xios_initialize('calls', return_comm=comm)
    case ('defining')
      call xios_context_initialize('c', comm)
      call xios_define_calendar('NoLeap', timestep=xios_hour, start_date=xios_date(2000, 1, 1, 0, 0, 0))
      call xios_set_domain_attr('d', ibegin=0, ni=4, jbegin=0, nj=2)
    case ('closed')
      call xios_close_context_definition()
    case ('stepping')
      call xios_update_calendar(1)
      call xios_send_field('f', values)
    case ('finalized')
      call xios_context_finalize()
    case ('ended')
      call xios_finalize()
    end select
  end subroutine enter

  subroutine make(what)
    character(len=*), intent(in) :: what

    select case (what)
    case ('initialize')
      call xios_initialize('calls', return_comm=comm)
    case ('context_initialize')
      call xios_context_initialize('c', MPI_COMM_WORLD)
    case ('context_is_initialized')
      is_so = xios_context_is_initialized('c')
    case ('set_current_context')
      call xios_set_current_context('c')
    case ('get_current_context')
      call xios_get_current_context(text)
    case ('define_calendar')
      call xios_define_calendar('NoLeap')
    case ('set_timestep')
      call xios_set_timestep(xios_hour)
    case ('get_timestep')
      call xios_get_timestep(step)
    case ('get_time_origin')
      call xios_get_time_origin(now)
    case ('get_text_that_does_not_fit')
      call xios_get_domain_attr('d', type=short)
    case ('get_current_date')
      call xios_get_current_date(now)
    case ('is_valid_field')
      is_so = xios_is_valid_field('f')
    case ('set_field_attr')
      call xios_set_field_attr('f', long_name='F')
    case ('get_field_attr')
      call xios_get_field_attr('f', name=text)
    case ('is_defined_field_attr')
      call xios_is_defined_field_attr('f', name=is_so)
    case ('get_handle')
      call xios_get_handle('f', field)
    case ('get_context_handle')
      call xios_get_handle('c', context)
    case ('set_current_context_by_null_handle')
      call xios_set_current_context(context)
    case ('add_child')
      call xios_get_handle('field_definition', group)
      call xios_add_child(group, field, 'new')
    case ('add_child_to_null_handle')
      call xios_add_child(no_group, field, 'new')
    case ('set_attr_of_null_handle')
      call xios_set_attr(none, long_name='F')
    case ('get_attr_of_null_handle')
      call xios_get_attr(none, name=text)
    case ('is_defined_attr_of_null_handle')
      call xios_is_defined_attr(none, name=is_so)
    case ('send_field_by_null_handle')
      call xios_send_field(none, values)
    case ('recv_field_by_null_handle')
      call xios_recv_field(none, values)
    case ('field_is_active_by_null_handle')
      is_so = xios_field_is_active(none)
    case ('field_get_domain')
      call xios_field_get_domain('f', domain)
    case ('field_get_domain_of_null_handle')
      call xios_field_get_domain(none, domain)
    case ('date_arithmetic')
      now = xios_date(2000, 1, 31, 0, 0, 0) + xios_month
    case ('date_convert_from_string')
      now = xios_date_convert_from_string('2000-01-31')
    case ('date_into_short_text')
      call xios_date_convert_to_string(xios_date(2000, 1, 31, 0, 0, 0), short)
    case ('duration_into_short_text')
      call xios_duration_convert_to_string(xios_duration(1, 2, 3, 4, 5, 6, 0), short)
    case ('get_year_length')
      number = xios_get_year_length_in_seconds(2000)
    case ('get_start_date')
      call xios_get_start_date(now)
    case ('set_start_date')
      call xios_set_start_date(xios_date(2000, 1, 1, 0, 0, 0))
    case ('oasis_enddef')
      call xios_oasis_enddef()
    case ('timer')
      call xios_timer_resume('t')
      call xios_timer_suspend('t')
      seconds = xios_timer_get_time('t')
    case ('mem_checker')
      seconds = xios_mem_checker_get()
      call xios_mem_checker_log('here')
    case ('getVar')
      is_so = xios_getVar('v', number)
    case ('setVar')
      is_so = xios_setVar('v', 4)
    case ('solve_inheritance')
      call xios_solve_inheritance()
    case ('close_context_definition')
      call xios_close_context_definition()
    case ('field_is_active')
      is_so = xios_field_is_active('f')
    case ('update_calendar')
      call xios_update_calendar(2)
    case ('send_field')
      call xios_send_field('f', values)
    case ('recv_field')
      call xios_recv_field('r', values)
    case ('context_finalize')
      call xios_context_finalize()
    case ('finalize')
      call xios_finalize()
    case default
      print *, 'no such call: ', what
      stop 2
    end select
  end subroutine make

end program calls
