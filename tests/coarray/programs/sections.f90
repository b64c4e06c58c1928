! Strided sections of rank 1 to 4, vector subscripts, numbers that become others, overlaps, and
! assignments between two other images.
program sections
  implicit none
  integer :: a(6, 5, 4)[*], line(40)[*]
  real(8) :: x(8, 8)[*]
  real(4) :: y(8)
  integer(2) :: small(3, 4)[*]
  integer(8) :: big(4)
  complex(8) :: z(3)[*]
  logical(1) :: flags(5)[*]
  logical :: wide(5)
  real(16) :: quad(2)[*]
  real(10) :: extended(2)
  integer, allocatable :: four(:, :, :, :)[:]
  integer :: me, n, next, i, j, k
  integer :: rows(3) = [5, 1, 3], copy(6, 5, 4), part(3, 2, 4)

  me = this_image()
  n = num_images()
  next = merge(1, me + 1, me == n)
  call fill(me)
  line = [(i, i=1, 40)] + 100 * me
  x = reshape([(i + 0.25d0, i=1, 64)], [8, 8]) + me
  small = int(reshape([(i, i=1, 12)], [3, 4]) * me, 2)
  z = [(cmplx(i, me, 8), i=1, 3)]
  flags = [.true., .false., .true., .false., .true.]
  quad = [1.5_16, -2.0_16] * me
  allocate(four(2, 3, 2, 0:3)[*])
  four = me
  sync all

  copy = a(:, :, :)[next]
  if (any(copy /= reshape(values(next), [6, 5, 4]))) error stop 1
  part = a(1:6:2, 5:2:-3, :)[next]
  copy = reshape(values(next), [6, 5, 4])
  if (any(part /= copy(1:6:2, 5:2:-3, :))) error stop 2
  part(:, 1, 1) = a(rows, 2, 3)[next]
  if (any(part(:, 1, 1) /= copy(rows, 2, 3))) error stop 3
  part(:, :, 2) = a(rows, [4, 1], 3)[next]
  if (any(part(:, :, 2) /= copy(rows, [4, 1], 3))) error stop 4
  if (a(2, 3, 4)[next] /= copy(2, 3, 4)) error stop 5
  if (sum(a(:, 2, 1)[next]) /= sum(copy(:, 2, 1))) error stop 6
  y = real(x(3, :)[next])
  if (any(y /= [(8 * (i - 1) + 3 + 0.25 + next, i=1, 8)])) error stop 7
  y(1:4) = x(2:8:2, 1)[next]
  if (any(y(1:4) /= [2, 4, 6, 8] + 0.25 + next)) error stop 8
  big = small(2, :)[next]
  if (any(big /= [2, 5, 8, 11] * next)) error stop 9
  wide = flags(:)[next]
  if (any(wide .neqv. [.true., .false., .true., .false., .true.])) error stop 10
  extended = quad(:)[next]
  if (any(extended /= [1.5_10, -2.0_10] * next)) error stop 11
  sync all

  a(2:6:2, 1, 4:1:-1)[next] = me
  a(1, [5, 2], 1)[next] = [-me, -2 * me]
  x(5, 1:8:3)[next] = [1, 2, 3]
  x(6, :)[next] = 7
  small(:, 2)[next] = [1.9, -1.9, 100.0]
  z(2:3)[next] = [2.5, 3.5]
  flags(4:5)[next] = [.true., .false.]
  quad(2)[next] = 4
  four(:, 2, :, 0:3:3)[next] = -me
  sync all
  copy = reshape(values(me), [6, 5, 4])
  copy(2:6:2, 1, 4:1:-1) = before()
  copy(1, [5, 2], 1) = [-before(), -2 * before()]
  if (any(a /= copy)) error stop 12
  if (any(x(5, 1:8:3) /= [1, 2, 3]) .or. any(x(6, :) /= 7) .or. x(5, 2) /= 13.25d0 + me) error stop 13
  if (any(small(:, 2) /= [1, -1, 100]) .or. small(1, 1) /= me) error stop 14
  if (any(z /= [cmplx(1, me, 8), (2.5d0, 0d0), (3.5d0, 0d0)])) error stop 15
  if (any(flags .neqv. [.true., .false., .true., .true., .false.])) error stop 16
  if (any(quad /= [1.5_16 * me, 4.0_16])) error stop 17
  if (any(four(:, 2, :, 0:3:3) /= -before()) .or. any(four(:, 1, :, :) /= me) &
      .or. any(four(:, :, :, 1:2) /= me)) error stop 18
  sync all

  ! On the own image, with an overlap, to the right and to the left.
  line(2:40)[me] = line(1:39)[me]
  if (any(line /= [1, (i, i=1, 39)] + 100 * me)) error stop 19
  line(1:39)[me] = line(2:40)[me]
  if (any(line /= [(i, i=1, 39), 39] + 100 * me)) error stop 20
  line(40:1:-1)[me] = line
  if (any(line /= [39, (i, i=39, 1, -1)] + 100 * me)) error stop 21
  sync all
  ! From one image to another; only the last image moves.
  if (me == n) line(1:20:2)[1] = line(40:22:-2)[next]
  sync all
  if (me == 1 .and. any(line(1:20:2) /= [(i, i=1, 19, 2)] + 100)) error stop 22
  x(1:0, 1)[next] = x(1:0, 2)
  sync all
  if (me == 1) print '(a)', 'ok'
contains
  integer function before()
    before = merge(n, me - 1, me == 1)
  end function
  function values(image)
    integer, intent(in) :: image
    integer :: values(120)
    values = [(((i + 10 * j + 100 * k + 1000 * image, i=1, 6), j=1, 5), k=1, 4)]
  end function
  subroutine fill(image)
    integer, intent(in) :: image
    a = reshape(values(image), [6, 5, 4])
  end subroutine
end program
