! Allocatable and pointer components of coarrays: each image has its own sizes.
program components
  implicit none
  type point
    integer :: k
    real(8), allocatable :: a(:)
    real(8) :: fixed(0:5)
    real(8) :: plane(3, 4)
  end type
  type shape
    integer :: w
    type(point), allocatable :: inner(:)
    type(point) :: still(3)
    real(8), allocatable :: m(:, :)
    integer, allocatable :: scalar
    real(8), pointer :: p(:) => null()
  end type
  type(shape) :: x[*]
  type(point) :: u(2:4, 2)[*]
  type(point), allocatable :: v(:)[:]
  real(8), allocatable :: got(:), table(:, :)
  real(8) :: b(9), c(3, 4)
  integer :: ks(3), idx(3) = [3, 1, 2]
  integer :: me, n, next, i

  me = this_image()
  n = num_images()
  next = merge(1, me + 1, me == n)
  allocate(x%m(3, me + 1), x%scalar)
  x%m = me
  x%m(2, :) = [(10 * i + me, i=1, me + 1)]
  x%scalar = 5 * me
  x%w = 1000 + me
  allocate(x%inner(4))
  do i = 1, 4
    x%inner(i)%k = i * me
    x%inner(i)%fixed = [0, 1, 2, 3, 4, 5] * i + me
  end do
  allocate(x%inner(3)%a(6))
  x%inner(3)%a = [1, 2, 3, 4, 5, 6] * me
  x%still(2)%plane = reshape([(i, i=1, 12)], [3, 4]) + 100 * me
  allocate(u(3, 2)%a(3:8))
  u(3, 2)%a = [1, 2, 3, 4, 5, 6] + 10 * me
  allocate(v(0:3)[*])
  v(1)%k = 77 * me
  allocate(v(1)%a(2))
  v(1)%a = [1, 2] + me
  sync all

  if (x[next]%w /= 1000 + next) error stop 1
  if (x[next]%scalar /= 5 * next) error stop 2
  if (.not. allocated(x[next]%m) .or. allocated(x[next]%still(1)%a)) error stop 3
  table = x[next]%m
  if (any(shape_of(table) /= [3, next + 1])) error stop 4
  if (any(table(2, :) /= [(10 * i + next, i=1, next + 1)]) .or. any(table(1, :) /= next)) error stop 5
  b(1:2) = x[next]%m(2, 1:2)
  if (any(b(1:2) /= [10, 20] + next)) error stop 6
  if (x[next]%m(2, 2) /= 20 + next) error stop 7
  ks = x[next]%inner(2:4)%k
  if (any(ks /= [2, 3, 4] * next)) error stop 8
  b(1:3) = x[next]%inner(3)%a(6:2:-2)
  if (any(b(1:3) /= [6, 4, 2] * next)) error stop 9
  b(1:3) = x[next]%inner(3)%a(idx)
  if (any(b(1:3) /= [3, 1, 2] * next)) error stop 10
  b(1:4) = x[next]%inner(3)%a(3:)
  if (any(b(1:4) /= [3, 4, 5, 6] * next)) error stop 11
  b(1:3) = x[next]%inner(2)%fixed(1:3)
  if (any(b(1:3) /= [2, 4, 6] + next)) error stop 12
  c = x[next]%still(2)%plane
  if (any(c /= reshape([(i, i=1, 12)], [3, 4]) + 100 * next)) error stop 13
  b(1:4) = x[next]%still(2)%plane(2, :)
  if (any(b(1:4) /= [2, 5, 8, 11] + 100 * next)) error stop 14
  got = u(3, 2)[next]%a
  if (size(got) /= 6 .or. any(got /= [1, 2, 3, 4, 5, 6] + 10 * next)) error stop 15
  b(1:2) = u(3, 2)[next]%a(4:5)
  if (any(b(1:2) /= [2, 3] + 10 * next)) error stop 16
  if (v(1)[next]%k /= 77 * next) error stop 17
  b(1:2) = v(1)[next]%a(1:2)
  if (any(b(1:2) /= [1, 2] + next)) error stop 18
  sync all

  x[next]%m(1, 1:2) = [-1d0, -2d0] * me
  x[next]%m(3, 1) = 0.5d0
  x[next]%scalar = me
  x[next]%inner(3)%a(:) = [(real(i, 4), i=1, 6)]
  x[next]%inner(2)%fixed(1:3) = me
  v(1)[next]%a(2) = -me
  u(3, 2)[next]%a(3:8:5) = x[next]%m(2, 1:2)
  sync all
  if (any(x%m(1, 1:2) /= [-1, -2] * before()) .or. x%m(3, 1) /= 0.5d0 .or. x%m(2, 1) /= 10 + me) error stop 19
  if (x%scalar /= before()) error stop 20
  if (any(x%inner(3)%a /= [1, 2, 3, 4, 5, 6])) error stop 21
  if (any(x%inner(2)%fixed /= [0d0 + me, 1d0 * before(), 1d0 * before(), 1d0 * before(), 8d0 + me, 10d0 + me])) &
    error stop 22
  if (any(v(1)%a /= [1d0 + me, -1d0 * before()])) error stop 23
  if (any(u(3, 2)%a /= [10d0 + me, 2d0 + 10 * me, 3d0 + 10 * me, 4d0 + 10 * me, 5d0 + 10 * me, 20d0 + me])) &
    error stop 24
  sync all
  deallocate(x%m)
  x%inner(3)%a = [9d0, 8d0]
  sync all
  if (allocated(x[next]%m)) error stop 25
  b(1:2) = x[next]%inner(3)%a(1:2)
  if (any(b(1:2) /= [9, 8])) error stop 26
  sync all
  if (me == 1) print '(a)', 'ok'
contains
  integer function before()
    before = merge(n, me - 1, me == 1)
  end function
  function shape_of(a)
    real(8), intent(in) :: a(:, :)
    integer :: shape_of(2)
    shape_of = [size(a, 1), size(a, 2)]
  end function
end program
