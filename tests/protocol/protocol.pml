/* How clients and servers talk: 3 clients, 2 servers with their file threads, 2 contexts of 3 events and an end each, in
 * every order in which that can go on. Names follow the sources (server/src, client/src, io/event/src).
 *
 * Configurations, each checked by itself:
 *   (none)      any one write may fail: everybody comes to an end, every record is written or lost once, in order
 *   MISMATCH    client 2 leaves out a call: that is seen by its number and told, and everybody comes to an end
 *   GIVES_UP    client 2 gives up at any call: everybody comes to an end
 *   STUCK       client 2 computes for ever from any call on: every wait can say for whom it is, and that leads to client 2
 *
 * What holds (docs/architecture.md, "Why it cannot deadlock"); -DDROP_<n> leaves it out, and spin must find what breaks:
 *   1   a context's events are executed in their order, when all expected parts are there
 *   2   a channel covers the largest part it carries, and never holds more than its size
 *   3a  a sender waits for nothing but room in its own channel
 *   3b  a server never waits for one client while it holds the bytes of another
 *   4   what servers do together has one order, the leader's
 *   5   different calls are detected
 *   6   every wait is registered, with whom it is for
 *   7   errors before something collective are agreed on
 *   8a  a client writes all parts of event n before any of n+1 of that context
 *   8b  the leader orders an event only after all its parts, or notes of them, have reached it
 *   9   a request has reserved the room of its answer
 *   11  contexts do not wait for each other
 * 10 (two levels) is in levels.pml; 12 (exchanges among clients) is in coupling.pml. */

#define CLIENTS 3
#define SERVERS 2
#define EVENTS 4 /* of a context, with its end */
#define CALLS 8

/* Kinds of events. */
#define RECORD 1
#define SYNC 2
#define READ 3
#define END 4

/* Context 0: a record and a sync point of file 0, which both servers write; a record of file 2, which is server 1's.
 * Context 1: a record that server 1 reads; a record of file 1, which both servers write; another one that server 1 reads. */
hidden byte kinds[8]; /* hidden: no part of what tells states apart. set_up() gives the values. */
#define KIND(x, e) kinds[(x) * EVENTS + (e)]
#define FILES 3
#define FILE(x, e) ((x) == 1 -> 1 : ((e) == 2 -> 2 : 0))
#define CONTEXT(f) ((f) == 1 -> 1 : 0)
#define IS_SHARED(f) ((f) < 2)

/* Which clients send a server a part of an event (bits). Client 2 has no channel to the leader, server 0; client 0 none
 * to server 1 in context 0, and one in context 1, since the first client asks for all that is read. */
hidden byte parts_of[16];
#define PARTS(x, e, s) parts_of[(s) * 8 + (x) * EVENTS + (e)]
inline set_up() {
  kinds[0] = RECORD; parts_of[0] = 3; parts_of[8] = 6;
  kinds[1] = SYNC;   parts_of[1] = 3; parts_of[9] = 6;
  kinds[2] = RECORD; parts_of[2] = 0; parts_of[10] = 6;
  kinds[3] = END;    parts_of[3] = 3; parts_of[11] = 6;
  kinds[4] = READ;   parts_of[4] = 0; parts_of[12] = 7;
  kinds[5] = RECORD; parts_of[5] = 3; parts_of[13] = 4;
  kinds[6] = READ;   parts_of[6] = 0; parts_of[14] = 7;
  kinds[7] = END;    parts_of[7] = 3; parts_of[15] = 7
}
#define IS_IN(c, set) ((((set) >> (c)) & 1) == 1)

/* Sizes of parts, and of a channel: one largest part. */
#define SIZE(x, e) (KIND(x, e) == RECORD -> 2 : 1)
#ifdef DROP_2
#define CAPACITY 1
#else
#define CAPACITY 2
#endif
#define READ_AHEAD 1

#define CH(c, s, x) (((c) * SERVERS + (s)) * 2 + (x))
#define SX(s, x) ((s) * 2 + (x))
#define SF(s, f) ((s) * FILES + (f))

/* Channels: 1 + call of the two oldest parts, 0 none; how much of the room is taken. */
byte head[12];
byte tail[12];
byte used[12];
chan answers[CLIENTS] = [READ_AHEAD] of {byte}; /* of server 1, context 1 */

