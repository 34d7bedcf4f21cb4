// The model of the pages of algorithms that play: from a plan and a machine to the times of every rank and message.
//
// The arithmetic is that of the simulator (framework/local/src/sim/link.rs, LogGP with the overhead at both ends): whole nanoseconds; the
// costs of bytes are picoseconds and are rounded down once for each message. All numbers are below 2^53, so they are exact.

/** @typedef {{operation: string, name: string, root: boolean, cut: string, map: string, peers: string, rounds: string, programs: string,
 *   sizes: Record<string, string>, roots: Record<string, Record<string, string>>}} Plans */
/** @typedef {{send: boolean, synchronous: boolean, peer: number, tag: number, bytes: number, message: Message | null}} Operation */
/** @typedef {{latency: number, overhead: number, gap: number, perByte: number}} Machine nanoseconds, and picoseconds a byte */
/** @typedef {{ranks: number, root: number, bytes: number, segments: number, late: number, delay: number, machine: Machine}} Settings */
/** @typedef {{from: number, to: number, bytes: number, synchronous: boolean, called: number, injected: number, sent: number, arrives: number, posted: number,
 *   received: number, heard: bigint, sender: Round, receiver: Round | null}} Message times; NaN for those that never come */
/** @typedef {{kind: "send" | "receive" | "wait", from: number, to: number, peers: number[]}} Interval what a rank does; `to` is Infinity for a wait without end */
/** @typedef {{rank: number, number: number, called: number, sendsDone: number, done: number, messages: Message[], receives: {message: Message, wasFree: boolean}[]}} Round */
/** @typedef {{rank: number, entry: number, clock: number, isOver: boolean, heard: bigint, intervals: Interval[], rounds: Round[]}} RankRun */
/** @typedef {{kind: "enter" | "message" | "answer" | "leave", from: number, to: number, start: number, via: number, end: number}} PathStep `via`: when the line leaves its sender */
/** @typedef {{plan: Operation[][][], ranks: RankRun[], messages: Message[], end: number, path: PathStep[]}} Run */

/** The largest number of segments that a plan has; as in plans.rs. */
const MAX_SEGMENTS = 16;

/** Operations of a round: kind, peer, tag, first element, number of elements, number of further operations with the next peers. */
const OPERATION = /([<>!])(-?\w+)(?::(\w+))?(?:@(\w+))?(?:\+(\w+))?(?:~(\w+))?/g;

/** Where an element of the data begins, in bytes. @param {Plans} plans @param {Settings} settings @returns {(element: number) => number} */
function positions(plans, settings) {
  const { ranks, bytes } = settings;
  const middle = Math.ceil(bytes / 2), segment = segmentBytes(plans, settings);
  switch (plans.cut) {
    case "None": return () => 0;
    case "Blocks": return (element) => element * bytes;
    case "Whole": return (element) => Math.min(element * bytes, bytes);
    case "Shares": return (element) => Math.min(element * Math.ceil(bytes / ranks), bytes);
    case "Halves": if (ranks > 2) {
      return (element) => element < MAX_SEGMENTS ? Math.min(element * segment, middle)
        : Math.min(middle + (element - MAX_SEGMENTS) * segment, bytes);
    }
  }
  return (element) => Math.min(element * segment, bytes);
}

/** The bytes of a segment: the data, or its first half, has the given number of segments. @param {Plans} plans @param {Settings} settings */
function segmentBytes(plans, settings) {
  const cut = plans.cut === "Halves" ? Math.ceil(settings.bytes / 2) : settings.bytes;
  return Math.max(1, Math.ceil(cut / settings.segments));
}

/** The plan of a call: the operations of every rank by rounds. @param {Plans} plans @param {Settings} settings @returns {Operation[][][]} */
function planOf(plans, settings) {
  const size = settings.ranks, root = plans.root ? settings.root : 0;
  const rounds = plans.rounds.split("|"), programs = plans.programs.split("|");
  const position = positions(plans, settings), skipsEmpty = !["None", "Blocks"].includes(plans.cut);
  /** @param {number} rank */
  const real = (rank) => plans.map === "Rotated" ? (rank + root) % size
    : plans.map === "RootFirst" ? (rank === 0 ? root : rank - (rank <= root ? 1 : 0)) : rank;
  /** @param {string} program @param {number} rank @param {(rank: number) => number} numbered @returns {Operation[][]} */
  const decoded = (program, rank, numbered) => programs[parseInt(program, 36)].split(" ").filter(Boolean).map((number) => {
    const operations = [];
    for (const [, kind, far, tag, first, count, run] of rounds[parseInt(number, 36)].matchAll(OPERATION)) {
      for (let ahead = 0; ahead <= parseInt(run ?? "0", 36); ahead++) {
        const written = parseInt(far, 36) + ahead, peer = plans.peers === "Number" ? written : (rank + written + size) % size;
        const start = (parseInt(first ?? "0", 36) + (plans.cut === "Shares" ? rank : 0)) % (plans.cut === "Shares" ? size : Infinity);
        const bytes = position(start + parseInt(count ?? "1", 36)) - position(start);
        if (bytes > 0 || !skipsEmpty) {
          operations.push({ send: kind !== "<", synchronous: kind === "!", peer: numbered(peer), tag: parseInt(tag ?? "0", 36), bytes, message: null });
        }
      }
    }
    return operations;
  }).filter((round) => round.length > 0);
  /** @type {Operation[][][]} */
  const plan = [];
  plans.sizes[size].split(" ").forEach((program, rank) => { plan[real(rank)] = decoded(program, rank, real); });
  for (const other of (plans.roots[size]?.[root] ?? "").split(" ").filter(Boolean)) {
    const [rank, program] = other.split("=");
    plan[parseInt(rank, 36)] = decoded(program, parseInt(rank, 36), (peer) => peer);
  }
  return plan;
}

