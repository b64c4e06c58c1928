/* Threads that help at a client's barrier: thread 0 has the client, sends (what it packs is shared as items of work) and comes to
 * the barrier; threads 1 and 2 come there, and take items while they wait. 2 rounds; then the client is closed, and thread 1
 * comes once too often. Names follow client/src/context/helper_barrier and ep_core/src/progress/work_board.
 *
 * What must hold; -DDROP_<name> leaves it out, and spin must find what breaks:
 *   SELF    who shares work takes items, too: helpers may come late, or not at all
 *   BUSY    and goes on when no helper is at an item: its data are used again
 *   RING    who comes last wakes those who wait, and so does who shares work
 *   ROUND   rounds have numbers: a quick thread is in the next one before a slow one has seen the end of this one
 *   OVER    a client that is closed is no barrier: who waits there, or comes, is told
 *   INSIDE  what the client has stays until nobody uses it
 *   BEFORE  who comes is counted before it looks whether the client is closed */

#define THREADS 3
#define ROUNDS 2
#define ITEMS 2

byte round;
byte came;
bool is_over;
byte inside;
bool has_client = true; /* what helpers use of it is there */

bool is_open; /* work is shared */
byte items;   /* nobody has taken */
byte busy;    /* helpers at an item */
byte shares;  /* that are over */
bool is_asleep[THREADS];

inline wake_all() {
  is_asleep[0] = false;
  is_asleep[1] = false;
  is_asleep[2] = false
}

#ifdef DROP_RING
#define RING skip
#else
#define RING wake_all()
#endif

#ifdef DROP_ROUND
#define IS_PAST (came == 0)
#else
#define IS_PAST (round != own)
#endif
#ifdef DROP_OVER
#define IS_TOLD false
#else
#define IS_TOLD is_over
#endif

/* Under the lock; who is refused goes to `out`. */
inline come() {
  atomic {
    if
    :: IS_TOLD -> goto out
    :: else
    fi;
    own = round;
    came++;
    if
    :: came == THREADS -> came = 0; round++; RING; is_last = true
    :: else -> is_last = false
    fi
  }
}

inline barrier() {
#ifdef DROP_BEFORE
  come();
  inside++;
#else
  inside++;
  come();
#endif
  assert(is_last || has_client); /* its waits are registered */
  do
  :: is_last || IS_PAST || IS_TOLD -> break
  :: else ->
     assert(has_client);
     if
     :: atomic { is_open && items > 0 -> items--; busy++ };
        assert(is_open && has_client);
        busy--
     :: atomic { !(IS_PAST || IS_TOLD || (is_open && items > 0)) -> is_asleep[me] = true };
        !is_asleep[me]
     :: IS_PAST || IS_TOLD
     fi
  od;
  inside--
}

inline share() {
  atomic { items = ITEMS; is_open = true; RING };
  do
#ifdef DROP_SELF
  :: items == 0 -> break
#else
  :: atomic { items > 0 -> items-- }
  :: items == 0 -> break
#endif
  od;
#ifndef DROP_BUSY
  busy == 0;
#endif
  is_open = false;
  shares++
}

proctype Owner() {
  byte k, own, me;
  bool is_last;
  for (k : 1 .. ROUNDS) {
    share();
    barrier()
  }
out:
  atomic { is_over = true; RING };
#ifndef DROP_INSIDE
  inside == 0;
#endif
  has_client = false
}

proctype Helper(byte me) {
  byte k, own;
  bool is_last;
  for (k : 1 .. ROUNDS + (me == 1 -> 1 : 0)) {
    /* Its model may have something to do until the send is over. */
    if
    :: true
    :: true -> shares >= k || is_over
    fi;
    barrier();
    assert(k <= ROUNDS || is_over) /* nobody is let through alone */
  }
  goto ends;
out:
#ifndef DROP_BEFORE
  inside--;
#endif
ends:
  skip
}

init {
  atomic {
    run Owner();
    run Helper(1);
    run Helper(2)
  };
  _nr_pr == 1;
  assert(!has_client && inside == 0)
}
