// The page of an algorithm that plays: its controls, its picture, and the clock that all runs of the page share.

/** @typedef {{id: string, plans: Plans, settings: Settings, run: Run}} Shown */
/** @typedef {{id: string, title: string, group: string}} Choice */

const SVG = "http://www.w3.org/2000/svg";
/** The width of the words beside the field of known ranks, in pixels. */
const STATE_WIDTH = 170;

const SETTINGS = /** @type {const} */ (["ranks", "root", "bytes", "segments", "late", "delay", "latency", "overhead", "gap", "perByte"]);

/** The plans that are loaded, by the name of their page. @type {Record<string, Plans>} */
const loadedPlans = {};

/** Called by the files of plans. @param {string} id @param {Plans} plans */
function addPlans(id, plans) {
  loadedPlans[id] = plans;
  const root = document.getElementById("play");
  if (root instanceof HTMLElement && root.dataset.id === id) new Player(root, id);
}

/** @param {string} name @param {Record<string, string | number>} attributes @param {(Node | string)[]} children */
function svg(name, attributes, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  node.append(...children);
  return node;
}

/** @param {string} name @param {Record<string, string>} attributes @param {(Node | string)[]} children */
function html(name, attributes, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

class Player {
  /** @param {HTMLElement} root @param {string} id */
  constructor(root, id) {
    const data = JSON.parse(/** @type {HTMLElement} */ (document.getElementById("play-data")).textContent ?? "{}");
    /** @type {Record<string, string>} */ this.texts = data.texts;
    /** @type {Choice[]} */ this.choices = data.choices;
    /** @type {Record<string, number>} */ this.start = data.start;
    this.root = root;
    this.id = id;
    this.time = 0;
    this.playing = 0;
    /** @type {Shown[]} */ this.shown = [];
    this.number = new Intl.NumberFormat(document.documentElement.lang);
    /** @type {Record<string, HTMLInputElement>} */ this.inputs = {};
    this.other = /** @type {HTMLSelectElement} */ (html("select", { id: "play-with" }));
    this.clock = /** @type {HTMLInputElement} */ (html("input", { type: "range", id: "play-clock", min: "0", step: "1", "aria-label": this.text("time") }));
    this.output = html("output", { for: "play-clock" });
    this.happening = html("p", { class: "happening", role: "status" });
    this.playButton = this.button("play", "▶", () => this.playing ? this.pause() : this.play());
    this.stage = html("div", { class: "stage" });
    /** Moves the present time of each picture. @type {((time: number) => void)[]} */ this.moves = [];
    // The book turns its pages by the arrow keys.
    root.addEventListener("keydown", (event) => event.stopPropagation());
    root.replaceChildren(this.controls(), this.transport(), this.legend(), this.stage);
    this.read();
    this.update();
    let width = root.clientWidth;
    addEventListener("resize", () => { if (root.clientWidth !== width) { width = root.clientWidth; this.draw(); } });
    addEventListener("hashchange", () => { if (location.hash.includes("=")) { this.read(); this.update(); } });
  }

  /** A text with its arguments. @param {string} key @param {Record<string, string | number>} [values] */
  text(key, values = {}) {
    return this.texts[key].replace(/\{(\w+)\}/g, (_, name) => typeof values[name] === "number" ? this.number.format(/** @type {number} */ (values[name])) : String(values[name]));
  }

  /** @param {number} time */
  ns(time) { return this.text("ns", { time: Math.round(time) }); }

  /** Ranks as a short list. @param {number[]} ranks */
  list(ranks) { return ranks.slice(0, 3).join(", ") + (ranks.length > 3 ? this.text("more", { count: ranks.length - 3 }) : ""); }

  plans() { return loadedPlans[this.id]; }

  /** The settings in two groups: the call and the machine. */
  controls() {
    const plans = this.plans(), sizes = Object.keys(plans.sizes).map(Number);
    /** @param {typeof SETTINGS[number]} key @param {number} min @param {number} max */
    const field = (key, min, max) => {
      const input = this.inputs[key] = /** @type {HTMLInputElement} */ (html("input", { type: "number", id: `play-${key}`, min: `${min}`, max: `${max}`, step: "1" }));
      input.addEventListener("change", () => this.changed());
      return html("label", { for: input.id }, html("span", {}, this.text(key === "bytes" && plans.cut === "Blocks" ? "block" : key)), input);
    };
    const call = [field("ranks", Math.min(...sizes), Math.max(...sizes)), field("root", 0, 63), field("bytes", plans.cut === "Halves" ? 2 : 0, 1 << 20), field("segments", 1, MAX_SEGMENTS)];
    const machine = [field("latency", 0, 1e6), field("overhead", 0, 1e6), field("gap", 0, 1e6), field("perByte", 0, 1e6)];
    const parts = { root: plans.root, bytes: plans.cut !== "None", perByte: plans.cut !== "None", segments: ["Segments", "Halves"].includes(plans.cut) };
    for (const [key, isThere] of Object.entries(parts)) /** @type {HTMLElement} */ (this.inputs[key].parentElement).hidden = !isThere;
    this.other.append(html("option", { value: "" }, this.text("alone")));
    for (const group of new Set(this.choices.map((choice) => choice.group))) {
      const options = this.choices.filter((choice) => choice.group === group && choice.id !== this.id);
      if (options.length > 0) this.other.append(html("optgroup", { label: group }, ...options.map(({ id, title }) => html("option", { value: id }, title))));
    }
    this.other.addEventListener("change", () => this.changed());
    const side = html("label", { for: "play-with", class: "wide" }, html("span", {}, this.text("with")), this.other);
    /** @param {string} legend @param {HTMLElement[]} fields */
    const group = (legend, ...fields) => html("fieldset", {}, html("legend", {}, this.text(legend)), ...fields);
    return html("form", { class: "controls", autocomplete: "off" }, group("call", ...call, field("late", 0, 63), field("delay", 0, 1e7), side), group("machine", ...machine));
  }

  /** @param {string} key @param {string} sign @param {() => void} action */
  button(key, sign, action) {
    const node = html("button", { type: "button", class: "step", id: `play-${key}`, title: this.text(key) }, html("span", { "aria-hidden": "true" }, sign), html("span", { class: "name" }, this.text(key)));
    node.addEventListener("click", () => { if (key !== "play") this.pause(); action(); });
    return node;
  }

  /** Play, pause and steps; the clock; what happens at its time. */
  transport() {
    this.playButton.classList.add("main");
    const buttons = [
      this.button("begin", "|◀", () => this.seek(0)), this.button("round_back", "◀◀", () => this.step(this.roundTimes(), -1)), this.button("event_back", "◀", () => this.step(this.eventTimes(), -1)),
      this.playButton, this.button("event_next", "▶", () => this.step(this.eventTimes(), 1)), this.button("round_next", "▶▶", () => this.step(this.roundTimes(), 1)), this.button("end", "▶|", () => this.seek(this.end())),
    ];
    this.clock.addEventListener("input", () => { this.pause(); this.seek(Number(this.clock.value)); });
    return html("div", { class: "transport" }, html("div", { class: "buttons", role: "group", "aria-label": this.text("steps") }, ...buttons),
      html("div", { class: "clock" }, this.clock, this.output), this.happening);
  }

  legend() {
    /** @param {string} key @param {Element[]} shapes */
    const item = (key, ...shapes) => html("li", {}, svg("svg", { width: 34, height: 16, "aria-hidden": "true" }, ...shapes), this.text(key));
    const line = { x1: 2, x2: 32, y1: 8, y2: 8 };
    return html("ul", { class: "legend" },
      item("legend_send", svg("rect", { class: "mark-send", x: 3, y: 1, width: 28, height: 7 })), item("legend_receive", svg("rect", { class: "mark-receive", x: 3, y: 8, width: 28, height: 7 })),
      item("legend_wait", svg("line", { class: "mark-wait", ...line })), item("legend_message", svg("line", { class: "mark-message", x1: 4, x2: 30, y1: 2, y2: 14 })),
      item("legend_critical", svg("line", { class: "mark-critical", ...line })), item("legend_heard", svg("rect", { class: "mark-heard", x: 9, y: 1, width: 14, height: 14 })),
      item("legend_unheard", svg("path", { class: "mark-unheard", d: "M10 2l12 12m0-12l-12 12" })));
  }

  /** The settings from the address, else those of the page. */
  read() {
    const given = new URLSearchParams(location.hash.slice(1));
    for (const key of SETTINGS) this.inputs[key].value = String(given.get(key) ?? this.start[key]);
    this.other.value = given.get("with") ?? "";
    this.time = NaN;
  }

  /** A control was changed: the address has the new settings. */
  changed() {
    const given = new URLSearchParams();
    for (const key of SETTINGS) if (Number(this.inputs[key].value) !== this.start[key]) given.set(key, this.inputs[key].value);
    if (this.other.value) given.set("with", this.other.value);
    history.replaceState(null, "", `#${given}`);
    this.time = NaN;
    this.update();
  }

  /** The settings, each within its bounds; the number of ranks is one that the algorithm has. @returns {Settings} */
  settings() {
    const sizes = Object.keys(this.plans().sizes).map(Number);
    /** @param {string} key @param {number} [most] */
    const value = (key, most) => {
      const input = this.inputs[key], bounded = Math.min(Math.max(Math.round(Number(input.value)) || 0, Number(input.min)), most ?? Number(input.max));
      input.value = String(bounded);
      return bounded;
    };
    const wanted = value("ranks"), ranks = sizes.reduce((one, other) => Math.abs(other - wanted) < Math.abs(one - wanted) ? other : one);
    this.inputs.ranks.value = String(ranks);
    const machine = { latency: value("latency"), overhead: value("overhead"), gap: value("gap"), perByte: value("perByte") };
    return { ranks, root: value("root", ranks - 1), bytes: value("bytes"), segments: value("segments"), late: value("late", ranks - 1), delay: value("delay"), machine };
  }

  /** Computes the runs, after the plans of the other algorithm are there. */
  update() {
    this.pause();
    const other = this.other.value;
    if (other && !loadedPlans[other]) {
      const script = html("script", { src: `plans/${other}.js` });
      script.addEventListener("load", () => this.update());
      document.head.append(script);
      return;
    }
    const settings = this.settings();
    this.shown = [this.id, other].filter(Boolean).map((id) => {
      const plans = loadedPlans[id], sizes = Object.keys(plans.sizes).map(Number);
      const own = sizes.includes(settings.ranks) ? settings : { ...settings, ranks: NaN };
      return { id, plans, settings: own, run: Number.isNaN(own.ranks) ? { plan: [], ranks: [], messages: [], end: 0, path: [] } : simulate(plans, own) };
    });
    if (Number.isNaN(this.time)) this.time = this.end();
    this.clock.max = String(this.end());
    this.draw();
  }

  end() { return Math.max(...this.shown.map(({ run }) => run.end), 1); }

  /** The times of events, ascending. */
  eventTimes() {
    const times = this.shown.flatMap(({ run }) => [...run.ranks.flatMap(({ entry, clock }) => [entry, clock]),
      ...run.messages.flatMap(({ called, arrives, received }) => [called, arrives, received])]);
    return [...new Set([0, ...times.filter((time) => !Number.isNaN(time)), this.end()])].sort((one, other) => one - other);
  }

  /** When all ranks have completed their first round, their second one, ... */
  roundTimes() {
    const times = this.shown.flatMap(({ run }) => {
      const most = Math.max(0, ...run.ranks.map(({ rounds }) => rounds.length));
      return [...Array(most).keys()].map((number) => Math.max(...run.ranks.map(({ rounds, clock }) => rounds[number + 1]?.called ?? (rounds[number] ? clock : 0))));
    });
    return [...new Set([0, ...times, this.end()])].sort((one, other) => one - other);
  }

  /** @param {number[]} times @param {1 | -1} direction */
  step(times, direction) {
    const found = direction > 0 ? times.find((time) => time > this.time) : times.filter((time) => time < this.time).pop();
    this.seek(found ?? this.time);
  }

  /** @param {number} time */
  seek(time) {
    this.time = time;
    this.show();
    this.happening.textContent = this.happenings();
  }

  play() {
    if (this.time >= this.end()) this.seek(0);
    this.setPlaying(true);
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches, duration = 14_000;
    let before = performance.now();
    /** @param {number} now */
    const frame = (now) => {
      if (isCalm && now - before < 900) { this.playing = requestAnimationFrame(frame); return; }
      if (isCalm) this.step(this.eventTimes(), 1);
      else { this.time = Math.min(this.end(), this.time + Math.min(now - before, 100) / duration * this.end()); this.show(); }
      before = now;
      if (this.time >= this.end()) { this.pause(); this.seek(this.end()); } else this.playing = requestAnimationFrame(frame);
    };
    this.playing = requestAnimationFrame(frame);
  }

  pause() {
    cancelAnimationFrame(this.playing);
    this.playing = 0;
    this.setPlaying(false);
  }

  /** @param {boolean} isPlaying */
  setPlaying(isPlaying) {
    const [sign, name] = this.playButton.children;
    sign.textContent = isPlaying ? "▮▮" : "▶";
    name.textContent = this.playButton.title = this.text(isPlaying ? "pause" : "play");
  }

  /** Draws all runs anew. */
  draw() {
    this.stage.replaceChildren(...this.shown.map((shown, at) => this.panel(shown, at)));
    if (this.shown.length > 1) this.stage.prepend(html("p", { class: "comparison" }, this.comparison()));
    this.seek(this.time);
  }

  comparison() {
    const [one, other] = this.shown;
    if (one.run.ranks.length === 0 || other.run.ranks.length === 0) return this.text("undefined", { ranks: this.inputs.ranks.value });
    if (!one.run.path.length || !other.run.path.length) return "";
    const [faster, slower] = one.run.end <= other.run.end ? [one, other] : [other, one], lead = slower.run.end - faster.run.end;
    if (lead === 0) return this.text("equal", { time: this.ns(one.run.end) });
    return this.text("faster", { name: faster.plans.name, by: this.ns(lead), ratio: this.number.format(Math.round(100 * slower.run.end / faster.run.end) / 100) });
  }

  /** @param {Shown} shown @param {number} at */
  panel({ plans, run }, at) {
    const title = html("h2", { id: `run-${at}` }, html("code", {}, plans.name)), summary = html("p", { class: "result" }, this.result(plans, run));
    const panel = html("section", { class: "run", "aria-labelledby": `run-${at}` }, title, summary);
    if (run.ranks.length === 0) return panel;
    const size = run.ranks.length, lane = size <= 10 ? 30 : size <= 20 ? 22 : size <= 40 ? 15 : 12;
    const isNarrow = this.root.clientWidth < 640, side = Math.min(size * lane, isNarrow ? 128 : 210);
    const width = Math.max(260, this.root.clientWidth - (isNarrow ? 28 : side + STATE_WIDTH + 46));
    const picture = this.picture(run, at, width, lane), heard = this.heardOf(size, side, lane);
    panel.append(html("div", { class: "space", tabindex: "0", role: "group", "aria-labelledby": `run-${at}` }, picture, heard));
    const table = html("details", {}, html("summary", {}, this.text("table", { count: run.messages.length })));
    table.addEventListener("toggle", () => { if (table.children.length === 1) table.append(this.table(run)); });
    panel.append(table);
    return panel;
  }

  /** One sentence: when the last rank leaves, or what is wrong. @param {Plans} plans @param {Run} run */
  result(plans, run) {
    if (run.ranks.length === 0) return this.text("undefined", { ranks: this.inputs.ranks.value });
    const found = plans.operation === "barrier" || run.path.length === 0 ? fault(run) : null;
    if (found) {
      const [first, second] = found.ranks;
      return `✗ ${this.text(found.kind, { rank: first, other: second ?? "", ranks: this.list(found.ranks) })}`;
    }
    const ranks = run.path.filter(({ kind }) => kind !== "leave").map(({ to }) => to);
    const path = ranks.length > 12 ? [...ranks.slice(0, 6), "…", ...ranks.slice(-5)] : ranks;
    return this.text("done", { time: this.ns(run.end), messages: run.messages.length, path: path.join(" → ") });
  }

  /** The space-time diagram: a line for each rank, time to the right. @param {Run} run @param {number} at @param {number} width @param {number} lane */
  picture(run, at, width, lane) {
    const size = run.ranks.length, left = 26, top = 22, height = top + size * lane, end = this.end();
    /** @param {number} time */
    const x = (time) => left + time / end * (width - left - 12);
    /** @param {number} rank */
    const y = (rank) => top + (rank + 0.5) * lane;
    const bar = Math.max(2, lane * 0.3), all = svg("g", { id: `picture-${at}` });
    for (const rank of run.ranks) {
      all.append(svg("line", { class: "mark-life", x1: x(rank.entry), x2: rank.isOver ? x(rank.clock) : x(end), y1: y(rank.rank), y2: y(rank.rank) }));
      for (const { kind, from, to } of rank.intervals) {
        if (kind === "wait") all.append(svg("line", { class: "mark-wait", x1: x(from), x2: x(Math.min(to, end)), y1: y(rank.rank), y2: y(rank.rank) }));
        else all.append(svg("rect", { class: `mark-${kind}`, x: x(from), width: Math.max(0.5, x(to) - x(from)), y: y(rank.rank) - (kind === "send" ? bar : 0), height: bar }));
      }
      all.append(svg("line", { class: "mark-edge", x1: x(rank.entry), x2: x(rank.entry), y1: y(rank.rank) - bar, y2: y(rank.rank) + bar }));
      if (rank.isOver) all.append(svg("line", { class: "mark-edge", x1: x(rank.clock), x2: x(rank.clock), y1: y(rank.rank) - bar, y2: y(rank.rank) + bar }));
    }
    const messages = svg("g", { class: run.messages.length > 600 ? "mark-many" : "" });
    for (const { from, to, injected, arrives } of run.messages) {
      if (!Number.isNaN(arrives)) messages.append(svg("line", { class: "mark-message", x1: x(injected), y1: y(from), x2: x(arrives), y2: y(to) }));
    }
    const critical = svg("g", { class: "path" });
    run.path.slice(1).forEach(({ kind, from, to, start, via, end }, before) => {
      critical.append(svg("line", { class: "mark-critical", x1: x(run.path[before].end), x2: x(via), y1: y(from), y2: y(from) }));
      if (kind !== "leave") critical.append(svg("line", { class: "mark-critical", x1: x(via), x2: x(end), y1: y(from), y2: y(to) }));
    });
    all.append(messages, critical);
    const names = [];
    for (let rank = 0; rank < size; rank++) names.push(svg("text", { class: "rank", x: left - 6, y: y(rank) + 4, "text-anchor": "end", "font-size": Math.min(12, lane - 1) }, String(rank)));
    const ticks = this.ticks(end, width).map((time) => svg("g", { class: "tick" }, svg("line", { x1: x(time), x2: x(time), y1: top - 4, y2: height }), svg("text", { x: x(time), y: 12, "text-anchor": "middle" }, this.number.format(time))));
    const clip = svg("rect", { x: 0, y: 0, height: height + 4, width: 0, class: "past" }), now = svg("line", { class: "now", y1: top - 6, y2: height });
    this.moves[at] = (time) => { clip.setAttribute("width", String(x(time) + 0.5)); for (const end of ["x1", "x2"]) now.setAttribute(end, String(x(time))); };
    const node = svg("svg", { class: "picture", width, height: height + 6, viewBox: `0 0 ${width} ${height + 6}`, role: "img", "aria-label": this.text("picture", { ranks: size, result: this.result(this.shown[at].plans, run) }) },
      svg("clipPath", { id: `past-${at}` }, clip), ...ticks, ...names, svg("use", { href: `#picture-${at}`, class: "ghost" }), svg("g", { "clip-path": `url(#past-${at})` }, all), now);
    return node;
  }

  /** Round times for the axis. @param {number} end @param {number} width */
  ticks(end, width) {
    const most = Math.max(2, width / 90), raw = end / most, unit = 10 ** Math.floor(Math.log10(Math.max(raw, 1)));
    const step = [1, 2, 5, 10].map((times) => times * unit).find((step) => step >= raw) ?? raw;
    return [...Array(Math.floor(end / step) + 1).keys()].map((number) => number * step);
  }

  /** A row for each rank: of whom it has heard, and what it does. @param {number} size @param {number} side @param {number} lane */
  heardOf(size, side, lane) {
    const cell = side / size, top = 22, states = [], width = side + STATE_WIDTH;
    for (let rank = 0; rank < size; rank++) states.push(svg("text", { class: "state", x: side + 10, y: top + (rank + 0.5) * lane + 4, "font-size": Math.min(12, lane - 1) }));
    const grid = svg("path", { class: "grid", d: [...Array(size).keys()].map((rank) => `M0 ${top + (rank + 0.5) * lane}h${side}`).join("") });
    return svg("svg", { class: "known", width, height: top + size * lane + 6, viewBox: `0 0 ${width} ${top + size * lane + 6}`, role: "img", "data-cell": cell, "data-lane": lane },
      svg("text", { class: "head", x: 0, y: 12 }, this.text("heard_of")), grid, svg("path", { class: "mark-heard" }), svg("path", { class: "mark-unheard" }), ...states);
  }

  /** Shows the present time in all pictures. */
  show() {
    this.clock.value = String(this.time);
    this.output.textContent = this.text("now", { time: this.ns(this.time), end: this.ns(this.end()) });
    this.clock.setAttribute("aria-valuetext", this.ns(this.time));
    this.stage.querySelectorAll("svg.known").forEach((known, number) => {
      const drawn = this.shown.map((_, at) => at).filter((at) => this.shown[at].run.ranks.length > 0)[number];
      this.moves[drawn](this.time);
      this.showKnown(/** @type {SVGSVGElement} */ (known), this.shown[drawn]);
    });
  }

  /** @param {SVGSVGElement} known @param {Shown} shown */
  showKnown(known, { plans, run }) {
    const cell = Number(known.dataset.cell), lane = Number(known.dataset.lane), top = 22, size = run.ranks.length;
    const heard = run.ranks.map(({ rank, entry }) => entry <= this.time ? 1n << BigInt(rank) : 0n);
    for (const { to, received, heard: more } of run.messages) if (received <= this.time) heard[to] |= more;
    let cells = "", missing = "";
    const states = known.querySelectorAll(".state");
    run.ranks.forEach((rank) => {
      const y = top + rank.rank * lane + Math.min(3, lane * 0.12), height = lane - 2 * Math.min(3, lane * 0.12), bits = heard[rank.rank];
      const hasLeft = rank.isOver && rank.clock <= this.time, unknown = [];
      for (let other = 0; other < size; other++) {
        if (bits >> BigInt(other) & 1n) cells += `M${(other * cell).toFixed(1)} ${y}h${Math.max(1, cell - (cell > 4 ? 1 : 0)).toFixed(1)}v${height}h-${Math.max(1, cell - (cell > 4 ? 1 : 0)).toFixed(1)}z`;
        else if (hasLeft && plans.operation === "barrier") {
          unknown.push(other);
          missing += `M${other * cell + 1} ${y}l${cell - 2} ${height}m0 -${height}l-${cell - 2} ${height}`;
        }
      }
      const now = rank.intervals.find(({ from, to }) => from <= this.time && this.time < to);
      const isStuck = now?.to === Infinity;
      const state = this.time < rank.entry ? this.text("outside") : hasLeft ? (unknown.length ? `✗ ${this.text("unaware", { ranks: this.list(unknown) })}` : this.text("left"))
        : now ? (isStuck ? "✗ " : "") + this.text(isStuck ? "stuck" : `state_${now.kind}`, { ranks: this.list(now.peers) }) : "";
      states[rank.rank].textContent = state;
      states[rank.rank].classList.toggle("bad", isStuck || unknown.length > 0);
    });
    known.querySelector(".mark-heard")?.setAttribute("d", cells);
    known.querySelector(".mark-unheard")?.setAttribute("d", missing);
    known.setAttribute("aria-label", this.text("known", { count: run.ranks.filter(({ rank }) => heard[rank] === (1n << BigInt(size)) - 1n).length, ranks: size, time: this.ns(this.time) }));
  }

  /** What happens at the present time, in words. */
  happenings() {
    const all = this.shown.flatMap(({ plans, run }) => {
      /** @type {string[]} */
      const found = [], name = this.shown.length > 1 ? `${plans.name}: ` : "";
      for (const { rank, entry, clock, isOver } of run.ranks) {
        if (entry === this.time) found.push(this.text("event_enter", { rank }));
        if (isOver && clock === this.time) found.push(this.text("event_leave", { rank }));
      }
      for (const { from, to, called, arrives, received } of run.messages) {
        if (called === this.time) found.push(this.text("event_send", { from, to }));
        if (arrives === this.time) found.push(this.text("event_arrive", { from, to }));
        if (received === this.time) found.push(this.text("event_receive", { from, to }));
      }
      return found.length ? [name + found.slice(0, 4).join("; ") + (found.length > 4 ? this.text("more", { count: found.length - 4 }) : "")] : [];
    });
    return `${this.ns(this.time)}: ${all.join(". ") || this.text("nothing")}`;
  }

  /** The messages in the order of their sends. @param {Run} run */
  table(run) {
    const columns = ["from", "to", "length", "called", "injected", "arrives", "received"];
    const rows = [...run.messages].sort((one, other) => one.called - other.called).map((message) => {
      const values = [message.from, message.to, message.bytes, message.called, message.injected, message.arrives, message.received];
      return html("tr", {}, ...values.map((value) => html("td", {}, Number.isNaN(value) ? "—" : this.number.format(value))));
    });
    const head = html("tr", {}, ...columns.map((column) => html("th", { scope: "col" }, this.text(`column_${column}`))));
    return html("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": this.text("messages") }, html("table", {}, html("thead", {}, head), html("tbody", {}, ...rows)));
  }
}
