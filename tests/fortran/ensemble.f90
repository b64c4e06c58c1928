! An ensemble as XIOS has it: two members are one component and one context, and an axis counts them. Of an odd number of
! processes one member has more than the other, which share its rows. Statistics are reductions along the axis.
program ensemble
  use xios
  use mpi
  implicit none

  integer, parameter :: nx = 3, ny = 4, members = 2
  integer :: comm, rank, size, error, step, first_member, own_members, first_row, rows, j

  call xios_initialize('ensemble', return_comm=comm)
  call mpi_comm_rank(comm, rank, error)
  call mpi_comm_size(comm, size, error)
  call deal_out()
  call xios_context_initialize('ensemble', comm)
  call xios_set_axis_attr('ensemble', n_glo=members, begin=first_member, n=own_members)
  call xios_set_domain_attr('d', ni_glo=nx, nj_glo=ny, ibegin=0, ni=nx, jbegin=first_row, nj=rows, &
                            lonvalue_1d=[0d0, 120d0, 240d0], latvalue_1d=[(20d0 * (j - 1), j = first_row, first_row + rows - 1)])
  call xios_close_context_definition()
  do step = 1, 2
    call xios_update_calendar(step)
    call send()
  end do
  call xios_context_finalize()
  call xios_finalize()

contains

  subroutine deal_out()
    integer :: member, first, processes

    first_member = 0
    own_members = members
    first_row = 0
    rows = ny
    if (size == 1) return
    own_members = 1
    do member = 0, members - 1
      first = member * size / members
      processes = (member + 1) * size / members - first
      if (rank < first .or. rank >= first + processes) cycle
      first_member = member
      first_row = ny * (rank - first) / processes
      rows = ny * (rank - first + 1) / processes - first_row
    end do
  end subroutine deal_out

  ! Member m is m away from member 0, twice as far in each row.
  subroutine send()
    real(8) :: values(nx, rows, own_members)
    integer :: i, j, m

    do m = 1, own_members
      do j = 1, rows
        do i = 1, nx
          values(i, j, m) = 100 * step + 10 * (first_row + j) + i + (first_member + m - 1) * 2 ** (first_row + j)
        end do
      end do
    end do
    call xios_send_field('f', values)
  end subroutine send
end program ensemble
