! A sphere of cells between meridians and parallels, triangles at the poles, as an unstructured mesh with
! fields on faces, edges and nodes. Numbers of cells follow no order, each process has some anywhere, and
! what is one corner is given at longitudes a turn apart, at the poles at any.
program mesh
  use xios
  use mpi
  implicit none

  integer, parameter :: columns = 8, rows = 4, levels = 2, steps = 2
  integer, parameter :: faces = columns * rows, nodes = columns * (rows - 1) + 2
  integer, parameter :: edges = columns * rows + columns * (rows - 1)
  integer :: comm, rank, processes, error, step

  call xios_initialize('lfric', return_comm=comm)
  call mpi_comm_rank(comm, rank, error)
  call mpi_comm_size(comm, processes, error)
  call xios_context_initialize('atm', comm)
  call xios_define_calendar('D360', timestep=xios_hour, start_date=xios_date(2016, 1, 1, 0, 0, 0), &
                            time_origin=xios_date(2016, 1, 1, 0, 0, 0))
  call define(faces, 'face', 4)
  call define(edges, 'edge', 2)
  call define(nodes, 'node', 1)
  call xios_set_axis_attr('levels', n_glo=levels, value=[0.25d0, 0.75d0])
  call xios_close_context_definition()
  do step = 1, steps
    call xios_update_calendar(step)
    call send(faces, 'rho')
    call send(edges, 'u')
    call send(nodes, 'psi')
    call send_levels()
  end do
  call xios_context_finalize()
  call xios_finalize()

contains

  ! Cells of this process, from 0.
  function own_cells(cells) result(own)
    integer, intent(in) :: cells
    integer, allocatable :: own(:)
    integer :: n
    own = [(n, n = rank, cells - 1, processes)]
  end function own_cells

  ! What stands at a number: 5 has no factor of any count of cells.
  elemental integer function item_at(number, cells)
    integer, intent(in) :: number, cells
    item_at = mod(5 * number + 3, cells)
  end function item_at

  ! Parallel `row` of 0 (south pole) to rows, meridian `column`; longitudes of one corner differ by `turn`.
  subroutine corner(row, column, turn, lon, lat)
    integer, intent(in) :: row, column, turn
    real(8), intent(out) :: lon, lat
    lat = -90d0 + 180d0 * row / rows
    lon = 360d0 * column / columns + 360d0 * turn
    if (row == 0 .or. row == rows) lon = lon + 11d0
  end subroutine corner

  subroutine define(cells, kind, vertices)
    integer, intent(in) :: cells, vertices
    character(len=*), intent(in) :: kind
    integer, allocatable :: own(:)
    real(8), allocatable :: lon(:), lat(:), bounds_lon(:,:), bounds_lat(:,:)
    integer :: n, v, item

    own = own_cells(cells)
    allocate(lon(size(own)), lat(size(own)), bounds_lon(vertices, size(own)), bounds_lat(vertices, size(own)))
    do n = 1, size(own)
      item = item_at(own(n), cells)
      do v = 1, vertices
        call place(kind, item, v, bounds_lon(v, n), bounds_lat(v, n))
      end do
      lon(n) = bounds_lon(1, n)
      lat(n) = sum(bounds_lat(:, n)) / vertices
    end do
    call xios_set_domain_attr(kind, type='unstructured', ni_glo=cells, ni=size(own), i_index=own, &
                              data_dim=1, data_ni=size(own), lonvalue_1d=lon, latvalue_1d=lat, &
                              nvertex=vertices)
    if (vertices > 1) then
      call xios_set_domain_attr(kind, bounds_lon_1d=bounds_lon, bounds_lat_1d=bounds_lat)
    end if
  end subroutine define

  ! Corner number `v` of an item.
  subroutine place(kind, item, v, lon, lat)
    character(len=*), intent(in) :: kind
    integer, intent(in) :: item, v
    real(8), intent(out) :: lon, lat
    integer :: row, column, other
    select case (kind)
    case ('face')
      row = item / columns
      column = mod(item, columns)
      if (v == 2 .or. v == 3) column = column + 1
      if (v > 2) row = row + 1
      call corner(row, column, mod(item, 2), lon, lat)
    case ('edge')
      if (item < columns * rows) then
        call corner(item / columns + v - 1, mod(item, columns), 0, lon, lat)
      else
        other = item - columns * rows
        call corner(other / columns + 1, mod(other, columns) + v - 1, -1, lon, lat)
      end if
    case default
      if (item == 0) then
        call corner(0, 0, 0, lon, lat)
      else if (item == nodes - 1) then
        call corner(rows, 0, 0, lon, lat)
      else
        call corner((item - 1) / columns + 1, mod(item - 1, columns), 0, lon, lat)
      end if
    end select
  end subroutine place

  subroutine send(cells, field)
    integer, intent(in) :: cells
    character(len=*), intent(in) :: field
    call xios_send_field(field, real(item_at(own_cells(cells), cells) + 100 * step, 8))
  end subroutine send

  subroutine send_levels()
    integer, allocatable :: own(:)
    real(8), allocatable :: values(:,:)
    integer :: k
    own = own_cells(faces)
    allocate(values(size(own), levels))
    do k = 1, levels
      values(:, k) = item_at(own, faces) + 1000 * k
    end do
    call xios_send_field('theta', values)
  end subroutine send_levels

end program mesh
