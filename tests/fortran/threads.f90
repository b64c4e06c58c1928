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
    real(8), allocatable :: whole(:, :, :), back(:, :, :)
    type(epios_read_field) :: read_field, doubled
    type(epios_statistics) :: statistics

    call client%open(session, thread)
    call expect(client%size() == processes * threads_each, 'every thread is a client')
    call look_at_client(client)
    first = 4 * client%rank() / client%size()
    rows = 4 * (client%rank() + 1) / client%size() - first
    call context%open(client, 'parts')
    call define(context, first, rows)
    call compute_dates(context)
    call context%update_calendar(1, code)
    call expect(code == epios_err_call_order, 'there is no time before the definition is closed')
    call expect(index(epios_last_error(), 'time loop') > 0, 'the error says so')
    call context%close_definition()
    field = context%field('f')
    allocate (back(3, rows, 2))
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
      call borrow_for_nothing(field)
      call expect(.not. context%is_active('idle'), 'idle is not')
      !$omp parallel num_threads(2)
      !$omp master
      call field%send(whole(1:3, :, 1::2))
      !$omp end master
      call client%help_at_barrier(omp_get_num_threads())
      !$omp end parallel
      call client%help_at_barrier(0, code)
      call expect(code == epios_err_argument, 'nobody is no number of threads')
      call context%send('idle', whole(1:3, :, 1:2))
      call field%send(whole(1, :, 1), ierr=code)
      call expect(code == epios_err_argument, 'arrays of another size are refused')
      call context%receive('f', whole, code)
      call expect(code /= epios_success, 'what is sent is not received')
      read_field = context%read_field('f', code)
      call expect(code == epios_err_argument, 'nor is it found for it')
      call read_field%receive(whole, code)
      call expect(code == epios_err_argument, 'what was not found is not received')
      doubled = context%read_field('doubled')
      call doubled%receive(back)
      call expect(all(back(:, :, 1) == 2 * whole(1:3, :, 1)), 'what is worked out of it is received by handle')
    end do
    call expect(context%date() == '2000-01-01 02:00:00', 'the date is that of step 2')
    statistics = context%statistics()
    call expect(statistics%sends >= 2 .and. statistics%open_s > 0, 'what was done is counted')
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
    call use_arrays(axis, domain)
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

  ! Arrays of any rank, of both kinds, of texts; durations; what does not fit.
  subroutine use_arrays(axis, domain)
    type(epios_element), intent(in) :: axis, domain
    real(8), allocatable :: table(:, :), row(:), cube(:, :, :)
    integer, allocatable :: numbers(:)
    logical, allocatable :: flags(:), plane(:, :)
    character(len=:), allocatable :: texts(:)
    real(4) :: single
    real(4), allocatable :: singles(:), single_table(:, :)
    integer(8) :: long
    integer(8), allocatable :: longs(:)
    integer :: code

    call axis%set('bounds', reshape([0e0, 10e0, 10e0, 20e0], [2, 2]))
    call axis%get('bounds', table)
    call expect(all(shape(table) == [2, 2]) .and. table(2, 2) == 20, 'bounds come as a table')
    call axis%get('bounds', row)
    call expect(all(row == [0, 10, 10, 20]), 'and as a row')
    call axis%get('bounds', cube, ierr=code)
    call expect(code == epios_err_argument .and. size(cube) == 0, 'but not as a cube')
    call expect(epios_last_error() == "attribute 'bounds' has 2 dimensions (the array has 3). Declare it with as many?", &
                'which the error says')
    call axis%get('bounds', single_table)
    call expect(all(shape(single_table) == [2, 2]) .and. single_table(1, 2) == 10, 'also in single precision')
    call axis%get('index', numbers)
    call expect(all(numbers == [0, 1]), 'indices are read')
    call axis%get('index', longs)
    call expect(all(longs == [0, 1]), 'also as integers of 8 bytes')
    call axis%get('mask', flags)
    call expect(all(flags), 'masks are read')
    call axis%set('label', ['top   ', 'bottom'])
    call axis%get('label', texts)
    call expect(len(texts) == 6 .and. texts(1) == 'top' .and. texts(2) == 'bottom', 'labels are texts')
    call axis%set('label', '_reset_')
    call axis%set('data_begin', 3000000000_8)
    call axis%get('data_begin', code, ierr=code)
    call expect(code == epios_err_argument, 'what is no default integer is not read as one')
    call axis%get('data_begin', long)
    call expect(long == 3000000000_8, 'but as one of 8 bytes')
    call axis%set('data_begin', '_reset_')
    call axis%set('value', [5d0, 1d300])
    call axis%get('value', singles, ierr=code)
    call expect(code == epios_err_argument, 'what single precision does not hold is not read into it')
    call axis%set('value', [5d0, 15d0])
    call axis%get('value', singles)
    call expect(all(singles == [5, 15]), 'values in single precision')
    call domain%set('mask_2d', reshape([.true., .false.], [2, 1]))
    call domain%get('mask_2d', plane)
    call expect(plane(1, 1) .and. .not. plane(2, 1), 'masks of two dimensions, too')
    call domain%set('mask_2d', '_reset_')
    call domain%get('prec', single, ierr=code)
    call expect(code == epios_err_argument, 'what nobody set has no value')
    call expect(axis%id() == 'a', 'an element knows its id')
  end subroutine use_arrays

  subroutine look_at_client(client)
    type(epios_client), intent(in) :: client
    type(epios_client) :: closed
    type(epios_file_report) :: report
    type(epios_context) :: nothing
    integer :: number, code
    logical :: attached

    call client%servers(number, attached)
    call expect(number >= 1, 'there are servers')
    call expect(session%open_clients() >= 1, 'a client is open')
    number = closed%rank(code)
    call expect(number == -1 .and. code == epios_err_argument, 'a client that is not open has no rank')
    number = closed%size(code)
    call expect(number == 0 .and. code == epios_err_argument, 'nor a size')
    call expect(.not. nothing%file_report(1, report, code) .and. code == epios_err_argument, 'no context has no report')
    call expect(epios_library_api_version() == epios_api_version, 'module and library fit')
  end subroutine look_at_client

  subroutine compute_dates(context)
    type(epios_context), intent(in) :: context
    type(epios_element) :: calendar, file
    type(epios_date) :: date
    type(epios_duration) :: duration
    integer :: code

    call expect(context%now() == epios_date(2000, 1, 1, 0, 0, 0), 'the run begins at its start')
    date = context%later(epios_date(2000, 2, 28, 12, 0, 0), epios_day + 6 * epios_hour)
    call expect(date == epios_date(2000, 3, 1, 18, 0, 0), 'NoLeap has no 29 February')
    call expect(context%seconds_between(date, context%now()) < 0, 'the start was before')
    date = context%later(epios_date(2000, 2, 30, 0, 0, 0), epios_day, code)
    call expect(code == epios_err_configuration, 'nor a 30th')
    calendar = context%at('calendar')
    call calendar%get('start_date', date)
    call expect(date == context%now(), 'attributes are dates, too')
    call calendar%set('time_origin', epios_date(1999, 12, 31, 0, 0, 0))
    call calendar%get('time_origin', date)
    call expect(date == epios_date(1999, 12, 31, 0, 0, 0), 'and are set as such')
    call calendar%set('time_origin', '_reset_')
    file = context%at('file', 'parts')
    call file%set('output_freq', 2 * epios_hour - epios_hour)
    call file%get('output_freq', duration)
    call expect(duration == epios_hour, 'durations are numbers')
  end subroutine compute_dates

  subroutine borrow_for_nothing(field)
    type(epios_field), intent(in) :: field
    real(8), pointer, contiguous :: row(:)
    integer :: code

    call field%borrow(row)
    call expect(associated(row), 'there is an array to borrow')
    row = 0
    call field%give_back()
    call field%give_back(code)
    call expect(code == epios_err_call_order, 'what was given back is not there twice')
  end subroutine borrow_for_nothing

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
