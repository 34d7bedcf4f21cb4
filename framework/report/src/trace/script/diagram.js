// The space-time diagram on a canvas: a row for each rank or group, time to the right.

/** Pixels: the axis above the rows, the strip of stages above a bar. */
const AXIS = 40, STRIP = 4;

/** Messages that one picture shows, of more those that take longest; and those that are drawn as smooth arrows, of more as plain lines. */
const MAX_MESSAGES = 10000, MAX_MOVING = 1200, MAX_ARROWS = 250;

/** Textures, so that no part is known by its colour alone: whether the pixel at x, y is a light one. @type {Record<number, (x: number, y: number) => boolean>} */
const TEXTURES = {
  3: (x, y) => (x + y) % 5 === 0, 4: (x, y) => (x - y + 60) % 5 === 0, 5: (x, y) => x % 4 === 0 && y % 4 === 0, 7: (x, y) => (x + y) % 3 === 0,
};
/** The width and height after which all textures repeat. */
const PERIOD = 60;

class Diagram {
  /** @param {Trace} trace @param {State} state @param {HTMLCanvasElement} canvas */
  constructor(trace, state, canvas) {
    this.trace = trace;
    this.state = state;
    this.canvas = canvas;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    /** The bars and the plain lines as a cylinder: the column of the left edge, its time, the scale, and the size of the picture that they are of. */
    this.bars = new OffscreenCanvas(1, 1);
    this.barsLeft = this.barsFrom = this.barsScale = 0;
    this.barsOf = '';
    /** Messages that take less time were left out. */
    this.least = 0;
    /** Messages among which those of the picture are, the longest first, and the time that they cover. */
    this.near = {from: 0, to: -1, messages: new Uint32Array(0)};
    /** Messages of the picture, and how many there are. @type {number[]} */ this.drawn = [];
    this.visible = 0;
    this.isMoving = false;
    /** Pixels: the picture, a row, a bar. */
    this.width = this.height = this.row = this.bar = 0;
    /** @type {Record<string, string>} */ this.colour = {};
    /** @type {string[]} */ this.stages = [];
    /** The texture of each part, as the bytes of pixels. */
    this.textures = new Uint32Array(8 * PERIOD * PERIOD);
    this.readColours();
  }

  readColours() {
    const style = getComputedStyle(this.canvas);
    /** @param {string} name */
    const value = name => style.getPropertyValue(name).trim();
    this.colour = Object.fromEntries(['ink', 'soft', 'line', 'paper', 'link', 't-sender', 't-collective', 'critical', 'what-if'].map(name => [name, value(`--${name}`)]));
    this.stages = ['validation', 'preprocessing', 'run', 'postprocessing'].map(name => value(`--${name}`));
    const names = ['compute', 'compute', 'imbalance', 'sender', 'receiver', 'collective', 'transfer', 'imbalance'];
    names.forEach((name, part) => {
      const rgb = [1, 3, 5].map(at => parseInt(value(`--t-${name}`).slice(at, at + 2), 16));
      /** @param {number[]} of */
      const packed = ([r, g, b]) => (255 << 24 | b << 16 | g << 8 | r) >>> 0;
      const plain = packed(rgb), light = packed(rgb.map(one => Math.round(one + (255 - one) * 0.45))), isLight = TEXTURES[part] ?? (() => false);
      for (let at = 0; at < PERIOD * PERIOD; at++) this.textures[part * PERIOD * PERIOD + at] = isLight(at % PERIOD, Math.floor(at / PERIOD)) ? light : plain;
    });
  }

  /** Reads the width of the place of the canvas. */
  measure() { this.width = Math.max(Math.floor(/** @type {HTMLElement} */ (this.canvas.parentElement).clientWidth), 50); }

