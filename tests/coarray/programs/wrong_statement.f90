program wrong_statement
  implicit none
  integer :: y
  y = 1
  if (this_image() == 1) then
    call co_sum(y)
  else
    sync all
  end if
end program
