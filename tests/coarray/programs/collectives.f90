! Collective subroutines of all types and kinds that gfortran hands on.
program collectives
  use iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  implicit none
  type pair
    real(8) :: value
    integer :: place
    integer :: more(3)
  end type
  type parcel
    integer :: k
    real(8), allocatable :: x(:)
    integer, allocatable :: s
  end type
  type(parcel) :: box
  integer :: me, n, i, stat
  integer(int8) :: a1
  integer(int16) :: a2(3)
  integer(int32) :: a4(2, 3)
  integer(int64) :: a8
  integer(16) :: a16
  real(real32) :: r4(5)
  real(real64) :: r8(6, 4), expected(6, 4)
  complex(real32) :: c4
  complex(real64) :: c8(2)
  character(len=6) :: word
  character(len=3) :: words(2)
  character(kind=4, len=2) :: wide
  logical :: all_true
  type(pair) :: best

  me = this_image()
  n = num_images()

  a1 = int(me, int8); call co_sum(a1)
  if (a1 /= sum([(i, i=1, n)])) error stop 1
  a2 = int([me, -me, 7], int16); call co_max(a2)
  if (any(a2 /= [n, -1, 7])) error stop 2
  a4 = me; call co_sum(a4(:, 1:3:2))
  if (any(a4(:, 2) /= me) .or. any(a4(:, [1, 3]) /= n * (n + 1) / 2)) error stop 3
  a8 = 2_int64**40 + me; call co_min(a8)
  if (a8 /= 2_int64**40 + 1) error stop 4
  a16 = 2_16**100 * me; call co_sum(a16)
  if (a16 /= 2_16**100 * (n * (n + 1) / 2)) error stop 5
  a16 = 2_16**100 * me; call co_max(a16, result_image=n)
  if (me == n .and. a16 /= 2_16**100 * n) error stop 6
  r4 = [1, 2, 3, 4, 5] * real(me); call co_sum(r4, result_image=n)
  if (me == n .and. any(r4 /= [1, 2, 3, 4, 5] * real(n * (n + 1) / 2))) error stop 7
  expected = reshape([(real(i, 8), i=1, 24)], [6, 4])
  r8 = expected + me; call co_max(r8(2:6:2, :))
  if (any(r8(2:6:2, :) /= expected(2:6:2, :) + n)) error stop 8
  if (any(r8(1:5:2, :) /= expected(1:5:2, :) + me)) error stop 9
  c4 = cmplx(me, -me); call co_sum(c4)
  if (c4 /= cmplx(n * (n + 1) / 2, -n * (n + 1) / 2)) error stop 10
  c8 = cmplx(me, 1, real64); call co_sum(c8)
  if (any(c8 /= cmplx(n * (n + 1) / 2, n, real64))) error stop 11

  word = achar(iachar('a') + me) // 'bcdef'; call co_max(word)
  if (word /= achar(iachar('a') + n) // 'bcdef') error stop 12
  words = ['zz' // achar(iachar('0') + me), 'aa' // achar(iachar('0') + me)]; call co_min(words)
  if (words(1) /= 'zz1' .or. words(2) /= 'aa1') error stop 13
  wide = char(300 - me, 4) // 4_'x'; call co_max(wide)
  if (wide /= char(299, 4) // 4_'x') error stop 14

  r8 = me; call co_broadcast(r8(:, 2), n)
  if (any(r8(:, 2) /= n) .or. any(r8(:, 1) /= me)) error stop 15
  word = 'mine'; if (me == n) word = 'yours'
  call co_broadcast(word, source_image=n, stat=stat)
  if (stat /= 0 .or. word /= 'yours') error stop 16
  best = pair(me, me, me); call co_broadcast(best, 1)
  if (best%value /= 1 .or. any(best%more /= 1)) error stop 17

  a8 = me; call co_reduce(a8, product_of)
  if (a8 /= product([(int(i, int64), i=1, n)])) error stop 18
  r8 = me; call co_reduce(r8, larger, result_image=1)
  if (me == 1 .and. any(r8 /= n)) error stop 19
  all_true = me > 0; call co_reduce(all_true, both)
  if (.not. all_true) error stop 20
  all_true = me /= n; call co_reduce(all_true, both)
  if (all_true) error stop 21
  c4 = cmplx(0, 1); call co_reduce(c4, complex_product)
  if (abs(c4 - cmplx(0, 1)**n) > 1e-5) error stop 22
  word = achar(iachar('a') + me); call co_reduce(word, later)
  if (word /= achar(iachar('a') + n)) error stop 23
  best = pair(mod(me * 7, 5), me, 2 * me); call co_reduce(best, better)
  if (best%value /= maxval([(mod(i * 7, 5), i=1, n)]) .or. best%more(3) /= 2 * best%place) error stop 24
  sync all
  box%k = me
  call send_parcel(box, n)
  if (box%k /= n .or. allocated(box%x) .or. allocated(box%s)) error stop 42

  ! Unforeseen numbers, the same on all images; others at the next call.
  call random_init(repeatable=.false., image_distinct=.false.)
  call random_number(r4)
  r8(1:5, 1) = r4
  call co_broadcast(r4, 1)
  if (any(r8(1:5, 1) /= r4)) error stop 40
  call random_init(repeatable=.false., image_distinct=.false.)
  call random_number(r4)
  if (any(abs(r8(1:5, 1) - r4) < tiny(1.0))) error stop 41
  if (me == 1) print '(a)', 'ok'
contains
  pure integer(int64) function product_of(a, b)
    integer(int64), intent(in) :: a, b
    product_of = a * b
  end function
  pure real(8) function larger(a, b)
    real(8), value :: a, b
    larger = max(a, b)
  end function
  pure logical function both(a, b)
    logical, intent(in) :: a, b
    both = a .and. b
  end function
  pure complex function complex_product(a, b)
    complex, intent(in) :: a, b
    complex_product = a * b
  end function
  pure function later(a, b) result(r)
    character(len=6), intent(in) :: a, b
    character(len=6) :: r
    r = a
    if (b > a) r = b
  end function
  ! Twice in one scope, it is an internal error of gfortran 12.
  subroutine send_parcel(one, source_image)
    type(parcel), intent(inout) :: one
    integer, intent(in) :: source_image
    call co_broadcast(one, source_image)
  end subroutine
  pure function better(a, b) result(r)
    type(pair), intent(in) :: a, b
    type(pair) :: r
    r = a
    if (b%value > a%value .or. (b%value == a%value .and. b%place < a%place)) r = b
  end function
end program
