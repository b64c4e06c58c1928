! Shared memory has room for each of two coarrays, but not for both: the second one is an error when
! it is allocated, not the end of the job when it is used.
program no_room
  implicit none
  integer, parameter :: bytes = 20 * 1024 * 1024
  character, allocatable :: first(:)[:], second(:)[:]
  integer :: stat
  character(len=80) :: why

  allocate(first(bytes)[*], stat=stat)
  if (stat /= 0) error stop 'the first one'
  allocate(second(bytes)[*], stat=stat, errmsg=why)
  if (stat == 0) then
    second = 'x'
    error stop 'both'
  end if
  if (index(why, 'ALLOCATE: no room for 20971520 bytes of each image in /dev/shm.') /= 1) error stop 'text'
  first = 'x'
  deallocate(first)
  allocate(second(bytes)[*], stat=stat)
  if (stat /= 0) error stop 'the second one alone'
  second = 'x'
  sync all
  if (this_image() == 1) print '(a)', 'ok'
end program
