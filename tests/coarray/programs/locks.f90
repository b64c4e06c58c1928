! Locks, critical constructs, and what they say of wrong programs.
program locks
  use iso_fortran_env, only: lock_type, stat_locked, stat_locked_other_image
  implicit none
  integer, parameter :: rounds = 30
  type(lock_type) :: lock_of_counter[*], several(3)[*]
  type(lock_type), allocatable :: more(:)[:]
  integer :: counter[*], in_critical[*], held(3)[*]
  integer :: i, k, n, stat, got_it
  logical :: got
  character(len=60) :: why

  n = num_images()
  counter = 0
  in_critical = 0
  held = 0
  allocate(more(2)[*])
  sync all
  do i = 1, rounds
    lock(lock_of_counter[1])
    counter[1] = counter[1] + 1
    unlock(lock_of_counter[1])
    critical
      in_critical[n] = in_critical[n] + 1
    end critical
    k = 1 + mod(i + this_image(), 3)
    lock(several(k)[n])
    lock(more(2)[1])
    held(k)[n] = held(k)[n] + 1
    unlock(more(2)[1])
    unlock(several(k)[n])
  end do
  got_it = 0
  do while (got_it < 5)
    lock(more(1)[n], acquired_lock=got)
    if (.not. got) cycle
    got_it = got_it + 1
    held(1)[1] = held(1)[1] + 0
    unlock(more(1)[n])
  end do
  sync all
  if (counter[1] /= rounds * n) error stop 'counter'
  if (in_critical[n] /= rounds * n) error stop 'critical'
  if (sum(held(:)[n]) /= rounds * n) error stop 'several'
  sync all

  lock(lock_of_counter)
  lock(lock_of_counter, stat=stat, errmsg=why)
  if (stat /= stat_locked) error stop 'locked twice'
  if (why /= 'LOCK: this image has locked that variable already.') error stop 'text of locked'
  sync all
  if (n > 1) then
    unlock(lock_of_counter[1 + mod(this_image(), n)], stat=stat, errmsg=why)
    if (stat /= stat_locked_other_image) error stop 'unlocked what another image has locked'
    if (why /= 'UNLOCK: another image has locked that variable.') error stop 'text of other image'
  end if
  sync all
  unlock(lock_of_counter)
  unlock(lock_of_counter, stat=stat, errmsg=why)
  ! STAT_UNLOCKED is 0 to gfortran, which nobody could tell from success.
  if (stat == 0) error stop 'unlocked twice'
  if (why /= 'UNLOCK: that variable is not locked.') error stop 'text of unlocked'
  deallocate(more)
  if (this_image() == 1) print '(a)', 'ok'
end program
