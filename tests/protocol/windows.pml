/* A channel through MPI's windows (carrier one_sided): a client packs parts in a ring of its own and puts them to the same
 * places of the server's ring, and each tells the other its position. Names follow io/transport/src (put_stream, window_channel,
 * window_state). The ring has room for 2 parts; each part is large, and put, or small, and accumulated.
 *
 * What MPI, or ep_core, does: puts arrive in any order and at any time until a flush has ended; accumulates of one process at
 * another one arrive in their order; nothing arrives because nobody looks (what arrives needs no call of the other side).
 *
 * What holds; -DDROP_<name> leaves it out, and spin must find what breaks:
 *   FLUSH    a position is told when what was put before has arrived
 *   SMALL    what is small is accumulated, like positions, or else it is flushed, too
 *   ROOM     a place is written again when the position behind it has come back
 *   COMMIT   commit() returns when the server can see the part: the model may be in no call until it is written
 *   LATER    what finds no room to be told is told later
 *   DRAINED  the client's end says that it leaves when all its parts have come back
 *   ADOPT    its memory stays until then, though the sender is gone
 *   RETIRE   the server's memory stays until it has heard that, though its channels are gone */

#define PARTS 4
#define SLOTS 2

#define PLACE(part) (((part) - 1) % SLOTS)

/* In the client's process. */
byte released;         /* as the server has told it */
bool has_mirror = true; /* the memory that it is told in */
bool is_destroyed;     /* the sender */

/* In the server's process. */
byte ring[SLOTS];
byte written;      /* as the client has told it */
bool knows_mirror; /* where to tell positions */
bool is_left;
bool has_ring = true;
byte taken;  /* parts that have been read */
byte told;   /* of these, as many as the client has been told of */

/* Under way. */
byte puts[SLOTS]; /* part that is put to a place; 0: none */
#define DATA 1
#define POSITION 2
#define MIRROR 3
#define LEFT 4
chan to_server = [4] of {byte, byte};
chan to_client = [1] of {byte}; /* one position without an answer at most */

#define HAVE_ARRIVED (puts[0] == 0 && puts[1] == 0)

inline arrive_put(place) {
  assert(has_ring);
  ring[place] = puts[place];
  puts[place] = 0
}

inline arrive() {
  to_server?what, value;
  assert(has_ring);
  if
  :: what == DATA -> ring[PLACE(value)] = value
  :: what == POSITION -> written = value
  :: what == MIRROR -> knows_mirror = true
  :: what == LEFT -> is_left = true
  fi;
  what = 0;
  value = 0
}

proctype Network() {
  byte what, value;
end_idle:
  do
  :: atomic { puts[0] > 0 -> arrive_put(0) }
  :: atomic { puts[1] > 0 -> arrive_put(1) }
  :: atomic { nempty(to_server) -> arrive() }
  :: atomic { to_client?value -> assert(has_mirror); released = value; value = 0 }
  od
}

#ifdef DROP_ROOM
#define HAS_ROOM(part) (puts[PLACE(part)] == 0)
#else
#define HAS_ROOM(part) ((part) - released <= SLOTS && puts[PLACE(part)] == 0)
#endif

#ifdef DROP_SMALL
#define SEND_SMALL(part) puts[PLACE(part)] = part; is_flushed = true /* as nobody waits for it */
#else
#define SEND_SMALL(part) to_server!DATA, part
#endif

inline announce(part) {
  atomic {
#ifndef DROP_FLUSH
    is_flushed || HAVE_ARRIVED;
#endif
    to_server!POSITION, part
  };
  is_flushed = false
}

proctype Sender() {
  byte part;
  bool is_flushed;
  to_server!MIRROR, 0;
  for (part : 1 .. PARTS) {
    atomic {
      HAS_ROOM(part);
      if
      :: puts[PLACE(part)] = part
      :: SEND_SMALL(part)
      fi
    };
#ifdef DROP_COMMIT
    /* The last one is told with the next call. */
    if
    :: part < PARTS -> announce(part)
    :: else
    fi
#else
    announce(part)
#endif
  }
  part = 0;
  taken == PARTS; /* the model waits for somebody who reads the file */
  is_destroyed = true;
#ifdef DROP_ADOPT
  has_mirror = false;
#endif
  /* From here on the window does it. */
#ifndef DROP_DRAINED
  released == PARTS;
#endif
  atomic { nfull(to_server) -> to_server!LEFT, 0 };
  empty(to_server); /* answered */
  has_mirror = false
}

inline tell() {
  if
  :: nfull(to_client) -> to_client!taken; told = taken
#ifdef DROP_LATER
  :: full(to_client) -> told = taken
#else
  :: full(to_client)
#endif
  fi
}

proctype Receiver() {
  do
  :: atomic {
       taken < written ->
       assert(ring[PLACE(taken + 1)] == taken + 1);
       assert(knows_mirror);
       taken++;
       tell()
     }
  :: atomic { told < taken && nfull(to_client) -> to_client!taken; told = taken }
  :: taken == PARTS && told == taken -> break
  od;
  /* The channels are gone. */
#ifndef DROP_RETIRE
  is_left;
#endif
  has_ring = false
}

init {
  atomic {
    run Network();
    run Sender();
    run Receiver()
  };
  _nr_pr == 2; /* only the network is left */
  assert(released == PARTS || !has_mirror)
}