byte schedule; /* the contexts of a client's calls (bits, the first call lowest), the same for all clients */

/* Contexts on servers. failing: clients are being told; leaving: the component is gone. */
#define RUNNING 0
#define CLOSING 1
#define FAILING 2
#define LEAVING 3
#define CLOSED 4
byte state[4];
byte next[4];     /* event that is executed next */
bool awaits[4];   /* the leader's order for it */
byte jobs_due[4]; /* of the file thread */
byte told;        /* contexts that have failed, as clients know (bits) */
byte closed[2];   /* servers that have closed a context */
byte passed[8];   /* per context and event: clients without a channel to the leader that are past it */

/* Files, as each server knows them. */
bool has_room[6]; /* for the one record of a shared file */
bool writing[6];
bool failed[6];
bool sealed[6];
bool told_writers[2];
bool final_name[3];
byte written[4]; /* per server and context: records (bits of events) */
byte lost[4];
/* Nobody looks at the account of a run that ends early. */
#if defined(MISMATCH) || defined(GIVES_UP)
#define COUNT(account, s, x, e) skip
#else
#define COUNT(account, s, x, e) account[SX(s, x)] = account[SX(s, x)] | (1 << e)
#endif
#ifdef FAILS
bool may_fail = true;
#else
#define may_fail false
#endif

/* Orders, and jobs of file threads. The first four are collective over the servers. */
#define RESERVE 0
#define SYNC_AT 1
#define SYNC_NOW 2
#define SEAL 3
#define OVER 4
#define WRITE 5
#define LOOK 6
#define CLOSE 7
chan orders = [8] of {byte, byte};
chan jobs[SERVERS] = [8] of {byte, byte, byte};
byte meets[SERVERS]; /* the collective that a file thread is in; 0: none */
byte job_op, job_f, job_e; /* of a file thread, within one step */

/* Requests of server 1. */
byte asked[2];
byte requests;
byte looked;
byte next_receiver = 1;

byte byes;    /* clients at their end */
bool gave_up; /* one did not get there */
bool is_over; /* as the leader has ordered */

/* What a client waits for: 0 nothing, 1 + context of a server. */
byte waits_for[CLIENTS];
bool is_stuck; /* client 2 */
byte at_end;   /* clients (bits) */

#define IS_IDLE(s, x) (jobs_due[SX(s, x)] == 0)
/* Of the events from e on, the first that concerns a server. */
#define FIRST_FROM(s, x, e) ((s) == 0 && PARTS(x, e, 0) == 0 -> (e) + 1 : (e))

/* The file threads do their jobs in order, and at once: a slow one is a slow server. */
inline write(s, f, e) {
  if
  :: !failed[SF(s, f)] ->
     assert(!IS_IN(e, written[SX(s, CONTEXT(f))]));
     COUNT(written, s, CONTEXT(f), e)
  :: failed[SF(s, f)] || may_fail ->
#ifdef FAILS
     may_fail = may_fail && failed[SF(s, f)];
#endif
     failed[SF(s, f)] = true;
     COUNT(lost, s, CONTEXT(f), e)
  fi;
  writing[SF(s, f)] = false
}

#define MEETING(f, op) ((f) * 4 + (op))

inline job(s) {
  jobs[s]?job_op, job_f, job_e;
  if
  :: job_op == WRITE -> write(s, job_f, job_e); jobs_due[SX(s, CONTEXT(job_f))]--
  :: job_op == LOOK -> looked++; jobs_due[SX(s, CONTEXT(job_f))]--
  :: job_op == CLOSE -> final_name[job_f] = !failed[SF(s, job_f)]; jobs_due[SX(s, CONTEXT(job_f))]--
#ifdef DROP_7
  :: job_op <= SEAL && failed[SF(s, job_f)] -> jobs_due[SX(s, CONTEXT(job_f))]-- /* throws before it meets the others */
  :: job_op <= SEAL && !failed[SF(s, job_f)] -> meets[s] = 1 + MEETING(job_f, job_op)
#else
  :: job_op <= SEAL -> meets[s] = 1 + MEETING(job_f, job_op)
#endif
  fi
}

