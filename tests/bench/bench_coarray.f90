! What statements of coarray Fortran cost between two images, and how much an assignment of the same
! bytes on one image costs in the same run. Medians of batches.
!
!   epexec -endpoints 2 bench_coarray          # threads; -n 2: processes; EP_SHM=0: through MPI
program bench_coarray
  use iso_fortran_env, only: event_type, lock_type, int64, real64
  implicit none
  integer, parameter :: large = 2**20, batches = 11
  real(real64), allocatable :: u(:)[:], here(:)
  real(real64) :: one
  type(event_type) :: ball[*]
  type(lock_type) :: lock_variable[*]
  integer :: me, other, counter

  if (num_images() /= 2) error stop 'bench_coarray: two images'
  me = this_image()
  other = 3 - me
  allocate(u(large)[*], here(large))
  u = me
  here = me
  counter = 0
  sync all
  if (me == 1) print '(a)', 'what                              time      limit     ratio'
  call show('u(1)[k] = x, 8 bytes', measure(1, 5000), measure(-1, 5000))
  call show('x = u(1)[k], 8 bytes', measure(2, 5000), measure(-1, 5000))
  call show('u(:)[k] = x, 8 MiB', measure(3, 4), measure(-3, 4))
  call show('x = u(:)[k], 8 MiB', measure(4, 4), measure(-3, 4))
  call show('x = u(::2)[k], 4 MiB', measure(5, 4), measure(-5, 4))
  call show('sync all', measure(6, 1000), 0d0)
  call show('sync images', measure(7, 1000), 0d0)
  call show('event post and wait, half a round', measure(8, 1000) / 2, 0d0)
  call show('lock and unlock, contended', measure(9, 1000), 0d0)
  call show('co_sum, 8 bytes', measure(10, 1000), 0d0)
contains
  ! Seconds for one, the median of batches. What is negative is on this image alone.
  real(real64) function measure(what, times)
    integer, intent(in) :: what, times
    real(real64) :: seconds(batches)
    integer(int64) :: before, after, rate
    integer :: batch, i
    do batch = 1, batches
      sync all
      call system_clock(before, rate)
      ! Of transfers, only one image's are measured: the other one waits.
      if (me == 1 .or. what > 5) then
        do i = 1, times
          call do_once(what, i)
        end do
      end if
      call system_clock(after)
      seconds(batch) = real(after - before, real64) / rate / times
      sync all
    end do
    call sort(seconds)
    measure = seconds(batches / 2 + 1)
  end function

  subroutine do_once(what, i)
    integer, intent(in) :: what, i
    real(real64), volatile :: seen
    select case (what)
    case (1)
      u(1)[other] = real(i, real64)
    case (2)
      one = u(1)[other]
    case (3)
      u(:)[other] = here
    case (4)
      here = u(:)[other]
    case (5)
      here(1:large / 2) = u(1:large:2)[other]
    case (6)
      sync all
    case (7)
      sync images(other)
    case (8)
      if (me == 1) then
        event post(ball[2])
        event wait(ball)
      else
        event wait(ball)
        event post(ball[1])
      end if
    case (9)
      lock(lock_variable[1])
      counter = counter + 1
      unlock(lock_variable[1])
    case (10)
      one = i
      call co_sum(one)
    case (-1)
      seen = i
    case (-3)
      u(:) = here
    case (-5)
      here(1:large / 2) = u(1:large:2)
    end select
  end subroutine

  subroutine show(name, seconds, limit)
    character(len=*), intent(in) :: name
    real(real64), intent(in) :: seconds, limit
    if (me /= 1) return
    if (limit > 0) then
      print '(a34,f9.3,a,f9.3,a,f7.2)', [character(len=34) :: name], seconds * 1e6, ' us', limit * 1e6, ' us', seconds / limit
    else
      print '(a34,f9.3,a)', [character(len=34) :: name], seconds * 1e6, ' us'
    end if
  end subroutine

  subroutine sort(values)
    real(real64), intent(inout) :: values(:)
    real(real64) :: next
    integer :: i, k
    do i = 2, size(values)
      next = values(i)
      k = i - 1
      do while (k >= 1)
        if (values(k) <= next) exit
        values(k + 1) = values(k)
        k = k - 1
      end do
      values(k + 1) = next
    end do
  end subroutine
end program
