! One image stops early: nobody waits for it for ever, and everybody is told.
program stopped
  use iso_fortran_env, only: stat_stopped_image
  implicit none
  integer :: stat, last, x[*]
  character(len=80) :: why, expected

  last = num_images()
  x = 0
  sync all
  if (this_image() == last) stop 3
  write (expected, '(a,i0,a)') 'image ', last, ' has stopped.'
  sync all(stat=stat, errmsg=why)
  if (stat /= stat_stopped_image .or. why /= 'SYNC ALL: ' // expected) error stop 'sync all'
  sync images(last, stat=stat, errmsg=why)
  if (stat /= stat_stopped_image .or. why /= 'SYNC IMAGES: ' // expected) error stop 'sync images'
  if (image_status(last) /= stat_stopped_image) error stop 'image_status'
  if (size(failed_images()) /= 0) error stop 'failed_images'
  if (any(stopped_images() /= [last])) error stop 'stopped_images'
  call co_sum(x, stat=stat)
  if (stat /= stat_stopped_image) error stop 'co_sum'
  ! Its memory is there until the job ends.
  if (this_image() == 1) x[last] = 4
  if (this_image() == 1 .and. x[last] /= 4) error stop 'memory'
  if (this_image() == 1) print '(a)', 'ok'
end program
