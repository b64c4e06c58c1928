! Heat in a plate on a grid of images: rows and columns are exchanged with neighbours alone. Every
! cell has the bits of the same computation by one image.
program halo
  implicit none
  integer, parameter :: ni = 24, nj = 18, steps = 40
  real(8), allocatable :: u(:, :)[:, :]
  real(8), allocatable :: next(:, :)
  real(8) :: whole(0:ni + 1, 0:nj + 1)
  integer :: pi, pj, mi, mj, i0, j0, i, j, step
  integer, allocatable :: others(:)
  integer :: place(2)

  pi = 1
  if (mod(num_images(), 2) == 0) pi = 2
  pj = num_images() / pi
  if (mod(ni, pi) /= 0 .or. mod(nj, pj) /= 0) error stop 'the plate does not fit'
  mi = ni / pi
  mj = nj / pj
  allocate(u(0:mi + 1, 0:mj + 1)[pi, *])
  allocate(next(mi, mj))
  place = this_image(u)
  i0 = (place(1) - 1) * mi
  j0 = (place(2) - 1) * mj
  u = 0
  do j = 1, mj
    do i = 1, mi
      u(i, j) = start(i0 + i, j0 + j)
    end do
  end do
  others = neighbours()
  sync all
  do step = 1, steps
    if (place(1) > 1) u(mi + 1, 1:mj)[place(1) - 1, place(2)] = u(1, 1:mj)
    if (place(1) < pi) u(0, 1:mj)[place(1) + 1, place(2)] = u(mi, 1:mj)
    if (place(2) > 1) u(1:mi, mj + 1)[place(1), place(2) - 1] = u(1:mi, 1)
    if (place(2) < pj) u(1:mi, 0)[place(1), place(2) + 1] = u(1:mi, mj)
    sync images(others)
    next = 0.25d0 * ((u(0:mi - 1, 1:mj) + u(2:mi + 1, 1:mj)) + (u(1:mi, 0:mj - 1) + u(1:mi, 2:mj + 1)))
    u(1:mi, 1:mj) = next
    sync images(others)
  end do
  call compute_whole()
  if (any(u(1:mi, 1:mj) /= whole(i0 + 1:i0 + mi, j0 + 1:j0 + mj))) error stop 'differs from one image'
  sync all
  if (this_image() == 1) print '(a)', 'ok'
contains
  real(8) function start(i, j)
    integer, intent(in) :: i, j
    start = sin(0.3d0 * i) * cos(0.2d0 * j) + 0.01d0 * i
  end function
  function neighbours() result(list)
    integer, allocatable :: list(:)
    allocate(list(0))
    if (place(1) > 1) list = [list, image_index(u, [place(1) - 1, place(2)])]
    if (place(1) < pi) list = [list, image_index(u, [place(1) + 1, place(2)])]
    if (place(2) > 1) list = [list, image_index(u, [place(1), place(2) - 1])]
    if (place(2) < pj) list = [list, image_index(u, [place(1), place(2) + 1])]
  end function
  subroutine compute_whole()
    real(8) :: after(ni, nj)
    integer :: s
    whole = 0
    do j = 1, nj
      do i = 1, ni
        whole(i, j) = start(i, j)
      end do
    end do
    do s = 1, steps
      after = 0.25d0 * ((whole(0:ni - 1, 1:nj) + whole(2:ni + 1, 1:nj)) &
              + (whole(1:ni, 0:nj - 1) + whole(1:ni, 2:nj + 1)))
      whole(1:ni, 1:nj) = after
    end do
  end subroutine
end program
