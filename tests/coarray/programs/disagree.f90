! What images give alike, and do not: an error on all of them, and all go on.
program disagree
  implicit none
  integer :: a(4), stat, me, n
  me = this_image()
  n = num_images()
  a = me
  if (n > 1) then
    call co_sum(a(1:1 + min(me, 2)), stat=stat)
    if (stat == 0) error stop 'sizes'
    call co_broadcast(a, source_image=min(me, 2), stat=stat)
    if (stat == 0) error stop 'images'
    call co_sum(a, result_image=merge(n + 1, 1, me == 1), stat=stat)
    if (stat == 0) error stop 'wrong image on one'
    if (me == 1) then
      call co_sum(a, stat=stat)
    else
      call co_max(a, stat=stat)
    end if
    if (stat == 0) error stop 'statements'
  end if
  call co_sum(a, result_image=n + 1, stat=stat)
  if (stat == 0) error stop 'wrong image on all'
  if (any(a /= me)) error stop 'changed'
  call co_sum(a)
  if (any(a /= n * (n + 1) / 2)) error stop 'sum'
  if (me == 1) print '(a)', 'ok'
end program
