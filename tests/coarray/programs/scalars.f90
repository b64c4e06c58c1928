! Strings and derived types, whole and in parts.
program scalars
  implicit none
  type inner
    integer :: k
    real(8) :: z(3)
  end type
  type outer
    integer :: i
    type(inner) :: q(4)
    character(len=5) :: s
  end type
  type(outer) :: d[*], list(6)[*]
  type(outer) :: copy
  character(len=12) :: word[*]
  character(len=4) :: words(5)[*], short
  character(kind=4, len=6) :: wide[*]
  character(len=20) :: long
  integer :: numbers(6)
  real(4) :: zs(3)
  integer :: me, n, next, i

  me = this_image()
  n = num_images()
  next = merge(1, me + 1, me == n)
  d%i = me
  d%q%k = [10, 20, 30, 40] + me
  do i = 1, 4
    d%q(i)%z = [1, 2, 3] * i + 0.5d0 * me
  end do
  d%s = 'img' // achar(iachar('0') + me)
  list = d
  list%i = [(i * 100 + me, i=1, 6)]
  word = 'word of ' // achar(iachar('0') + me)
  words = ['aaaa', 'bbbb', 'cccc', 'dddd', 'eeee']
  wide = char(1000 + me, 4) // 4_'abc'
  sync all
  copy = d[next]
  if (copy%i /= next .or. any(copy%q%k /= [10, 20, 30, 40] + next)) error stop 1
  if (copy%s /= 'img' // achar(iachar('0') + next)) error stop 2
  if (d[next]%q(3)%k /= 30 + next) error stop 3
  zs = d[next]%q(2)%z
  if (any(zs /= [2, 4, 6] + 0.5 * next)) error stop 4
  numbers = list(:)[next]%i
  if (any(numbers /= [(i * 100 + next, i=1, 6)])) error stop 5
  numbers(1:4) = list(3)[next]%q(:)%k
  if (any(numbers(1:4) /= [10, 20, 30, 40] + next)) error stop 6
  long = word[next]
  if (long /= 'word of ' // achar(iachar('0') + next)) error stop 7
  short = word[next]
  if (short /= 'word') error stop 8
  long = wide[next]
  if (long(2:) /= 'abc') error stop 9
  sync all
  d[next]%s = 'longer than five'
  d[next]%q(2)%z(2:3) = [7.0, 8.0]
  list(2:6:2)[next]%i = [1, 2, 3] * me
  list(1)[next] = copy
  word[next] = 'x'
  words(2:4)[next] = 'long enough'
  wide[next] = 'narrow'
  sync all
  if (d%s /= 'longe' .or. any(d%q(2)%z /= [2 + 0.5d0 * me, 7d0, 8d0])) error stop 10
  if (any(list(2:6:2)%i /= [1, 2, 3] * merge(n, me - 1, me == 1)) .or. list(3)%i /= 300 + me) error stop 11
  if (list(1)%i /= me) error stop 12
  if (word /= 'x') error stop 13
  if (any(words /= ['aaaa', 'long', 'long', 'long', 'eeee'])) error stop 14
  if (wide /= 4_'narrow') error stop 15
  sync all
  if (me == 1) print '(a)', 'ok'
end program
