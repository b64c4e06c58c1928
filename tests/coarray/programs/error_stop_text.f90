program error_stop_text
  implicit none
  sync all
  print '(a)', 'written before'
  if (this_image() == 1) error stop 'the sea boils'
  sync all
end program
