! A restart and a forcing: one context writes, another one receives, in arrays of every rank and kind
! that the module takes, sections with strides, by id and by handle.
program receive
  use xios
  use mpi_f08, only: mpi_comm_rank, mpi_comm_size, mpi_comm
  implicit none

  integer, parameter :: nx = 6, ny = 4, nz = 2, steps = 3
  integer :: comm, rank, ranks, first, rows, step, k
  type(mpi_comm) :: communicator
  type(xios_field) :: field
  real(8) :: d0, d1(2), d2(2,1), d3(2,1,1), d4(2,1,1,1), d5(2,1,1,1,1), d6(2,1,1,1,1,1), d7(2,1,1,1,1,1,1)
  real(4) :: s0, s1(2), s2(2,1), s3(2,1,1), s4(2,1,1,1), s5(2,1,1,1,1), s6(2,1,1,1,1,1), s7(2,1,1,1,1,1,1)
  real(8), allocatable :: state(:,:,:), wide(:,:,:)

  call xios_initialize('receive', return_comm=comm)
  communicator%mpi_val = comm
  call mpi_comm_rank(communicator, rank)
  call mpi_comm_size(communicator, ranks)
  first = rank * ny / ranks
  rows = (rank + 1) * ny / ranks - first

  call xios_context_initialize('out', comm)
  call xios_set_domain_attr('d', lonvalue_2d=places(1), latvalue_2d=places(2))
  call xios_set_axis_attr('a', value=[5d0, 15d0])
  call open('out', first, rows)
  allocate(state(0:nx + 1, 0:rows + 1, nz))
  do step = 1, steps
    call xios_update_calendar(step)
    call xios_send_field('r0', step + 0.5d0)
    call xios_send_field('r1', [10d0 * step + 1, 10d0 * step + 2])
    state = -1d0
    state(1:nx, 1:rows, :) = truth(step)
    call xios_send_field('state', state)
  end do
  call xios_context_finalize()

  call open('in', first, rows)
  call xios_update_calendar(0)
  state = -7d0
  call xios_recv_field('restart', state)
  if (any(state(1:nx, 1:rows, :) /= truth(1))) error stop 'the restart is another one'
  if (any(state(0, :, :) /= -7d0) .or. any(state(:, 0, :) /= -7d0)) error stop 'a halo was touched'
  ! A section: every second level of a larger array.
  allocate(wide(0:nx + 1, 0:rows + 1, 2 * nz), source=-3d0)
  call xios_recv_field('from_file', wide(:, :, ::2))
  if (any(wide(1:nx, 1:rows, ::2) /= truth(1))) error stop 'a section has other values'
  if (any(wide(:, :, 2::2) /= -3d0)) error stop 'what lies between was touched'
  call xios_get_handle('r1', field)
  do step = 0, 2 * steps - 1
    if (step > 0) call xios_update_calendar(step)
    k = mod(step, steps) + 1  ! the file begins again
    call xios_recv_field('r0', d0)
    if (d0 /= k + 0.5d0) error stop 'a scalar has another value'
    call xios_recv_field('r0', s0)
    if (s0 /= real(k + 0.5d0, 4)) error stop 'a scalar of single precision has another value'
    d1 = 0
    call xios_recv_field('r1', d1)
    call expect(d1, k)
    if (.not. xios_field_is_active('mixed', .true.)) error stop 'nobody wants what is received'
    state = step
    call xios_send_field('sent', state)
    state = -7d0
    call xios_recv_field('mixed', state)
    if (any(state(1:nx, 1:rows, :) /= step * truth(1))) error stop 'a product has other values'
    if (any(state(0, :, :) /= -7d0) .or. any(state(:, 0, :) /= -7d0)) error stop 'a halo was touched'
    if (step > 0 .and. mod(step, 2) == 0) then
      call xios_recv_field('daily', state)
      if (any(state(1:nx, 1:rows, :) /= ((step - 1) * truth(1) + step * truth(1)) / 2)) error stop 'a mean has other values'
    end if
    call xios_recv_field('r1', d2)
    call expect(d2(:, 1), k)
    call xios_recv_field('r1', d3)
    call expect(d3(:, 1, 1), k)
    call xios_recv_field('r1', d4)
    call expect(d4(:, 1, 1, 1), k)
    call xios_recv_field('r1', d5)
    call expect(d5(:, 1, 1, 1, 1), k)
    call xios_recv_field('r1', d6)
    call expect(d6(:, 1, 1, 1, 1, 1), k)
    call xios_recv_field('r1', d7)
    call expect(d7(:, 1, 1, 1, 1, 1, 1), k)
    call xios_recv_field('r1', s1)
    call expect(real(s1, 8), k)
    call xios_recv_field('r1', s2)
    call expect(real(s2(:, 1), 8), k)
    call xios_recv_field('r1', s3)
    call expect(real(s3(:, 1, 1), 8), k)
    call xios_recv_field('r1', s4)
    call expect(real(s4(:, 1, 1, 1), 8), k)
    call xios_recv_field('r1', s5)
    call expect(real(s5(:, 1, 1, 1, 1), 8), k)
    call xios_recv_field('r1', s6)
    call expect(real(s6(:, 1, 1, 1, 1, 1), 8), k)
    call xios_recv_field('r1', s7)
    call expect(real(s7(:, 1, 1, 1, 1, 1, 1), 8), k)
    d1 = 0
    call xios_recv_field(field, d1)
    call expect(d1, k)
    s1 = 0
    call xios_recv_field(field, s1)
    call expect(real(s1, 8), k)
    d2 = 0
    call xios_recv_field(field, d2(2:1:-1, :))
    call expect(d2(2:1:-1, 1), k)
  end do
  call xios_context_finalize()
  call find_grid()
  call xios_finalize()

