const space = document.getElementById('space'), zoom = document.getElementById('zoom'), info = document.getElementById('info');
const lanes = space.parentNode;
const wider = () => {
  const middle = (lanes.scrollLeft + lanes.clientWidth / 2) / space.clientWidth;
  space.style.width = 100 * 2 ** zoom.value + '%';
  lanes.scrollLeft = middle * space.clientWidth - lanes.clientWidth / 2;
  ruler();
};
// The axis of what is seen: round times, with as many digits as the step between two of them needs.
const axis = space.querySelector('.axis'), [line, text] = axis.children;
const ruler = () => {
  const {total, scale, unit, mark} = space.dataset, each = total / scale / space.clientWidth;
  const from = each * lanes.scrollLeft, seen = each * lanes.clientWidth;
  const decade = 10 ** Math.floor(Math.log10(seen / 5));
  const step = decade * [1, 2, 5, 10].find(times => times * decade >= seen / 5);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9)), marks = [];
  for (let k = Math.ceil(from / step); k * step <= Math.min(from + seen, total / scale); k++) {
    const at = 100 * k * step * scale / total + '%', rule = line.cloneNode(), label = text.cloneNode();
    for (const end of ['x1', 'x2']) rule.setAttribute(end, at);
    label.setAttribute('x', at);
    label.setAttribute('text-anchor', k > 0 ? 'middle' : 'start');
    label.textContent = (k * step).toFixed(digits).replace('.', mark) + unit;
    marks.push(rule, label);
  }
  axis.replaceChildren(...marks);
};
const tell = event => {
  const group = event.target.closest('#space g');
  const title = group && group.querySelector('title');
  if (title) info.textContent = title.textContent;
};
zoom.addEventListener('input', wider);
lanes.addEventListener('scroll', ruler);
space.addEventListener('pointerover', tell);
space.addEventListener('click', tell);
