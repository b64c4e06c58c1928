! Images that end while they have locked something.
program locks_left
  use iso_fortran_env, only: lock_type, event_type, atomic_int_kind, stat_stopped_image
  implicit none
  ! STAT_UNLOCKED_FAILED_IMAGE, for which gfortran 12 has no name.
  integer, parameter :: unlocked_failed_image = 6002
  type(lock_type) :: of_stopped[*], of_failed[*], tried[*]
  type(lock_type), allocatable :: gone(:)[:]
  type(event_type) :: waits[*]
  integer(atomic_int_kind) :: told[*], told_who_tried[*]
  integer :: stat, n, all_told
  logical :: got
  character(len=100) :: why, expected

  n = num_images()
  if (n < 3) error stop 'three images, please'
  told = 0
  told_who_tried = 0
  allocate(gone(1)[*])
  ! What is deallocated is nobody's any more.
  if (this_image() == 1) lock(gone(1)[2])
  deallocate(gone)

  if (this_image() == 1) then
    lock(of_stopped[2])
    sync all
    event wait(waits, until_count=n - 2)
    stop
  end if
  if (this_image() == 2) then
    lock(of_failed[3])
    lock(tried[3])
    sync all
    event post(waits[1])
    lock(of_stopped[2], stat=stat)
    if (stat /= stat_stopped_image) error stop 'image 2 and image 1'
    event wait(waits, until_count=n - 2)
    fail image
  end if
  sync all
  if (this_image() < n) event post(waits[1])
  lock(of_stopped[2], stat=stat, errmsg=why)
  expected = 'LOCK: that variable was locked by image 1, which has stopped (nobody else can unlock it).'
  if (stat /= stat_stopped_image .or. why /= expected) error stop 'locked by who stopped'
  lock(of_stopped[2], stat=stat)
  if (stat /= stat_stopped_image) error stop 'locked again'
  ! For a moment an image may have it that is just being told.
  do
    got = .true.
    lock(of_stopped[2], acquired_lock=got, stat=stat)
    if (got) error stop 'tried'
    if (stat /= 0) exit
  end do
  if (stat /= stat_stopped_image) error stop 'told who tried'

  ! One of those who want it is told that it was locked.
  event post(waits[2])
  lock(of_failed[3], stat=stat, errmsg=why)
  if (stat /= 0) then
    if (stat /= unlocked_failed_image) error stop 'locked by who failed'
    if (why /= 'LOCK: that variable was locked by image 2, which has failed (it is unlocked now).') &
      error stop 'text of failed'
    call atomic_add(told[3], 1)
    lock(of_failed[3])
  end if
  unlock(of_failed[3])
  do
    lock(tried[3], acquired_lock=got, stat=stat)
    if (stat == unlocked_failed_image) call atomic_add(told_who_tried[3], 1)
    if (got) exit
  end do
  unlock(tried[3])
  if (n > 3) sync images(merge(4, 3, this_image() == 3))
  if (this_image() == 3) then
    call atomic_ref(all_told, told)
    if (all_told /= 1) error stop 'told of of_failed'
    call atomic_ref(all_told, told_who_tried)
    if (all_told /= 1) error stop 'told of tried'
    print '(a)', 'ok'
  end if
end program
