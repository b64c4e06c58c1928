! Some images wait for some: a ring, one with all, an order.
program sync_images
  implicit none
  integer :: token[*]
  integer :: me, n, left, right, i, stat
  character(len=80) :: why

  me = this_image()
  n = num_images()
  left = merge(n, me - 1, me == 1)
  right = merge(1, me + 1, me == n)
  token = 0
  sync all
  ! Each hands on what it got, in the order of the images.
  do i = 1, 20
    if (me > 1) sync images(left)
    if (me < n) then
      token[right] = token + 1
      sync images(right)
    end if
    if (token /= me - 1) error stop 'ring'
    sync all
  end do
  do i = 1, 20
    if (me == 1) then
      token = i
      sync images(*)
    else
      sync images(1)
      if (token[1] /= i) error stop 'one with all'
    end if
    if (n > 1) sync images(pack([left, right], [.true., left /= right]))
    if (me == 1) then
      sync images(*)
    else
      sync images(1)
    end if
  end do
  sync images([integer ::])
  sync memory
  sync images(n + 1, stat=stat, errmsg=why)
  if (stat == 0 .or. index(why, 'SYNC IMAGES: image') /= 1 .or. index(why, 'does not exist') == 0) &
    error stop 'no such image'
  sync all
  if (me == 1) print '(a)', 'ok'
end program
