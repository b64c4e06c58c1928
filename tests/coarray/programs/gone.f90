! One image has failed and one has stopped: what has stopped is told first.
program gone
  use iso_fortran_env, only: stat_stopped_image
  implicit none
  integer :: stat, x
  character(len=80) :: why

  x = 0
  if (this_image() == 1) stop
  if (this_image() == 2) fail image
  sync all(stat=stat, errmsg=why)
  if (stat /= stat_stopped_image .or. why /= 'SYNC ALL: image 1 has stopped.') error stop 'sync all'
  sync images([1, 2], stat=stat, errmsg=why)
  if (stat /= stat_stopped_image .or. why /= 'SYNC IMAGES: image 1 has stopped.') error stop 'sync images'
  call co_sum(x, stat=stat)
  if (stat /= stat_stopped_image) error stop 'co_sum'
  print '(a)', 'ok'
end program