/** The message of each operation: between two ranks and with one tag, sends match receives in their order. @param {Operation[][][]} plan @returns {Message[]} */
function matched(plan) {
  /** @type {Map<string, Message[]>} */
  const messages = new Map();
  const all = [];
  for (const isSend of [true, false]) {
    /** @type {Map<string, number>} */
    const used = new Map();
    for (const [rank, rounds] of plan.entries()) {
      for (const operation of rounds.flat().filter((operation) => operation.send === isSend)) {
        const [from, to] = isSend ? [rank, operation.peer] : [operation.peer, rank];
        const key = `${from} ${to} ${operation.tag}`, list = messages.get(key) ?? [], number = used.get(key) ?? 0;
        messages.set(key, list);
        used.set(key, number + 1);
        list[number] ??= { from, to, bytes: operation.bytes, synchronous: operation.synchronous, called: NaN, injected: NaN, sent: NaN, arrives: NaN,
          posted: NaN, received: NaN, heard: 0n, sender: /** @type {any} */ (null), receiver: null };
        operation.message = list[number];
        if (isSend) all.push(list[number]);
      }
    }
  }
  return all;
}

/** Runs a call on a machine. @param {Plans} plans @param {Settings} settings @returns {Run} */
function simulate(plans, settings) {
  const plan = planOf(plans, settings), messages = matched(plan);
  const entries = plan.map((_, rank) => rank === settings.late ? settings.delay : 0);
  const run = runPlan(plan, entries, settings.machine);
  const end = Math.max(...run.map((rank) => rank.clock), ...messages.map((message) => message.arrives || 0));
  return { plan, ranks: run, messages, end, path: run.every((rank) => rank.isOver) ? criticalPath(plan, run) : [] };
}

/** Advances every rank as far as possible until none can continue. @param {Operation[][][]} plan @param {number[]} entries @param {Machine} machine */
function runPlan(plan, entries, machine) {
  /** @type {RankRun[]} */
  const ranks = entries.map((entry, rank) => ({ rank, entry, clock: entry, isOver: false, heard: 1n << BigInt(rank), intervals: [], rounds: [] }));
  const ports = entries.map(() => 0), open = entries.map(() => false);
  for (let any = true; any;) {
    any = false;
    for (const rank of ranks) {
      while (!rank.isOver) {
        const operations = plan[rank.rank][rank.rounds.length - (open[rank.rank] ? 1 : 0)];
        if (!operations) { rank.isOver = any = true; break; }
        if (!open[rank.rank]) {
          post(rank, operations, machine, ports);
          open[rank.rank] = any = true;
        }
        if (operations.some((operation) => !isComplete(operation))) break;
        finish(rank, operations, machine);
        open[rank.rank] = false;
      }
    }
  }
  for (const rank of ranks) if (!rank.isOver) finish(rank, plan[rank.rank][rank.rounds.length - 1], machine);
  return ranks;
}

/** @param {Operation} operation */
function isComplete({ send, synchronous, message }) {
  return message !== null && (send ? !synchronous || !Number.isNaN(message.posted) : !Number.isNaN(message.arrives));
}

/** Calls the operations of a round: a receive costs nothing; a send occupies the processor, then the port. @param {RankRun} rank
 * @param {Operation[]} operations @param {Machine} machine @param {number[]} ports */
function post(rank, operations, machine, ports) {
  /** @type {Round} */
  const round = { rank: rank.rank, number: rank.rounds.length, called: rank.clock, sendsDone: rank.clock, done: rank.clock, messages: [], receives: [] };
  rank.rounds.push(round);
  for (const { send, bytes, message } of operations) {
    if (!message) continue;
    round.messages.push(message);
    if (!send) { message.posted = round.sendsDone; message.receiver = round; continue; }
    message.called = round.sendsDone;
    round.sendsDone += machine.overhead;
    const serial = Math.floor((Math.max(bytes, 1) - 1) * machine.perByte / 1000);
    message.injected = Math.max(round.sendsDone, ports[rank.rank]);
    ports[rank.rank] = message.injected + machine.gap + serial;
    message.sent = round.sendsDone;
    message.arrives = message.injected + machine.latency + serial;
    message.heard = rank.heard;
    message.sender = round;
    rank.intervals.push({ kind: "send", from: message.called, to: round.sendsDone, peers: [message.to] });
  }
  round.done = round.sendsDone;
}

