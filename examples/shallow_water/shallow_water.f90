! Shallow water in a closed basin that lies askew on the earth: a hump of water runs apart, is turned by the earth and leaves a slow
! whirl. Rows of blocks over processes, loops over OpenMP threads, each of which sends a tile of its process's part; output and a
! restart file through module xios.
!
! usage: shallow_water [steps [restart]]
!   restart   goes on from where shallow_water_restart.nc ends, instead of from a hump at rest
program shallow_water
  use xios
  use mpi
  use omp_lib, only: omp_get_max_threads
  implicit none

  integer, parameter :: nx = 120, ny = 80, halo = 1
  real(8), parameter :: size_m = 25d3, depth_m = 400d0, gravity = 9.81d0, coriolis = 1d-4, dt_s = 150d0
  real(8), parameter :: earth_m = 6371d3, degree = acos(-1d0) / 180, askew = 30 * degree
  real(8), parameter :: lon_0 = -30d0, lat_0 = 45d0
  ! With a row of halo on each side of a process's rows and columns; u and v lie on the east and north sides of cells.
  real(8), allocatable :: height(:, :), u(:, :), v(:, :)
  integer :: comm, rank, processes, error, jbegin, nj, ntiles, steps, step, done = 0

  call xios_initialize('shallow_water', return_comm=comm)
  call mpi_comm_rank(comm, rank, error)
  call mpi_comm_size(comm, processes, error)
  jbegin = ny * rank / processes
  nj = ny * (rank + 1) / processes - jbegin
  ntiles = min(omp_get_max_threads(), nj)
  steps = steps_asked_for()
  call begin_water()
  if (command_argument_count() > 1) call read_restart()

  call xios_context_initialize('water', comm)
  call define_time(done)
  call define_basin('basin')
  call define_tiles('basin')
  call xios_close_context_definition()
  do step = 1, steps
    call advance()
    call xios_update_calendar(step)
    call write_fields()
  end do
  call xios_context_finalize()
  call write_restart()
  call xios_finalize()

