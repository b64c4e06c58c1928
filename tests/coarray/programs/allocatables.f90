! Allocatable coarrays that come and go, in procedures, of several shapes; what happens when images
! disagree.
module fields
  implicit none
  real(8), allocatable :: kept(:, :)[:]
  integer :: in_module(10)[*] = 7
  type integer_box
    integer :: i = 3
  end type
  type(integer_box), allocatable :: boxes(:)[:]
end module

program allocatables
  use fields
  implicit none
  integer :: me, n, i, stat
  character(len=100) :: why
  integer, allocatable :: differs(:)[:]
  real, allocatable :: scalar[:]

  me = this_image()
  n = num_images()
  if (any(in_module /= 7)) error stop 'initial value'
  allocate(kept(3, 0:n)[*])
  kept = me
  do i = 1, 30
    call use_for_a_while(i)
  end do
  allocate(scalar[*])
  scalar = 2.5 * me
  allocate(boxes(4)[0:*])
  if (any(boxes%i /= 3)) error stop 'default initialisation'
  sync all
  if (scalar[n] /= 2.5 * n) error stop 'scalar'
  if (boxes(2)[n - 1]%i /= 3) error stop 'boxes'
  if (kept(2, 1)[n] /= n) error stop 'kept'
  sync all
  deallocate(scalar, boxes)
  allocate(kept(1, 1)[*], stat=stat, errmsg=why)
  if (stat == 0) error stop 'allocated twice'
  if (n > 1) then
    allocate(differs(me)[*], stat=stat, errmsg=why)
    if (stat == 0 .or. index(why, 'ALLOCATE:') /= 1 .or. index(why, 'bytes here, but') == 0) &
      error stop 'different sizes'
  end if
  if (allocated(differs)) error stop 'is allocated'
  sync all
  if (me == 1) print '(a)', 'ok'
contains
  subroutine use_for_a_while(size)
    integer, intent(in) :: size
    integer, allocatable :: work(:)[:], empty(:)[:]
    integer :: next
    next = merge(1, me + 1, me == n)
    allocate(work(1000 * size)[*], empty(0)[*])
    work = me * size
    sync all
    if (any(work(1:1000 * size:7)[next] /= next * size)) error stop 'work'
    sync all
    work(5)[next] = -me
    in_module(2)[next] = me
    sync all
    if (work(5) /= -merge(n, me - 1, me == 1)) error stop 'put'
    if (mod(size, 2) == 0) deallocate(work)
  end subroutine
end program
