const space = document.getElementById('space'), zoom = document.getElementById('zoom'), info = document.getElementById('info');
const lanes = space.parentNode;
const wider = () => {
  const middle = (lanes.scrollLeft + lanes.clientWidth / 2) / space.clientWidth;
  space.style.width = 100 * 2 ** zoom.value + '%';
  lanes.scrollLeft = middle * space.clientWidth - lanes.clientWidth / 2;
};
const tell = event => {
  const group = event.target.closest('#space g');
  const title = group && group.querySelector('title');
  if (title) info.textContent = title.textContent;
};
zoom.addEventListener('input', wider);
space.addEventListener('pointerover', tell);
space.addEventListener('click', tell);
