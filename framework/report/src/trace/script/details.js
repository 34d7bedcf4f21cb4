// The selected call, message or collective in words, with the lines of the source that it comes from.

class Details {
  /** @param {Trace} trace @param {State} state @param {HTMLElement} place @param {() => void} changed */
  constructor(trace, state, place, changed) {
    this.trace = trace;
    this.state = state;
    this.place = place;
    this.changed = changed;
    this.shown = '';
  }

  show() {
    const {state, trace} = this, {selection} = state, key = JSON.stringify(selection);
    if (key === this.shown) return;
    this.shown = key;
    const pressed = this.place.contains(document.activeElement) ? document.activeElement?.getAttribute('data-act') : null;
    if (!selection) { this.place.replaceChildren(element('p', {class: 'note'}, trace.words.nothing_selected)); return; }
    const parts = selection.kind === 'message' ? this.message(selection.at) : selection.kind === 'call' ? this.call(selection.at) : this.collective(selection.at);
    this.place.replaceChildren(...parts);
    if (pressed) /** @type {HTMLElement | null} */ (this.place.querySelector(`[data-act="${pressed}"]`) ?? this.place.querySelector('button'))?.focus();
  }

  /** @param {number} at */
  message(at) {
    const {trace} = this, [sent, posted, received, finished] = [trace.sent[at], trace.posted[at], trace.received[at], trace.finished[at]];
    const wait = [received, finished].map(event => trace.describeWait(event) && `${trace.words.rank} ${trace.rank[event]}: ${trace.describeWait(event)}`);
    const calls = [...new Set([sent, finished, posted, received])];
    return [
      element('h3', {}, trace.describeMessage(at)),
      ...wait.filter(Boolean).map(line => element('p', {}, line)),
      this.buttons([this.zoomButton(trace.begin[sent], trace.end[received]), ...this.neighbours(at)]),
      this.cards(calls),
    ];
  }

  /** Buttons that select the message before and behind this one on the rank that receives it. @param {number} at */
  neighbours(at) {
    const {trace, state} = this, rank = trace.receiver[at];
    const of = trace.longest.filter(other => trace.receiver[other] === rank && state.messages[other]).sort((a, b) => trace.received[a] - trace.received[b] || a - b);
    const place = of.indexOf(at);
    return [
      this.selectButton('previous', trace.words.previous_message, 'message', of[place - 1]),
      this.selectButton('next', trace.words.next_message, 'message', of[place + 1]),
    ];
  }

  /** @param {number} event */
  call(event) {
    const {trace} = this, {words} = trace, rank = trace.rank[event];
    const [title, ...lines] = trace.describeCall(event), collective = trace.collectiveOf[event];
    const within = /** @param {number} at */ at => at >= trace.first[rank] && at < trace.first[rank + 1] ? at : undefined;
    const messages = trace.messagesOf(event).slice(0, 4).map(at =>
      this.selectButton(`message-${at}`, `${trace.sender[at]} → ${trace.receiver[at]}`, 'message', at));
    return [
      element('h3', {}, title), ...lines.map(line => element('p', {}, line)),
      this.buttons([
        this.zoomButton(trace.begin[event], trace.end[event]),
        this.selectButton('previous', words.previous_call, 'call', within(event - 1)), this.selectButton('next', words.next_call, 'call', within(event + 1)),
        ...messages,
        ...(collective >= 0 ? [this.selectButton('collective', words.whole_collective, 'collective', collective)] : []),
        ...(trace.endedBy[event] >= 0 ? [this.selectButton('ended', words.waited_for, 'call', trace.endedBy[event])] : []),
      ]),
      this.cards(trace.endedBy[event] >= 0 ? [event, trace.endedBy[event]] : [event]),
    ];
  }