/** Receives the messages of a round in the order of their arrivals; it ends with its last send. @param {RankRun} rank @param {Operation[]} operations
 * @param {Machine} machine */
function finish(rank, operations, machine) {
  const round = rank.rounds[rank.rounds.length - 1];
  const arrived = operations.flatMap(({ send, message }) => !send && message && !Number.isNaN(message.arrives) ? [message] : []);
  arrived.sort((one, other) => one.arrives - other.arrives);
  const missing = operations.filter((operation) => !operation.send && !isComplete(operation)).map((operation) => operation.peer);
  arrived.forEach((message, at) => {
    const wasFree = message.arrives >= round.done;
    wait(rank, round.done, message.arrives, [...arrived.slice(at).map((message) => message.from), ...missing]);
    const start = Math.max(round.done, message.arrives);
    round.done = message.received = start + machine.overhead;
    rank.intervals.push({ kind: "receive", from: start, to: round.done, peers: [message.from] });
    rank.heard |= message.heard;
    round.receives.push({ message, wasFree });
  });
  let end = round.done;
  for (const { send, synchronous, message } of operations) {
    if (!send || !message || !synchronous || Number.isNaN(message.posted)) continue;
    message.sent = Math.max(message.arrives, message.posted) + machine.latency;
    wait(rank, end, message.sent, [message.to]);
    end = Math.max(end, message.sent);
  }
  rank.clock = end;
  const never = operations.filter((operation) => !isComplete(operation)).map((operation) => operation.peer);
  if (never.length > 0) wait(rank, end, Infinity, never);
}

/** @param {RankRun} rank @param {number} from @param {number} to @param {number[]} peers */
function wait(rank, from, to, peers) {
  if (to > from) rank.intervals.push({ kind: "wait", from, to, peers });
}

/** The chain of waits that decides the last exit (framework/local/src/sim/max_plus/critical.rs). @param {Operation[][][]} plan @param {RankRun[]} ranks */
function criticalPath(plan, ranks) {
  const last = Math.max(...ranks.map((rank) => rank.clock));
  let rank = /** @type {RankRun} */ (ranks.find((rank) => rank.clock === last));
  /** @type {PathStep[]} */
  const path = [{ kind: "leave", from: rank.rank, to: rank.rank, start: last, via: last, end: last }];
  for (let number = rank.rounds.length - 1; number >= 0;) {
    const round = rank.rounds[number--];
    const sends = plan[rank.rank][round.number].flatMap(({ send, message }) => send && message ? [message] : []);
    const slowest = sends.reduce((/** @type {Message | null} */ one, other) => one && one.sent > other.sent ? one : other, null);
    const receive = round.receives.filter(({ wasFree }) => wasFree).pop();
    if (slowest && slowest.sent > round.done) {
      const { to, arrives, posted, sent, receiver } = slowest;
      if (!receiver || posted <= arrives) continue;
      path.push({ kind: "answer", from: to, to: rank.rank, start: posted, via: posted, end: sent });
      [rank, number] = [ranks[to], receiver.number - 1];
    } else if (receive) {
      const { from, called, injected, arrives, sender } = receive.message;
      path.push({ kind: "message", from, to: rank.rank, start: called, via: injected, end: arrives });
      [rank, number] = [ranks[from], sender.number - 1];
    }
  }
  path.push({ kind: "enter", from: rank.rank, to: rank.rank, start: rank.entry, via: rank.entry, end: rank.entry });
  return path.reverse();
}

/** What is wrong with a barrier, as the proof names it: a rank that leaves early, ranks that wait for ever, or a signal that is left over.
 * @param {Run} run @returns {{kind: "early" | "deadlock" | "unmatched", ranks: number[]} | null} */
function fault({ plan, ranks, messages }) {
  const all = (1n << BigInt(ranks.length)) - 1n;
  const early = ranks.find((rank) => rank.isOver && rank.heard !== all);
  if (early) return { kind: "early", ranks: [early.rank, ranks.findIndex((rank) => !(early.heard >> BigInt(rank.rank) & 1n))] };
  const stuck = ranks.filter((rank) => !rank.isOver).map((rank) => rank.rank);
  if (stuck.length > 0) return { kind: "deadlock", ranks: stuck };
  const left = messages.find((message) => !message.receiver);
  return left ? { kind: "unmatched", ranks: [left.from, left.to] } : null;
}
