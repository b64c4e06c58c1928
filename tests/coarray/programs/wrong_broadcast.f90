! A component that only the source image has allocated: the compiler allocates none.
program wrong_broadcast
  implicit none
  type box
    integer :: k
    real, allocatable :: a(:)
  end type
  type(box) :: x

  x%k = this_image()
  if (this_image() == 1) allocate(x%a(3), source=1.0)
  call co_broadcast(x, 1)
end program
