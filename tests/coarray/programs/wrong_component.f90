program wrong_component
  implicit none
  type box
    real, allocatable :: a(:)
  end type
  type(box) :: x[*]
  real :: b(3)
  if (this_image() > 1) allocate(x%a(3), source=1.0)
  sync all
  if (this_image() == num_images()) b = x[1]%a
  sync all
end program
