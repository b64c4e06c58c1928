! Calls as an atmosphere model of the family of LFRic makes them: a ring of quadrilaterals with faces, edges and nodes as domains of
! their own, fields as rows of real(8), a context that is opened, used and ended while another one is open, swapped by handle.
program lfric_like
  use xios
  use mpi
  implicit none

  integer, parameter :: around = 8, rings = 3, levels = 3, steps = 4
  integer :: comm, own, rank, processes, error, step
  integer, allocatable :: faces(:), edges(:), nodes(:)
  type(xios_context) :: main, before
  character(len=20) :: id

  call mpi_init_thread(mpi_thread_multiple, step, error)
  call xios_initialize('lfric', return_comm=comm)
  call mpi_comm_dup(comm, own, error)
  call mpi_comm_rank(own, rank, error)
  call mpi_comm_size(own, processes, error)
  faces = mine(around * rings)
  edges = mine(around * (2 * rings + 1))
  nodes = mine(around * (rings + 1))

  call xios_context_initialize('lfric', own)
  call xios_get_handle('lfric', main)
  call xios_set_current_context(main)
  call set_calendar()
  call set_domain('face', around * rings, faces, 4)
  call set_domain('edge', around * (2 * rings + 1), edges, 2)
  call set_domain('node', around * (rings + 1), nodes, 0)
  call xios_set_axis_attr('vert_full', n_glo=levels, value=[100d0, 500d0, 2000d0])
  call xios_set_zoom_axis_attr('lowest', begin=0, n=2)
  call xios_close_context_definition()

  call write_initial()
  call xios_get_current_context(id)
  if (id /= 'lfric') stop 'the other context has left its place'
  do step = 1, steps
    call xios_update_calendar(step)
    call write_step()
  end do
  call xios_context_finalize()
  call read_again()
  call xios_finalize()
  call mpi_finalize(error)

contains

  ! Global indices (from 0) of this process's share, from the last to the first.
  function mine(total) result(indices)
    integer, intent(in) :: total
    integer, allocatable :: indices(:)
    integer :: i

    indices = [(i, i = total * (rank + 1) / processes - 1, total * rank / processes, -1)]
  end function mine

  subroutine set_calendar()
    call xios_define_calendar('Gregorian')
    call xios_set_start_date(xios_date(2016, 1, 1, 15, 0, 0))
    call xios_set_time_origin(xios_date(2016, 1, 1, 15, 0, 0))
    call xios_set_timestep(1800d0 * xios_second)
  end subroutine set_calendar

  subroutine set_domain(id, total, indices, corners)
    character(len=*), intent(in) :: id
    integer, intent(in) :: total, indices(:), corners
    real(8) :: lon(size(indices)), lat(size(indices))
    real(8) :: bounds_lon(max(corners, 1), size(indices)), bounds_lat(max(corners, 1), size(indices))
    integer :: i, c

    do i = 1, size(indices)
      lon(i) = 360d0 / around * mod(indices(i), around)
      lat(i) = 5d0 * (indices(i) / around)
      do c = 1, corners
        bounds_lon(c, i) = lon(i) + merge(-20d0, 20d0, c == 1 .or. c == 4)
        bounds_lat(c, i) = lat(i) + merge(-2d0, 2d0, c < 3)
      end do
    end do
    call xios_set_domain_attr(id, ni_glo=total, ibegin=0, ni=size(indices), i_index=indices, data_dim=1, &
                              lonvalue_1d=lon, latvalue_1d=lat)
    if (corners > 0) then
      call xios_set_domain_attr(id, nvertex=corners, bounds_lon_1d=bounds_lon, bounds_lat_1d=bounds_lat)
    end if
  end subroutine set_domain

  ! One record, in a context that comes and goes while the main one is open.
  subroutine write_initial()
    call xios_get_current_context(before)
    call xios_context_initialize('initial', own)
    call set_calendar()
    call set_domain('face', around * rings, faces, 4)
    call xios_close_context_definition()
    call xios_update_calendar(1)
    call xios_send_field('orography', 10d0 * faces)
    call xios_context_finalize()
    call xios_set_current_context(before)
  end subroutine write_initial

  ! The two levels and two records that are in a file, for three times as long.
  subroutine read_again()
    real(8) :: theta(size(faces), 2)
    integer :: step, count, record, k
    logical :: is_known

    call xios_context_initialize('again', own)
    call set_calendar()
    call set_domain('face', around * rings, faces, 4)
    call xios_close_context_definition()
    call xios_is_defined_axis_attr('levels', n_glo=is_known)
    if (.not. is_known) error stop 'the size of the axis is not known'
    call xios_get_axis_attr('levels', n_glo=count)
    if (count /= 2) error stop 'the file has two levels'
    do step = 0, 10, 2
      if (step > 0) call xios_update_calendar(step)
      call xios_recv_field('theta_low', theta)
      record = mod(step / 2, 2) + 1
      do k = 1, 2
        if (any(abs(theta(:, k) - (280 + 10 * k + 0.25d0 * faces + 2 * record)) > 1d-10)) error stop 'it is another record'
      end do
    end do
    call xios_context_finalize()
  end subroutine read_again

  subroutine write_step()
    real(8) :: theta(size(faces) * levels)
    type(xios_field) :: flux
    integer :: k
    logical :: wanted

    do k = 1, levels
      theta((k - 1) * size(faces) + 1:k * size(faces)) = 280 + 10 * k + 0.25d0 * faces + step
    end do
    if (xios_is_valid_field('theta')) call xios_send_field('theta', theta)
    call xios_get_handle('flux', flux)
    wanted = xios_field_is_active(flux, .true.)
    if (wanted .neqv. mod(step, 2) == 0) stop 'the flux is needed at every second step'
    if (wanted) call xios_send_field(flux, 0.5d0 * edges + 100 * step)
    if (xios_field_is_active('height', .true.)) call xios_send_field('height', 1d0 * nodes)
  end subroutine write_step

end program lfric_like
