! co_broadcast of types with allocatable components that all images have allocated. gfortran 12 hands
! over descriptors whose span and offset are what the stack had: it is filled before.
program broadcast_components
  implicit none
  type bag
    integer :: n
    real(8), allocatable :: values(:), table(:,:)
    character(len=5), allocatable :: words(:)
    integer, allocatable :: alone
    integer(2), allocatable :: small(:)
    integer :: m
  end type
  integer, parameter :: remains(5) = [0, 1, 24, 4096, -8]
  integer :: me, pattern

  me = this_image()
  do pattern = 1, size(remains)
    call soil(remains(pattern))
    call check(pattern)
  end do
  sync all
  if (me == 1) print '(a)', 'ok'
contains
  ! What a called procedure finds on its stack.
  recursive subroutine soil(with)
    integer, intent(in) :: with
    integer(8), volatile :: stack(512)
    stack = with
    if (stack(1 + modulo(with, 512)) /= with) error stop 1
  end subroutine

  subroutine check(source)
    integer, intent(in) :: source
    integer :: from
    type(bag) :: x
    from = 1 + modulo(source, num_images())
    x%n = me; x%m = 10 * me
    allocate(x%values(7), x%table(2, 3), x%words(2), x%alone, x%small(0:4))
    x%values = me; x%table = -me; x%words = repeat(achar(64 + me), 5); x%alone = 100 * me
    x%small = int(me, 2)
    call co_broadcast(x, from)
    if (x%n /= from .or. x%m /= 10 * from) error stop 2
    if (any(x%values /= from)) error stop 3
    if (any(x%table /= -from)) error stop 4
    if (any(x%words /= repeat(achar(64 + from), 5))) error stop 5
    if (x%alone /= 100 * from) error stop 6
    if (any(x%small /= from)) error stop 7
  end subroutine
end program
