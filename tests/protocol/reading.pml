/* Records of which each of 2 servers reads a slab, for 2 clients, in 2 contexts of 2 records. Client c has its points in
 * the slab of server c. Any slab may be one that cannot be read.
 *
 * What must hold, and what happens without it (-DDROP_<name>):
 *   3         a server never waits for another one's word: it goes on with what else it has; else two that have begun with
 *             different contexts wait for each other
 *   VERDICT   nobody answers before all who read a record have been heard; else clients hear different things of it
 *   FIRST     all who read a record ask the same one for the verdict; else nobody hears of all
 */
#define RECORDS 2
#define PART(c, s, x) parts[((c) * 2 + (s)) * 2 + (x)]
#define SX(s, x) ((s) * 2 + (x))
#define XK(x, k) ((x) * RECORDS + (k))
#define SXK(s, x, k) ((s) * 4 + XK(x, k))

#define GOOD 1
#define BAD 2

byte parts[8];    /* requests that have come: per client, server and context */
byte looked[4];   /* per server and context: slabs that have been read, or could not */
byte told[4];     /* words that have been said of them */
byte answered[4]; /* records that clients have answers of */
byte own[8];      /* per server, context and record: how it has fared */
byte verdict[8];  /* what it knows of all */
byte heard[8];    /* per server that hears: words on a record */
bool is_bad[8];
bool blocked[4];  /* server and context: it waits for nothing else */
chan words[2] = [4] of {byte, byte, byte};    /* to a server: context, record, how the other one fared */
chan verdicts[2] = [4] of {byte, byte, byte};
chan answers[4] = [1] of {byte}; /* per client and context: the room that a request reserves */
byte got[8];      /* per client, context and record */
byte clients_done;

#ifdef DROP_FIRST
#define FIRST(s) (1 - (s))
#else
#define FIRST(s) 0
#endif

#ifdef DROP_3
#define IS_FREE(s, x) (!blocked[SX(s, 1 - (x))])
#else
#define IS_FREE(s, x) true
#endif

#define IS_ASKED(s, x, k) (PART(0, s, x) > (k) && PART(1, s, x) > (k))
#define CAN_LOOK(s, x) \
  (looked[SX(s, x)] == answered[SX(s, x)] && IS_ASKED(s, x, looked[SX(s, x)]) && IS_FREE(s, x))
#define CAN_TELL(s, x) (told[SX(s, x)] < looked[SX(s, x)])
#ifdef DROP_VERDICT
#define WHAT(s, x) own[SXK(s, x, answered[SX(s, x)])]
#else
#define WHAT(s, x) verdict[SXK(s, x, answered[SX(s, x)])]
#endif
#define CAN_ANSWER(s, x) (answered[SX(s, x)] < looked[SX(s, x)] && WHAT(s, x) != 0)

/* A slab is read, or cannot be. */
inline look(s, x) {
  if
  :: own[SXK(s, x, looked[SX(s, x)])] = GOOD
  :: own[SXK(s, x, looked[SX(s, x)])] = BAD
  fi;
  looked[SX(s, x)]++
}

/* At the first of those who read the record. */
inline note(s, x, k, how) {
  heard[SXK(s, x, k)]++;
  is_bad[SXK(s, x, k)] = is_bad[SXK(s, x, k)] || how == BAD;
  if
  :: heard[SXK(s, x, k)] == 2 ->
     verdict[SXK(s, x, k)] = (is_bad[SXK(s, x, k)] -> BAD : GOOD);
     blocked[SX(s, x)] = false;
     verdicts[1 - s]!x, k, verdict[SXK(s, x, k)]
  :: else
  fi
}

inline tell(s, x) {
  k = told[SX(s, x)];
  told[SX(s, x)]++;
  blocked[SX(s, x)] = true;
  if
  :: FIRST(s) == s -> note(s, x, k, own[SXK(s, x, k)])
  :: else -> words[FIRST(s)]!x, k, own[SXK(s, x, k)]
  fi;
  k = 0
}

inline answer(s, x) {
  assert(nfull(answers[SX(s, x)]));
  answers[SX(s, x)]!WHAT(s, x);
  answered[SX(s, x)]++
}

proctype Server(byte s) {
  byte x, k, how;
end_all_answered: /* others may still have words for it */
  do
  :: atomic { CAN_LOOK(s, 0) -> look(s, 0) }
  :: atomic { CAN_LOOK(s, 1) -> look(s, 1) }
  :: atomic { CAN_TELL(s, 0) -> tell(s, 0) }
  :: atomic { CAN_TELL(s, 1) -> tell(s, 1) }
  :: atomic { words[s]?x, k, how -> note(s, x, k, how); x = 0; k = 0; how = 0 }
  :: atomic {
       verdicts[s]?x, k, how ->
       verdict[SXK(s, x, k)] = how;
       blocked[SX(s, x)] = false;
       x = 0; k = 0; how = 0
     }
  :: atomic { CAN_ANSWER(s, 0) -> answer(s, 0) }
  :: atomic { CAN_ANSWER(s, 1) -> answer(s, 1) }
  od
}

inline ask(x) {
  PART(c, 0, x)++;
  PART(c, 1, x)++
}

/* Asks for the records of both contexts, receives them, asks for the next ones. */
proctype Client(byte c) {
  byte k, i;
  do
  :: k < RECORDS ->
     ask(0);
     ask(1);
     answers[SX(c, 0)]?got[c * 4 + XK(0, k)];
     answers[SX(c, 1)]?got[c * 4 + XK(1, k)];
     k++
  :: else -> break
  od;
  atomic {
    clients_done++;
    if
    :: clients_done == 2 ->
       for (i : 0 .. 3) {
         assert(got[i] == got[4 + i]);
         assert((got[i] == BAD) == (own[i] == BAD || own[4 + i] == BAD))
       }
    :: else
    fi
  }
}

init {
  atomic {
    run Server(0);
    run Server(1);
    run Client(0);
    run Client(1)
  }
}
