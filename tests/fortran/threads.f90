! module epios: each thread is a client that sends its rows of a section; errors come back as codes; then threads send tiles of
! one client of each process, in a context of these clients alone.
program threads
  use epios
  use mpi
  use omp_lib
  implicit none

  integer, parameter :: threads_each = 2
  type(epios_session) :: session
  integer :: error, provided, comm, processes

  call mpi_init_thread(mpi_thread_multiple, provided, error)
  call omp_set_max_active_levels(2)  ! threads of a client's thread send its tiles
  call session%open('hybrid', clients=threads_each)
  call session%comm(comm)
  call mpi_comm_size(comm, processes, error)
  call one_thread_at_a_time()
  call session%close()
  call mpi_finalize(error)

contains

  subroutine expect(is, what)
    logical, intent(in) :: is
    character(len=*), intent(in) :: what

    if (is) return
    print '(2a)', 'FAIL: it is not true that ', what
    error stop 1
  end subroutine expect

  subroutine one_thread_at_a_time()
    integer :: thread

    !$omp parallel do num_threads(threads_each) schedule(static, 1)
    do thread = 0, threads_each - 1
      call send_part(thread)
    end do
    !$omp end parallel do
  end subroutine one_thread_at_a_time

  subroutine send_part(thread)
    integer, intent(in) :: thread
    type(epios_client) :: client
    type(epios_context) :: context
    type(epios_field) :: field
    integer :: code, step, rows, first, i, j
    real(8), allocatable :: whole(:, :, :)

    call client%open(session, thread)
    call expect(client%size() == processes * threads_each, 'every thread is a client')
    first = 4 * client%rank() / client%size()
    rows = 4 * (client%rank() + 1) / client%size() - first
    call context%open(client, 'parts')
    call define(context, first, rows)
    call context%update_calendar(1, code)
    call expect(code == epios_err_call_order, 'there is no time before the definition is closed')
    call expect(index(epios_last_error(), 'time loop') > 0, 'the error says so')
    call context%close_definition()
    field = context%field('f')
    allocate (whole(0:4, rows, 4))  ! with what is not sent around it and between
    whole = -1
    do step = 1, 2
      call context%update_calendar(step)
      do j = 1, rows
        do i = 1, 3
          whole(i, j, 1::2) = [100 * step + 10 * (first + j) + i, -(100 * step + 10 * (first + j) + i)]
        end do
      end do
      call expect(field%is_active(now=.true.), 'f is needed')
      call expect(.not. context%is_active('idle'), 'idle is not')
      call field%send(whole(1:3, :, 1::2))
      call context%send('idle', whole(1:3, :, 1:2))
      call field%send(whole(1, :, 1), ierr=code)
      call expect(code == epios_err_argument, 'arrays of another size are refused')
      call context%receive('f', whole, code)
      call expect(code /= epios_success, 'what is sent is not received')
    end do
    call expect(context%date() == '2000-01-01 02:00:00', 'the date is that of step 2')
    call context%finalize()
    call look_at_report(context)
    call send_tiles(client)
    call client%close()
  end subroutine send_part

  subroutine define(context, first, rows)
    type(epios_context), intent(in) :: context
    integer, intent(in) :: first, rows
    type(epios_element) :: domain, axis, file, field
    real(8), allocatable :: values(:)
    character(len=:), allocatable :: text
    integer :: number, code

    call expect(context%has('domain', 'd'), 'd is there')
    call expect(.not. context%has('domain', 'e'), 'e is not')
    domain = context%at('domain', 'd')
    call domain%set('jbegin', first)
    call domain%set('nj', rows)
    axis = context%at('axis', 'a')
    call axis%set('value', [5d0, 15d0])
    call axis%set('bounds', [0d0, 10d0, 10d0, 20d0], shape=[2, 2])
    call axis%set('unit', 'm')
    call axis%set('index', [0, 1])
    call axis%set('mask', [.true., .true.])
    call expect(all(axis%shape('bounds') == [2, 2]), 'bounds have their shape')
    call axis%get('bounds', values)
    call expect(size(values) == 4, 'bounds are four values')
    call axis%get('unit', text)
    call expect(text == 'm', 'the unit is m')
    call axis%get('n_glo', number)
    call expect(number == 2, 'there are two levels')
    call expect(axis%is_defined('unit'), 'what is set is defined')
    call expect(.not. axis%is_defined('long_name'), 'what is not set is not')
    call axis%set('unti', 'm', ierr=code)
    call expect(code == epios_err_configuration, 'there is no such attribute')
    call expect(index(epios_last_error(), "Did you mean 'unit'") > 0, 'the error guesses')
    file = context%at('file_definition')
    file = file%child('file', 'parts')
    call file%set('output_freq', '1h')
    field = file%child('field')
    call field%set('field_ref', 'f')
    call context%solve_inheritance()
    field = context%at('field', 'f')
    axis = field%grid_element('axis', 1)
    call axis%get('n_glo', number)
    call expect(number == 2, 'the axis is that of the grid')
    call context%set_variable('who', 'you')
    call expect(context%has_variable('who'), 'there is a variable')
    call expect(context%variable('who') == 'you', 'the variable is set')
  end subroutine define

  subroutine look_at_report(context)
    type(epios_context), intent(in) :: context
    type(epios_file_report) :: report

    call expect(context%file_report(1, report), 'there is a report')
    call expect(report%path == 'parts.nc', 'it is of the file')
    call expect(report%records_written == 2 .and. report%records_lost == 0, 'both records are in it')
    call expect(report%error == '', 'and it is whole')
    call expect(.not. context%file_report(2, report), 'there is no other')
  end subroutine look_at_report

  ! By two more threads. Each client has rows of the domain.
  subroutine send_tiles(client)
    type(epios_client), intent(in) :: client
    type(epios_context) :: context
    type(epios_element) :: domain
    type(epios_field) :: field
    integer :: tile
    real(8) :: row(4)

    call context%open(client, 'tiles')
    domain = context%at('domain', 'd')
    call domain%set('nj_glo', client%size())
    call domain%set('jbegin', client%rank())
    call domain%set('nj', 1)
    call domain%set('data_dim', 2)
    call domain%set('ntiles', 2)
    call domain%set('tile_ibegin', [0, 1])
    call domain%set('tile_ni', [1, 3])
    call domain%set('tile_jbegin', [0, 0])
    call domain%set('tile_nj', [1, 1])
    call context%close_definition()
    field = context%field('t')
    call context%update_calendar(1)
    row = [1d0, 2d0, 3d0, 4d0] + 10 * mod(client%rank(), 2)
    !$omp parallel do num_threads(2) schedule(static, 1)
    do tile = 0, 1
      if (tile == 0) call field%send(row(1:1), tile=0)
      if (tile == 1) call field%send(real(row(2:), 8), tile=1)
    end do
    !$omp end parallel do
    call context%finalize()
  end subroutine send_tiles

end program threads