/* What the file threads do together, when all have come to it: what has failed for one has failed for all. */
inline meet() {
  job_f = (meets[0] - 1) / 4;
  job_op = (meets[0] - 1) % 4;
  failed[SF(0, job_f)] = failed[SF(0, job_f)] || failed[SF(1, job_f)];
  failed[SF(1, job_f)] = failed[SF(0, job_f)];
  final_name[job_f] = final_name[job_f] || (job_op == SEAL && !failed[SF(0, job_f)]);
  jobs_due[SX(0, CONTEXT(job_f))]--;
  jobs_due[SX(1, CONTEXT(job_f))]--;
  meets[0] = 0;
  meets[1] = 0
}

inline work() {
  do
  :: meets[0] == 0 && len(jobs[0]) > 0 -> job(0)
  :: meets[1] == 0 && len(jobs[1]) > 0 && (meets[0] > 0 || len(jobs[0]) == 0) -> job(1)
  :: meets[0] > 0 && meets[0] == meets[1] -> meet()
  :: else -> break
  od;
  job_op = 0;
  job_f = 0;
  job_e = 0
}

inline submit(s, op, f, e) {
  jobs_due[SX(s, CONTEXT(f))]++;
  jobs[s]!op, f, e;
  work()
}

/* What servers do together, by server s at its own time, or by the leader's order. */
inline together(s, op, f) {
#ifndef DROP_4
  orders!op, f;
#endif
  submit(s, op, f, 0)
}

#define HEAD(c, s, x) head[CH(c, s, x)]
#define IS_EXPECTED(c, s, x) IS_IN(c, PARTS(x, next[SX(s, x)], s))
#define IS_MISSING(c, s, x) (IS_EXPECTED(c, s, x) && HEAD(c, s, x) == 0)
#define HAS_COME(c, s, x) (IS_EXPECTED(c, s, x) && HEAD(c, s, x) > 0)
#ifdef DROP_1
#define IS_WHOLE(s, x) (HAS_COME(0, s, x) || HAS_COME(1, s, x) || HAS_COME(2, s, x))
#else
#define IS_WHOLE(s, x) (!IS_MISSING(0, s, x) && !IS_MISSING(1, s, x) && !IS_MISSING(2, s, x))
#endif
/* A client's part is of a later call: the event is another one for it. Seen when there is something to compare with. */
#define IS_LATER(c, s, x) (HAS_COME(c, s, x) && HEAD(c, s, x) == next[SX(s, x)] + 2)
#define IS_MISMATCH(s, x) \
  (IS_LATER(2, s, x) && (HEAD(0, s, x) > 0 || HEAD(1, s, x) > 0))

#define NEXT_KIND(s, x) KIND(x, next[SX(s, x)])
#define NEXT_FILE(s, x) FILE(x, next[SX(s, x)])
#ifdef DROP_8b
#define HAVE_ALL_PASSED(s, x) true
#else
#define HAVE_ALL_PASSED(s, x) ((s) == 1 || passed[(x) * EVENTS + next[SX(s, x)]] == 1)
#endif
#ifdef DROP_4
#define MAY_RESERVE(s) true
#else
#define MAY_RESERVE(s) ((s) == 0)
#endif
#define HAS_ROOM(s, f) (!IS_SHARED(f) || MAY_RESERVE(s) || has_room[SF(s, f)])
#define CAN_WRITE(s, f) (!writing[SF(s, f)] && (failed[SF(s, f)] || HAS_ROOM(s, f)))
#define CAN_EXECUTE(s, x)                                                \
  (NEXT_KIND(s, x) == READ ||                                            \
   (NEXT_KIND(s, x) == RECORD && CAN_WRITE(s, NEXT_FILE(s, x))) ||       \
   (NEXT_KIND(s, x) == SYNC && HAVE_ALL_PASSED(s, x)) ||                 \
   (NEXT_KIND(s, x) == END && HAVE_ALL_PASSED(s, x)))
#ifdef DROP_11
#define IS_SERVED(s, x) ((x) == 0 || state[SX(s, 0)] == CLOSED)
#else
#define IS_SERVED(s, x) true
#endif
#define IS_RUNNING(s, x) (state[SX(s, x)] == RUNNING && !awaits[SX(s, x)])
#define IS_READY(s, x)                                                                       \
  (IS_RUNNING(s, x) && IS_SERVED(s, x) && IS_WHOLE(s, x) && !IS_LATER(2, s, x) && \
   CAN_EXECUTE(s, x))

