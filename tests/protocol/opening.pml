/* How contexts are opened: 2 components, one of 2 clients (A), one of 1 (B), and 2 servers with their file threads, in every
 * order in which that can go on. Names follow the sources (client/src/context/context_opening, server/src/contexts).
 *
 * Opening 0 is A's first attempt, which one of the servers may refuse; opening 2 its second one, which repeats it. Opening 1 is
 * B's. Client 0 is connected to both servers, client 1 to server 1 alone, client 2 to both. Each context has a file that both
 * servers share, and A's one of each server's own.
 *
 * Configurations: (none) one of the servers may refuse opening 0. GIVES_UP: client 1 gives up at any moment.
 *
 * What holds; -DDROP_<name> leaves it out, and spin must find what breaks:
 *   EARLY    parts that come before the leader's command to open their context are kept
 *   DUE      the request says how many clients a server hears from, and it does nothing before it has heard them
 *   ORDER    files are made in one order over all contexts, the leader's
 *   NO       a server that refuses a context takes part in what its writers do together, to say no
 *   ALL      clients open a context together or not at all
 *   CONFIRM  servers remove the names of shared memory when all clients have opened their channels
 *   WAY      a new attempt makes what the one before has left let go of its files
 *   LOOK     a server that waits for parts looks whether commands behind say that they will not come
 *   OVER     a context of a component that is over is not opened */

#define COMPONENT(x) ((x) == 1 -> 1 : 0)
#define OF_CLIENT(c) ((c) == 2 -> 1 : 0)
#define IS_IN(i, set) ((((set) >> (i)) & 1) == 1)
#define SX(s, x) ((s) * 3 + (x))
#define CS(c, s) ((c) * 2 + (s))
/* Clients that a server hears from (bits). */
#define PARTS(x, s) ((x) == 1 -> 4 : ((s) == 0 -> 1 : 3))
#define HEARS(s, c) (!((s) == 0 && (c) == 1))

/* What clients say. */
#define OPEN 1
#define PART 2
#define OPENED 3
#define END 4
#define BYE 5
#define GONE 6
chan to[6] = [6] of {byte, byte}; /* per client and server: in order */
chan reply[6] = [2] of {byte, bit};

/* Commands. */
#define OPEN_CONTEXT 1
#define MAKE_FILES 2
#define CONTEXT_OPENED 3
#define COMPONENT_OVER 4
#define COMPONENT_GONE 5
chan orders = [12] of {byte, byte};

/* Contexts on servers. */
#define NONE 0
#define COLLECTING 1
#define WAITING 2
#define MAKING 3
#define RUNNING 4
#define REFUSING 5
#define FAILED 6 /* until its component is over */
#define LEAVING 7
#define CLOSED 8
byte state[6];
byte had[6];    /* clients whose parts are here (bits) */
byte ended[6];  /* clients that have ended the context */
bool no[6];     /* this server refuses it */
bool unnamed[6]; /* names of memory are removed */
byte closed[3]; /* servers that have closed it */
bool over[4];   /* per server and component */
byte byes[2];

/* File threads: what is to be done for which opening. */
#define MAKE 1
#define DISCARD 2
chan jobs[2] = [6] of {byte, byte};
byte due[6]; /* jobs */
bool good[6];
bool made[6];
bool lock[2]; /* A's own file of a server */
byte own_fault = 2;    /* the server whose own file cannot be made for opening 0 */
byte shared_fault = 2; /* the same of the shared one */

/* Clients. */
byte opened[3]; /* those that have opened the context (bits) */
byte here[2];   /* per component: clients that have come to the same place, in turn */
byte left[2];
bool is_bad[2];
bool gone; /* client 1 */

#define IS_IDLE(s, x) (due[SX(s, x)] == 0)

inline submit(s, op, x) {
  jobs[s]!op, x;
  due[SX(s, x)]++;
  work()
}

inline make_own(s, x) {
  good[SX(s, x)] = !no[SX(0, x)] && !no[SX(1, x)] && !(x == 0 && own_fault == s) && (x == 1 || !lock[s]);
  lock[s] = lock[s] || (x != 1 && good[SX(s, x)]);
  made[SX(s, x)] = true;
  due[SX(s, x)]--
}

inline let_go(s) {
  jobs[s]?job, y;
  lock[s] = (y == 1 && lock[s]);
  due[SX(s, y)]--
}

