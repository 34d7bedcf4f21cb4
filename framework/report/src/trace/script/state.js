// What is shown: the visible time, the filters, the layers, the selection. All of it is in the address behind the `#`.

/**
 * A row of the diagram: a rank, or a group of consecutive ranks.
 * @typedef {{ranks: number[], group: boolean, inside: boolean}} Row
 * @typedef {{kind: 'call' | 'message' | 'collective', at: number}} Selected
 */

/** Rows of ranks that are shown without being folded, and rows of the matrix. */
const MAX_ROWS = 16;

/** The ranks of `0-3, 7`; all ranks for an empty text. @param {string} text @param {number} count */
const parseRanks = (text, count) => {
  const all = Array.from({length: count}, (_, rank) => rank);
  const ranges = [...text.matchAll(/(\d+)(?:\s*[-–]\s*(\d+))?/g)].map(([, from, to]) => [Number(from), Number(to ?? from)]);
  const chosen = all.filter(rank => ranges.some(([from, to]) => from <= rank && rank <= to));
  return chosen.length ? chosen : all;
};

/** Consecutive parts of a list, `size` long each. @template T @param {T[]} list @param {number} size @returns {T[][]} */
const chunks = (list, size) => Array.from({length: Math.ceil(list.length / size)}, (_, at) => list.slice(at * size, (at + 1) * size));

/** The size of groups with which `count` ranks have at most `MAX_ROWS` rows. @param {number} count */
const groupSize = count => 2 ** Math.max(0, Math.ceil(Math.log2(count / MAX_ROWS)));

class State {
  /** @param {Trace} trace @param {HTMLFormElement} form */
  constructor(trace, form) {
    this.trace = trace;
    this.form = form;
    this.whole = Math.max(trace.data.total, 1);
    /** Whether a call or a message passes the filters. */
    this.calls = new Uint8Array(trace.rank.length);
    this.messages = new Uint8Array(trace.sent.length);
    /** @type {Row[]} */ this.rows = [];
    /** The row of each rank, -1 where it is hidden. */
    this.rowOf = new Int32Array(trace.data.ranks.length);
    /** The ranks that are shown. @type {number[]} */ this.ranks = [];
    /** The visible time. */
    this.from = this.to = 0;
    /** @type {Selected | null} */ this.selection = null;
    /** The time of the cursor. @type {number | null} */ this.now = null;
    /** The first ranks of the groups that are open. @type {Set<number>} */ this.open = new Set();
    /** The chosen cell of the matrix: first and last rank of the senders and of the receivers. @type {number[] | null} */ this.cell = null;
    this.reset();
  }

  reset() {
    this.from = 0;
    this.to = this.whole;
    this.selection = this.now = this.cell = null;
    this.open.clear();
    this.form.reset();
    this.apply();
  }

  /** @param {string} name */
  field(name) {
    const field = /** @type {HTMLInputElement} */ (this.form.elements.namedItem(name));
    return field instanceof HTMLInputElement && field.type === 'checkbox' ? (field.checked ? '1' : '0') : field.value;
  }

  /** Computes rows and filters from the fields. */
  apply() {
    const {trace, calls, messages} = this, {data} = trace;
    this.ranks = parseRanks(this.field('ranks'), data.ranks.length);
    const size = Number(this.field('fold')) || groupSize(this.ranks.length);
    this.rows = chunks(this.ranks, size).flatMap(ranks => {
      const rows = [{ranks, group: ranks.length > 1, inside: false}];
      const inside = rows[0].group && this.open.has(ranks[0]) ? ranks.map(rank => ({ranks: [rank], group: false, inside: true})) : [];
      return [...rows, ...inside];
    });
    this.rowOf.fill(-1);
    // The row of a rank alone comes behind that of its group.
    this.rows.forEach(({ranks}, row) => ranks.forEach(rank => { this.rowOf[rank] = row; }));
    const [verb, stage, communicator] = ['verb', 'stage', 'communicator'].map(name => this.field(name));
    const sites = data.sites.map(site => verb === '' || site.verb === verb);
    const {events} = data;
    for (let event = 0; event < calls.length; event++) {
      calls[event] = Number(sites[events.site[event]] && (stage === '' || data.stages[events.stage[event] - 1] === stage) &&
        (communicator === '' || data.communicators[events.communicator[event]] === communicator));
    }
    const [least, most] = [Number(this.field('least')) || 0, this.field('most') === '' ? Infinity : Number(this.field('most'))];
    for (let at = 0; at < messages.length; at++) {
      const [sent, received, bytes] = [trace.sent[at], trace.received[at], data.messages.bytes[at]];
      messages[at] = Number((calls[sent] || calls[received]) && bytes >= least && bytes <= most &&
        this.rowOf[trace.sender[at]] >= 0 && this.rowOf[trace.receiver[at]] >= 0);
    }
  }

