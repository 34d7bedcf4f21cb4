// Connects the parts: mouse, touch and keys change the state; the state is drawn and written into the address.

/** The part of the visible time that a second of playing takes. */
const SPEED = 0.1;

/** @param {Trace} trace */
const start = trace => {
  /** @template {HTMLElement} T @param {string} id @returns {T} */
  const byId = id => /** @type {T} */ (document.getElementById(id));
  const canvas = /** @type {HTMLCanvasElement} */ (byId('space')), form = /** @type {HTMLFormElement} */ (byId('instrument'));
  const labels = byId('labels'), tip = byId('tip'), status = byId('drawn'), clock = byId('clock'), playing = byId('play');
  const still = matchMedia('(prefers-reduced-motion: reduce)');

  /** @param {string} name @param {[string, string][]} options */
  const addOptions = (name, options) => {
    const field = /** @type {HTMLSelectElement} */ (form.elements.namedItem(name));
    for (const [value, text] of options) field.add(new Option(text, value));
  };
  const same = /** @param {string[]} names @returns {[string, string][]} */ names => [...new Set(names)].map(name => [name, name]);
  addOptions('verb', same(trace.data.sites.map(site => site.verb).sort()));
  addOptions('stage', same(trace.data.stages));
  addOptions('communicator', same(trace.data.communicators));
  const sizes = [...new Set(trace.data.messages.bytes)].sort((a, b) => a - b), steps = sizes.length > 24 ? sizes.filter((_, at) => at % Math.ceil(sizes.length / 24) === 0 || at === sizes.length - 1) : sizes;
  for (const name of ['least', 'most']) addOptions(name, steps.map(size => [String(size), trace.bytes(size)]));
  addOptions('whatif', trace.data.what_if.map(([name, ends], at) => [String(at + 1), `${name}: ${trace.time(Math.max(...ends))}`]));
  addOptions('fold', [1, 2, 4, 8, 16, 32].filter(size => size < Math.max(trace.data.ranks.length, 2)).map(size => [String(size), String(size)]));

  const state = new State(trace, form), diagram = new Diagram(trace, state, canvas);
  let frame = 0, later = 0, written = '', lastFrame = 0, isPlaying = false;

  /** Draws in the next frame; what need not keep up with a moving picture follows when it rests. */
  const draw = () => { frame ||= requestAnimationFrame(show); };
  const changed = () => {
    draw();
    clearTimeout(later);
    later = setTimeout(rest, 120);
  };
  const moved = () => { diagram.isMoving = true; changed(); };
  /** @param {number} [time] */
  const show = time => {
    frame = 0;
    if (isPlaying && time !== undefined) advance(time);
    diagram.draw();
    if (diagram.isMoving) return;
    clock.textContent = fill(trace.words.clock, {from: trace.time(state.from), to: trace.time(state.to)}) +
      (state.now === null ? '' : ` · ${fill(trace.words.at_time, {time: trace.time(state.now)})}`);
    status.textContent = diagram.visible > diagram.drawn.length
      ? fill(trace.words.drawn, {drawn: diagram.drawn.length, visible: diagram.visible}) : fill(trace.words.all_drawn, {visible: diagram.visible});
  };
  const rest = () => {
    diagram.isMoving = false;
    diagram.measure();
    diagram.forget();
    draw();
    showLabels();
    traffic.show();
    details.show();
    // What scrolls must be reached by keys.
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.scroll'))) part.tabIndex = part.scrollWidth > part.clientWidth ? 0 : -1;
    const fragment = state.toFragment();
    if (fragment === written) return;
    written = fragment;
    history.replaceState(null, '', fragment ? `#${fragment}` : location.pathname + location.search);
  };
  const traffic = new Traffic(trace, state, byId('matrix'), byId('list'), changed);
  const details = new Details(trace, state, byId('info'), changed);

  const showLabels = () => {
    diagram.resize();
    const focused = labels.contains(document.activeElement) ? document.activeElement?.getAttribute('data-first') : null;
    labels.style.height = `${diagram.height}px`;
    labels.replaceChildren(...state.rows.map(({ranks, group, inside}, row) => {
      const text = group ? `${ranks[0]}–${ranks[ranks.length - 1]}` : String(ranks[0]), isOpen = state.open.has(ranks[0]);
      const label = group
        ? element('button', {'type': 'button', 'aria-expanded': String(isOpen), 'data-first': String(ranks[0]), 'aria-label': `${trace.words.ranks} ${text}`}, `${isOpen ? '▾' : '▸'} ${text}`)
        : element('span', {class: inside ? 'inside' : ''}, `${trace.words.rank} ${text}`);
      label.style.top = `${diagram.y(row) + diagram.bar / 2 - 12}px`;
      if (group) label.addEventListener('click', () => {
        if (!state.open.delete(ranks[0])) state.open.add(ranks[0]);
        state.apply();
        changed();
      });
      return label;
    }));
    if (focused) /** @type {HTMLElement | null} */ (labels.querySelector(`[data-first="${focused}"]`))?.focus();
  };

  /** By whole pixels: the picture is moved then, and not drawn anew. @param {number} pixels */
  const pan = pixels => state.pan(Math.round(pixels) / diagram.width);
  /** @param {Selected | null} selection */
  const select = selection => { state.selection = selection; changed(); };

  // Time: playing and steps.
  /** @param {number} time */
  const advance = time => {
    const passed = lastFrame ? Math.min(time - lastFrame, 1000) : 0;
    if (!still.matches || passed >= 500 || !lastFrame) {
      lastFrame = time;
      state.now = Math.min((state.now ?? state.from) + (state.to - state.from) * SPEED * passed / 1000, state.to);
    }
    if (state.now !== null && state.now >= state.to) play(false); else draw();
  };
  /** @param {boolean} on */
  const play = on => {
    isPlaying = on;
    [lastFrame, playing.textContent] = [0, on ? trace.words.pause : trace.words.play];
    if (on && (state.now === null || state.now >= state.to || state.now < state.from)) state.now = state.from;
    changed();
  };
  /** To the next or former begin or end of a call of a visible rank. @param {number} direction */
  const step = direction => {
    const now = state.now ?? state.from;
    let best = direction > 0 ? state.whole : 0;
    for (const rank of state.ranks) {
      const near = trace.eventAfter(rank, now);
      for (let event = Math.max(near - 2, trace.first[rank]); event < Math.min(near + 2, trace.first[rank + 1]); event++) {
        for (const time of [trace.begin[event], trace.end[event]]) {
          if (direction > 0 ? time > now && time < best : time < now && time > best) best = time;
        }
      }
    }
    play(false);
    state.now = best;
    if (best < state.from || best > state.to) state.show(best - (state.to - state.from) / 2, best + (state.to - state.from) / 2);
    byId('moment').textContent = [fill(trace.words.at_time, {time: trace.time(best)}), ...state.ranks.slice(0, MAX_ROWS).map(rank => {
      const event = trace.eventAfter(rank, best), inCall = event < trace.first[rank + 1] && trace.begin[event] <= best;
      return `${trace.words.rank} ${rank}: ${inCall ? trace.site(event).verb : trace.data.parts[COMPUTE]}`;
    })].join('; ');
  };

  /** @type {Record<string, () => void>} */
  const commands = {
    in: () => state.zoom(0.5), out: () => state.zoom(2), left: () => pan(-0.1 * diagram.width), right: () => pan(0.1 * diagram.width),
    farLeft: () => pan(-0.8 * diagram.width), farRight: () => pan(0.8 * diagram.width),
    all: () => state.show(0, state.whole), play: () => play(!isPlaying), back: () => step(-1), forward: () => step(1),
    none: () => { [state.selection, state.now, state.cell] = [null, null, null]; play(false); byId('moment').textContent = ''; },
    reset: () => { play(false); state.reset(); byId('moment').textContent = ''; },
    up: () => neighbour(-1), down: () => neighbour(1), previous: () => call(-1), next: () => call(1),
    message: () => { const [at] = trace.messagesOf(selected()); if (at !== undefined) state.selection = {kind: 'message', at}; },
    zoom: () => { /** @type {HTMLElement | null} */ (document.querySelector('#info [data-act=zoom]'))?.click(); },
  };
  /** The selected call; of a message, the call that receives it. */
  const selected = () => {
    const {selection} = state;
    if (!selection) return trace.eventAfter(state.ranks[0], state.from);
    return selection.kind === 'call' ? selection.at : selection.kind === 'message' ? trace.received[selection.at] : trace.data.collectives[selection.at].entered[0];
  };
  /** @param {number} event */
  const selectCall = event => {
    state.selection = {kind: 'call', at: event};
    const middle = (trace.begin[event] + trace.end[event]) / 2, length = state.to - state.from;
    if (middle < state.from || middle > state.to) state.show(middle - length / 2, middle + length / 2);
  };
  /** The next call of the same rank. @param {number} direction */
  const call = direction => {
    const event = selected(), rank = trace.rank[event], next = state.selection ? event + direction : event;
    if (next >= trace.first[rank] && next < trace.first[rank + 1]) selectCall(next);
  };
  /** The call of the next rank at the same time. @param {number} direction */
  const neighbour = direction => {
    const event = selected(), rank = state.ranks[state.ranks.indexOf(trace.rank[event]) + direction];
    if (rank === undefined || !(event < trace.rank.length)) return;
    const found = Math.min(trace.eventAfter(rank, trace.begin[event]), trace.first[rank + 1] - 1);
    if (found >= trace.first[rank]) selectCall(found);
  };
  /** @type {Record<string, string>} */
  const keys = {
    '+': 'in', '=': 'in', '-': 'out', 'ArrowLeft': 'left', 'ArrowRight': 'right', 'PageUp': 'farLeft', 'PageDown': 'farRight', 'Home': 'all', '0': 'all', ' ': 'play', ',': 'back', '.': 'forward',
    'Escape': 'none', 'ArrowUp': 'up', 'ArrowDown': 'down', 'p': 'previous', 'n': 'next', 'm': 'message', 'Enter': 'zoom',
  };
  canvas.addEventListener('keydown', event => {
    const command = keys[event.key];
    if (!command || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    commands[command]();
    if (['in', 'out', 'left', 'right', 'farLeft', 'farRight'].includes(command)) moved(); else changed();
  });
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll('button[data-command]'))) {
    button.addEventListener('click', () => { commands[button.dataset.command ?? ''](); changed(); });
  }
  form.addEventListener('submit', event => event.preventDefault());
  // A field of the matrix belongs to the form, and is elsewhere in the page.
  document.addEventListener('input', event => {
    if (/** @type {HTMLInputElement} */ (event.target).form !== form) return;
    state.apply();
    changed();
  });

  // Mouse and touch: one pointer pans, two zoom; a pointer that hardly moves selects.
  /** @type {Map<number, {x: number, y: number}>} */
  const pointers = new Map();
  let travelled = 0;
  /** @param {MouseEvent} event */
  const place = event => {
    const box = canvas.getBoundingClientRect();
    return {x: Math.round(event.clientX - box.left), y: event.clientY - box.top};
  };
  canvas.addEventListener('pointerdown', event => {
    if (event.button !== 0) return;
    if (pointers.size === 0) travelled = 0;
    pointers.set(event.pointerId, place(event));
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', event => {
    const now = place(event), before = pointers.get(event.pointerId);
    if (!before) { showTip(now); return; }
    const others = [...pointers.entries()].filter(([id]) => id !== event.pointerId).map(([, other]) => other);
    travelled += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
    pointers.set(event.pointerId, now);
    if (travelled < 5) return;
    tip.hidden = true;
    if (others.length) {
      // The time in the middle of two fingers stays there.
      const [other] = others, [was, is] = [before, now].map(one => Math.max(Math.hypot(one.x - other.x, one.y - other.y), 10));
      const [middle, to] = [before, now].map(one => (one.x + other.x) / 2), length = (state.to - state.from) * was / is;
      const from = diagram.timeAt(middle) - to / diagram.width * length;
      state.show(from, from + length);
    } else pan(before.x - now.x);
    moved();
  });
  canvas.addEventListener('pointerup', event => {
    const isClick = pointers.delete(event.pointerId) && pointers.size === 0 && travelled < 5, {x, y} = place(event);
    if (!isClick) return;
    if (y < AXIS) { state.now = Math.min(Math.max(diagram.timeAt(x), 0), state.whole); changed(); } else select(diagram.find(x, y));
  });
  canvas.addEventListener('pointercancel', event => pointers.delete(event.pointerId));
  canvas.addEventListener('pointerleave', () => { tip.hidden = true; });
  canvas.addEventListener('dblclick', event => { state.zoom(event.shiftKey ? 2 : 0.5, diagram.timeAt(place(event).x)); moved(); });
  // The wheel scrolls the page unless the diagram has the focus or Ctrl is pressed.
  canvas.addEventListener('wheel', event => {
    const sideways = event.shiftKey ? event.deltaY : Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : 0;
    if (sideways === 0 && !event.ctrlKey && document.activeElement !== canvas) return;
    event.preventDefault();
    if (sideways) pan(sideways); else state.zoom(1.0015 ** event.deltaY, diagram.timeAt(place(event).x));
    moved();
  }, {passive: false});

  /** @param {{x: number, y: number}} at */
  const showTip = ({x, y}) => {
    const found = diagram.find(x, y);
    tip.hidden = !found;
    if (!found) return;
    tip.textContent = found.kind === 'message' ? trace.describeMessage(found.at) : found.kind === 'collective' ? trace.describeCollective(found.at) : trace.describeCall(found.at).join('\n');
    tip.style.left = `${Math.min(x + 14, Math.max(diagram.width - tip.offsetWidth - 4, 0))}px`;
    tip.style.top = `${y + 16}px`;
  };

  const readAddress = () => {
    written = location.hash.slice(1);
    state.fromFragment(written);
    changed();
  };
  window.addEventListener('hashchange', readAddress);
  new ResizeObserver(changed).observe(/** @type {HTMLElement} */ (canvas.parentElement));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { diagram.readColours(); changed(); });
  document.documentElement.classList.add('instrument');
  for (const part of document.querySelectorAll('[data-script]')) /** @type {HTMLElement} */ (part).hidden = false;
  diagram.readColours();
  readAddress();
  diagram.measure();
  show();
  rest();
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
  Object.assign(window, {instrument: {trace, state, diagram}});
};

readData().then(data => start(new Trace(data)));