/* File threads do their jobs in order. Those of a shared file meet, and agree on what one of them refuses. */
inline work() {
  do
  :: jobs[0]?[DISCARD, _] -> let_go(0)
  :: jobs[1]?[DISCARD, _] -> let_go(1)
  :: jobs[0]?[MAKE, _] && jobs[1]?[MAKE, _] ->
     jobs[0]?job, y;
     jobs[1]?job, z;
     assert(y == z); /* else they agree on different files */
     make_own(0, y);
     make_own(1, y)
  :: else -> break
  od;
  job = 0;
  y = 0;
  z = 0
}

inline reply_to_all(s, x, is_good) {
  for (i : 0 .. 2) {
    if
    :: IS_IN(i, had[SX(s, x)]) -> reply[CS(i, s)]!x, is_good
    :: else
    fi
  }
  i = 0
}

/* The leader has its parts before it commands; another server makes files when it obeys. */
inline make_files(s, x) {
  state[SX(s, x)] = (state[SX(s, x)] == WAITING -> MAKING : state[SX(s, x)]);
#ifdef DROP_NO
  if
  :: no[SX(s, x)] -> made[SX(s, x)] = true
  :: else -> submit(s, MAKE, x)
  fi
#else
  submit(s, MAKE, x)
#endif
}

inline refuse(s, x) {
  no[SX(s, x)] = true;
  state[SX(s, x)] = REFUSING;
  submit(s, DISCARD, x)
}

#ifdef DROP_DUE
#define HAS_ALL(s, x) (had[SX(s, x)] != 0)
#else
#define HAS_ALL(s, x) (had[SX(s, x)] == PARTS(x, s))
#endif

inline build(s, x) {
  if
  :: state[SX(s, x)] == COLLECTING && HAS_ALL(s, x) ->
     no[SX(s, x)] = (x == 0 && shared_fault == s);
     state[SX(s, x)] = WAITING;
#ifdef DROP_ORDER
     make_files(s, x)
#else
     if
     :: s == 0 -> orders!MAKE_FILES, x; make_files(0, x)
     :: else
     fi
#endif
  :: else
  fi
}

inline open_context(s, x) {
  if
#ifndef DROP_OVER
  :: over[s * 2 + COMPONENT(x)] -> skip
  :: !over[s * 2 + COMPONENT(x)] ->
#else
  :: true ->
#endif
#ifndef DROP_WAY
     if
     :: x == 2 && state[SX(s, 0)] == RUNNING -> state[SX(s, 0)] = FAILED; submit(s, DISCARD, 0)
     :: else
     fi;
#endif
     state[SX(s, x)] = COLLECTING;
     build(s, x)
  fi
}

inline take_part(s, x, c) {
  if
#ifdef DROP_EARLY
  :: state[SX(s, x)] == NONE -> skip
#endif
  :: over[s * 2 + COMPONENT(x)] -> skip
  :: else -> had[SX(s, x)] = had[SX(s, x)] | (1 << c); build(s, x)
  fi
}

#define IS_OPENING(s, x) \
  (state[SX(s, x)] == COLLECTING || state[SX(s, x)] == WAITING || state[SX(s, x)] == MAKING || state[SX(s, x)] == REFUSING)

inline abandon(s, x) {
  if
  :: state[SX(s, x)] == NONE || state[SX(s, x)] == CLOSED -> had[SX(s, x)] = 0
  :: else ->
     if
     :: IS_OPENING(s, x) -> reply_to_all(s, x, 0)
     :: else
     fi;
     no[SX(s, x)] = true;
     state[SX(s, x)] = LEAVING;
     submit(s, DISCARD, x)
  fi
}

inline component_over(s, k) {
  if
  :: over[s * 2 + (k)] -> skip
  :: else ->
     over[s * 2 + (k)] = true;
     if
     :: k == 0 -> abandon(s, 0); abandon(s, 2)
     :: else -> abandon(s, 1)
     fi
  fi
}