  /** Shows this time; a range beyond the run is moved into it. @param {number} from @param {number} to */
  show(from, to) {
    const length = Math.min(Math.max(to - from, Math.min(20, this.whole)), this.whole);
    this.from = Math.min(Math.max(from + (to - from - length) / 2, 0), this.whole - length);
    this.to = this.from + length;
  }

  /** @param {number} factor @param {number} [at] */
  zoom(factor, at = (this.from + this.to) / 2) {
    this.show(at - (at - this.from) * factor, at + (this.to - at) * factor);
  }

  /** @param {number} share of the visible time */
  pan(share) {
    const length = this.to - this.from;
    this.show(this.from + share * length, this.to + share * length);
  }

  /** Whether a message is in the visible time. @param {number} at */
  isVisible(at) {
    return this.trace.departure[at] <= this.to && this.trace.arrival[at] >= this.from;
  }

  /** The messages that pass the filters and are in the visible time, in the order of their sends. */
  visibleMessages() { return [...this.trace.earliest.filter(at => this.messages[at] && this.isVisible(at))]; }

  /** Whether a message is in the chosen cell of the matrix, or no cell is chosen. @param {number} at */
  isInCell(at) {
    if (!this.cell) return true;
    const [sender, receiver] = [this.trace.sender[at], this.trace.receiver[at]];
    return this.cell[0] <= sender && sender <= this.cell[1] && this.cell[2] <= receiver && receiver <= this.cell[3];
  }

  toFragment() {
    const values = new URLSearchParams();
    if (this.from > 0 || this.to < this.whole) values.set('t', `${Math.round(this.from)}-${Math.round(this.to)}`);
    if (this.selection) values.set('select', `${this.selection.kind}-${this.selection.at}`);
    if (this.now !== null) values.set('now', String(Math.round(this.now)));
    if (this.open.size) values.set('open', [...this.open].join('-'));
    if (this.cell) values.set('cell', this.cell.join('-'));
    for (const field of this.fields()) if (this.field(field.name) !== initial(field)) values.set(field.name, this.field(field.name));
    return values.toString();
  }

  fields() {
    return /** @type {(HTMLInputElement | HTMLSelectElement)[]} */ ([...this.form.elements].filter(field => field.getAttribute('name')));
  }

  /** @param {string} fragment */
  fromFragment(fragment) {
    this.reset();
    const values = new URLSearchParams(fragment);
    for (const field of this.fields()) {
      const value = values.get(field.name);
      if (value === null) continue;
      if (field instanceof HTMLInputElement && field.type === 'checkbox') field.checked = value === '1'; else field.value = value;
      if (field instanceof HTMLSelectElement && field.selectedIndex < 0) field.value = initial(field);
    }
    /** @param {string} name */
    const numbers = name => (values.get(name) ?? '').split('-').filter(Boolean).map(Number).filter(Number.isFinite);
    const [from, to] = numbers('t'), [now] = numbers('now'), cell = numbers('cell');
    if (to > from) this.show(from, to);
    if (now !== undefined) this.now = Math.min(now, this.whole);
    this.open = new Set(numbers('open'));
    this.cell = cell.length === 4 ? cell : null;
    const [, kind, at] = /^(call|message|collective)-(\d+)$/.exec(values.get('select') ?? '') ?? [];
    const {trace} = this, counts = {call: trace.rank.length, message: trace.sent.length, collective: trace.data.collectives.length};
    if (kind && Number(at) < counts[/** @type {Selected['kind']} */ (kind)]) {
      this.selection = {kind: /** @type {Selected['kind']} */ (kind), at: Number(at)};
    }
    this.apply();
  }
}

/** The value of a field that was not changed. @param {HTMLInputElement | HTMLSelectElement} field */
const initial = field => {
  if (field instanceof HTMLSelectElement) return ([...field.options].find(option => option.defaultSelected) ?? field.options[0]).value;
  return field.type === 'checkbox' ? (field.defaultChecked ? '1' : '0') : field.defaultValue;
};
