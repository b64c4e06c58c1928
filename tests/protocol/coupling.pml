/* How two contexts exchange fields: 2 clients each, a field in either direction, all points of which every client has some of
 * (channels between all pairs), in every order in which that can go on. Names follow client/src/coupling and io/coupling.
 *
 * Each date a client sends its data, of which its sibling needs points before the record is whole (an interpolation on the way to the
 * partner); then it receives the partner's record, or leaves that to the end of the date (only files want it), or drops it (nobody
 * does). The last value of a record may be missing, on all clients alike: then it leaves at the end of its date. One context may end a
 * date earlier than the other one.
 *
 * What holds (docs/adr/0013, 0014); -DDROP_<name> leaves it out, and spin must find what breaks:
 *   12      points that this client has for others of its context arrive before it waits for the partner
 *   LATE    records that have waited leave at the end of their date before anything is waited for there
 *   NUMBER  parts bear the number of their record: what nobody wants is told from what is wanted
 *   ENDS    who ends tells those that it exchanges with, and is sent nothing any more
 *   ORDER   both models send before they receive (theirs to keep: the watchdog tells the circle) */

#ifndef DATES
#define DATES 3
#endif

/* One case at a time; tests/protocol/CMakeLists.txt has those that are looked through. */
#ifndef LAST
#define LAST DATES
#endif
#ifndef LATE
#define LATE 0
#endif
#ifndef WISH_0
#define WISH_0 RECEIVES
#endif
#ifndef WISH_1
#define WISH_1 RECEIVES
#endif

#define CH(x, from, to) ((x) * 4 + (from) * 2 + (to))
chan parts[8] = [2] of {byte};  /* of context x, from one of its clients to one of the partner's: numbers of records */
chan points[4] = [4] of {byte}; /* of context x, from client 1 - c to c: x * 2 + c */

byte last[2];   /* date of a context */
bool ended[4];  /* a client has told so: x * 2 + c */
bool failed;    /* a record was wanted that does not come any more: the job ends */
byte late;      /* contexts whose records of the second date lack their last value (bits) */
byte wish[2];   /* how a context wants the second record */
#define RECEIVES 0
#define AT_THE_END 1
#define NOT_AT_ALL 2

#define IS_LATE(x, date) ((date) == 2 && (((late) >> (x)) & 1) == 1)
/* What is late is not received within its date by models that keep the order. */
#define WISH(x, date) ((date) != 2 -> RECEIVES : (IS_LATE(1 - (x), 2) && wish[x] == RECEIVES -> AT_THE_END : wish[x]))

#ifdef DROP_NUMBER
#define NUMBERED false
#else
#define NUMBERED true
#endif

/* What a client does while it waits: parts that nobody wants any more make room. */
#define IS_UNWANTED(x, f, c) (unwanted >= 2 && parts[CH(1 - (x), f, c)]?[2])
#ifdef DROP_ENDS
#define HAS_ENDED(x, c) false
#else
#define HAS_ENDED(x, c) ended[(x) * 2 + (c)]
#endif

inline put_to(t) {
  do
  :: atomic { failed -> break }
  :: atomic { HAS_ENDED(1 - x, t) -> break }
  :: atomic { !HAS_ENDED(1 - x, t) && nfull(parts[CH(x, c, t)]) -> parts[CH(x, c, t)]!date; break }
  :: atomic { IS_UNWANTED(x, 0, c) -> parts[CH(1 - x, 0, c)]?_ }
  :: atomic { IS_UNWANTED(x, 1, c) -> parts[CH(1 - x, 1, c)]?_ }
  od
}

inline put() {
  put_to(0);
  put_to(1)
}

/* From client f of the partner. */
inline receive_from(f) {
  do
  :: atomic { failed -> break }
#ifndef DROP_NUMBER
  :: atomic { IS_UNWANTED(x, f, c) && date > 2 -> parts[CH(1 - x, f, c)]?_ }
#endif
  :: atomic {
       nempty(parts[CH(1 - x, f, c)]) && !(date > 2 && NUMBERED && IS_UNWANTED(x, f, c)) ->
       parts[CH(1 - x, f, c)]?record;
       assert(record == date); /* the record of this date, and no other one */
       record = 0;
       break
     }
  :: atomic { IS_UNWANTED(x, 1 - f, c) -> parts[CH(1 - x, 1 - f, c)]?_ }
  :: atomic { empty(parts[CH(1 - x, f, c)]) && HAS_ENDED(1 - x, f) -> failed = true; break }
  od
}

inline receive() {
  receive_from(0);
  receive_from(1)
}

inline deliver() {
  if
  :: points[x * 2 + c]?eval(date)
  :: failed
  fi
}

inline pass_late() {
  if
  :: !failed && IS_LATE(x, date) -> deliver(); put()
  :: else
  fi
}

inline end_date() {
#ifndef DROP_LATE
  pass_late();
#endif
  if
  :: !failed && WISH(x, date) == AT_THE_END -> receive()
  :: WISH(x, date) == NOT_AT_ALL -> unwanted = date
  :: else
  fi;
#ifdef DROP_LATE
  pass_late()
#endif
}

inline send() {
  points[x * 2 + (1 - c)]!date; /* never waits: they have room of their own */
#ifndef DROP_12
  if
  :: !IS_LATE(x, date) -> deliver(); put()
  :: else
  fi
#endif
}

inline receive_in_date() {
  if
  :: !failed && WISH(x, date) == RECEIVES -> receive()
  :: else
  fi
}

proctype Client(byte x, c) {
  byte date = 1, record, unwanted;
  do
  :: !failed && date <= last[x] ->
#ifdef DROP_ORDER
     receive_in_date();
     send();
#else
     send();
     receive_in_date();
#endif
#ifdef DROP_12
     if
     :: !failed && !IS_LATE(x, date) -> deliver(); put()
     :: else
     fi;
#endif
     end_date();
     date++
  :: else -> break
  od;
  ended[x * 2 + c] = true;
  /* Its channels stay, and are emptied, until the others have ended, too. */
  do
  :: atomic { failed || (HAS_ENDED(1 - x, 0) && HAS_ENDED(1 - x, 1)) -> break }
  :: atomic { nempty(parts[CH(1 - x, 0, c)]) -> parts[CH(1 - x, 0, c)]?_ }
  :: atomic { nempty(parts[CH(1 - x, 1, c)]) -> parts[CH(1 - x, 1, c)]?_ }
  od
}

init {
  atomic {
    last[0] = DATES;
    last[1] = LAST;
    late = LATE;
    wish[0] = WISH_0;
    wish[1] = WISH_1;
    run Client(0, 0);
    run Client(0, 1);
    run Client(1, 0);
    run Client(1, 1)
  }
  /* All have come to their ends (that nothing moves before is an error by itself), and nothing is lost: what is wanted has come. */
  _nr_pr == 1;
  assert(failed == (last[0] > last[1]))
}