  /** Gives the canvas the size of its place and of its rows. */
  resize() {
    const {rows} = this.state, {canvas} = this;
    this.row = rows.length <= 8 ? 56 : rows.length <= 20 ? 38 : 24;
    this.bar = rows.length <= 8 ? 30 : rows.length <= 20 ? 18 : 12;
    this.height = AXIS + this.row * rows.length + 4;
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    if (canvas.width !== Math.round(this.width * ratio) || canvas.height !== Math.round(this.height * ratio)) {
      [canvas.width, canvas.height] = [Math.round(this.width * ratio), Math.round(this.height * ratio)];
      canvas.style.height = `${this.height}px`;
    }
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  /** @param {number} time */
  x(time) { return (time - this.state.from) / (this.state.to - this.state.from) * this.width; }

  /** @param {number} x */
  timeAt(x) { return this.state.from + x / this.width * (this.state.to - this.state.from); }

  /** The top of the bar of a row. @param {number} row */
  y(row) { return AXIS + row * this.row + STRIP + 4; }

  draw() {
    this.resize();
    const {context} = this;
    context.fillStyle = this.colour.paper;
    context.fillRect(0, 0, this.width, this.height);
    this.drawAxis();
    this.findMessages();
    this.drawBars();
    this.drawStages();
    this.drawCollectives();
    this.drawMessages();
    this.drawInside();
    this.drawNames();
    if (this.state.field('path') === '1' && !this.isPathDense()) this.drawPath();
    this.drawWhatIf();
    this.drawSelection();
    this.drawNow();
  }

  /** Round times, with as many digits as the step between two of them needs. */
  drawAxis() {
    const {context, trace} = this, {from, to, whole} = this.state, [scale, unit] = timeUnit(to);
    const raw = (to - from) / Math.max(this.width / 130, 2) / scale, decade = 10 ** Math.floor(Math.log10(raw));
    const step = decade * (/** @type {number} */ ([1, 2, 5, 10].find(times => times * decade >= raw)));
    const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    context.font = '12px system-ui, sans-serif';
    [context.fillStyle, context.strokeStyle, context.lineWidth] = [this.colour.soft, this.colour.line, 1];
    context.beginPath();
    for (let k = Math.ceil(from / scale / step); k * step * scale <= to; k++) {
      const x = Math.round(this.x(k * step * scale)) + 0.5, text = trace.quantity(k * step, digits, unit);
      context.moveTo(x, AXIS - 12);
      context.lineTo(x, this.height);
      const width = context.measureText(text).width;
      context.fillText(text, Math.min(Math.max(x - width / 2, 0), this.width - width), AXIS - 16);
    }
    context.stroke();
    // Where the visible time is in the run.
    context.fillStyle = this.colour.line;
    context.fillRect(0, 0, this.width, 5);
    context.fillStyle = this.colour.link;
    context.fillRect(from / whole * this.width, 0, Math.max((to - from) / whole * this.width, 3), 5);
  }

  /** Each pixel of a row is a stack of the parts of its time, summed over the ranks of the row. When a picture moves sideways, its new edge replaces the one that it loses. */
  drawBars() {
    const {width, height, bars} = this, {from, to} = this.state, scale = width / (to - from), key = `${width} ${height}`;
    const exact = (this.barsFrom - from) * scale, shift = Math.round(exact);
    const isMoved = this.isMoving && this.barsOf === key && Math.abs(scale / this.barsScale - 1) < 1e-9 && Math.abs(exact - shift) < 0.02 && Math.abs(shift) < width;
    if (this.barsOf !== key) [bars.width, bars.height] = [width, height];
    [this.barsScale, this.barsOf] = [scale, key];
    if (isMoved) {
      this.barsFrom -= shift / scale;
      this.barsLeft = (this.barsLeft - shift + width) % width;
      if (shift > 0) this.paint(0, shift); else if (shift < 0) this.paint(width + shift, width);
    } else {
      [this.barsFrom, this.barsLeft] = [from, 0];
      this.least = this.drawn.length < (this.isMoving ? MAX_MOVING : MAX_MESSAGES) ? 0 : this.trace.flight[this.drawn[this.drawn.length - 1]];
      this.paint(0, width);
    }
    this.context.imageSmoothingEnabled = false;
    for (const left of [-this.barsLeft, width - this.barsLeft]) this.context.drawImage(bars, left, 0);
  }

  /** Computes the columns from `left` to `right`. @param {number} left @param {number} right */
  paint(left, right) {
    const context = /** @type {OffscreenCanvasRenderingContext2D} */ (this.bars.getContext('2d'));
    const width = right - left, image = context.createImageData(width, this.height), pixels = new Uint32Array(image.data.buffer);
    const times = new Float32Array(8 * width), from = this.barsFrom + left / this.barsScale;
    // Textures move with the picture.
    const phase = (Math.round(this.barsFrom * this.barsScale) + left) % PERIOD;
    this.state.rows.forEach(({ranks, group, inside}, row) => {
      times.fill(0);
      for (const rank of ranks) this.addTimes(times, width, rank, from);
      this.stack(times, width, ranks.length, pixels, this.y(row), this.bar + (group ? 4 : inside ? -3 : 0), phase);
    });
    if (this.drawn.length > MAX_ARROWS) this.plotLines(pixels, width, left);
    const isPathDense = this.isPathDense();
    for (const place of [this.barsLeft, this.barsLeft - this.width]) {
      context.putImageData(image, left + place, 0);
      if (!isPathDense) continue;
      context.fillStyle = this.colour.critical;
      this.eachOfPath(from, from + width / this.barsScale, (a, b, y, jump) => {
        context.fillRect(a + place, y - 1.5, Math.max(b - a, 1), 3);
        if (jump) context.fillRect(a + place, Math.min(y, jump[1]), 0.5, Math.abs(y - jump[1]));
      });
    }
  }

  /** Adds the time of each part of a rank in each of `width` pixels from the time `from` on. @param {Float32Array} times @param {number} width @param {number} rank @param {number} from */
  addTimes(times, width, rank, from) {
    const {trace, state} = this, scale = this.barsScale, to = from + width / scale;
    /** @param {number} part @param {number} begin @param {number} end */
    const add = (part, begin, end) => {
      const a = Math.max((begin - from) * scale, 0), b = Math.min((end - from) * scale, width);
      if (b <= a) return;
      const first = a | 0, last = b | 0;
      if (first === last) { times[8 * first + part] += b - a; return; }
      times[8 * first + part] += first + 1 - a;
      for (let x = first + 1; x < last; x++) times[8 * x + part] += 1;
      if (last < width) times[8 * last + part] += b - last;
    };
    const [begin, end] = trace.data.ranks[rank], until = trace.first[rank + 1];
    let event = trace.eventAfter(rank, from), now = event > trace.first[rank] ? trace.end[event - 1] : begin;
    for (; event < until && trace.begin[event] < to; event++) {
      const entered = trace.begin[event], left = trace.end[event], waited = trace.waited[event];
      add(COMPUTE, now, entered);
      if (!state.calls[event]) add(EXCLUDED, entered, left);
      else {
        if (waited > 0) add(trace.part[event], entered, entered + waited);
        add(TRANSFER, entered + waited, left);
      }
      now = left;
    }
    add(COMPUTE, now, event < until ? trace.begin[event] : end);
  }

  /** @param {Float32Array} times @param {number} width @param {number} ranks @param {Uint32Array} pixels @param {number} top @param {number} height @param {number} phase */
  stack(times, width, ranks, pixels, top, height, phase) {
    for (let x = 0; x < width; x++) {
      const column = (x + phase) % PERIOD;
      for (let part = 0, filled = 0, sum = 0; part < 8; part++) {
        if (times[8 * x + part] === 0) continue;
        sum += times[8 * x + part];
        const until = Math.min(Math.round(sum / ranks * height), height), texture = part * PERIOD * PERIOD + column;
        for (let y = filled; y < until; y++) pixels[(top + y) * width + x] = this.textures[texture + y * PERIOD];
        filled = until;
      }
    }
  }

  /** Many messages as lines of one pixel, which the canvas could not draw in a frame. @param {Uint32Array} pixels @param {number} width @param {number} left the place of the pixels */
  plotLines(pixels, width, left) {
    const ink = parseInt(this.colour.ink.slice(1), 16), bytes = (ink & 255) << 16 | ink & 0xff00 | ink >> 16;
    const quarter = bytes >> 2 & 0x3f3f3f;
    const {departure, sender, receiver, flight, earliest, longest} = this.trace, {state} = this, {rowOf} = state, scale = this.barsScale;
    const begin = this.barsFrom + left / scale, end = begin + width / scale;
    for (let k = firstNot(0, earliest.length, k => departure[earliest[k]] < begin - flight[longest[0]]); k < earliest.length && departure[earliest[k]] <= end; k++) {
      const at = earliest[k];
      if (flight[at] < this.least || !state.messages[at] || !state.isInCell(at)) continue;
      const [a, b] = [rowOf[sender[at]], rowOf[receiver[at]]], x1 = (departure[at] - this.barsFrom) * scale - left, dx = flight[at] * scale;
      if (a === b || x1 >= width || x1 + dx < 0) continue;
      const y1 = this.y(a) + (a < b ? this.bar : 0), dy = this.y(b) + (a < b ? 0 : this.bar) - y1, steps = Math.ceil(Math.max(Math.abs(dx), Math.abs(dy), 1));
      const [first, last] = dx > 1e-9 ? [Math.max(-x1 / dx, 0), Math.min((width - 1e-6 - x1) / dx, 1)] : [0, 1];
      const from = Math.ceil(first * steps), to = last * steps, stepX = dx / steps, stepY = dy / steps;
      for (let k = from, x = x1 + from * stepX, y = y1 + from * stepY; k <= to; k++, x += stepX, y += stepY) {
        const place = (y | 0) * width + Math.max(x | 0, 0), old = pixels[place];
        pixels[place] = (old === 0 ? 0x58000000 + bytes : (old & 0xff000000) + (old >>> 1 & 0x7f7f7f) + (old >>> 2 & 0x3f3f3f) + quarter) >>> 0;
      }
    }
  }

  drawStages() {
    const {context, trace} = this, {rows, rowOf} = this.state;
    context.font = '11px system-ui, sans-serif';
    for (const [rank, stage, begin, end] of trace.data.spans) {
      const row = rowOf[rank], [a, b] = [Math.max(this.x(begin), 0), Math.min(this.x(end), this.width)];
      if (row < 0 || b <= a || rows[row].ranks[0] !== rank) continue;
      const name = trace.data.stages[stage], known = ['validation', 'preprocessing', 'run', 'postprocessing'].indexOf(name);
      context.fillStyle = this.stages[known] ?? this.colour.soft;
      context.fillRect(a, this.y(row) - STRIP - 2, b - a, STRIP);
      const shown = row === 0 && context.measureText(name).width < b - a - 4;
      if (shown) { context.fillStyle = this.colour.ink; context.fillText(name, a + 2, AXIS - 1); }
    }
  }

  /** From the last entry to the last exit, with a line through the entries of all ranks. */
  drawCollectives() {
    const {context, trace, state} = this;
    const shown = trace.spans.flatMap(({entered, left}, at) => entered < state.to && left > state.from ? [at] : [])
      .filter(at => trace.data.collectives[at].entered.length > 1 && state.calls[trace.data.collectives[at].entered[0]]);
    [context.fillStyle, context.strokeStyle, context.lineWidth] = [this.colour['t-collective'], this.colour['t-collective'], 1];
    const lines = new Path2D();
    for (const number of shown.slice(0, 2000)) {
      const {entered, edges} = trace.data.collectives[number];
      const rows = entered.map(event => state.rowOf[trace.rank[event]]).filter(row => row >= 0);
      if (rows.length === 0) continue;
      if (edges.length) { for (const [source, caller] of edges) this.line(lines, source, caller); continue; }
      const [first, last] = [Math.min(...rows), Math.max(...rows)];
      const begin = this.x(trace.spans[number].last), end = this.x(trace.spans[number].left);
      context.globalAlpha = 0.14;
      if (end - begin > 0.5) context.fillRect(begin, this.y(first) - 3, end - begin, this.y(last) - this.y(first) + this.bar + 6);
      if (shown.length <= 60) for (let at = 1; at < entered.length; at++) {
        const [one, next] = [entered[at - 1], entered[at]].map(event => state.rowOf[trace.rank[event]]);
        if (one < 0 || next < 0 || one === next) continue;
        lines.moveTo(this.x(trace.begin[entered[at - 1]]), this.y(one) + this.bar);
        lines.lineTo(this.x(trace.begin[entered[at]]), this.y(next));
      }
    }
    context.globalAlpha = 0.8;
    context.setLineDash([2, 3]);
    context.stroke(lines);
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  /** A line from the entry of one call to the return of another. @param {Path2D} path @param {number} from @param {number} to */
  line(path, from, to) {
    const [[x1, y1], [x2, y2]] = this.ends(from, to);
    path.moveTo(x1, y1);
    path.lineTo(x2, y2);
  }

  /** @param {number} from @param {number} to @returns {[[number, number], [number, number]]} */
  ends(from, to) {
    const {trace} = this, [a, b] = [from, to].map(event => this.state.rowOf[trace.rank[event]]);
    const down = a <= b;
    return [[this.x(trace.begin[from]), this.y(a) + (down ? this.bar : 0)], [this.x(trace.end[to]), this.y(b) + (down ? 0 : this.bar)]];
  }

  /** The filters have changed. */
  forget() {
    this.near.to = -1;
    this.barsOf = '';
  }

  /** The messages that are near the visible time and pass the filters: a picture that moves is drawn from these. */
  findNear() {
    const {trace, state, near} = this, length = state.to - state.from;
    if (near.from <= Math.max(state.from, 0) && near.to >= state.to && near.to - near.from <= 6 * length) return near.messages;
    const [from, to] = [Math.max(state.from - 2 * length, 0), state.to + 2 * length], found = [], {longest, departure, arrival} = trace;
    for (let k = 0; k < longest.length; k++) {
      const at = longest[k];
      if (state.messages[at] && departure[at] <= to && arrival[at] >= from && state.isInCell(at)) found.push(at);
    }
    this.near = {from, to, messages: Uint32Array.from(found)};
    return this.near.messages;
  }

  /** The messages of the picture: those that lead to another row, the longest first. They are counted when the picture rests. */
  findMessages() {
    const {trace, state} = this, {from, to, rowOf} = state, {departure, arrival, sender, receiver} = trace, near = this.findNear();
    this.drawn = [];
    let visible = 0;
    for (let k = 0; k < near.length; k++) {
      const at = near[k];
      if (departure[at] > to || arrival[at] < from) continue;
      visible++;
      if (this.drawn.length < (this.isMoving ? MAX_MOVING : MAX_MESSAGES)) {
        if (rowOf[sender[at]] !== rowOf[receiver[at]]) this.drawn.push(at);
      } else if (this.isMoving) return;
    }
    this.visible = visible;
  }

  /** The visible messages of late senders, of many those with the longest waits. */
  findLate() {
    const {trace, state} = this, found = [];
    for (const at of trace.late) {
      if (trace.departure[at] > state.to || trace.arrival[at] < state.from || !state.messages[at] || !state.isInCell(at)) continue;
      if (state.rowOf[trace.sender[at]] !== state.rowOf[trace.receiver[at]] && found.push(at) === MAX_ARROWS) break;
    }
    return found;
  }

  drawMessages() {
    const {context, trace} = this, late = this.state.field('late') === '1';
    const styles = this.drawn.length > MAX_ARROWS ? [] : [{of: this.drawn.filter(at => !(late && trace.isLate(at))), colour: this.colour.ink, width: 1, alpha: late ? 0.3 : 0.75}];
    if (late) styles.push({of: this.findLate(), colour: this.colour['t-sender'], width: 2.5, alpha: 0.95});
    for (const {of, colour, width, alpha} of styles) {
      [context.strokeStyle, context.fillStyle, context.lineWidth, context.globalAlpha] = [colour, colour, width, alpha];
      for (const isSignal of [false, true]) {
        const path = new Path2D();
        for (const at of of) if ((trace.data.tags[trace.data.messages.tag[at]] === null) === isSignal) this.line(path, trace.sent[at], trace.received[at]);
        context.setLineDash(isSignal ? [4, 3] : []);
        context.stroke(path);
      }
      context.setLineDash([]);
      this.drawTips(of.map(at => this.ends(trace.sent[at], trace.received[at])), width + 5);
    }
    context.globalAlpha = 1;
  }

  /** The messages inside of the selected collective. */
  drawInside() {
    const {context, state} = this, collective = this.trace.data.collectives[this.openCollective()];
    if (!collective) return;
    const path = new Path2D(), shown = collective.inside.filter(([from, to]) => state.rowOf[from] >= 0 && state.rowOf[to] >= 0 && state.rowOf[from] !== state.rowOf[to]);
    const arrows = shown.slice(0, 1000).map(([from, to, sent, received]) => {
      const [a, b] = [state.rowOf[from], state.rowOf[to]];
      return /** @type {[[number, number], [number, number]]} */ ([[this.x(sent), this.y(a) + (a < b ? this.bar : 0)], [this.x(received), this.y(b) + (a < b ? 0 : this.bar)]]);
    });
    for (const [[x1, y1], [x2, y2]] of arrows) { path.moveTo(x1, y1); path.lineTo(x2, y2); }
    [context.strokeStyle, context.fillStyle, context.lineWidth] = [this.colour['what-if'], this.colour['what-if'], 1.6];
    context.setLineDash([7, 3]);
    context.stroke(path);
    context.setLineDash([]);
    this.drawTips(arrows, 8);
  }

  /** The selected collective, or that of the selected call; -1 for none. */
  openCollective() {
    const {selection} = this.state;
    if (!selection || selection.kind === 'message') return -1;
    return selection.kind === 'collective' ? selection.at : this.trace.collectiveOf[selection.at];
  }

  /** The tips of arrows. @param {[[number, number], [number, number]][]} arrows @param {number} size */
  drawTips(arrows, size) {
    const {context} = this;
    context.beginPath();
    for (const [[x1, y1], [x2, y2]] of arrows) {
      const angle = Math.atan2(y2 - y1, x2 - x1);
      context.moveTo(x2, y2);
      for (const side of [-0.4, 0.4]) context.lineTo(x2 - size * Math.cos(angle + side), y2 - size * Math.sin(angle + side));
      context.closePath();
    }
    context.fill();
  }

  /** The verbs of calls that have room for them. */
  drawNames() {
    const {context, trace, state} = this;
    if (this.isMoving && state.rows.length > MAX_ROWS || this.bar < 14) return;
    context.font = '11px ui-monospace, monospace';
    [context.strokeStyle, context.fillStyle, context.lineWidth, context.lineJoin] = [this.colour.paper, this.colour.ink, 3, 'round'];
    let left = 300;
    state.rows.forEach(({ranks, group}, row) => {
      if (group) return;
      const until = trace.first[ranks[0] + 1];
      for (let event = trace.eventAfter(ranks[0], state.from); event < until && trace.begin[event] < state.to && left > 0; event++) {
        const [a, b] = [Math.max(this.x(trace.begin[event]), 0), Math.min(this.x(trace.end[event]), this.width)], name = trace.site(event).verb;
        if (b - a < 12 + 7 * name.length) continue;
        left--;
        context.strokeText(name, a + 5, this.y(row) + this.bar / 2 + 4);
        context.fillText(name, a + 5, this.y(row) + this.bar / 2 + 4);
      }
    });
  }

  /** The numbers of the segments of the critical path in this time. @param {number} from @param {number} to */
  pathBetween(from, to) {
    const {path} = this.trace.data;
    return [firstNot(0, path.length, at => path[at][2] < from), firstNot(0, path.length, at => path[at][1] <= to)];
  }

  /** Whether the path is drawn with the bars: a frame has no time for so many smooth lines. */
  isPathDense() {
    const [first, end] = this.pathBetween(this.state.from, this.state.to);
    return this.state.field('path') === '1' && end - first > MAX_ARROWS;
  }

  /**
   * Calls `draw` with the ends and the height of each segment of the critical path, and with the end of the segment before.
   * @param {number} from @param {number} to @param {(a: number, b: number, y: number, before: [number, number] | null) => void} draw
   */
  eachOfPath(from, to, draw) {
    const {trace, state} = this, [first, end] = this.pathBetween(from, to);
    /** @type {[number, number] | null} */
    let before = null;
    for (let at = Math.max(first - 1, 0); at < end; at++) {
      const [rank, begin, until] = trace.data.path[at], row = state.rowOf[rank];
      if (row < 0) { before = null; continue; }
      const y = this.y(row) + this.bar + 3, [a, b] = [this.x(begin), this.x(until)];
      if (at >= first) draw(Math.max(a, 0), Math.min(b, this.width), y, before);
      before = [b, y];
    }
  }

  drawPath() {
    const {context, state} = this, path = new Path2D(), jumps = new Path2D();
    this.eachOfPath(state.from, state.to, (a, b, y, before) => {
      path.moveTo(a, y);
      path.lineTo(b, y);
      if (before) { jumps.moveTo(...before); jumps.lineTo(a, y); }
    });
    [context.strokeStyle, context.lineWidth] = [this.colour.critical, 3];
    context.stroke(path);
    context.lineWidth = 1.5;
    context.setLineDash([3, 2]);
    context.stroke(jumps);
    context.setLineDash([]);
  }

  /** The time that each row would save, and the end of the run. */
  drawWhatIf() {
    const {context, trace, state} = this, chosen = trace.data.what_if[Number(state.field('whatif')) - 1];
    if (!chosen) return;
    const [name, ends] = chosen, colour = this.colour['what-if'];
    [context.strokeStyle, context.fillStyle, context.lineWidth] = [colour, colour, 2];
    state.rows.forEach(({ranks}, row) => {
      const end = Math.max(...ranks.map(rank => ends[rank])), recorded = Math.max(...ranks.map(rank => trace.data.ranks[rank][1]));
      const [a, b] = [this.x(Math.min(end, recorded)), this.x(Math.max(end, recorded))];
      context.globalAlpha = 0.3;
      context.fillRect(a, this.y(row) - 2, b - a, this.bar + 4);
      context.globalAlpha = 1;
      context.fillRect(this.x(end) - 1.5, this.y(row) - 4, 3, this.bar + 8);
    });
    const x = this.x(Math.max(...ends));
    context.setLineDash([6, 4]);
    context.beginPath();
    context.moveTo(x, AXIS - 10);
    context.lineTo(x, this.height);
    context.stroke();
    context.setLineDash([]);
    context.font = '12px system-ui, sans-serif';
    const text = `${name}: ${trace.time(Math.max(...ends))}`, width = context.measureText(text).width;
    const left = Math.min(Math.max(x - width - 8, 2), this.width - width - 2);
    context.fillStyle = this.colour.paper;
    context.fillRect(left - 3, AXIS - 9, width + 6, 16);
    context.fillStyle = this.colour.ink;
    context.fillText(text, left, AXIS + 3);
  }

  drawSelection() {
    const {context, trace, state} = this, {selection} = state;
    if (!selection) return;
    [context.strokeStyle, context.fillStyle, context.lineWidth] = [this.colour.link, this.colour.link, 3];
    const {kind, at} = selection;
    const events = kind === 'call' ? [at] : kind === 'message' ? [trace.sent[at], trace.received[at]] : trace.data.collectives[at].entered;
    for (const event of events) {
      const row = state.rowOf[trace.rank[event]], [a, b] = [this.x(trace.begin[event]), this.x(trace.end[event])];
      if (row >= 0) context.strokeRect(a - 1, this.y(row) - 2, Math.max(b - a, 1) + 2, this.bar + 4);
    }
    if (kind === 'message' && events.every(event => state.rowOf[trace.rank[event]] >= 0)) {
      const path = new Path2D(), ends = this.ends(events[0], events[1]);
      this.line(path, events[0], events[1]);
      context.stroke(path);
      this.drawTips([ends], 11);
    }
  }

  /** The moment of the cursor: what comes later is pale, and messages under way are points on their arrows. */
  drawNow() {
    const {context, trace, state} = this, {now} = state;
    if (now === null) return;
    const x = this.x(now);
    context.globalAlpha = 0.6;
    context.fillStyle = this.colour.paper;
    context.fillRect(Math.max(x, 0), AXIS - 10, this.width, this.height);
    context.globalAlpha = 1;
    context.fillStyle = this.colour.ink;
    context.fillRect(x - 1, 6, 2, this.height);
    for (const at of this.drawn) {
      const [begin, end] = [trace.begin[trace.sent[at]], trace.end[trace.received[at]]];
      if (begin > now || end < now) continue;
      const [[x1, y1], [x2, y2]] = this.ends(trace.sent[at], trace.received[at]), share = (now - begin) / Math.max(end - begin, 1);
      context.beginPath();
      context.arc(x1 + (x2 - x1) * share, y1 + (y2 - y1) * share, 5, 0, 7);
      context.fill();
    }
  }

  /** What is at this place of the canvas. @param {number} x @param {number} y @returns {Selected | null} */
  find(x, y) {
    const {trace, state} = this;
    /** @type {[number, number]} */
    let nearest = [6, -1];
    for (const at of this.drawn) {
      const [[x1, y1], [x2, y2]] = this.ends(trace.sent[at], trace.received[at]), square = (x2 - x1) ** 2 + (y2 - y1) ** 2;
      const share = Math.min(Math.max(((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / Math.max(square, 1), 0), 1);
      const distance = Math.hypot(x1 + (x2 - x1) * share - x, y1 + (y2 - y1) * share - y);
      if (distance < nearest[0]) nearest = [distance, at];
    }
    const row = Math.floor((y - AXIS) / this.row), inBar = row >= 0 && row < state.rows.length && y >= this.y(row) && y <= this.y(row) + this.bar;
    if (nearest[1] >= 0 && (nearest[0] < 3 || !inBar)) return {kind: 'message', at: nearest[1]};
    if (!inBar) {
      const time = this.timeAt(x), place = Math.min(row, state.rows.length - 1);
      const at = trace.spans.findIndex(({last, left}, at) => last <= time && time <= left && trace.data.collectives[at].entered.length > 1 &&
        trace.data.collectives[at].entered.some(event => state.rowOf[trace.rank[event]] <= place) && row >= 0);
      return at < 0 ? null : {kind: 'collective', at};
    }
    for (const rank of state.rows[row].ranks) {
      const event = trace.eventAfter(rank, this.timeAt(x - 2));
      if (event < trace.first[rank + 1] && this.x(trace.begin[event]) <= x + 2) return {kind: 'call', at: event};
    }
    return null;
  }
}