inline take(c, s, x) {
  used[CH(c, s, x)] = used[CH(c, s, x)] - SIZE(x, HEAD(c, s, x) - 1);
  head[CH(c, s, x)] = tail[CH(c, s, x)];
  tail[CH(c, s, x)] = 0
}

/* The parts of the front event leave their channels. */
inline advance(s, x) {
  for (c : 0 .. CLIENTS - 1) {
    if
    :: HAS_COME(c, s, x) ->
       take(c, s, x)
    :: else
    fi
  }
  c = 0;
  next[SX(s, x)] = FIRST_FROM(s, x, next[SX(s, x)] + 1)
}

inline execute_record(s, x) {
  if
  :: failed[SF(s, f)] -> COUNT(lost, s, x, e)
  :: else ->
     if
     :: IS_SHARED(f) && MAY_RESERVE(s) -> has_room[SF(s, f)] = true; together(s, RESERVE, f)
     :: else
     fi;
     writing[SF(s, f)] = true;
     submit(s, WRITE, f, e)
  fi;
  advance(s, x)
}

inline execute_end(s, x) {
  advance(s, x);
  state[SX(s, x)] = CLOSING;
  if
  :: MAY_RESERVE(s) -> sealed[SF(s, x)] = true; together(s, SEAL, x)
  :: else
  fi;
  if
  :: s == 1 && x == 0 -> submit(s, CLOSE, 2, 0)
  :: else
  fi
}

inline execute(s, x) {
  e = next[SX(s, x)];
  f = FILE(x, e);
  assert(!IS_EXPECTED(0, s, x) || HEAD(0, s, x) == e + 1);
  assert(!IS_EXPECTED(1, s, x) || HEAD(1, s, x) == e + 1);
  assert(!IS_EXPECTED(2, s, x) || HEAD(2, s, x) == e + 1);
  if
  :: KIND(x, e) == RECORD -> execute_record(s, x)
  :: KIND(x, e) == SYNC && MAY_RESERVE(s) -> together(s, SYNC_AT, f); advance(s, x)
  :: KIND(x, e) == SYNC && !MAY_RESERVE(s) -> awaits[SX(s, x)] = true
  :: KIND(x, e) == READ ->
     assert(requests < 2);
     asked[requests] = e;
     requests++;
     submit(s, LOOK, 1, e);
     advance(s, x)
  :: KIND(x, e) == END -> execute_end(s, x)
  fi;
  e = 0;
  f = 0
}

#define HAS_PARTS(s, x) (HEAD(0, s, x) > 0 || HEAD(1, s, x) > 0 || HEAD(2, s, x) > 0)

/* What still comes for a context that is over makes room, so that nobody waits for it. */
inline discard(s, x) {
  do
  :: HEAD(0, s, x) > 0 -> take(0, s, x)
  :: HEAD(0, s, x) == 0 && HEAD(1, s, x) > 0 -> take(1, s, x)
  :: HEAD(0, s, x) == 0 && HEAD(1, s, x) == 0 && HEAD(2, s, x) > 0 -> take(2, s, x)
  :: else -> break
  od
}

inline fail(s, x) {
  state[SX(s, x)] = FAILING;
  failed[SF(s, x)] = true;
  if
  :: s == 1 && x == 0 -> failed[SF(s, 2)] = true
  :: else
  fi
}

inline abandon(s, x) {
  if
  :: state[SX(s, x)] != CLOSED -> fail(s, x); state[SX(s, x)] = LEAVING
  :: else
  fi
}

#define IS_DONE(s) (state[SX(s, 0)] == CLOSED && state[SX(s, 1)] == CLOSED)
#define IS_ANSWERED(s, x) (s == 0 || x == 0 || requests == 0)

/* What one context of a server does when it can. */
inline context_of(s, x) {
  if
  :: IS_READY(s, x) -> execute(s, x)
#ifndef DROP_5
  :: IS_RUNNING(s, x) && IS_MISMATCH(s, x) -> fail(s, x)
#endif
  :: (state[SX(s, x)] == FAILING || state[SX(s, x)] == LEAVING) && HAS_PARTS(s, x) -> discard(s, x)
  :: state[SX(s, x)] == FAILING && IS_IDLE(s, x) && !IS_IN(x, told) -> told = told | (1 << x)
  :: state[SX(s, x)] == LEAVING && IS_IDLE(s, x) && !HAS_PARTS(s, x) ->
     told = told | (1 << x);
     state[SX(s, x)] = CLOSED;
     next[SX(s, x)] = 0 /* states that differ in nothing that counts are one */
  :: state[SX(s, x)] == CLOSING && IS_IDLE(s, x) && sealed[SF(s, x)] && IS_ANSWERED(s, x) ->
     state[SX(s, x)] = CLOSED;
     closed[x]++
  fi
}

