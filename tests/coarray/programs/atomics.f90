! Atomic subroutines from all images at once.
program atomics
  use iso_fortran_env, only: atomic_int_kind, atomic_logical_kind
  implicit none
  integer(atomic_int_kind) :: total[*], bits(3)[*], slot[*]
  logical(atomic_logical_kind) :: flag[*]
  integer(atomic_int_kind) :: old, now, seen
  logical :: is_set
  integer :: me, n, i

  me = this_image()
  n = num_images()
  total = 0
  bits = [0, -1, 0]
  slot = 0
  flag = .false.
  sync all
  do i = 1, 500
    call atomic_add(total[1], 1)
  end do
  call atomic_fetch_add(total[1], 1000, old)
  if (old < 500 .or. old > 1500 * n) error stop 'fetch_add'
  call atomic_or(bits(1)[n], ishft(1, me))
  call atomic_and(bits(2)[n], not(ishft(1, me)))
  call atomic_fetch_xor(bits(3)[n], ishft(1, me), old)
  if (btest(old, me)) error stop 'fetch_xor'
  ! One image after the other, in any order, takes the slot once.
  seen = 0
  do
    call atomic_cas(slot[1], old, seen, seen + 1)
    if (old == seen) exit
    seen = old
  end do
  if (me == n) call atomic_define(flag[1], .true.)
  if (me == 1) then
    is_set = .false.
    do while (.not. is_set)
      call atomic_ref(is_set, flag)
    end do
  end if
  sync all
  call atomic_ref(now, total[1])
  if (now /= 1500 * n) error stop 'total'
  call atomic_ref(now, slot[1])
  if (now /= n) error stop 'cas'
  if (bits(1)[n] /= sum([(ishft(1, i), i=1, n)])) error stop 'or'
  if (bits(2)[n] /= not(sum([(ishft(1, i), i=1, n)]))) error stop 'and'
  if (bits(3)[n] /= sum([(ishft(1, i), i=1, n)])) error stop 'xor'
  sync all
  if (me == 1) print '(a)', 'ok'
end program
