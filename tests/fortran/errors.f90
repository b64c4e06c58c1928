! Errors that end the job: what all processes have alike, what one of them has alone, and what the first one takes as a code.
! Argument: "common", "own" or "taken".
program errors
  use epios
  implicit none

  type(epios_session) :: session
  type(epios_client) :: client
  type(epios_context) :: context
  character(len=8) :: kind
  integer :: code

  call get_command_argument(1, kind)
  call session%open('toy')
  call client%open(session, 0)
  call context%open(client, 'ocean')
  select case (kind)
  case ('own')
    if (client%rank() == 1) call context%update_calendar(1)
    call stay()
  case ('taken')
    if (client%rank() == 0) then
      call context%close_definition(ierr=code)
      if (code /= epios_err_configuration) error stop 'FAIL: the definition could be closed'
      call stay()
    end if
    call context%close_definition()
  case default
    call context%close_definition()
  end select

contains

  ! Longer than the test has time for: the launcher ends this one.
  subroutine stay()
    integer :: i

    do i = 1, 500
      call execute_command_line('sleep 0.2')
    end do
  end subroutine stay
end program errors
