! FAIL IMAGE.
program failed
  use iso_fortran_env, only: stat_failed_image
  implicit none
  integer :: stat
  character(len=80) :: why
  real :: mine, others

  if (this_image() == 1) fail image
  sync all(stat=stat, errmsg=why)
  if (stat /= stat_failed_image .or. why /= 'SYNC ALL: image 1 has failed.') error stop 'sync all'
  if (image_status(1) /= stat_failed_image .or. image_status(2) /= 0) error stop 'image_status'
  if (num_images(failed=.true.) /= 1 .or. num_images(failed=.false.) /= num_images() - 1) &
    error stop 'num_images'
  if (any(failed_images() /= [1])) error stop 'failed_images'
  call random_init(repeatable=.true., image_distinct=.true.)
  call random_number(mine)
  call random_init(repeatable=.true., image_distinct=.false.)
  call random_number(others)
  if (mine == others) error stop 'random_init'
  if (this_image() == 2) print '(a)', 'ok'
end program
