'use strict';
// The trace: columns of numbers, and what they say in words. `framework/report/src/trace/data.rs` writes them.

/**
 * A line of the source that makes a call, with its neighbours where they are known.
 * @typedef {{verb: string, place: string, line: number, first: number, lines: string[]}} Site
 * @typedef {{sequence: number, entered: number[], left: number[], edges: [number, number][], algorithm: string, is_open: boolean, inside: number[][]}} Collective
 * `inside` has rows of sender, receiver, the times of both, bytes and round.
 * @typedef {{
 *   words: Record<string, string>, mark: string, total: number, parts: string[], ranks: [number, number][], stages: string[],
 *   spans: [number, number, number, number][], communicators: string[], sites: Site[], notes: string[],
 *   events: Record<'count' | 'begin' | 'length' | 'site' | 'communicator' | 'stage' | 'note', number[]>,
 *   messages: Record<'received' | 'sent' | 'posted' | 'finished' | 'tag' | 'bytes', number[]>, tags: (number | null)[],
 *   waits: Record<'event' | 'part' | 'ns' | 'ended_by', number[]>, collectives: Collective[],
 *   path: [number, number, number][], what_if: [string, number[]][]}} PageData
 */

/** The parts of a rank's time, in the order of `PARTS`; a call that a filter excludes has a part of its own. */
const COMPUTE = 0, LATE_SENDER = 3, TRANSFER = 6, EXCLUDED = 7;

/** @param {number[]} differences */
const sums = differences => {
  const all = new Float64Array(differences.length);
  let last = 0;
  for (let i = 0; i < all.length; i++) all[i] = last += differences[i];
  return all;
};

/** @param {string} text @param {Record<string, string | number>} values */
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));

/** The first number from `low` on, before `high`, of which `isBefore` is false; it is true of those before. @param {number} low @param {number} high @param {(at: number) => boolean} isBefore */
const firstNot = (low, high, isBefore) => {
  while (low < high) { const middle = (low + high) >> 1; if (isBefore(middle)) low = middle + 1; else high = middle; }
  return low;
};

class Trace {
  /** @param {PageData} data */
  constructor(data) {
    const {events, messages, waits} = data;
    this.data = data;
    this.words = data.words;
    /** The first event of each rank, and the number of all events. */
    this.first = new Uint32Array(data.ranks.length + 1);
    events.count.forEach((count, rank) => { this.first[rank + 1] = this.first[rank] + count; });
    const count = events.begin.length;
    this.rank = new Uint32Array(count);
    for (let rank = 0; rank < data.ranks.length; rank++) this.rank.fill(rank, this.first[rank], this.first[rank + 1]);
    this.begin = sums(events.begin);
    this.end = this.begin.map((begin, event) => begin + events.length[event]);
    this.waited = new Float64Array(count);
    this.part = new Uint8Array(count);
    this.endedBy = new Float64Array(count).fill(-1);
    const endedBy = sums(waits.ended_by);
    sums(waits.event).forEach((event, at) => {
      [this.waited[event], this.part[event], this.endedBy[event]] = [waits.ns[at], waits.part[at], endedBy[at]];
    });
    this.received = sums(messages.received);
    this.sent = sums(messages.sent);
    this.posted = this.received.map((event, at) => event - messages.posted[at]);
    this.finished = this.sent.map((event, at) => event + messages.finished[at]);
    this.departure = this.sent.map(event => this.begin[event]);
    this.arrival = this.received.map(event => this.end[event]);
    this.flight = this.arrival.map((time, at) => time - this.departure[at]);
    this.sender = Uint32Array.from(this.sent, event => this.rank[event]);
    this.receiver = Uint32Array.from(this.received, event => this.rank[event]);
    /** The messages in the order of their sends, and those that take longest first. */
    this.earliest = Uint32Array.from(this.sent, (_, at) => at).sort((a, b) => this.departure[a] - this.departure[b] || a - b);
    this.longest = Uint32Array.from(this.sent, (_, at) => at).sort((a, b) => this.flight[b] - this.flight[a] || a - b);
    /** The messages that a receiver waits for because of a late sender, those that it waits for longest first. */
    this.late = this.longest.filter(at => this.isLate(at)).sort((a, b) => this.waited[this.received[b]] - this.waited[this.received[a]]);
    this.collectiveOf = new Float64Array(count).fill(-1);
    data.collectives.forEach(({entered, left}, at) => {
      for (const event of [...entered, ...left]) this.collectiveOf[event] = at;
    });
    /** The first and the last entry, and the last return of a call that enters, of each collective. */
    this.spans = data.collectives.map(({entered}) => {
      const [begins, ends] = [this.begin, this.end].map(times => entered.map(event => times[event]));
      return {entered: Math.min(...begins), last: Math.max(...begins), left: Math.max(...ends)};
    });
  }

