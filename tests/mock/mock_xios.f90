! Unit test of a model's output through module xios.
program mock_xios
  use xios
  use epios_mock
  implicit none

  call test_calls()
  call test_answers()
  print '(a)', 'all well'

contains

  subroutine expect(is, what)
    logical, intent(in) :: is
    character(len=*), intent(in) :: what

    if (is) return
    print '(2a)', 'FAIL: it is not true that ', what
    error stop 1
  end subroutine expect

  ! The code under test: a model's output.
  subroutine write_step(step, field)
    integer, intent(in) :: step
    real(8), intent(in) :: field(:)

    call xios_update_calendar(step)
    if (xios_field_is_active('speed')) call xios_send_field('speed', field**2)
    call xios_send_field('sst', field)
  end subroutine write_step

  subroutine begin()
    integer :: comm

    call mock_reset()
    call xios_initialize('ocean', return_comm=comm)
    call xios_context_initialize('ocean', comm)
    call xios_set_axis_attr('depth', unit='m')
    call xios_close_context_definition()
  end subroutine begin

  subroutine test_calls()
    integer :: before
    real(8) :: many(20)
    type(xios_date) :: date

    call begin()
    call mock_set_active('speed', .false.)
    before = mock_call_count()
    call write_step(1, [1d0, 2d0, 3d0])
    call expect(mock_call_count() == before + 3, 'a step makes three calls')
    call expect(mock_call(before + 1) == 'xios_update_calendar(1)', 'the calendar comes first')
    call expect(mock_call(before + 2) == "xios_field_is_active('speed', 0)", 'then a question')
    call expect(mock_call(before + 3) == "xios_send_field('sst', [1, 2, 3])", 'then the field')
    call expect(mock_call(before + 4) == '', 'then nothing')
    many = 1
    call write_step(30, many(::2))
    call expect(mock_call(mock_call_count()) == "xios_send_field('sst', [1, 1, 1, 1, 1, 1, 1, 1, ... 10 values])", &
                'long arrays are told in short')
    call expect(all(mock_sent('sst', 1) == [1d0, 2d0, 3d0]), 'the first array is kept')
    call expect(size(mock_sent('sst', 2)) == 10, 'the second, too')
    call expect(size(mock_sent('sst', 3)) == 0, 'there is no third')
    call xios_get_current_date(date)
    call expect(date == xios_date(2000, 1, 2, 6, 0, 0), 'time passes as the calendar says')
    call xios_context_finalize()
    call xios_finalize()
  end subroutine test_calls

  subroutine test_answers()
    real(8) :: forcing(3), sections(3, 2)
    real(4) :: single(3)
    type(xios_field) :: field

    call begin()
    call mock_answer('forcing', [7d0, 8d0, 9d0])
    call xios_update_calendar(1)
    call xios_recv_field('forcing', forcing)
    call expect(all(forcing == [7d0, 8d0, 9d0]), 'the model has what the test gave')
    sections = 0
    call mock_answer('forcing', [1d0, 2d0])
    call xios_get_handle('forcing', field)
    call xios_recv_field(field, sections(2, :))
    call expect(all(sections(2, :) == [1d0, 2d0]), 'sections, too')
    call expect(all(sections(1::2, :) == 0d0), 'and nothing beside them')
    call mock_answer('forcing', [1d0, 2d0, 3d0])
    call xios_recv_field('forcing', single)
    call expect(all(single == [1., 2., 3.]), 'in single precision')
    call xios_context_finalize()
    call xios_finalize()
  end subroutine test_answers

end program mock_xios