/* A failure of a file is told to its other writers in the next thing that all do together. */
#define TELLS(f) (failed[SF(0, f)] && !told_writers[f] && state[SX(0, CONTEXT(f))] == RUNNING)

proctype Leader() {
  byte c, e, f;
  do
  :: atomic { context_of(0, 0) }
  :: atomic { context_of(0, 1) }
#ifndef DROP_4
  :: atomic { TELLS(0) -> told_writers[0] = true; together(0, SYNC_NOW, 0) }
  :: atomic { TELLS(1) -> told_writers[1] = true; together(0, SYNC_NOW, 1) }
#endif
  :: atomic { gave_up && !is_over -> is_over = true; orders!OVER, 1; abandon(0, 0); abandon(0, 1) }
  :: atomic { byes == CLIENTS && !is_over -> is_over = true; orders!OVER, 0 }
  :: is_over && IS_DONE(0) -> break
  od
}

#define OLDEST(op, f) orders?[op, f]
#define IS_AT(f) (awaits[SX(1, f)] || state[SX(1, f)] != RUNNING)
#define CAN_OBEY(f)                                                            \
  (OLDEST(RESERVE, f) || OLDEST(SYNC_NOW, f) || (OLDEST(SYNC_AT, f) && IS_AT(f)) || \
   (OLDEST(SEAL, f) && state[SX(1, f)] != RUNNING))
/* A seal, or a sync, waits for events that will not come when clients gave up. */
#define WAITS_IN_VAIN(f)                                                       \
  (orders??[OVER, 1] && ((OLDEST(SYNC_AT, f) && !IS_AT(f)) ||                  \
                         (OLDEST(SEAL, f) && state[SX(1, f)] == RUNNING)))

inline obey(f) {
  orders?op, eval(f);
  submit(1, op, f, 0);
  if
  :: op == RESERVE -> has_room[SF(1, f)] = true
  :: op == SEAL -> sealed[SF(1, f)] = true
  :: op == SYNC_AT && awaits[SX(1, f)] -> awaits[SX(1, f)] = false; advance(1, f)
  :: else
  fi;
  op = 0
}

#define CAN_ANSWER (looked > 0 && (state[3] == RUNNING || state[3] == CLOSING))

/* To clients 1 and 2, whose points server 1 reads. */
inline send_answer() {
#ifndef DROP_9
  assert(nfull(answers[next_receiver]));
#endif
  answers[next_receiver]!asked[0];
  if
  :: next_receiver == 1 -> next_receiver = 2
  :: else -> next_receiver = 1; looked--; requests--; asked[0] = asked[1]; asked[1] = 0
  fi
}

proctype Follower() {
  byte c, e, f, op;
  bool is_last_order;
  do
  :: atomic { context_of(1, 0) }
  :: atomic { context_of(1, 1) }
  :: atomic { CAN_OBEY(0) -> obey(0) }
  :: atomic { CAN_OBEY(1) -> obey(1) }
  :: atomic { WAITS_IN_VAIN(0) -> fail(1, 0) }
  :: atomic { WAITS_IN_VAIN(1) -> fail(1, 1) }
  :: atomic { OLDEST(OVER, 1) -> orders?OVER, 1; is_last_order = true; abandon(1, 0); abandon(1, 1) }
  :: atomic { OLDEST(OVER, 0) -> orders?OVER, 0; is_last_order = true }
  :: atomic { CAN_ANSWER -> send_answer() }
#ifdef DROP_3b
  :: IS_RUNNING(1, 0) && HAS_PARTS(1, 0) && !IS_WHOLE(1, 0) -> IS_WHOLE(1, 0)
#endif
  :: is_last_order && IS_DONE(1) -> break
  od
}

