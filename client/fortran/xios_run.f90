! The life of a run: start, contexts, calendar, data, variables, end.
module xios_run
  use, intrinsic :: iso_c_binding
  use xios_c
  use xios_time
  use xios_elements
  implicit none
  private

  public :: xios_initialize, xios_finalize, xios_oasis_enddef
  public :: xios_context_initialize, xios_context_is_initialized, xios_context_finalize
  public :: xios_set_current_context, xios_get_current_context
  public :: xios_solve_inheritance, xios_close_context_definition
  public :: xios_define_calendar, xios_set_timestep, xios_set_start_date, xios_set_time_origin
  public :: xios_get_calendar_type, xios_get_timestep, xios_get_start_date, xios_get_time_origin
  public :: xios_update_calendar, xios_get_current_date
  public :: xios_get_year_length_in_seconds, xios_get_day_length_in_seconds
  public :: xios_field_is_active
  public :: xios_getVar, xios_setVar
  public :: xios_field_get_domain, xios_field_get_axis, xios_field_get_scalar
  public :: xios_init_server, xios_mem_checker_get, xios_mem_checker_log
  public :: xios_timer_resume, xios_timer_suspend, xios_timer_reset, xios_timer_get_time

  interface xios_set_current_context
    module procedure set_current_context_hdl, set_current_context_id
  end interface
  interface xios_get_current_context
    module procedure get_current_context_hdl, get_current_context_id
  end interface
  interface xios_set_start_date
    module procedure set_start_date_date, set_start_date_dur
  end interface
  interface xios_set_time_origin
    module procedure set_time_origin_date, set_time_origin_dur
  end interface
  interface xios_field_is_active
    module procedure field_is_active_id, field_is_active_hdl
  end interface
  interface xios_getVar
    module procedure getVar_k8, getVar_k4, getVar_int, getVar_logic, getVar_char
  end interface
  interface xios_setVar
    module procedure setVar_k8, setVar_k4, setVar_int, setVar_logic, setVar_char
  end interface
  interface xios_field_get_domain
    module procedure field_get_domain_handle, field_id_get_domain_handle
  end interface
  interface xios_field_get_axis
    module procedure field_get_axis_handle, field_id_get_axis_handle
  end interface
  interface xios_field_get_scalar
    module procedure field_get_scalar_handle, field_id_get_scalar_handle
  end interface

