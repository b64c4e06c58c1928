! ERROR STOP of one image ends all, whatever they wait for.
program error_stop
  use iso_fortran_env, only: event_type
  implicit none
  type(event_type) :: never[*]
  sync all
  if (this_image() == num_images()) error stop 7
  if (this_image() == 1) event wait(never)
  sync all
end program
