/* Two levels of servers: 2 clients send what 2 contexts have to 2 gatherers, which pass it on to 2 servers that write, in every
 * order in which that can go on. Names follow server/src (writer_links, event_forwarder).
 *
 * Each context has 4 events: a record of a file of writer 0, of which gatherer 1 has no points (the first client tells it); a sync
 * point of a file whose parts both write; a record of it; the end.
 *
 * What holds (docs/architecture.md, docs/adr/0026); -DDROP_<name> leaves it out, and spin must find what breaks:
 *   10      who cannot pass an event on serves its other contexts meanwhile
 *   ORDER   and executes nothing of that context: nothing overtakes what waits
 *   1       an event goes on when all expected parts are there
 *   2       a channel between levels covers the largest part that it carries
 *   ALL     each gatherer hears of every event: all count alike what concerns a writer */

#define EVENTS 4
#define END 3
#define CALLS 8
#ifndef SCHEDULE
#define SCHEDULE 170 /* the contexts of a client's calls (bits, the first call lowest) */
#endif

/* Sizes of parts; a channel has room for one largest part, clients' for two: they are ahead by that much. */
#define SIZE(e) ((e) == 0 || (e) == 2 -> 2 : 1)
#define UP_SIZE 4
#ifdef DROP_2
#define DOWN_SIZE 1
#else
#define DOWN_SIZE 2
#endif

#define IS_IN(i, set) ((((set) >> (i)) & 1) == 1)
/* Clients that send a gatherer their parts; writers that an event concerns; gatherers that send them theirs. */
#ifdef DROP_ALL
#define CLIENTS_OF(e, g) ((e) == 0 && (g) == 1 -> 0 : 3)
#else
#define CLIENTS_OF(e, g) ((e) == 0 && (g) == 1 -> 1 : 3)
#endif
#define WRITERS_OF(e) ((e) == 0 -> 1 : 3)
#define GATHERERS_OF(e) ((e) == 0 -> 1 : 3)

#define CH(from, to, x) ((from) * 4 + (to) * 2 + (x))
#define SX(s, x) ((s) * 2 + (x))

chan up[8] = [4] of {byte};         /* from client to gatherer: events */
chan down[8] = [2] of {byte, byte}; /* from gatherer to writer: events and their numbers among those of the writer */
byte up_used[8];
byte down_used[8];
byte next_up[4];     /* per gatherer and context: the event that is passed on next */
byte next_down[4];   /* per writer and context: the event that is executed next */
byte number_up[8];   /* per gatherer, writer and context: events that concern the writer, so far */
byte number_down[4]; /* the same, as the writer counts them */
byte sent[8];        /* per client, event of either context: gatherers that have its part (bits) */
byte aside[4];       /* ORDER left out: 1 + what has been put aside */
byte blocked[2];     /* 10 left out: 1 + context that a gatherer waits with */
byte executed[4];    /* per writer and context: events (bits) */
byte closed[2];      /* per context: servers that have ended it */

#define HAS_PART(c, g, x) (len(up[CH(c, g, x)]) > 0)
#define IS_EXPECTED(c, g, x) IS_IN(c, CLIENTS_OF(next_up[SX(g, x)], g))
#define HAS_COME(c, g, x) (!IS_EXPECTED(c, g, x) || HAS_PART(c, g, x))
#ifdef DROP_1
#define IS_WHOLE(g, x) (next_up[SX(g, x)] < EVENTS && (HAS_PART(0, g, x) || HAS_PART(1, g, x)))
#else
#define IS_WHOLE(g, x) (next_up[SX(g, x)] < EVENTS && HAS_COME(0, g, x) && HAS_COME(1, g, x))
#endif

#define SENDS(g, w, e) (IS_IN(w, WRITERS_OF(e)) && IS_IN(g, GATHERERS_OF(e)))
#define FITS_ONE(g, w, x, e) (!SENDS(g, w, e) || down_used[CH(g, w, x)] + SIZE(e) <= DOWN_SIZE)
#define FITS(g, x, e) (FITS_ONE(g, 0, x, e) && FITS_ONE(g, 1, x, e))
#ifdef DROP_10
#define IS_SERVED(g, x) (blocked[g] == 0 || blocked[g] == 1 + (x))
#else
#define IS_SERVED(g, x) true
#endif

inline send_down(g, w, x, event) {
  if
  :: SENDS(g, w, event) ->
     down_used[CH(g, w, x)] = down_used[CH(g, w, x)] + SIZE(event);
     down[CH(g, w, x)]!event, number_up[CH(g, w, x)]
  :: else
  fi;
  number_up[CH(g, w, x)] = number_up[CH(g, w, x)] + (IS_IN(w, WRITERS_OF(event)) -> 1 : 0)
}

inline take_up(c, g, x) {
  if
  :: IS_EXPECTED(c, g, x) && HAS_PART(c, g, x) ->
     up[CH(c, g, x)]?event;
     assert(event == next_up[SX(g, x)]);
     up_used[CH(c, g, x)] = up_used[CH(c, g, x)] - SIZE(event)
  :: else
  fi
}

/* The parts of the front event leave their channels. */
inline release_up(g, x) {
  take_up(0, g, x);
  take_up(1, g, x);
  next_up[SX(g, x)]++;
#ifdef DROP_ALL
  /* What it does not hear of it cannot count. */
  if
  :: next_up[SX(g, x)] < EVENTS && CLIENTS_OF(next_up[SX(g, x)], g) == 0 -> next_up[SX(g, x)]++
  :: else
  fi;
#endif
  event = 0
}

inline pass_on(g, x) {
  send_down(g, 0, x, next_up[SX(g, x)]);
  send_down(g, 1, x, next_up[SX(g, x)]);
  blocked[g] = 0;
  release_up(g, x)
}