/* What one context of a server does when it can. */
inline context_of(s, x) {
  if
  :: state[SX(s, x)] == MAKING && IS_IDLE(s, x) && good[SX(s, x)] ->
     assert(had[SX(s, x)] == PARTS(x, s)); /* what it tells clients depends on all of them */
     state[SX(s, x)] = RUNNING;
     reply_to_all(s, x, 1)
  :: state[SX(s, x)] == MAKING && IS_IDLE(s, x) && !good[SX(s, x)] -> refuse(s, x)
  :: state[SX(s, x)] == REFUSING && IS_IDLE(s, x) -> state[SX(s, x)] = FAILED; reply_to_all(s, x, 0)
  :: state[SX(s, x)] == RUNNING && ended[SX(s, x)] == PARTS(x, s) ->
     state[SX(s, x)] = CLOSED;
     closed[x]++;
     submit(s, DISCARD, x) /* its files have their names */
  :: state[SX(s, x)] == LEAVING && IS_IDLE(s, x) -> state[SX(s, x)] = CLOSED
  fi
}

inline say_bye(k) {
  byes[k]++;
  if
  :: byes[k] == 2 - (k) -> orders!COMPONENT_OVER, k; component_over(0, k)
  :: else
  fi
}

inline hear(s, c) {
  to[CS(c, s)]?op, x;
  if
  :: op == OPEN -> orders!OPEN_CONTEXT, x; open_context(0, x)
  :: op == PART -> take_part(s, x, c)
  :: op == OPENED -> orders!CONTEXT_OPENED, x; unnamed[SX(0, x)] = true
  :: op == END -> ended[SX(s, x)] = ended[SX(s, x)] | (1 << c)
  :: op == BYE -> say_bye(OF_CLIENT(c))
  :: op == GONE -> orders!COMPONENT_GONE, OF_CLIENT(c); component_over(0, OF_CLIENT(c))
  fi;
  op = 0;
  x = 0
}

#define ARE_ENDED(s) \
  ((state[SX(s, 0)] == NONE || state[SX(s, 0)] == CLOSED) && (state[SX(s, 1)] == NONE || state[SX(s, 1)] == CLOSED) && \
   (state[SX(s, 2)] == NONE || state[SX(s, 2)] == CLOSED))
#define IS_DONE(s) (over[s * 2] && over[s * 2 + 1] && ARE_ENDED(s))

proctype Leader() {
  byte op, x, y, z, i, job;
  do
  :: atomic { context_of(0, 0) }
  :: atomic { context_of(0, 1) }
  :: atomic { context_of(0, 2) }
  :: atomic { nempty(to[CS(0, 0)]) -> hear(0, 0) }
  :: atomic { nempty(to[CS(1, 0)]) -> hear(0, 1) }
  :: atomic { nempty(to[CS(2, 0)]) -> hear(0, 2) }
  :: atomic { IS_DONE(0) && empty(to[0]) && empty(to[2]) && empty(to[4]) -> break }
  od
}

#define OLDEST(op, x) orders?[op, x]
#define LACKS_PARTS(x) (state[SX(1, x)] == COLLECTING)
#ifdef DROP_LOOK
#define WAITS_IN_VAIN(x) false
#else
/* Of A. */
#define WAITS_IN_VAIN(x) (OLDEST(MAKE_FILES, x) && LACKS_PARTS(x) && orders??[COMPONENT_GONE, 0])
#endif
#define CAN_OBEY(x) \
  (OLDEST(OPEN_CONTEXT, x) || OLDEST(CONTEXT_OPENED, x) || OLDEST(COMPONENT_OVER, x) || OLDEST(COMPONENT_GONE, x) || \
   (OLDEST(MAKE_FILES, x) && !LACKS_PARTS(x)))

inline obey(n) {
  orders?op, x;
  if
  :: op == OPEN_CONTEXT -> open_context(1, x)
#ifdef DROP_ORDER
  :: op == MAKE_FILES -> skip
#else
  :: op == MAKE_FILES -> make_files(1, x)
#endif
  :: op == CONTEXT_OPENED -> unnamed[SX(1, x)] = true
  :: op == COMPONENT_OVER || op == COMPONENT_GONE -> component_over(1, x)
  fi;
  op = 0;
  x = 0
}