contains

  ! Nobody says how large the grid is, or where: the file does.
  subroutine find_grid()
    integer :: ni_glo, nj_glo, ni, nj, n_glo, n
    real(8), allocatable :: lon(:,:), lat(:,:), value(:), found(:,:,:)
    character(len=20) :: kind
    logical :: has_area
    call xios_context_initialize('found', comm)
    call xios_define_calendar('NoLeap', timestep=12 * xios_hour, start_date=xios_date(2000, 1, 1, 0, 0, 0))
    call xios_set_domain_attr('d', jbegin=first, nj=rows, data_dim=2)
    call xios_close_context_definition()
    call xios_get_domain_attr('d', type=kind, ni_glo=ni_glo, nj_glo=nj_glo, ni=ni, nj=nj)
    if (kind /= 'curvilinear') error stop 'another kind of domain'
    if (any([ni_glo, nj_glo, ni, nj] /= [nx, ny, nx, rows])) error stop 'another domain'
    call xios_get_axis_attr('a', n_glo=n_glo, n=n)
    if (any([n_glo, n] /= nz)) error stop 'another axis'
    allocate(lon(ni, nj), lat(ni, nj), value(n), found(ni, nj, n))
    call xios_get_domain_attr('d', lonvalue_2d=lon, latvalue_2d=lat)
    if (any(lon /= places(1)) .or. any(lat /= places(2))) error stop 'other coordinates'
    call xios_get_axis_attr('a', value=value)
    if (any(value /= [500d0, 1500d0])) error stop 'other levels'  ! convert_from_factor
    call xios_is_defined_domain_attr('d', area=has_area)
    if (has_area) error stop 'an area from nowhere'
    found = -1
    call xios_recv_field('state', found)
    if (any(found /= truth(1))) error stop 'other values on a grid from the file'
    call xios_context_finalize()
  end subroutine find_grid

  ! Whole numbers, which single precision keeps.
  function places(direction) result(values)
    integer, intent(in) :: direction
    real(8) :: values(nx, rows)
    integer :: i, j
    do j = 1, rows
      do i = 1, nx
        values(i, j) = merge(10d0 * i + (first + j), 10d0 * (first + j) + i, direction == 1)
      end do
    end do
  end function places

  subroutine open(id, begin, count)
    character(len=*), intent(in) :: id
    integer, intent(in) :: begin, count
    if (id /= 'out') call xios_context_initialize(id, comm)
    call xios_define_calendar('NoLeap', timestep=12 * xios_hour, start_date=xios_date(2000, 1, 1, 0, 0, 0))
    call xios_set_domain_attr('d', ibegin=0, ni=nx, jbegin=begin, nj=count, &
                              data_dim=2, data_ibegin=-1, data_ni=nx + 2, data_jbegin=-1, data_nj=count + 2)
    call xios_close_context_definition()
  end subroutine open

  function truth(record) result(values)
    integer, intent(in) :: record
    real(8) :: values(nx, rows, nz)
    integer :: i, j, level
    do level = 1, nz
      do j = 1, rows
        do i = 1, nx
          values(i, j, level) = 1d0 / 3d0 + i + 100d0 * (first + j) + 1d4 * level + 1d6 * record
        end do
      end do
    end do
  end function truth

  subroutine expect(values, record)
    real(8), intent(in) :: values(:)
    integer, intent(in) :: record
    if (any(values /= [10d0 * record + 1, 10d0 * record + 2])) error stop 'a field has other values'
  end subroutine expect
end program receive