contains

  integer function steps_asked_for()
    character(len=20) :: text
    integer :: status

    steps_asked_for = 288  ! half a day
    if (command_argument_count() < 1) return
    call get_command_argument(1, text)
    read (text, *, iostat=status) steps_asked_for
    if (status == 0 .and. steps_asked_for > 0) return
    if (rank == 0) print '(3a)', "shallow_water: '", trim(text), "' is no number of steps (a whole number is needed)."
    call mpi_abort(comm, 1, error)
  end function steps_asked_for

  ! A hump of 1 m, 150 km wide, at rest.
  subroutine begin_water()
    integer :: i, j
    real(8) :: x, y

    allocate (height(0:nx + 1, 0:nj + 1), u(0:nx + 1, 0:nj + 1), v(0:nx + 1, 0:nj + 1))
    height = 0
    u = 0
    v = 0
    do j = 1, nj
      do i = 1, nx
        x = (i - 0.4d0 * nx) * size_m
        y = (jbegin + j - 0.55d0 * ny) * size_m
        height(i, j) = exp(-(x**2 + y**2) / 150d3**2)
      end do
    end do
  end subroutine begin_water

  ! Forward in velocities, backward in height; a cell is computed alike in every layout.
  subroutine advance()
    integer :: i, j
    real(8) :: v_here, u_here

    call exchange(height)
    call exchange(u)
    call exchange(v)
    !$omp parallel do private(i, v_here)
    do j = 1, nj
      do i = 1, nx - 1
        v_here = (v(i, j) + v(i + 1, j) + v(i, j - 1) + v(i + 1, j - 1)) / 4
        u(i, j) = u(i, j) + dt_s * (coriolis * v_here - gravity * (height(i + 1, j) - height(i, j)) / size_m)
      end do
    end do
    !$omp end parallel do
    call exchange(u)
    !$omp parallel do private(i, u_here)
    do j = 1, nj
      if (jbegin + j == ny) cycle  ! the northern wall
      do i = 1, nx
        u_here = (u(i, j) + u(i - 1, j) + u(i, j + 1) + u(i - 1, j + 1)) / 4
        v(i, j) = v(i, j) - dt_s * (coriolis * u_here + gravity * (height(i, j + 1) - height(i, j)) / size_m)
      end do
    end do
    !$omp end parallel do
    call exchange(v)
    !$omp parallel do private(i)
    do j = 1, nj
      do i = 1, nx
        height(i, j) = height(i, j) - dt_s * depth_m * (u(i, j) - u(i - 1, j) + v(i, j) - v(i, j - 1)) / size_m
      end do
    end do
    !$omp end parallel do
  end subroutine advance

  ! Rows of halo from the neighbours; walls stay as they are.
  subroutine exchange(field)
    real(8), intent(inout) :: field(0:, 0:)
    integer :: north, south

    north = merge(rank + 1, mpi_proc_null, rank < processes - 1)
    south = merge(rank - 1, mpi_proc_null, rank > 0)
    call mpi_sendrecv(field(:, nj), nx + 2, mpi_double_precision, north, 0, field(:, 0), nx + 2, mpi_double_precision, &
                      south, 0, comm, mpi_status_ignore, error)
    call mpi_sendrecv(field(:, 1), nx + 2, mpi_double_precision, south, 1, field(:, nj + 1), nx + 2, &
                      mpi_double_precision, north, 1, comm, mpi_status_ignore, error)
  end subroutine exchange

  ! The calendar of a context that begins after so many steps.
  subroutine define_time(first_step)
    integer, intent(in) :: first_step
    type(xios_date) :: start

    call xios_define_calendar('NoLeap', timestep=dt_s * xios_second, start_date=xios_date(2000, 1, 1, 0, 0, 0))
    if (first_step == 0) return
    start = xios_date(2000, 1, 1, 0, 0, 0) + (first_step * dt_s) * xios_second
    call xios_set_start_date(start)
  end subroutine define_time

  ! Centres and corners of this process's cells; the array that is sent has the halo around them.
  subroutine define_basin(id)
    character(len=*), intent(in) :: id
    real(8) :: lon(nx, nj), lat(nx, nj), lon_corners(4, nx, nj), lat_corners(4, nx, nj)
    integer :: i, j, corner
    real(8), parameter :: di(4) = [-0.5d0, 0.5d0, 0.5d0, -0.5d0], dj(4) = [-0.5d0, -0.5d0, 0.5d0, 0.5d0]

    do j = 1, nj
      do i = 1, nx
        call place(real(i, 8), real(jbegin + j, 8), lon(i, j), lat(i, j))
        do corner = 1, 4
          call place(i + di(corner), jbegin + j + dj(corner), lon_corners(corner, i, j), lat_corners(corner, i, j))
        end do
      end do
    end do
    call xios_set_domain_attr(id, type='curvilinear', ni_glo=nx, nj_glo=ny, ibegin=0, ni=nx, jbegin=jbegin, nj=nj, &
                              data_dim=2, data_ibegin=-halo, data_ni=nx + 2 * halo, &
                              data_jbegin=-halo, data_nj=nj + 2 * halo)
    call xios_set_domain_attr(id, lonvalue_2d=lon, latvalue_2d=lat, nvertex=4, &
                              bounds_lon_2d=lon_corners, bounds_lat_2d=lat_corners)
    call xios_set_domain_attr(id, area_2d=spread(spread(size_m**2, 1, nx), 2, nj))
  end subroutine define_basin

  ! Longitude and latitude of a place of the basin, on the plane that touches the earth in its middle.
  subroutine place(i, j, lon, lat)
    real(8), intent(in) :: i, j
    real(8), intent(out) :: lon, lat
    real(8) :: x, y

    x = (i - (nx + 1) / 2d0) * size_m
    y = (j - (ny + 1) / 2d0) * size_m
    lat = lat_0 + (x * sin(askew) + y * cos(askew)) / (earth_m * degree)
    lon = lon_0 + (x * cos(askew) - y * sin(askew)) / (earth_m * degree * cos(lat_0 * degree))
  end subroutine place

  ! A tile for each thread: some of the process's rows, with a halo of their own in the array that is sent.
  subroutine define_tiles(id)
    character(len=*), intent(in) :: id
    integer :: tile, rows(ntiles)

    rows = [(last_row(tile) - last_row(tile - 1), tile = 1, ntiles)]
    call xios_set_domain_attr(id, ntiles=ntiles, tile_ibegin=spread(0, 1, ntiles), tile_ni=spread(nx, 1, ntiles), &
                              tile_jbegin=[(last_row(tile - 1), tile = 1, ntiles)], tile_nj=rows)
    call xios_set_domain_attr(id, tile_data_ibegin=spread(-halo, 1, ntiles), &
                              tile_data_ni=spread(nx + 2 * halo, 1, ntiles), &
                              tile_data_jbegin=spread(-halo, 1, ntiles), tile_data_nj=rows + 2 * halo)
  end subroutine define_tiles

  ! Of a tile, counted from 1.
  integer function last_row(tile)
    integer, intent(in) :: tile

    last_row = nj * tile / ntiles
  end function last_row

  subroutine write_fields()
    integer :: tile

    !$omp parallel do schedule(static, 1)
    do tile = 1, ntiles
      call write_tile(tile, last_row(tile - 1) + 1, last_row(tile))
    end do
    !$omp end parallel do
  end subroutine write_fields

  ! By several threads at once, each with its rows: what is sent goes out when the last of them has come.
  subroutine write_tile(tile, south, north)
    integer, intent(in) :: tile, south, north
    real(8) :: speed(0:nx + 1, south - 1:north + 1)

    call xios_send_field('height', height(:, south - 1:north + 1), tile - 1)
    if (.not. xios_field_is_active('speed', .true.)) return
    speed = 0
    speed(1:nx, south:north) = sqrt(((u(1:nx, south:north) + u(0:nx - 1, south:north)) / 2)**2 &
                                    + ((v(1:nx, south:north) + v(1:nx, south - 1:north - 1)) / 2)**2)
    call xios_send_field('speed', speed, tile - 1)
  end subroutine write_tile

  ! The state after the last step, bit for bit, in a context of its own whose file is built here.
  subroutine write_restart()
    type(xios_domaingroup) :: domains
    type(xios_domain) :: domain
    type(xios_filegroup) :: files
    type(xios_file) :: file

    call xios_context_initialize('restart', comm)
    call define_time(done + steps - 1)
    call xios_get_handle('domain_definition', domains)
    call xios_add_child(domains, domain, 'restart_basin')
    call define_basin('restart_basin')
    call xios_get_handle('file_definition', files)
    call xios_add_child(files, file, 'restart_file')
    call xios_set_attr(file, name='shallow_water_restart', type='one_file', output_freq=xios_timestep, &
                       time_counter='exclusive')
    call add_state(file, 'height')
    call add_state(file, 'u')
    call add_state(file, 'v')
    call add_number(file)
    call xios_close_context_definition()
    call xios_update_calendar(1)
    call xios_send_field('steps_done', real(done + steps, 8))
    call xios_send_field('height', height)
    call xios_send_field('u', u)
    call xios_send_field('v', v)
    call xios_context_finalize()
  end subroutine write_restart

  ! The state of an earlier run, in whatever parts that had it; halos come by the first exchange.
  subroutine read_restart()
    type(xios_domaingroup) :: domains
    type(xios_domain) :: domain
    type(xios_filegroup) :: files
    type(xios_file) :: file
    real(8) :: number

    call xios_context_initialize('read_restart', comm)
    call define_time(0)
    call xios_get_handle('domain_definition', domains)
    call xios_add_child(domains, domain, 'restart_basin')
    call define_basin('restart_basin')
    call xios_get_handle('file_definition', files)
    call xios_add_child(files, file, 'restart_file')
    call xios_set_attr(file, name='shallow_water_restart', mode='read', output_freq=xios_year)
    call add_state(file, 'height')
    call add_state(file, 'u')
    call add_state(file, 'v')
    call add_number(file)
    call xios_close_context_definition()
    call xios_update_calendar(0)
    call xios_recv_field('height', height)
    call xios_recv_field('u', u)
    call xios_recv_field('v', v)
    call xios_recv_field('steps_done', number)
    call xios_context_finalize()
    done = nint(number)
  end subroutine read_restart

  subroutine add_number(file)
    type(xios_file), intent(in) :: file
    type(xios_scalargroup) :: scalars
    type(xios_scalar) :: scalar
    type(xios_field) :: field

    call xios_get_handle('scalar_definition', scalars)
    call xios_add_child(scalars, scalar, 'one')
    call xios_add_child(file, field, 'steps_done')
    call xios_set_attr(field, name='steps_done', scalar_ref='one', operation='instant', prec=8, read_access=.true.)
  end subroutine add_number

  subroutine add_state(file, name)
    type(xios_file), intent(in) :: file
    character(len=*), intent(in) :: name
    type(xios_field) :: field

    call xios_add_child(file, field, name)
    call xios_set_attr(field, name=name, domain_ref='restart_basin', operation='instant', prec=8, read_access=.true.)
  end subroutine add_state

end program shallow_water