/* Only where somebody asks: it is one more thing that tells states apart. */
#if defined(STUCK) && !defined(DROP_6)
#define SAY_WAIT(c, s, x) waits_for[c] = 1 + SX(s, x)
#define SAY_NO_WAIT(c) waits_for[c] = 0
#else
#define SAY_WAIT(c, s, x) skip
#define SAY_NO_WAIT(c) skip
#endif

/* The next answer of server 1. */
inline receive() {
  SAY_WAIT(c, 1, 1);
  if
  :: answers[c]?answer ->
     assert(answer == taken); /* in the order of the requests */
     taken = taken + 2;
     under_way--;
     answer = 0
  :: IS_IN(1, told) -> goto let_go
  fi;
  SAY_NO_WAIT(c)
}

inline put(c, s, x, e) {
  used[CH(c, s, x)] = used[CH(c, s, x)] + SIZE(x, e);
  if
  :: HEAD(c, s, x) == 0 -> HEAD(c, s, x) = e + 1
  :: else -> assert(tail[CH(c, s, x)] == 0); tail[CH(c, s, x)] = e + 1
  fi
}

inline send_part(c, s, x, e) {
  SAY_WAIT(c, s, x);
  if
  :: used[CH(c, s, x)] + SIZE(x, e) <= CAPACITY && !IS_IN(x, told) -> put(c, s, x, e)
  :: IS_IN(x, told) -> goto let_go
  fi;
  SAY_NO_WAIT(c)
}

#ifdef DROP_3a
/* Clients take turns, and one of them may wait for room. */
bool is_turn_taken;
#endif

#ifdef DROP_9
#define TAKES_BEFORE(kind) ((kind) == END)
#else
#define TAKES_BEFORE(kind) ((kind) == END || (kind) == READ)
#endif

/* The model takes what it has asked for when it likes, but there is room for what it asks for. */
#define MUST_TAKE (x == 1 && under_way > 0 && TAKES_BEFORE(KIND(x, e)))

#define NOTES (c == 2 && (KIND(x, e) == SYNC || KIND(x, e) == END))

proctype Client(byte c) {
  byte call, x, e, under_way, taken, answer;
  byte calls_of[2];
next_call:
  skip; /* others come in between */
  atomic {
    if
    :: call == CALLS -> goto ends
    :: else
    fi;
    x = (schedule >> call) & 1;
    e = calls_of[x];
    calls_of[x]++;
    call++;
    if
#ifdef GIVES_UP
    :: c == 2 -> goto let_go
#endif
#ifdef STUCK
    :: c == 2 -> is_stuck = true; false
#endif
#ifdef MISMATCH
    :: c == 2 && x == 1 && e == 1 -> goto next_call
    :: !(c == 2 && x == 1 && e == 1)
#else
    :: true
#endif
    fi;
    do
    :: under_way > 0 -> receive()
    :: !MUST_TAKE -> break
    od;
#ifdef DROP_3a
    !is_turn_taken -> is_turn_taken = true;
#endif
    under_way = under_way + (KIND(x, e) == READ && c > 0 -> 1 : 0)
  };
  if
  :: atomic { !IS_IN(c, PARTS(x, e, 0)) -> goto to_server_1 }
  :: atomic { IS_IN(c, PARTS(x, e, 0)) -> send_part(c, 0, x, e) }
  fi;
to_server_1:
  skip;
#ifdef DROP_8a
  /* What the record's part for server 1 is made of waits until the call after the sync. */
  if
  :: c == 1 && x == 0 && e == 0 -> goto next_call
  :: c == 1 && x == 0 && e == 2 -> atomic { send_part(c, 1, x, 0) }; atomic { send_part(c, 1, x, 1) }
  :: c == 1 && x == 0 && e == 1 -> goto next_call
  :: else
  fi;
#endif
  atomic {
    if
    :: IS_IN(c, PARTS(x, e, 1)) -> send_part(c, 1, x, e)
    :: else
    fi;
    passed[x * EVENTS + e] = passed[x * EVENTS + e] + (NOTES -> 1 : 0);
#ifdef DROP_3a
    is_turn_taken = false;
#endif
    if
    :: KIND(x, e) != END -> goto next_call
    :: else
    fi;
    SAY_WAIT(c, (state[SX(0, x)] == CLOSED -> 1 : 0), x);
    if
    :: closed[x] == SERVERS
    :: IS_IN(x, told) -> goto let_go
    fi;
    SAY_NO_WAIT(c);
    goto next_call
  };
ends:
  skip;
  atomic {
    byes++;
#ifdef STUCK
    at_end = at_end | (1 << c);
#endif
    goto over
  };
let_go:
  atomic { gave_up = true; SAY_NO_WAIT(c) };
over:
  skip
}

