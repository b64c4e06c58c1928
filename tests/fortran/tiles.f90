! Tiles of one client's part, sent by OpenMP threads in any order, with halos of their own; fields of
! two and three dimensions, of both kinds.
program tiles
  use xios
  use mpi
  implicit none

  integer, parameter :: ni = 6, nj = 4, levels = 2, halo = 1, ntiles = 4, steps = 3
  integer, parameter :: tile_i(ntiles) = [0, 2, 0, 2], tile_ni(ntiles) = [2, 4, 2, 4]
  integer, parameter :: tile_j(ntiles) = [0, 0, 3, 3], tile_nj(ntiles) = [3, 3, 1, 1]
  integer :: comm, rank, error, step, tile
  type(xios_duration) :: hour

  call xios_initialize('ocean', return_comm=comm)
  call mpi_comm_rank(comm, rank, error)
  call xios_context_initialize('ocean', comm)
  hour = xios_hour
  call xios_define_calendar('NoLeap', timestep=hour, start_date=xios_date(2000, 1, 1, 0, 0, 0))
  call xios_set_domain_attr('grid', type='rectilinear', ni_glo=ni, nj_glo=2 * nj, ibegin=0, ni=ni, &
                            jbegin=rank * nj, nj=nj, data_dim=2, data_ibegin=-halo, &
                            data_ni=ni + 2 * halo, data_jbegin=-halo, data_nj=nj + 2 * halo)
  call xios_set_domain_attr('grid', ntiles=ntiles, tile_ibegin=tile_i, tile_ni=tile_ni, &
                            tile_jbegin=tile_j, tile_nj=tile_nj)
  call xios_set_domain_attr('grid', tile_data_ibegin=spread(-halo, 1, ntiles), &
                            tile_data_ni=tile_ni + 2 * halo, &
                            tile_data_jbegin=spread(-halo, 1, ntiles), &
                            tile_data_nj=tile_nj + 2 * halo)
  call xios_close_context_definition()
  do step = 1, steps
    call xios_update_calendar(step)
    !$omp parallel do schedule(dynamic, 1) num_threads(3)
    do tile = ntiles, 1, -1
      call send(tile, step)
    end do
    !$omp end parallel do
  end do
  call xios_context_finalize()
  call xios_finalize()

contains

  subroutine send(tile, step)
    integer, intent(in) :: tile, step
    real(8) :: sst(1 - halo:tile_ni(tile) + halo, 1 - halo:tile_nj(tile) + halo)
    real(4) :: temp(1 - halo:tile_ni(tile) + halo, 1 - halo:tile_nj(tile) + halo, levels)
    integer :: i, j, k

    sst = -999
    temp = -999
    do j = 1, tile_nj(tile)
      do i = 1, tile_ni(tile)
        sst(i, j) = 100 * step + 10 * (rank * nj + tile_j(tile) + j) + tile_i(tile) + i
        do k = 1, levels
          temp(i, j, k) = real(1000 * k + sst(i, j), 4)
        end do
      end do
    end do
    ! Each thread asks, while others send.
    if (.not. xios_field_is_active('sst')) error stop 'sst is not active'
    if (xios_field_is_active('temp', .true.)) call xios_send_field('temp', temp, tile - 1)
    call xios_send_field('sst', sst, tile - 1)
  end subroutine send

end program tiles
