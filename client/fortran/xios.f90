! The interface of a model written for XIOS. All names, arguments and keywords are those of XIOS. An error ends the job with
! its text.
module xios
  use iduration
  use idate
  use icalendar
  use itimer
  use imem_checker
  use xios_generated
  use xios_run, only: xios_initialize, xios_init_server, xios_finalize, xios_oasis_enddef, &
    xios_context_initialize, xios_context_is_initialized, xios_context_finalize, &
    xios_set_current_context, xios_get_current_context, &
    xios_solve_inheritance, xios_close_context_definition, xios_getVar, xios_setVar, &
    xios_field_is_active, xios_field_get_domain, xios_field_get_axis, xios_field_get_scalar
  implicit none
  public
end module xios
