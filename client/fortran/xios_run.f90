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
  public :: xios_send_field, xios_field_is_active
  public :: xios_getVar, xios_setVar
  public :: xios_add_child
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
  interface xios_send_field
    module procedure send_field_r8, send_field_r8_hdl, send_field_r4, send_field_r4_hdl
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
  interface xios_add_child
    module procedure add_scalar, add_axis, add_file, add_grid, add_field, add_domain
    module procedure add_scalargroup, add_axisgroup, add_filegroup, add_gridgroup
    module procedure add_fieldgroup, add_domaingroup
    module procedure add_fieldtofile, add_fieldgrouptofile, add_variabletofile
    module procedure add_variablegrouptofile, add_variabletofield, add_variablegrouptofield
    module procedure add_scalartogrid, add_axistogrid, add_domaintogrid
    module procedure add_zoomdomaintodomain, add_extractdomaintodomain, add_interpolatedomaintodomain
    module procedure add_generatedomaintodomain, add_computeconnectivitydomaintodomain
    module procedure add_expanddomaintodomain, add_redistributedomain
    module procedure add_zoomaxistoaxis, add_extractaxistoaxis, add_interpolateaxistoaxis
    module procedure add_inverseaxistoaxis, add_reducedomaintoaxistoaxis
    module procedure add_extractdomaintoaxistoaxis, add_redistributeaxis
    module procedure add_reduceaxistoscalartoscalar, add_extractaxistoscalartoscalar
    module procedure add_reducedomaintoscalartoscalar, add_redistributescalar
  end interface