  /** @param {number} at */
  collective(at) {
    const {trace} = this, {entered, algorithm, is_open: isOpen, inside} = trace.data.collectives[at], {entered: first, left} = trace.spans[at];
    const closed = !algorithm ? trace.words.opaque_collective : fill(isOpen ? trace.words.in_memory : trace.words.not_opened, {algorithm});
    const order = [...entered].sort((a, b) => trace.begin[a] - trace.begin[b]);
    const last = order[order.length - 1];
    const sites = [...new Map([order[0], last, ...order].map(event => [trace.data.events.site[event], event])).values()];
    const enters = order.map(event => `${trace.rank[event]} (${trace.time(trace.begin[event])})`);
    return [
      element('h3', {}, trace.describeCollective(at)),
      element('p', {}, fill(trace.words.order_of_entries, {ranks: enters.slice(0, 16).join(', ') + (enters.length > 16 ? ' …' : '')})),
      ...(inside.length ? this.inside(algorithm, inside) : [element('p', {class: 'note'}, closed)]),
      this.buttons([this.zoomButton(first, left), this.selectButton('last', trace.words.last_to_enter, 'call', last)]),
      this.cards(sites.slice(0, 4)),
    ];
  }

  /** The messages inside of a collective by rounds; and as a tree, where each rank receives from one other at most or sends to one at most. @param {string} algorithm @param {number[][]} inside */
  inside(algorithm, inside) {
    const {words} = this.trace, rounds = Math.max(...inside.map(row => row[5])) + 1, bytes = inside.reduce((sum, row) => sum + row[4], 0);
    const items = Array.from({length: Math.min(rounds, 64)}, (_, round) => {
      const rows = inside.filter(row => row[5] === round).map(([from, to]) => `${from} → ${to}`);
      return element('li', {}, rows.slice(0, 64).join(', ') + (rows.length > 64 ? ' …' : ''));
    });
    const tree = this.tree(inside.map(([from, to]) => [from, to])) ?? this.tree(inside.map(([from, to]) => [to, from]));
    return [
      element('p', {}, fill(words.inside, {algorithm, messages: inside.length, rounds, bytes: this.trace.bytes(bytes)})),
      element('ol', {class: 'rounds'}, ...items),
      ...(tree ? [element('p', {}, words.tree), element('ul', {class: 'tree'}, tree)] : []),
    ];
  }

  /** The tree of these edges from parents to children, or nothing if they are none. @param {number[][]} edges */
  tree(edges) {
    const parents = new Map(edges.map(([parent, child]) => [child, parent])), roots = [...new Set(edges.map(([parent]) => parent))].filter(rank => !parents.has(rank));
    if (parents.size !== edges.length || roots.length !== 1) return undefined;
    /** @param {number} rank @returns {HTMLElement} */
    const item = rank => {
      const children = edges.filter(([parent]) => parent === rank).map(([, child]) => item(child));
      return element('li', {}, String(rank), ...(children.length ? [element('ul', {}, ...children)] : []));
    };
    return item(roots[0]);
  }

  /** @param {HTMLButtonElement[]} buttons */
  buttons(buttons) { return element('p', {class: 'controls'}, ...buttons); }

  /** @param {string} act @param {string} text @param {() => void} run */
  button(act, text, run) {
    const made = element('button', {'type': 'button', 'data-act': act}, text);
    made.addEventListener('click', () => { run(); this.changed(); });
    return made;
  }

  /** @param {number} begin @param {number} end */
  zoomButton(begin, end) {
    const margin = Math.max(end - begin, 10) * 0.25;
    return this.button('zoom', this.trace.words.zoom_to, () => this.state.show(begin - margin, end + margin));
  }

  /** @param {string} act @param {string} text @param {Selected['kind']} kind @param {number | undefined} at */
  selectButton(act, text, kind, at) {
    const made = this.button(act, text, () => { if (at !== undefined) this.state.selection = {kind, at}; });
    made.disabled = at === undefined;
    return made;
  }

  /** A card for each call: rank, verb, line, and the source around it. @param {number[]} events */
  cards(events) {
    return element('div', {class: 'cards'}, ...events.map(event => {
      const {trace} = this, site = trace.site(event), stage = trace.data.stages[trace.data.events.stage[event] - 1];
      const lines = site.lines.map((line, at) => {
        const number = site.first + at, isCall = number === site.line;
        return element(isCall ? 'mark' : 'span', {}, `${isCall ? '▶' : ' '}${String(number).padStart(4)}  ${line}\n`);
      });
      const code = lines.length ? element('pre', {tabindex: '0'}, ...lines) : element('p', {class: 'note'}, trace.words.no_source);
      const title = `${trace.words.rank} ${trace.rank[event]}: ${site.verb} · ${[site.place, stage].filter(Boolean).join(' · ')}`;
      return element('div', {class: 'card'}, element('h4', {}, title), code);
    }));
  }
}
