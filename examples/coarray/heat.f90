! Heat in a plate whose left edge is hot, until it changes little: coarray Fortran on endpoints.
!
!   epcaf -O2 heat.f90 -o heat
!   epexec -n 2 -endpoints 4 ./heat        # 8 images: 2 processes of 4 threads
!
! Images stand in a grid. Each puts its outermost rows and columns into the halos of its neighbours
! and waits for these alone; now and then all compare how much has changed.
program heat
  use iso_fortran_env, only: real64, int64
  implicit none
  integer, parameter :: n = 120          ! points in each direction, without the edges
  integer, parameter :: look_every = 100 ! steps
  integer, parameter :: most_steps = 4000
  real(real64), parameter :: small = 5e-5_real64
  real(real64), allocatable :: u(:, :)[:, :], next(:, :)
  integer, allocatable :: neighbours(:)
  real(real64) :: change, mean
  integer :: columns, rows, place(2), mi, mj, step

  columns = largest_divisor(num_images())
  rows = num_images() / columns
  if (mod(n, columns) /= 0 .or. mod(n, rows) /= 0) error stop 'heat: the images do not divide the plate'
  mi = n / columns
  mj = n / rows
  allocate(u(0:mi + 1, 0:mj + 1)[columns, *])
  allocate(next(mi, mj))
  place = this_image(u)
  neighbours = [beside(-1, 0), beside(1, 0), beside(0, -1), beside(0, 1)]
  neighbours = pack(neighbours, neighbours > 0)
  u = 0
  if (place(1) == 1) u(0, :) = 1
  sync all

  do step = 1, most_steps
    call exchange()
    sync images(neighbours)
    next = 0.25_real64 * ((u(0:mi - 1, 1:mj) + u(2:mi + 1, 1:mj)) &
           + (u(1:mi, 0:mj - 1) + u(1:mi, 2:mj + 1)))
    change = maxval(abs(next - u(1:mi, 1:mj)))
    u(1:mi, 1:mj) = next
    if (mod(step, look_every) == 0) then
      call co_max(change)
      if (change < small) exit
    end if
    ! Nobody may overwrite a halo that is still read.
    sync images(neighbours)
  end do

  mean = mean_of_rows()
  if (this_image() == 1) then
    print '(i0,a,i0,a,i0,a)', num_images(), ' images, ', columns, ' x ', rows, ' blocks'
    print '(a,i0,a,es9.2)', 'steps: ', min(step, most_steps), ', last change: ', change
    print '(a,f12.10)', 'mean: ', mean
  end if
contains
  integer function largest_divisor(images)
    integer, intent(in) :: images
    do largest_divisor = int(sqrt(real(images))), 1, -1
      if (mod(images, largest_divisor) == 0) exit
    end do
  end function

  ! The image that is so many columns and rows away, or 0.
  integer function beside(di, dj)
    integer, intent(in) :: di, dj
    integer :: there(2)
    there = place + [di, dj]
    beside = 0
    if (all(there >= 1) .and. all(there <= [columns, rows])) beside = image_index(u, there)
  end function

  subroutine exchange()
    associate (i => place(1), j => place(2))
      if (i > 1) u(mi + 1, 1:mj)[i - 1, j] = u(1, 1:mj)
      if (i < columns) u(0, 1:mj)[i + 1, j] = u(mi, 1:mj)
      if (j > 1) u(1:mi, mj + 1)[i, j - 1] = u(1:mi, 1)
      if (j < rows) u(1:mi, 0)[i, j + 1] = u(1:mi, mj)
    end associate
  end subroutine

  ! With the same bits for any number of images: whole numbers have no rounding.
  real(real64) function mean_of_rows()
    integer(int64) :: total
    total = sum(int(u(1:mi, 1:mj) * 2_int64**40, int64))
    call co_sum(total)
    mean_of_rows = real(total, real64) / (real(n, real64)**2 * 2_int64**40)
  end function
end program
