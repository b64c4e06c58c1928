! A plane that comes back to itself in both directions: cells of a kilometre, of which those at one border share their
! corners with those at the other. Places are metres from the middle; no longitude, nothing to be cut at 360.
program plane
  use xios
  use mpi
  implicit none

  integer, parameter :: columns = 4, rows = 3
  integer, parameter :: cells = columns * rows  ! of nodes there are as many, of edges twice as many
  integer :: comm, rank, processes, error

  call xios_initialize('plane', return_comm=comm)
  call mpi_comm_rank(comm, rank, error)
  call mpi_comm_size(comm, processes, error)
  call xios_context_initialize('plane', comm)
  call define('node', cells, 1)
  call define('edge', 2 * cells, 2)
  call define('face', cells, 4)
  call xios_close_context_definition()
  call xios_update_calendar(1)
  call xios_send_field('psi', 1d0 * own(cells))
  call xios_send_field('u', 100d0 + own(2 * cells))
  call xios_send_field('rho', 200d0 + own(cells))
  call xios_context_finalize()
  call xios_finalize()

contains

  ! What this process has, from 0: dealt out in turn.
  function own(total) result(items)
    integer, intent(in) :: total
    integer, allocatable :: items(:)
    integer :: n
    items = [(n, n = rank, total - 1, processes)]
  end function own

  ! The node at the lower left of a cell that is some columns and rows further.
  subroutine corner(cell, right, up, x, y)
    integer, intent(in) :: cell, right, up
    real(8), intent(out) :: x, y
    x = 1000d0 * mod(mod(cell, columns) + right, columns) - 2000d0
    y = 1000d0 * mod(cell / columns + up, rows) - 1500d0
  end subroutine corner

  subroutine define(kind, total, vertices)
    character(len=*), intent(in) :: kind
    integer, intent(in) :: total, vertices
    integer, parameter :: right(4) = [0, 1, 1, 0], up(4) = [0, 0, 1, 1]
    integer, allocatable :: items(:)
    real(8), allocatable :: x(:), y(:), corners_x(:,:), corners_y(:,:)
    integer :: n, v

    items = own(total)
    allocate(x(size(items)), y(size(items)), corners_x(vertices, size(items)), corners_y(vertices, size(items)))
    do n = 1, size(items)
      do v = 1, vertices
        if (kind == 'edge' .and. items(n) >= cells) then  ! the left side of a cell, else the lower one
          call corner(items(n) - cells, 0, v - 1, corners_x(v, n), corners_y(v, n))
        else
          call corner(mod(items(n), cells), right(v), up(v), corners_x(v, n), corners_y(v, n))
        end if
      end do
    end do
    x = corners_x(1, :)
    y = corners_y(1, :)
    if (kind == 'face') then
      x = x + 500
      y = y + 500
    end if
    call xios_set_domain_attr(kind, type='unstructured', ni_glo=total, ni=size(items), i_index=items, data_dim=1, &
                              data_ni=size(items), lonvalue_1d=x, latvalue_1d=y, nvertex=vertices)
    if (vertices > 1) call xios_set_domain_attr(kind, bounds_lon_1d=corners_x, bounds_lat_1d=corners_y)
  end subroutine define
end program plane
