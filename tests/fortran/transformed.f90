! A model that leaves work to transformations, and does the same by hand: sums and means of reductions,
! windows, rings, other levels and a coarser grid. Values follow from global places, so that each
! process knows what all have.
program transformed
  use xios
  use mpi
  implicit none

  integer, parameter :: ni_glo = 8, nj_glo = 6, levels = 3, steps = 3
  real(8), parameter :: depth(levels) = [0d0, 10d0, 30d0]
  real(8), parameter :: pi = 3.14159265358979323846d0
  integer :: comm, rank, processes, error, jbegin, nj, step
  real(8), allocatable :: temp(:,:,:)
  real(4), allocatable :: flux(:,:)

  call xios_initialize('model', return_comm=comm)
  call mpi_comm_rank(comm, rank, error)
  call mpi_comm_size(comm, processes, error)
  call xios_context_initialize('model', comm)
  jbegin = rank * nj_glo / processes
  nj = (rank + 1) * nj_glo / processes - jbegin
  call define()
  call xios_close_context_definition()
  allocate(temp(ni_glo, nj, levels), flux(ni_glo, nj))
  do step = 1, steps
    call xios_update_calendar(step)
    call make_fields()
    if (xios_field_is_active('temp', .true.)) call xios_send_field('temp', temp)
    call xios_send_field('flux', flux)
    call compare()
  end do
  call xios_context_finalize()
  call xios_finalize()

contains

  pure real(8) function value(i, j, k, at)
    integer, intent(in) :: i, j, k, at
    value = 100d0 * at + 10d0 * k + j + 0.25d0 * i
  end function value

  pure real(8) function lat(j)
    integer, intent(in) :: j
    lat = -90d0 + (j - 0.5d0) * 180d0 / nj_glo
  end function lat

  subroutine define()
    integer :: i, j
    real(8) :: bounds_lon(2, ni_glo), bounds_lat(2, nj)

    call xios_define_calendar(type='NoLeap', start_date=xios_date(2001, 1, 1, 0, 0, 0))
    call xios_set_timestep(xios_hour)
    do i = 1, ni_glo
      bounds_lon(:, i) = [45d0 * (i - 1), 45d0 * i]
    end do
    do j = 1, nj
      bounds_lat(:, j) = lat(jbegin + j) + [-15d0, 15d0]
    end do
    call xios_set_domain_attr('globe', ibegin=0, ni=ni_glo, jbegin=jbegin, nj=nj, data_dim=2, &
                              lonvalue_1d=[(45d0 * i - 22.5d0, i=1, ni_glo)], &
                              latvalue_1d=[(lat(jbegin + j), j=1, nj)], &
                              bounds_lon_1d=bounds_lon, bounds_lat_1d=bounds_lat)
    call xios_set_axis_attr('depth', value=depth)
    call xios_set_axis_attr('between', value=[5d0, 20d0])
    call xios_set_extract_domain_attr('window_of_globe', ibegin=2, ni=3, jbegin=1, nj=4)
  end subroutine define

  subroutine make_fields()
    integer :: i, j, k
    do k = 1, levels
      do j = 1, nj
        do i = 1, ni_glo
          temp(i, j, k) = value(i, jbegin + j, k, step)
        end do
      end do
    end do
    flux = real(temp(:, :, 1), 4)
  end subroutine make_fields

  ! What the workflow has made of the fields, by hand.
  subroutine compare()
    real(8) :: total(levels), most(ni_glo, nj), inner(ni_glo, nj, 2), mean, part, whole
    integer :: i, j, k

    call xios_recv_field('temp_total', total)
    do k = 1, levels
      whole = 0
      do j = 1, nj_glo
        do i = 1, ni_glo
          whole = whole + value(i, j, k, step)
        end do
      end do
      if (total(k) /= whole) stop 'a total is wrong'
    end do
    call xios_recv_field('temp_most', most)
    if (any(most /= temp(:, :, levels))) stop 'a maximum is wrong'
    call xios_recv_field('temp_between', inner)
    if (any(abs(inner(:, :, 1) - 0.5d0 * (temp(:, :, 1) + temp(:, :, 2))) > 1d-11)) stop 'level 5 is wrong'
    if (any(abs(inner(:, :, 2) - 0.5d0 * (temp(:, :, 2) + temp(:, :, 3))) > 1d-11)) stop 'level 20 is wrong'
    ! The mean over the sphere is that over four large cells.
    call xios_recv_field('flux_mean', mean)
    part = 0
    do j = 1, nj_glo
      do i = 1, ni_glo
        part = part + value(i, j, 1, step) * (sin((lat(j) + 15d0) * pi / 180) - sin((lat(j) - 15d0) * pi / 180)) &
                      / (2 * ni_glo)
      end do
    end do
    if (abs(mean - part) > 1d-9) stop 'the mean over the sphere is wrong'
  end subroutine compare

end program transformed