proctype Follower() {
  byte op, x, y, z, i, job;
  do
  :: atomic { context_of(1, 0) }
  :: atomic { context_of(1, 1) }
  :: atomic { context_of(1, 2) }
  :: atomic { nempty(to[CS(0, 1)]) -> hear(1, 0) }
  :: atomic { nempty(to[CS(1, 1)]) -> hear(1, 1) }
  :: atomic { nempty(to[CS(2, 1)]) -> hear(1, 2) }
  :: atomic { CAN_OBEY(0) -> obey(0) }
  :: atomic { CAN_OBEY(1) -> obey(1) }
  :: atomic { CAN_OBEY(2) -> obey(2) }
  :: atomic { WAITS_IN_VAIN(0) -> refuse(1, 0); obey(0) }
  :: atomic { WAITS_IN_VAIN(2) -> refuse(1, 2); obey(2) }
  :: atomic { IS_DONE(1) && empty(orders) && empty(to[1]) && empty(to[3]) && empty(to[5]) -> break }
  od
}

/* Where all clients of a component agree whether all is well (all_or_none): none goes on before all have come. */
inline agree(k) {
  atomic {
    is_bad[k] = is_bad[k] || !fine;
    here[k]++;
    if
    :: here[k] == 2 - (k) -> left[k] = here[k]
    :: else
    fi
  };
  atomic {
    if
    :: left[k] > 0 ->
       fine = !is_bad[k];
       left[k]--;
       if
       :: left[k] == 0 -> here[k] = 0; is_bad[k] = false
       :: else
       fi
    :: gone && k == 0 -> goto gives_up
    fi
  };
  /* The next one begins when all have gone on. */
  if
  :: left[k] == 0
  :: gone && k == 0 -> goto gives_up
  fi
}

#ifdef GIVES_UP
#define MAY_GIVE_UP \
  if \
  :: c == 1 -> goto gives_up \
  :: true \
  fi
#else
#define MAY_GIVE_UP skip
#endif

inline send_part(s) {
  if
  :: HEARS(s, c) -> to[CS(c, s)]!PART, x
  :: else
  fi
}

inline take_reply(s) {
  if
  :: HEARS(s, c) ->
     if
     :: reply[CS(c, s)]?eval(x), answer -> fine = fine && answer; answer = 0
     :: gone && OF_CLIENT(c) == 0 -> goto gives_up
     fi
  :: else
  fi
}

inline open_channel(s) {
  if
  :: HEARS(s, c) -> assert(!unnamed[SX(s, x)])
  :: else
  fi
}

#define LEADS (c != 1)

inline confirm() {
  if
  :: LEADS -> to[CS(c, 0)]!OPENED, x
  :: else
  fi
}

proctype Client(byte c) {
  byte x;
  bool fine = true;
  bit answer;
  x = OF_CLIENT(c);
again:
  fine = true;
  MAY_GIVE_UP;
  agree(OF_CLIENT(c));
  if
  :: LEADS -> to[CS(c, 0)]!OPEN, x
  :: else
  fi;
  send_part(0);
  MAY_GIVE_UP;
  send_part(1);
  take_reply(0);
  take_reply(1);
#ifndef DROP_ALL
  agree(OF_CLIENT(c));
#endif
  MAY_GIVE_UP;
  if
  :: !fine ->
     assert(x == 0); /* nothing hinders the second attempt */
     x = 2;
     goto again
  :: else
  fi;
#ifdef DROP_CONFIRM
  confirm();
#endif
  atomic {
    open_channel(0);
    open_channel(1);
    opened[x] = opened[x] | (1 << c)
  };
#ifndef DROP_CONFIRM
  agree(OF_CLIENT(c));
  confirm();
#endif
  MAY_GIVE_UP;
  if
  :: HEARS(0, c) -> to[CS(c, 0)]!END, x
  :: else
  fi;
  to[CS(c, 1)]!END, x;
  if
  :: closed[x] == 2
  :: gone && OF_CLIENT(c) == 0 -> goto gives_up
  fi;
  atomic {
    assert(opened[x] == (x == 1 -> 4 : 3)); /* no client runs alone */
    to[CS(c, 0)]!BYE, 0;
    goto ends
  };
gives_up:
  atomic {
    gone = true;
    to[CS(c, 0)]!GONE, 0
  };
ends:
  skip
}

init {
  atomic {
    if
    :: skip
    :: own_fault = 0
    :: own_fault = 1
    :: shared_fault = 0
    :: shared_fault = 1
    fi;
    run Leader();
    run Follower();
    run Client(0);
    run Client(1);
    run Client(2)
  };
  _nr_pr == 1; /* all have come to their ends; that nothing moves before is an error by itself */
  assert(opened[1] == 4); /* whatever A does */
#ifndef GIVES_UP
  assert(opened[2] == 3 || opened[0] == 3)
#endif
}