#define CAN_PASS(g, x) (IS_SERVED(g, x) && IS_WHOLE(g, x) && FITS(g, x, next_up[SX(g, x)]))
#define CANNOT_PASS(g, x) (IS_WHOLE(g, x) && !FITS(g, x, next_up[SX(g, x)]))
#define IS_TAKEN(g, x) (down_used[CH(g, 0, x)] + down_used[CH(g, 1, x)] == 0)

proctype Gatherer(byte g) {
  byte event, ended;
#ifdef DROP_ALL
  next_up[SX(g, 0)] = g;
  next_up[SX(g, 1)] = g;
#endif
  do
  :: atomic { CAN_PASS(g, 0) -> pass_on(g, 0) }
  :: atomic { CAN_PASS(g, 1) -> pass_on(g, 1) }
#ifdef DROP_10
  :: atomic { blocked[g] == 0 && CANNOT_PASS(g, 0) -> blocked[g] = 1 }
  :: atomic { blocked[g] == 0 && CANNOT_PASS(g, 1) -> blocked[g] = 2 }
#endif
#ifdef DROP_ORDER
  :: atomic { CANNOT_PASS(g, 0) && aside[SX(g, 0)] == 0 -> aside[SX(g, 0)] = 1 + next_up[SX(g, 0)]; release_up(g, 0) }
  :: atomic {
       aside[SX(g, 0)] > 0 && FITS(g, 0, aside[SX(g, 0)] - 1) ->
       send_down(g, 0, 0, aside[SX(g, 0)] - 1);
       send_down(g, 1, 0, aside[SX(g, 0)] - 1);
       aside[SX(g, 0)] = 0
     }
#endif
  :: atomic { !IS_IN(0, ended) && next_up[SX(g, 0)] == EVENTS && IS_TAKEN(g, 0) -> ended = ended | 1; closed[0]++ }
  :: atomic { !IS_IN(1, ended) && next_up[SX(g, 1)] == EVENTS && IS_TAKEN(g, 1) -> ended = ended | 2; closed[1]++ }
  :: atomic { ended == 3 -> break }
  od
}

#define IS_DUE(g, w, x) (!SENDS(g, w, next_down[SX(w, x)]) || len(down[CH(g, w, x)]) > 0)
#define CAN_EXECUTE(w, x) (next_down[SX(w, x)] < EVENTS && IS_DUE(0, w, x) && IS_DUE(1, w, x))
/* What the writer gets: of the first record gatherer 0 alone has any. */
#define ALL_SENT(x, e) ((sent[(x) * EVENTS + (e)] | 10) == 15 && ((e) == 0 || sent[(x) * EVENTS + (e)] == 15))

inline take_down(g, w, x) {
  if
  :: SENDS(g, w, next_down[SX(w, x)]) ->
     down[CH(g, w, x)]?event, number;
     assert(event == next_down[SX(w, x)] && number == number_down[SX(w, x)]);
     down_used[CH(g, w, x)] = down_used[CH(g, w, x)] - SIZE(event)
  :: else
  fi
}

/* Each event once, in order, and with the parts of all clients. */
inline execute(w, x) {
  take_down(0, w, x);
  take_down(1, w, x);
  assert(ALL_SENT(x, next_down[SX(w, x)]) && !IS_IN(next_down[SX(w, x)], executed[SX(w, x)]));
  executed[SX(w, x)] = executed[SX(w, x)] | (1 << next_down[SX(w, x)]);
  number_down[SX(w, x)]++;
  closed[x] = closed[x] + (next_down[SX(w, x)] == END -> 1 : 0);
  next_down[SX(w, x)]++;
  event = 0;
  number = 0
}

proctype Writer(byte w) {
  byte event, number;
  next_down[SX(w, 0)] = w; /* the first record is writer 0's */
  next_down[SX(w, 1)] = w;
  do
  :: atomic { CAN_EXECUTE(w, 0) -> execute(w, 0) }
  :: atomic { CAN_EXECUTE(w, 1) -> execute(w, 1) }
  :: atomic { next_down[SX(w, 0)] == EVENTS && next_down[SX(w, 1)] == EVENTS -> break }
  od
}

/* Bits of `sent`: 2 for client 0, then 2 for client 1; in each the lower one is for gatherer 0. */
inline send_up(g, event) {
  atomic {
    if
    :: IS_IN(c, CLIENTS_OF(event, g)) ->
       up_used[CH(c, g, x)] + SIZE(event) <= UP_SIZE;
       up_used[CH(c, g, x)] = up_used[CH(c, g, x)] + SIZE(event);
       up[CH(c, g, x)]!event
    :: else
    fi;
    sent[x * EVENTS + (event)] = sent[x * EVENTS + (event)] | (1 << (c * 2 + g))
  }
}

proctype Client(byte c) {
  byte call, x, e;
  byte calls_of[2];
  do
  :: call < CALLS ->
     atomic {
       x = (SCHEDULE >> call) & 1;
       e = calls_of[x];
       calls_of[x]++;
       call++
     };
     send_up(0, e);
     send_up(1, e);
     atomic {
       if
       :: e == END -> closed[x] == 4 /* both levels say so to the clients */
       :: else
       fi;
       e = 0;
       x = 0
     }
  :: else -> break
  od
}

init {
  atomic {
    run Gatherer(0);
    run Gatherer(1);
    run Writer(0);
    run Writer(1);
    run Client(0);
    run Client(1)
  };
  /* All have come to their ends; that nothing moves before is an error by itself. */
  _nr_pr == 1;
  assert(executed[SX(0, 0)] == 15 && executed[SX(0, 1)] == 15 && executed[SX(1, 0)] == 14 && executed[SX(1, 1)] == 14)
}