  /** @param {number} at */
  isLate(at) {
    const event = this.received[at];
    return this.part[event] === LATE_SENDER && this.waited[event] > 0 && this.endedBy[event] === this.sent[at];
  }

  /** @param {number} event */
  site(event) { return this.data.sites[this.data.events.site[event]]; }

  /** The first event of the rank that ends after this time; the end of its events if there is none. @param {number} rank @param {number} time */
  eventAfter(rank, time) { return firstNot(this.first[rank], this.first[rank + 1], event => this.end[event] <= time); }

  /** The messages that a call sends, waits for or receives. @param {number} event */
  messagesOf(event) {
    const found = [];
    for (let at = 0; at < this.sent.length; at++) {
      const ends = [this.sent[at], this.received[at], this.posted[at], this.finished[at]];
      if (ends.includes(event)) found.push(at);
    }
    return found;
  }

  /** Three significant digits and the unit. @param {number} ns */
  time(ns) {
    const [scale, unit] = timeUnit(ns);
    const exponent = Math.floor(Math.log10(Math.max(Number((ns / scale).toPrecision(3)), 1e-9)));
    return this.quantity(ns / scale, ns === 0 ? 0 : Math.min(Math.max(2 - exponent, 0), 2), unit);
  }

  /** @param {number} x @param {number} digits @param {string} unit */
  quantity(x, digits, unit) { return fill(this.words[unit], {n: x.toFixed(digits).replace('.', this.data.mark)}); }

  /** @param {number} n */
  bytes(n) {
    const step = [[2 ** 30, 'gibibytes'], [2 ** 20, 'mebibytes'], [2 ** 10, 'kibibytes']].find(([size]) => n >= Number(size));
    const [size, unit] = step ?? [1, 'bytes'];
    return fill(this.words[unit], {n: String(Number((n / Number(size)).toFixed(2))).replace('.', this.data.mark)});
  }

  /** @param {number} event */
  describeCall(event) {
    const {words, data} = this, {verb, place} = this.site(event);
    const [note, stage, rank] = [data.notes[data.events.note[event] - 1], data.stages[data.events.stage[event] - 1], this.rank[event]];
    const ends = this.messagesOf(event).map(at => {
      const [sender, receiver] = [this.sender[at], this.receiver[at]];
      const sends = event === this.sent[at] || event === this.finished[at];
      const [text, peer] = sends ? [words.tip_send, receiver] : [words.tip_receive, sender];
      const tag = data.tags[data.messages.tag[at]];
      return tag === null ? this.describeMessage(at) : fill(text, {peer, tag, bytes: this.bytes(data.messages.bytes[at])});
    });
    const communicator = data.communicators[data.events.communicator[event]];
    const [begin, end] = [this.begin[event], this.end[event]];
    return [
      `${words.rank} ${rank}: ${[verb, note, ...ends.slice(0, 8)].filter(Boolean).join(' ')}`,
      communicator === 'world' ? '' : fill(words.tip_in, {communicator}),
      [place, stage].filter(Boolean).join(' · '),
      fill(words.tip_time, {begin: this.time(begin), end: this.time(end), duration: this.time(end - begin)}),
      this.describeWait(event),
    ].filter(Boolean);
  }

  /** @param {number} event */
  describeWait(event) {
    if (this.waited[event] === 0) return '';
    const cause = this.data.parts[this.part[event]];
    return fill(this.words.tip_waited, {time: this.time(this.waited[event]), cause, rank: this.rank[this.endedBy[event]]});
  }

  /** @param {number} at */
  describeMessage(at) {
    const {tag, bytes} = this.data.messages, number = this.data.tags[tag[at]];
    const values = {from: this.sender[at], to: this.receiver[at], time: this.time(Math.max(this.flight[at], 0))};
    if (number === null) return fill(this.words.tip_signal, values);
    return fill(this.words.tip_message, {...values, tag: number, bytes: this.bytes(bytes[at])});
  }

  /** @param {number} at */
  describeCollective(at) {
    const {entered, sequence} = this.data.collectives[at], spread = this.time(this.spans[at].last - this.spans[at].entered);
    const communicator = this.data.communicators[this.data.events.communicator[entered[0]]];
    return fill(this.words.tip_collective_band, {verb: this.site(entered[0]).verb, sequence, communicator, spread});
  }
}

/** The unit of a time: its nanoseconds and its name among the words. @param {number} ns @returns {[number, string]} */
const timeUnit = ns => ns < 999.5 ? [1, 'nanoseconds'] : ns < 999.5e3 ? [1e3, 'microseconds'] : ns < 999.5e6 ? [1e6, 'milliseconds'] : [1e9, 'seconds'];

/** The data of the page. @returns {Promise<PageData>} */
const readData = async () => {
  const text = atob(/** @type {HTMLElement} */ (document.getElementById('data')).textContent ?? '');
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = text.charCodeAt(at);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).json();
};
