! Unit test of a model's output through module epios, where errors are codes.
program mock_epios
  use epios
  use epios_mock
  implicit none

  type(epios_session) :: session
  type(epios_client) :: client
  type(epios_context) :: context
  type(epios_field) :: sst, nobody
  integer :: code

  call mock_reset()
  call session%open('ocean')
  call client%open(session)
  call context%open(client, 'ocean')
  ! As in a run, where it would be an error, too.
  call context%send('sst', [1d0], ierr=code)
  call expect(code == epios_err_call_order, 'nothing is sent before the definition is closed')
  call nobody%send([1d0], ierr=code)
  call expect(code /= 0, 'a field that nobody found cannot be sent')
  call context%close_definition()
  sst = context%field('sst')
  call context%update_calendar(1)
  call sst%send([1d0, 2d0])
  call expect(mock_call(mock_call_count()) == "epios_field_send('sst', [1, 2])", 'the call is recorded')
  call context%send('sst', [3., 4.], tile=1)
  call expect(mock_call(mock_call_count()) == "epios_send('sst', [3, 4], 1)", 'tiles say which')
  call expect(all(mock_sent('sst', 2) == [3d0, 4d0]), 'the array is kept')
  call mock_fail(1, epios_err_io, 'the disk is full (test). Buy another?')
  call context%finalize(code)
  call expect(code == epios_err_io, 'the failure comes as a code')
  call expect(epios_last_error() == 'the disk is full (test). Buy another?', 'and as a text')
  call context%finalize()
  call client%close()
  call session%close()
  print '(a)', 'all well'

contains

  subroutine expect(is, what)
    logical, intent(in) :: is
    character(len=*), intent(in) :: what

    if (is) return
    print '(2a)', 'FAIL: it is not true that ', what
    error stop 1
  end subroutine expect

end program mock_epios
