program wrong_image
  implicit none
  integer :: x[*]
  sync all
  if (this_image() == 1) x[num_images() + 3] = 4
  sync all
end program
