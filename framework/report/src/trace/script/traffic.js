// Who sends how much to whom: the matrix of the visible messages, and the list of the messages of a cell.

/** Messages in the list. */
const MAX_LISTED = 25;

/** @template {keyof HTMLElementTagNameMap} K @param {K} name @param {Record<string, string>} [attributes] @param {(Node | string)[]} content */
const element = (name, attributes = {}, ...content) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...content);
  return made;
};

/** A count in at most four characters. @param {number} n */
const short = n => n < 1000 ? String(n) : n < 1e6 ? `${Math.floor(n / 1e3)}k` : n < 1e9 ? `${Math.floor(n / 1e6)}M` : `${Math.floor(n / 1e9)}G`;

class Traffic {
  /** @param {Trace} trace @param {State} state @param {HTMLTableElement} table @param {HTMLElement} list @param {() => void} changed */
  constructor(trace, state, table, list, changed) {
    this.trace = trace;
    this.state = state;
    this.table = table;
    this.list = list;
    this.changed = changed;
    /** The ranks of each row and column. @type {number[][]} */ this.groups = [];
    /** The cell that has the focus: row and column. */
    this.at = [0, 0];
    table.addEventListener('click', event => this.choose(/** @type {HTMLElement} */ (event.target).closest('td')));
    table.addEventListener('keydown', event => this.press(event));
  }

  show() {
    const visible = this.state.visibleMessages().filter(at => this.trace.data.tags[this.trace.data.messages.tag[at]] !== null);
    this.showMatrix(visible);
    this.showList(visible.filter(at => this.state.isInCell(at)));
  }

  /** @param {number[]} visible */
  showMatrix(visible) {
    const {trace, state} = this, {bytes} = trace.data.messages, {words} = trace;
    this.groups = chunks(state.ranks, groupSize(state.ranks.length));
    const group = new Int32Array(trace.data.ranks.length).fill(-1), count = this.groups.length;
    this.groups.forEach((ranks, at) => ranks.forEach(rank => { group[rank] = at; }));
    const cells = Array.from({length: count * count}, () => [0, 0]);
    for (const at of visible) {
      const cell = cells[group[trace.sender[at]] * count + group[trace.receiver[at]]];
      cell[0] += 1;
      cell[1] += bytes[at];
    }
    const measure = state.field('measure') === 'bytes' ? 1 : 0, most = Math.max(...cells.map(cell => cell[measure]), 1);
    const isLog = state.field('scale') === 'log';
    /** @param {number} x */
    const share = x => x === 0 ? 0 : isLog ? Math.log1p(x) / Math.log1p(most) : x / most;
    /** @param {number[]} ranks */
    const name = ranks => ranks.length > 1 ? `${ranks[0]}–${ranks[ranks.length - 1]}` : String(ranks[0]);
    const head = element('tr', {}, element('th', {scope: 'col'}, words.matrix_corner), ...this.groups.map(ranks => element('th', {scope: 'col'}, name(ranks))));
    this.at = this.at.map(at => Math.min(at, count - 1));
    const rows = this.groups.map((from, row) => element('tr', {}, element('th', {scope: 'row'}, name(from)), ...this.groups.map((to, column) => {
      const [messages, sum] = cells[row * count + column], cell = this.cellOf(row, column);
      const isChosen = String(state.cell) === String(cell);
      const label = fill(words.matrix_cell, {from: name(from), to: name(to), messages, bytes: trace.bytes(sum)});
      const made = element('td', {
        title: label, 'aria-selected': String(isChosen), 'tabindex': this.at[0] === row && this.at[1] === column ? '0' : '-1',
      }, messages === 0 ? '·' : measure ? trace.bytes(sum) : short(messages));
      made.style.setProperty('--share', `${Math.round(50 * share([messages, sum][measure]))}%`);
      return made;
    })));
    const hadFocus = this.table.contains(document.activeElement);
    this.table.tHead?.replaceChildren(head);
    this.table.tBodies[0].replaceChildren(...rows);
    if (hadFocus) this.focused()?.focus();
    const sum = visible.reduce((sum, at) => sum + bytes[at], 0);
    /** @type {HTMLElement} */ (document.getElementById('matrix-sum')).textContent =
      visible.length ? fill(words.matrix_sum, {messages: visible.length, bytes: trace.bytes(sum)}) : words.matrix_empty;
  }

  /** @param {number} row @param {number} column @returns {number[]} */
  cellOf(row, column) {
    const [from, to] = [this.groups[row], this.groups[column]];
    return [from[0], from[from.length - 1], to[0], to[to.length - 1]];
  }

  /** @returns {HTMLTableCellElement | null} */
  focused() { return this.table.querySelector('td[tabindex="0"]'); }

  /** @param {HTMLTableCellElement | null} cell */
  choose(cell) {
    const row = /** @type {HTMLTableRowElement | undefined} */ (cell?.parentElement);
    if (!cell || !row) return;
    this.at = [row.sectionRowIndex, cell.cellIndex - 1];
    const chosen = this.cellOf(this.at[0], this.at[1]);
    this.state.cell = String(this.state.cell) === String(chosen) ? null : chosen;
    this.changed();
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const moves = /** @type {Record<string, [number, number]>} */ ({ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]});
    const move = moves[event.key], count = this.groups.length;
    if (move) {
      this.focused()?.setAttribute('tabindex', '-1');
      this.at = this.at.map((at, axis) => Math.min(Math.max(at + move[axis], 0), count - 1));
      const next = this.table.tBodies[0].rows[this.at[0]].cells[this.at[1] + 1];
      next.setAttribute('tabindex', '0');
      next.focus();
    } else if (event.key === 'Enter' || event.key === ' ') this.choose(this.focused());
    else return;
    event.preventDefault();
  }

  /** @param {number[]} messages */
  showList(messages) {
    const {trace, state} = this, {words} = trace, listed = messages.slice(0, MAX_LISTED);
    const rows = listed.map(at => {
      const [sent, received] = [trace.sent[at], trace.received[at]], tag = trace.data.tags[trace.data.messages.tag[at]];
      const isSelected = state.selection?.kind === 'message' && state.selection.at === at;
      const button = element('button', {'type': 'button', 'aria-pressed': String(isSelected)}, `${trace.sender[at]} → ${trace.receiver[at]}`);
      button.addEventListener('click', () => { state.selection = {kind: 'message', at}; this.changed(); });
      const cells = [
        String(tag), trace.bytes(trace.data.messages.bytes[at]), trace.time(trace.begin[sent]), trace.time(Math.max(trace.flight[at], 0)),
        `${trace.site(sent).verb} ${trace.site(sent).place}`, `${trace.site(received).verb} ${trace.site(received).place}`,
      ];
      return element('tr', {}, element('th', {scope: 'row'}, button), ...cells.map((cell, at) => element('td', at > 3 ? {class: 'text'} : {}, cell)));
    });
    const body = /** @type {HTMLTableElement} */ (this.list.querySelector('table')).tBodies[0];
    const pressed = body.contains(document.activeElement) ? [...body.rows].findIndex(row => row.contains(document.activeElement)) : -1;
    body.replaceChildren(...rows);
    body.rows[pressed]?.querySelector('button')?.focus();
    this.list.hidden = messages.length === 0;
    const cell = state.cell ? fill(words.list_cell, {from: `${state.cell[0]}–${state.cell[1]}`, to: `${state.cell[2]}–${state.cell[3]}`}) : '';
    /** @type {HTMLElement} */ (this.list.querySelector('p')).textContent = [fill(words.list_count, {shown: listed.length, count: messages.length}), cell].filter(Boolean).join(' ');
  }
}
