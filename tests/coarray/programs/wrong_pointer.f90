program wrong_pointer
  implicit none
  type box
    real, pointer :: p(:)
  end type
  type(box) :: x[*]
  real, target :: here(4)
  real :: b(4)
  here = this_image()
  x%p => here
  sync all
  if (this_image() == 1) then
    b = x[num_images()]%p
    print '(f4.2)', b(4)
  end if
  sync all
end program
