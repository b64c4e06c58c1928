! An image that fails inside a critical construct: who comes next is told, and does not wait.
program critical_left
  implicit none

  sync all
  critical
    if (this_image() /= 0) fail image
  end critical
end program
