! What happens to values between a model and its files: expressions, chains of operations, fields that
! are written once, missing values. Each process has rows of a grid; values follow from global places.
program workflow
  use xios
  use mpi
  implicit none

  integer, parameter :: ni_glo = 4, nj_glo = 3, levels = 2, steps = 16
  integer :: comm, rank, processes, error, jbegin, nj, step, i, j
  real(8), allocatable :: toce(:,:,:), e3t(:,:,:), sst(:,:), u(:,:), v(:,:)
  real(8) :: lon(ni_glo)
  real(8), allocatable :: lat(:)
  logical, allocatable :: mask(:)

  call xios_initialize('ocean', return_comm=comm)
  call mpi_comm_rank(comm, rank, error)
  call mpi_comm_size(comm, processes, error)
  jbegin = rank * nj_glo / processes
  nj = (rank + 1) * nj_glo / processes - jbegin
  allocate(toce(ni_glo, nj, levels), e3t(ni_glo, nj, levels), sst(ni_glo, nj))
  allocate(u(ni_glo, nj), v(ni_glo, nj), lat(nj), mask(ni_glo * nj))
  lon = [(10d0 * i, i=1, ni_glo)]
  lat = [(5d0 * (jbegin + j), j=1, nj)]
  ! Velocities are masked where temperatures are not.
  mask = .true.
  if (jbegin == 0) mask(ni_glo) = .false.

  call xios_context_initialize('ocean', comm)
  call xios_define_calendar(type='NoLeap', start_date=xios_date(2001, 1, 1, 0, 0, 0))
  call xios_set_timestep(6 * xios_hour)
  call xios_set_domain_attr('grid_T', type='rectilinear', ni_glo=ni_glo, nj_glo=nj_glo, &
                            ibegin=0, ni=ni_glo, jbegin=jbegin, nj=nj, lonvalue_1d=lon, latvalue_1d=lat)
  call xios_set_domain_attr('grid_U', type='rectilinear', ni_glo=ni_glo, nj_glo=nj_glo, &
                            ibegin=0, ni=ni_glo, jbegin=jbegin, nj=nj, lonvalue_1d=lon, &
                            latvalue_1d=lat, mask_1d=mask)
  call xios_set_axis_attr('depth', n_glo=levels, value=[5d0, 15d0])
  call xios_close_context_definition()

  do step = 1, steps
    call xios_update_calendar(step)
    call make_fields()
    if (.not. xios_field_is_active('toce', .true.)) stop 'toce is needed at every step'
    if (xios_field_is_active('bathy', .true.) .neqv. step == 1) stop 'bathy is needed once'
    if (xios_field_is_active('idle')) stop 'nobody needs idle'
    if (.not. xios_field_is_active('speed', .true.)) stop 'what speed is made of is needed'
    call xios_send_field('toce', toce)
    call xios_send_field('v', v)
    call xios_send_field('e3t', e3t)
    call xios_send_field('u', real(u, 4))
    call xios_send_field('sst', sst)
    call xios_send_field('bathy', 100 * v)
    call xios_send_field('heat', 2 * v)
    if (xios_field_is_active('speed', .true.)) stop 'speed has been worked out'
  end do
  call xios_context_finalize()
  call xios_finalize()

contains

  subroutine make_fields()
    integer :: k

    do j = 1, nj
      do i = 1, ni_glo
        do k = 1, levels
          toce(i, j, k) = 10 * k + step + 0.125d0 * i
          e3t(i, j, k) = k * (1 + mod(step, 4)) + (jbegin + j)
        end do
        u(i, j) = 3 * (i + step)
        v(i, j) = 4 * (i + step)
        sst(i, j) = step - 3 * (jbegin + j)
        if (i == 1 .and. mod(step, 2) == 0) sst(i, j) = 1d20
        if (i == 2) sst(i, j) = 1d20
      end do
    end do
  end subroutine make_fields

end program workflow