contains

  ! Start and end

  subroutine xios_initialize(client_id, local_comm, return_comm)
    character(len=*), intent(in) :: client_id
    integer, intent(in), optional :: local_comm
    integer, intent(out), optional :: return_comm

    call check(epios_xios_initialize(c_text(client_id), local_comm, return_comm))
  end subroutine xios_initialize

  subroutine xios_finalize()
    call check(epios_xios_finalize())
  end subroutine xios_finalize

  ! Where components meet through a coupler, the end of its definitions. Nothing waits for it here.
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

  ! Of the calling thread. `withswap` is taken for the sake of callers.
  subroutine set_current_context_hdl(context, withswap)
    type(xios_context), intent(in) :: context
    logical, intent(in), optional :: withswap

    if (present(withswap)) continue
    call check(epios_xios_set_current_context_handle(context%element))
  end subroutine set_current_context_hdl

  subroutine set_current_context_id(idt)
    character(len=*), intent(in) :: idt

    call check(epios_xios_set_current_context(c_text(idt)))
  end subroutine set_current_context_id

  subroutine get_current_context_hdl(context)
    type(xios_context), intent(out) :: context

    call check(epios_xios_current_context(context%element))
  end subroutine get_current_context_hdl

  subroutine get_current_context_id(idt)
    character(len=*), intent(out) :: idt
    character(kind=c_char) :: text(1024)

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

    call put(calendar(), 'type', type)
    if (present(day_length)) call put(calendar(), 'day_length', day_length)
    if (present(month_lengths)) call put_array(calendar(), 'month_lengths', month_lengths)
    if (present(year_length)) call put(calendar(), 'year_length', year_length)
    if (present(leap_year_month)) call put(calendar(), 'leap_year_month', leap_year_month)
    if (present(leap_year_drift)) call put(calendar(), 'leap_year_drift', leap_year_drift)
    if (present(leap_year_drift_offset)) then
      call put(calendar(), 'leap_year_drift_offset', leap_year_drift_offset)
    end if
    if (present(timestep)) call xios_set_timestep(timestep)
    if (present(start_date)) call xios_set_start_date(start_date)
    if (present(time_origin)) call xios_set_time_origin(time_origin)
  end subroutine xios_define_calendar

  subroutine xios_get_calendar_type(calendar_type)
    character(len=*), intent(out) :: calendar_type

    call fetch(calendar(), 'type', calendar_type)
  end subroutine xios_get_calendar_type

  subroutine xios_set_timestep(timestep)
    type(xios_duration), intent(in) :: timestep

    call put(calendar(), 'timestep', timestep)
  end subroutine xios_set_timestep

  subroutine xios_get_timestep(timestep)
    type(xios_duration), intent(out) :: timestep

    call fetch(calendar(), 'timestep', timestep)
  end subroutine xios_get_timestep

  subroutine set_date(attribute, date)
    character(len=*), intent(in) :: attribute
    type(xios_date), intent(in) :: date
    character(len=40) :: text

    call xios_date_convert_to_string(date, text)
    call put(calendar(), attribute, text)
  end subroutine set_date

  subroutine get_date(attribute, date)
    character(len=*), intent(in) :: attribute
    type(xios_date), intent(out) :: date
    character(len=256) :: text

    call fetch(calendar(), attribute, text)
    date = xios_date_convert_from_string(text)
  end subroutine get_date

  subroutine set_start_date_date(start_date)
    type(xios_date), intent(in) :: start_date
    call set_date('start_date', start_date)
  end subroutine set_start_date_date

  subroutine set_start_date_dur(start_date)
    type(xios_duration), intent(in) :: start_date
    type(xios_date) :: date
    date = start_date
    call set_date('start_date', date)
  end subroutine set_start_date_dur

  subroutine xios_get_start_date(start_date)
    type(xios_date), intent(out) :: start_date
    call get_date('start_date', start_date)
  end subroutine xios_get_start_date

  subroutine set_time_origin_date(time_origin)
    type(xios_date), intent(in) :: time_origin
    call set_date('time_origin', time_origin)
  end subroutine set_time_origin_date

  subroutine set_time_origin_dur(time_origin)
    type(xios_duration), intent(in) :: time_origin
    type(xios_date) :: date
    date = time_origin
    call set_date('time_origin', date)
  end subroutine set_time_origin_dur

  subroutine xios_get_time_origin(time_origin)
    type(xios_date), intent(out) :: time_origin
    call get_date('time_origin', time_origin)
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
    length = int(year_seconds, c_int)
  end function xios_get_year_length_in_seconds

  function xios_get_day_length_in_seconds() result(length)
    integer(kind=c_int) :: length
    integer(c_int64_t) :: day_seconds, year_seconds

    call check(epios_xios_calendar_lengths(1_c_int, day_seconds, year_seconds))
    length = int(day_seconds, c_int)
  end function xios_get_day_length_in_seconds

  ! Data: arrays of any rank, sections with strides too; of tiles, which several threads may send,
  ! `tileid` counts from 0.

  subroutine send_field_r8(fieldid, data, tileid)
    character(len=*), intent(in) :: fieldid
    real(kind=8), intent(in) :: data(..)
    integer, intent(in), optional :: tileid

    if (present(tileid)) then
      call check(epios_xios_send_tile(c_text(fieldid), data, tileid))
    else
      call check(epios_xios_send(c_text(fieldid), data))
    end if
  end subroutine send_field_r8

  subroutine send_field_r4(fieldid, data, tileid)
    character(len=*), intent(in) :: fieldid
    real(kind=4), intent(in) :: data(..)
    integer, intent(in), optional :: tileid

    if (present(tileid)) then
      call check(epios_xios_send_tile(c_text(fieldid), data, tileid))
    else
      call check(epios_xios_send(c_text(fieldid), data))
    end if
  end subroutine send_field_r4

  subroutine send_field_r8_hdl(field_hdl, data, tileid)
    type(xios_field), intent(in) :: field_hdl
    real(kind=8), intent(in) :: data(..)
    integer, intent(in), optional :: tileid

    if (present(tileid)) then
      call check(epios_xios_send_tile(id_of(field_hdl%element), data, tileid))
    else
      call check(epios_xios_send(id_of(field_hdl%element), data))
    end if
  end subroutine send_field_r8_hdl

  subroutine send_field_r4_hdl(field_hdl, data, tileid)
    type(xios_field), intent(in) :: field_hdl
    real(kind=4), intent(in) :: data(..)
    integer, intent(in), optional :: tileid

    if (present(tileid)) then
      call check(epios_xios_send_tile(id_of(field_hdl%element), data, tileid))
    else
      call check(epios_xios_send(id_of(field_hdl%element), data))
    end if
  end subroutine send_field_r4_hdl

  function id_of(element) result(text)
    type(c_element), intent(in) :: element
    character(kind=c_char) :: text(1024)

    call check(epios_xios_element_id(element, text, size(text, kind=c_size_t)))
  end function id_of

  logical function field_is_active_id(field_id, at_current_timestep_arg)
    character(len=*), intent(in) :: field_id
    logical, intent(in), optional :: at_current_timestep_arg

    field_is_active_id = is_active(c_text(field_id), at_current_timestep_arg)
  end function field_is_active_id

  logical function field_is_active_hdl(field_hdl, at_current_timestep_arg)
    type(xios_field), intent(in) :: field_hdl
    logical, intent(in), optional :: at_current_timestep_arg

    field_is_active_hdl = is_active(id_of(field_hdl%element), at_current_timestep_arg)
  end function field_is_active_hdl

  logical function is_active(id, at_current_timestep)
    character(kind=c_char), intent(in) :: id(:)
    logical, intent(in), optional :: at_current_timestep
    integer(c_int) :: now, active

    now = 0
    if (present(at_current_timestep)) now = merge(1_c_int, 0_c_int, at_current_timestep)
    call check(epios_xios_field_is_active(id, now, active))
    is_active = active /= 0
  end function is_active

  ! Variables: the result says whether there is one of that name.

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

    getVar_k4 = getVar_k8(varId, wide)
    if (getVar_k4) data_k4 = real(wide, 4)
  end function getVar_k4

  logical function getVar_int(varId, data_int)
    character(len=*), intent(in) :: varId
    integer, intent(out) :: data_int
    integer(c_int64_t) :: wide

    getVar_int = has_variable(varId)
    if (.not. getVar_int) return
    call check(epios_xios_get_variable_int(c_text(varId), wide))
    data_int = int(wide)
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
    character(kind=c_char), allocatable :: text(:)

    call check(epios_xios_variable_length(c_text(varId), length))
    getVar_char = length >= 0
    if (.not. getVar_char) return
    allocate(text(length + 1))
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

  ! Children

  subroutine add_scalar(parent_hdl, child_hdl, child_id)
    type(xios_scalargroup), intent(in) :: parent_hdl
    type(xios_scalar), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'scalar', child_hdl%element, child_id)
  end subroutine add_scalar

  subroutine add_axis(parent_hdl, child_hdl, child_id)
    type(xios_axisgroup), intent(in) :: parent_hdl
    type(xios_axis), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'axis', child_hdl%element, child_id)
  end subroutine add_axis

  subroutine add_file(parent_hdl, child_hdl, child_id)
    type(xios_filegroup), intent(in) :: parent_hdl
    type(xios_file), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'file', child_hdl%element, child_id)
  end subroutine add_file

  subroutine add_grid(parent_hdl, child_hdl, child_id)
    type(xios_gridgroup), intent(in) :: parent_hdl
    type(xios_grid), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'grid', child_hdl%element, child_id)
  end subroutine add_grid

  subroutine add_field(parent_hdl, child_hdl, child_id)
    type(xios_fieldgroup), intent(in) :: parent_hdl
    type(xios_field), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'field', child_hdl%element, child_id)
  end subroutine add_field

  subroutine add_domain(parent_hdl, child_hdl, child_id)
    type(xios_domaingroup), intent(in) :: parent_hdl
    type(xios_domain), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'domain', child_hdl%element, child_id)
  end subroutine add_domain

  subroutine add_scalargroup(parent_hdl, child_hdl, child_id)
    type(xios_scalargroup), intent(in) :: parent_hdl
    type(xios_scalargroup), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'scalar_group', child_hdl%element, child_id)
  end subroutine add_scalargroup

  subroutine add_axisgroup(parent_hdl, child_hdl, child_id)
    type(xios_axisgroup), intent(in) :: parent_hdl
    type(xios_axisgroup), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'axis_group', child_hdl%element, child_id)
  end subroutine add_axisgroup

  subroutine add_filegroup(parent_hdl, child_hdl, child_id)
    type(xios_filegroup), intent(in) :: parent_hdl
    type(xios_filegroup), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'file_group', child_hdl%element, child_id)
  end subroutine add_filegroup

  subroutine add_gridgroup(parent_hdl, child_hdl, child_id)
    type(xios_gridgroup), intent(in) :: parent_hdl
    type(xios_gridgroup), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'grid_group', child_hdl%element, child_id)
  end subroutine add_gridgroup

  subroutine add_fieldgroup(parent_hdl, child_hdl, child_id)
    type(xios_fieldgroup), intent(in) :: parent_hdl
    type(xios_fieldgroup), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'field_group', child_hdl%element, child_id)
  end subroutine add_fieldgroup

  subroutine add_domaingroup(parent_hdl, child_hdl, child_id)
    type(xios_domaingroup), intent(in) :: parent_hdl
    type(xios_domaingroup), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'domain_group', child_hdl%element, child_id)
  end subroutine add_domaingroup

  subroutine add_fieldtofile(parent_hdl, child_hdl, child_id)
    type(xios_file), intent(in) :: parent_hdl
    type(xios_field), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'field', child_hdl%element, child_id)
  end subroutine add_fieldtofile

  subroutine add_fieldgrouptofile(parent_hdl, child_hdl, child_id)
    type(xios_file), intent(in) :: parent_hdl
    type(xios_fieldgroup), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'field_group', child_hdl%element, child_id)
  end subroutine add_fieldgrouptofile

  subroutine add_variabletofile(parent_hdl, child_hdl, child_id)
    type(xios_file), intent(in) :: parent_hdl
    type(xios_variable), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'variable', child_hdl%element, child_id)
  end subroutine add_variabletofile

  subroutine add_variablegrouptofile(parent_hdl, child_hdl, child_id)
    type(xios_file), intent(in) :: parent_hdl
    type(xios_variablegroup), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'variable_group', child_hdl%element, child_id)
  end subroutine add_variablegrouptofile

  subroutine add_variabletofield(parent_hdl, child_hdl, child_id)
    type(xios_field), intent(in) :: parent_hdl
    type(xios_variable), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'variable', child_hdl%element, child_id)
  end subroutine add_variabletofield

  subroutine add_variablegrouptofield(parent_hdl, child_hdl, child_id)
    type(xios_field), intent(in) :: parent_hdl
    type(xios_variablegroup), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'variable_group', child_hdl%element, child_id)
  end subroutine add_variablegrouptofield

  subroutine add_scalartogrid(parent_hdl, child_hdl, child_id)
    type(xios_grid), intent(in) :: parent_hdl
    type(xios_scalar), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'scalar', child_hdl%element, child_id)
  end subroutine add_scalartogrid

  subroutine add_axistogrid(parent_hdl, child_hdl, child_id)
    type(xios_grid), intent(in) :: parent_hdl
    type(xios_axis), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'axis', child_hdl%element, child_id)
  end subroutine add_axistogrid

  subroutine add_domaintogrid(parent_hdl, child_hdl, child_id)
    type(xios_grid), intent(in) :: parent_hdl
    type(xios_domain), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'domain', child_hdl%element, child_id)
  end subroutine add_domaintogrid

  subroutine add_zoomdomaintodomain(parent_hdl, child_hdl, child_id)
    type(xios_domain), intent(in) :: parent_hdl
    type(xios_zoom_domain), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'zoom_domain', child_hdl%element, child_id)
  end subroutine add_zoomdomaintodomain

  subroutine add_extractdomaintodomain(parent_hdl, child_hdl, child_id)
    type(xios_domain), intent(in) :: parent_hdl
    type(xios_extract_domain), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'extract_domain', child_hdl%element, child_id)
  end subroutine add_extractdomaintodomain

  subroutine add_interpolatedomaintodomain(parent_hdl, child_hdl, child_id)
    type(xios_domain), intent(in) :: parent_hdl
    type(xios_interpolate_domain), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'interpolate_domain', child_hdl%element, child_id)
  end subroutine add_interpolatedomaintodomain

  subroutine add_generatedomaintodomain(parent_hdl, child_hdl, child_id)
    type(xios_domain), intent(in) :: parent_hdl
    type(xios_generate_rectilinear_domain), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'generate_rectilinear_domain', child_hdl%element, child_id)
  end subroutine add_generatedomaintodomain

  subroutine add_computeconnectivitydomaintodomain(parent_hdl, child_hdl, child_id)
    type(xios_domain), intent(in) :: parent_hdl
    type(xios_compute_connectivity_domain), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'compute_connectivity_domain', child_hdl%element, child_id)
  end subroutine add_computeconnectivitydomaintodomain

  subroutine add_expanddomaintodomain(parent_hdl, child_hdl, child_id)
    type(xios_domain), intent(in) :: parent_hdl
    type(xios_expand_domain), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'expand_domain', child_hdl%element, child_id)
  end subroutine add_expanddomaintodomain

  subroutine add_redistributedomain(parent_hdl, child_hdl, child_id)
    type(xios_domain), intent(in) :: parent_hdl
    type(xios_redistribute_domain), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'redistribute_domain', child_hdl%element, child_id)
  end subroutine add_redistributedomain

  subroutine add_zoomaxistoaxis(parent_hdl, child_hdl, child_id)
    type(xios_axis), intent(in) :: parent_hdl
    type(xios_zoom_axis), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'zoom_axis', child_hdl%element, child_id)
  end subroutine add_zoomaxistoaxis

  subroutine add_extractaxistoaxis(parent_hdl, child_hdl, child_id)
    type(xios_axis), intent(in) :: parent_hdl
    type(xios_extract_axis), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'extract_axis', child_hdl%element, child_id)
  end subroutine add_extractaxistoaxis

  subroutine add_interpolateaxistoaxis(parent_hdl, child_hdl, child_id)
    type(xios_axis), intent(in) :: parent_hdl
    type(xios_interpolate_axis), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'interpolate_axis', child_hdl%element, child_id)
  end subroutine add_interpolateaxistoaxis

  subroutine add_inverseaxistoaxis(parent_hdl, child_hdl, child_id)
    type(xios_axis), intent(in) :: parent_hdl
    type(xios_inverse_axis), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'inverse_axis', child_hdl%element, child_id)
  end subroutine add_inverseaxistoaxis

  subroutine add_reducedomaintoaxistoaxis(parent_hdl, child_hdl, child_id)
    type(xios_axis), intent(in) :: parent_hdl
    type(xios_reduce_domain_to_axis), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'reduce_domain', child_hdl%element, child_id)
  end subroutine add_reducedomaintoaxistoaxis

  subroutine add_extractdomaintoaxistoaxis(parent_hdl, child_hdl, child_id)
    type(xios_axis), intent(in) :: parent_hdl
    type(xios_extract_domain_to_axis), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'extract_domain', child_hdl%element, child_id)
  end subroutine add_extractdomaintoaxistoaxis

  subroutine add_redistributeaxis(parent_hdl, child_hdl, child_id)
    type(xios_axis), intent(in) :: parent_hdl
    type(xios_redistribute_axis), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'redistribute_axis', child_hdl%element, child_id)
  end subroutine add_redistributeaxis

  subroutine add_reduceaxistoscalartoscalar(parent_hdl, child_hdl, child_id)
    type(xios_scalar), intent(in) :: parent_hdl
    type(xios_reduce_axis_to_scalar), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'reduce_axis', child_hdl%element, child_id)
  end subroutine add_reduceaxistoscalartoscalar

  subroutine add_extractaxistoscalartoscalar(parent_hdl, child_hdl, child_id)
    type(xios_scalar), intent(in) :: parent_hdl
    type(xios_extract_axis_to_scalar), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'extract_axis', child_hdl%element, child_id)
  end subroutine add_extractaxistoscalartoscalar

  subroutine add_reducedomaintoscalartoscalar(parent_hdl, child_hdl, child_id)
    type(xios_scalar), intent(in) :: parent_hdl
    type(xios_reduce_domain_to_scalar), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'reduce_domain', child_hdl%element, child_id)
  end subroutine add_reducedomaintoscalartoscalar

  subroutine add_redistributescalar(parent_hdl, child_hdl, child_id)
    type(xios_scalar), intent(in) :: parent_hdl
    type(xios_redistribute_scalar), intent(out) :: child_hdl
    character(len=*), intent(in), optional :: child_id
    call add(parent_hdl%element, 'redistribute_scalar', child_hdl%element, child_id)
  end subroutine add_redistributescalar
end module xios_run