contains

  ! Start and end

  ! Joins the job. `job_comm`, which XIOS does not have, contains all processes of models and servers; it defaults to
  ! MPI_COMM_WORLD.
  subroutine xios_initialize(client_id, local_comm, return_comm, job_comm)
    character(len=*), intent(in) :: client_id
    integer, intent(in), optional :: local_comm, job_comm
    integer, intent(out), optional :: return_comm

    call check(epios_xios_initialize(c_text(client_id), local_comm, return_comm, job_comm))
  end subroutine xios_initialize

  ! Makes this process a server of the job. Returns when all models have finished. `server_level` is accepted and ignored: the
  ! attributes determine which servers gather and which write.
  subroutine xios_init_server(server_level)
    integer, intent(in), optional :: server_level

    if (present(server_level)) continue
    call check(epios_xios_init_server())
  end subroutine xios_init_server

  subroutine xios_finalize()
    call check(epios_xios_finalize())
  end subroutine xios_finalize

  ! Does nothing. Models that meet through a coupler call it after their definitions, before or after the call of the coupler
  ! itself.
  subroutine xios_oasis_enddef()
  end subroutine xios_oasis_enddef

  subroutine xios_context_initialize(context_id, comm)
    character(len=*), intent(in) :: context_id
    integer, intent(in) :: comm

    call check(epios_xios_context_initialize(c_text(context_id), comm))
  end subroutine xios_context_initialize

  logical function xios_context_is_initialized(context_id)
    character(len=*), intent(in) :: context_id
    integer(c_int) :: is

    call check(epios_xios_context_is_initialized(c_text(context_id), is))
    xios_context_is_initialized = is /= 0
  end function xios_context_is_initialized

  subroutine xios_context_finalize()
    call check(epios_xios_context_finalize())
  end subroutine xios_context_finalize

  ! Sets the current context of the calling thread. `withswap` is accepted and ignored.
  subroutine set_current_context_hdl(context, withswap)
    type(xios_context), intent(in) :: context
    logical, intent(in), optional :: withswap

    if (present(withswap)) continue
    call check(epios_xios_set_current_context_handle(element_of(context%daddr)))
  end subroutine set_current_context_hdl

  subroutine set_current_context_id(idt)
    character(len=*), intent(in) :: idt

    call check(epios_xios_set_current_context(c_text(idt)))
  end subroutine set_current_context_id

  subroutine get_current_context_hdl(context)
    type(xios_context), intent(out) :: context
    type(c_element) :: element

    call check(epios_xios_current_context(element))
    context%daddr = handle_of(element)
  end subroutine get_current_context_hdl

  subroutine get_current_context_id(idt)
    character(len=*), intent(out) :: idt
    character(kind=c_char) :: text(len(idt) + 1)

    call check(epios_xios_current_context_id(text, size(text, kind=c_size_t)))
    call copy_c_text(text, idt)
  end subroutine get_current_context_id

  subroutine xios_solve_inheritance()
    call check(epios_xios_solve_inheritance())
  end subroutine xios_solve_inheritance

  subroutine xios_close_context_definition()
    call check(epios_xios_close_definition())
  end subroutine xios_close_context_definition

  ! Calendar

  function calendar() result(element)
    type(c_element) :: element

    call at('calendar', '', element)
  end function calendar

  subroutine xios_define_calendar(type, timestep, start_date, time_origin, day_length, &
                                  month_lengths, year_length, leap_year_month, leap_year_drift, &
                                  leap_year_drift_offset)
    character(len=*), intent(in) :: type
    type(xios_duration), intent(in), optional :: timestep
    type(xios_date), intent(in), optional :: start_date, time_origin
    integer, intent(in), optional :: day_length, month_lengths(:), year_length, leap_year_month
    real(kind=8), intent(in), optional :: leap_year_drift, leap_year_drift_offset

    call put(calendar(), 'type' // nul, type)
    if (present(day_length)) call put(calendar(), 'day_length' // nul, day_length)
    if (present(month_lengths)) call put_array(calendar(), 'month_lengths' // nul, month_lengths)
    if (present(year_length)) call put(calendar(), 'year_length' // nul, year_length)
    if (present(leap_year_month)) call put(calendar(), 'leap_year_month' // nul, leap_year_month)
    if (present(leap_year_drift)) call put(calendar(), 'leap_year_drift' // nul, leap_year_drift)
    if (present(leap_year_drift_offset)) then
      call put(calendar(), 'leap_year_drift_offset' // nul, leap_year_drift_offset)
    end if
    if (present(timestep)) call xios_set_timestep(timestep)
    if (present(start_date)) call xios_set_start_date(start_date)
    if (present(time_origin)) call xios_set_time_origin(time_origin)
  end subroutine xios_define_calendar

  subroutine xios_get_calendar_type(calendar_type)
    character(len=*), intent(out) :: calendar_type

    call fetch(calendar(), 'type' // nul, calendar_type)
  end subroutine xios_get_calendar_type

  subroutine xios_set_timestep(timestep)
    type(xios_duration), intent(in) :: timestep

    call put(calendar(), 'timestep' // nul, timestep)
  end subroutine xios_set_timestep

  subroutine xios_get_timestep(timestep)
    type(xios_duration), intent(out) :: timestep

    call fetch(calendar(), 'timestep' // nul, timestep)
  end subroutine xios_get_timestep

  subroutine set_date(attribute, date)
    character(len=*), intent(in) :: attribute
    type(xios_date), intent(in) :: date
    character(len=40) :: text

    call xios_date_convert_to_string(date, text)
    call put(calendar(), attribute, text)
  end subroutine set_date

  recursive subroutine get_date(attribute, date)
    character(len=*), intent(in) :: attribute
    type(xios_date), intent(out) :: date
    character(len=256) :: text
    logical :: is_given

    ! XIOS starts here if nobody sets a start date. The origin is the start of the run.
    date = xios_date(0, 1, 1, 0, 0, 0)
    call ask(calendar(), attribute, is_given)
    if (is_given) then
      call fetch(calendar(), attribute, text)
      date = xios_date_convert_from_string(text)
    else if (attribute == 'time_origin' // nul) then
      call xios_get_start_date(date)
    end if
  end subroutine get_date

  subroutine set_start_date_date(start_date)
    type(xios_date), intent(in) :: start_date
    call set_date('start_date' // nul, start_date)
  end subroutine set_start_date_date

  subroutine set_start_date_dur(start_date)
    type(xios_duration), intent(in) :: start_date
    type(xios_date) :: date
    date = start_date
    call set_date('start_date' // nul, date)
  end subroutine set_start_date_dur

  recursive subroutine xios_get_start_date(start_date)
    type(xios_date), intent(out) :: start_date
    call get_date('start_date' // nul, start_date)
  end subroutine xios_get_start_date

  subroutine set_time_origin_date(time_origin)
    type(xios_date), intent(in) :: time_origin
    call set_date('time_origin' // nul, time_origin)
  end subroutine set_time_origin_date

  subroutine set_time_origin_dur(time_origin)
    type(xios_duration), intent(in) :: time_origin
    type(xios_date) :: date
    date = time_origin
    call set_date('time_origin' // nul, date)
  end subroutine set_time_origin_dur

  subroutine xios_get_time_origin(time_origin)
    type(xios_date), intent(out) :: time_origin
    call get_date('time_origin' // nul, time_origin)
  end subroutine xios_get_time_origin

  subroutine xios_update_calendar(step)
    integer, intent(in) :: step

    call check(epios_xios_update_calendar(int(step, c_int64_t)))
  end subroutine xios_update_calendar

  subroutine xios_get_current_date(current_date)
    type(xios_date), intent(out) :: current_date
    type(c_date) :: date

    call check(epios_xios_current_date(date))
    current_date = from_c(date)
  end subroutine xios_get_current_date

  function xios_get_year_length_in_seconds(year) result(length)
    integer(kind=c_int), intent(in) :: year
    integer(kind=c_int) :: length
    integer(c_int64_t) :: day_seconds, year_seconds

    call check(epios_xios_calendar_lengths(year, day_seconds, year_seconds))
    length = narrow(year_seconds)
  end function xios_get_year_length_in_seconds

  function xios_get_day_length_in_seconds() result(length)
    integer(kind=c_int) :: length
    integer(c_int64_t) :: day_seconds, year_seconds

    call check(epios_xios_calendar_lengths(1_c_int, day_seconds, year_seconds))
    length = narrow(day_seconds)
  end function xios_get_day_length_in_seconds

  logical function field_is_active_id(field_id, at_current_timestep_arg)
    character(len=*), intent(in) :: field_id
    logical, intent(in), optional :: at_current_timestep_arg
    integer(c_int) :: active

    call check(epios_xios_field_is_active(field_id, len(field_id, c_size_t), &
                                          as_int(at_current_timestep_arg), active))
    field_is_active_id = active /= 0
  end function field_is_active_id

  logical function field_is_active_hdl(field_hdl, at_current_timestep_arg)
    type(xios_field), intent(in) :: field_hdl
    logical, intent(in), optional :: at_current_timestep_arg
    integer(c_int) :: active

    call check(epios_xios_field_is_active_element(element_of(field_hdl%daddr), as_int(at_current_timestep_arg), active))
    field_is_active_hdl = active /= 0
  end function field_is_active_hdl

  ! Returns 1 for true, 0 for false or an absent flag.
  pure integer(c_int) function as_int(flag)
    logical, intent(in), optional :: flag

    as_int = 0
    if (present(flag)) as_int = merge(1_c_int, 0_c_int, flag)
  end function as_int

  ! Find elements of the grid of a field, counted from 0 for each kind; the first one if the number is absent.

  function grid_element(field, tag, idx) result(daddr)
    integer(c_intptr_t), intent(in) :: field
    character(len=*), intent(in) :: tag
    integer, intent(in), optional :: idx
    integer(c_intptr_t) :: daddr
    type(c_element) :: element
    integer(c_int) :: index

    index = 0
    if (present(idx)) index = idx
    call check(epios_grid_element(element_of(field), c_text(tag), index, element))
    daddr = handle_of(element)
  end function grid_element

  include 'xios_grid_elements.inc'

  ! Variables. The result is true if there is one with that name.

  logical function has_variable(varId)
    character(len=*), intent(in) :: varId
    integer(c_int64_t) :: length

    call check(epios_xios_variable_length(c_text(varId), length))
    has_variable = length >= 0
  end function has_variable

  logical function getVar_k8(varId, data_k8)
    character(len=*), intent(in) :: varId
    real(kind=8), intent(out) :: data_k8

    getVar_k8 = has_variable(varId)
    if (getVar_k8) call check(epios_xios_get_variable_double(c_text(varId), data_k8))
  end function getVar_k8

  logical function getVar_k4(varId, data_k4)
    character(len=*), intent(in) :: varId
    real(kind=4), intent(out) :: data_k4
    real(kind=8) :: wide
    real(kind=4) :: narrowed(1)

    getVar_k4 = getVar_k8(varId, wide)
    if (.not. getVar_k4) return
    call check(epios_fortran_narrow_reals([wide], 1_c_int64_t, narrowed))
    data_k4 = narrowed(1)
  end function getVar_k4

  logical function getVar_int(varId, data_int)
    character(len=*), intent(in) :: varId
    integer, intent(out) :: data_int
    integer(c_int64_t) :: wide

    getVar_int = has_variable(varId)
    if (.not. getVar_int) return
    call check(epios_xios_get_variable_int(c_text(varId), wide))
    data_int = narrow(wide)
  end function getVar_int

  logical function getVar_logic(varId, data_logic)
    character(len=*), intent(in) :: varId
    logical, intent(out) :: data_logic
    integer(c_int) :: number

    getVar_logic = has_variable(varId)
    if (.not. getVar_logic) return
    call check(epios_xios_get_variable_bool(c_text(varId), number))
    data_logic = number /= 0
  end function getVar_logic

  logical function getVar_char(varId, data_char)
    character(len=*), intent(in) :: varId
    character(len=*), intent(out) :: data_char
    integer(c_int64_t) :: length
    character(kind=c_char) :: text(len(data_char) + 1)

    call check(epios_xios_variable_length(c_text(varId), length))
    getVar_char = length >= 0
    if (.not. getVar_char) return
    call check(epios_xios_get_variable(c_text(varId), text, size(text, kind=c_size_t)))
    call copy_c_text(text, data_char)
  end function getVar_char

  logical function setVar_k8(varId, data_k8)
    character(len=*), intent(in) :: varId
    real(kind=8), intent(in) :: data_k8
    character(len=40) :: text

    write (text, '(es26.17e3)') data_k8
    setVar_k8 = setVar_char(varId, adjustl(text))
  end function setVar_k8

  logical function setVar_k4(varId, data_k4)
    character(len=*), intent(in) :: varId
    real(kind=4), intent(in) :: data_k4
    character(len=40) :: text

    write (text, '(es16.8e3)') data_k4
    setVar_k4 = setVar_char(varId, adjustl(text))
  end function setVar_k4

  logical function setVar_int(varId, data_int)
    character(len=*), intent(in) :: varId
    integer, intent(in) :: data_int
    character(len=20) :: text

    write (text, '(i0)') data_int
    setVar_int = setVar_char(varId, text)
  end function setVar_int

  logical function setVar_logic(varId, data_logic)
    character(len=*), intent(in) :: varId
    logical, intent(in) :: data_logic

    setVar_logic = setVar_char(varId, merge('true ', 'false', data_logic))
  end function setVar_logic

  logical function setVar_char(varId, data_char)
    character(len=*), intent(in) :: varId, data_char

    setVar_char = has_variable(varId)
    if (setVar_char) call check(epios_xios_set_variable(c_text(varId), c_text(data_char)))
  end function setVar_char

  ! Timers of the model, by name.

  subroutine xios_timer_resume(timer_id, trace)
    character(len=*), intent(in) :: timer_id
    logical, intent(in), optional :: trace
    real(c_double) :: seconds

    if (present(trace)) continue
    call check(epios_xios_timer(c_text(timer_id), 1_c_int, seconds))
  end subroutine xios_timer_resume

  subroutine xios_timer_suspend(timer_id, trace)
    character(len=*), intent(in) :: timer_id
    logical, intent(in), optional :: trace
    real(c_double) :: seconds

    if (present(trace)) continue
    call check(epios_xios_timer(c_text(timer_id), 2_c_int, seconds))
  end subroutine xios_timer_suspend

  subroutine xios_timer_reset(timer_id)
    character(len=*), intent(in) :: timer_id
    real(c_double) :: seconds

    call check(epios_xios_timer(c_text(timer_id), 3_c_int, seconds))
  end subroutine xios_timer_reset

  function xios_timer_get_time(timer_id) result(seconds)
    character(len=*), intent(in), optional :: timer_id
    real(kind=c_double) :: seconds

    if (present(timer_id)) then
      call check(epios_xios_timer(c_text(timer_id), 0_c_int, seconds))
    else
      call check(epios_xios_timer(c_text(''), 0_c_int, seconds))
    end if
  end function xios_timer_get_time

  ! Returns the resident memory of this process in MB.
  function xios_mem_checker_get() result(memory)
    real(kind=c_double) :: memory

    call check(epios_xios_memory(memory))
  end function xios_mem_checker_get

  ! Writes a line of xios_memory_<rank>.csv if variable log_memory of context xios is true.
  subroutine xios_mem_checker_log(mem_id, finalize)
    character(len=*), intent(in) :: mem_id
    logical, intent(in), optional :: finalize

    call check(epios_xios_log_memory(c_text(mem_id), as_int(finalize)))
  end subroutine xios_mem_checker_log

end module xios_run