#define IS_ONCE(s, x, e) (IS_IN(e, written[SX(s, x)]) != IS_IN(e, lost[SX(s, x)]))
#define HAS_LOST(x, e) (IS_IN(e, lost[SX(0, x)]) || IS_IN(e, lost[SX(1, x)]))

inline check_account() {
  assert(IS_ONCE(0, 0, 0) && IS_ONCE(1, 0, 0) && IS_ONCE(1, 0, 2));
  assert(IS_ONCE(0, 1, 1) && IS_ONCE(1, 1, 1));
  assert(final_name[0] == !HAS_LOST(0, 0));
  assert(final_name[1] == !HAS_LOST(1, 1));
  assert(final_name[2] == !HAS_LOST(0, 2))
}

#ifdef STUCK
/* Whom a context of a server waits for: a client, or another context of a server. */
inline follow(s, x) {
  if
  :: IS_MISSING(2, s, x) && state[SX(s, x)] == RUNNING -> client = 2
  :: IS_MISSING(1, s, x) && !IS_MISSING(2, s, x) && state[SX(s, x)] == RUNNING -> client = 1
  :: IS_MISSING(0, s, x) && !IS_MISSING(1, s, x) && !IS_MISSING(2, s, x) && state[SX(s, x)] == RUNNING ->
     client = 0
  :: else ->
     if
     :: IS_RUNNING(s, x) && !HAVE_ALL_PASSED(s, x) && (NEXT_KIND(s, x) == SYNC || NEXT_KIND(s, x) == END) ->
        client = 2
     :: else ->
        /* Something that servers do together: an order that server 1 cannot obey yet, or the leader, who has not given it. */
        if
        :: len(orders) > 0 -> orders?<op, f>; node = 1 + SX(1, f)
        :: len(orders) == 0 && s == 0 -> node = 1 + SX(1, x)
        :: len(orders) == 0 && s == 1 -> node = 1 + SX(0, x)
        fi
     fi
  fi
}

/* When nothing moves any more, whoever has not come to its end waits, and in the end for client 2. */
proctype Watchdog() {
  byte client, node, steps, op, f, first;
  atomic {
    timeout ->
    if
    :: first = 0
    :: first = 1
    fi;
    client = first;
    do
    :: client == 2 || IS_IN(first, at_end) -> break
    :: client < 2 && !IS_IN(first, at_end) ->
       assert(waits_for[client] > 0 && steps < 10);
       node = waits_for[client];
       client = 3
    :: client == 3 ->
       steps++;
       assert(steps < 10);
       if
       :: node == 1 + SX(0, 0) -> follow(0, 0)
       :: node == 1 + SX(0, 1) -> follow(0, 1)
       :: node == 1 + SX(1, 0) -> follow(1, 0)
       :: node == 1 + SX(1, 1) -> follow(1, 1)
       fi
    od;
    assert(is_stuck || at_end == 7)
  }
}
#endif

init {
#ifdef ALL_SCHEDULES
  byte call, calls_of_0;
#endif
  atomic {
#ifdef ALL_SCHEDULES
    for (call : 0 .. CALLS - 1) {
      if
      :: calls_of_0 < EVENTS -> calls_of_0++
      :: call - calls_of_0 < EVENTS -> schedule = schedule | (1 << call)
      fi
    }
    call = 0;
    calls_of_0 = 0;
#elif defined(SCHEDULE)
    schedule = SCHEDULE;
#else
    if
    :: schedule = 170 /* in turn */
    :: schedule = 15  /* one context after the other */
    :: schedule = 240
    :: schedule = 102 /* in pairs */
    :: schedule = 60  /* one within the other */
    :: schedule = 135
    fi;
#endif
    set_up();
    next[SX(0, 1)] = FIRST_FROM(0, 1, 0);
    run Leader();
    run Follower();
    run Client(0);
    run Client(1);
    run Client(2);
#ifdef STUCK
    run Watchdog()
#endif
  }
  _nr_pr == 1;
#if !defined(MISMATCH) && !defined(GIVES_UP)
  check_account()
#endif
}
