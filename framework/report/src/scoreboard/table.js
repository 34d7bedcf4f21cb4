// The table of all students: filters, sorting, movement by keys, and the reasons of a letter. The state is in the URL's hash.
(() => {
  const table = document.getElementById('students'), body = table.tBodies[0], rows = [...body.rows];
  const form = document.getElementById('filters'), field = form.elements;
  const data = JSON.parse(document.getElementById('data').textContent);
  const dialog = document.getElementById('reason'), shown = document.getElementById('shown');
  const first = Number(table.dataset.first), per = Number(table.dataset.per);
  const letters = Number(table.dataset.letters);
  const order = new Intl.Collator(document.documentElement.lang, {numeric: true, sensitivity: 'base'});
  const fill = (text, ...values) => text.replace(/%(\d)/g, (_, at) => values[at - 1]);

  // Columns by the key of their heading. Headings of assignments span two rows, so positions follow from the order of keys.
  const headings = [...table.tHead.querySelectorAll('[data-key]')];
  const inner = headings.filter(th => th.parentNode.rowIndex === 1);
  const outer = headings.filter(th => th.parentNode.rowIndex === 0);
  const columns = [...outer.slice(0, first), ...inner, ...outer.slice(first)].map(th => th.dataset.key);
  const labels = new Map(headings.map(th => [th.dataset.key, th.firstElementChild.ariaLabel || th.textContent]));
  field.sort.add(new Option(field.sort.dataset.given, ''));
  for (const key of columns) field.sort.add(new Option(labels.get(key), key));

  // Filters.
  const lower = text => text.toLocaleLowerCase();
  const texts = rows.map(row => lower([row.cells[0].textContent, row.dataset.id, row.dataset.group || ''].join(' ')));
  const has = (list, word) => !word || list.split(' ').includes(word);
  // A public table has no field for stream, group and variant.
  const chosen = name => field[name] ? field[name].value : '';
  const matches = (row, at, words) => words.every(word => texts[at].includes(word)) &&
    (!chosen('stream') || row.dataset.stream === chosen('stream')) &&
    (!chosen('group') || row.dataset.group === chosen('group')) &&
    has(row.dataset.variant, chosen('variant')) && has(row.dataset.flag, chosen('flag'));
  const filter = () => {
    const words = lower(field.q.value).split(/\s+/).filter(Boolean);
    rows.forEach((row, at) => { row.hidden = !matches(row, at, words); });
    const count = rows.filter(row => !row.hidden).length;
    shown.value = fill(shown.dataset.text, count, rows.length);
    document.getElementById('none').hidden = count > 0;
  };

  // Sorting: numbers where the column has them, texts otherwise; what is missing comes last in both directions.
  const value = (row, column) => {
    const cell = row.cells[column];
    if (cell.dataset.v !== undefined) return Number(cell.dataset.v);
    const text = cell.textContent.trim();
    return text === '–' ? null : text;
  };
  const compare = (a, b) => typeof a === 'number' && typeof b === 'number' ? a - b : order.compare(a, b);
  const sort = () => {
    const column = columns.indexOf(field.sort.value), sign = field.desc.checked ? -1 : 1;
    const keyed = rows.map(row => [column < 0 ? Number(row.dataset.i) : value(row, column), row]);
    keyed.sort(([a, one], [b, other]) => {
      if (a === null || b === null) return (a === null) - (b === null) || one.dataset.i - other.dataset.i;
      return sign * compare(a, b) || one.dataset.i - other.dataset.i;
    });
    body.append(...keyed.map(([, row]) => row));
    for (const th of headings) {
      const sorted = th.dataset.key === columns[column];
      th.ariaSort = !sorted ? 'none' : sign < 0 ? 'descending' : 'ascending';
    }
  };
  for (const th of headings) {
    th.firstElementChild.addEventListener('click', () => {
      const same = field.sort.value === th.dataset.key;
      // Points and measured numbers are read from the largest, names and variants from the smallest.
      field.desc.checked = same ? !field.desc.checked : !/^(name|group|mark|\d+\.v)$/.test(th.dataset.key);
      field.sort.value = th.dataset.key;
      changed();
    });
  }

  // State in the hash: what differs from the beginning.
  const names = ['q', 'stream', 'group', 'variant', 'flag', 'sort'].filter(name => field[name]);
  const save = () => {
    const state = new URLSearchParams();
    for (const name of names) if (field[name].value) state.set(name, field[name].value);
    if (field.desc.checked) state.set('desc', '1');
    history.replaceState(null, '', state.size ? '#' + state : location.pathname + location.search);
    for (const link of document.querySelectorAll('nav a[hreflang]')) link.hash = state.size ? '#' + state : '';
  };
  const load = () => {
    const state = new URLSearchParams(location.hash.slice(1));
    form.reset();
    for (const name of names) {
      if (state.has(name)) field[name].value = state.get(name);
      if (field[name].selectedIndex < 0) field[name].selectedIndex = 0;
    }
    field.desc.checked = state.has('desc');
  };
  const update = () => { sort(); filter(); roam(); };
  const changed = () => { update(); save(); };
  form.addEventListener('input', changed);
  form.addEventListener('submit', event => event.preventDefault());
  form.addEventListener('reset', () => setTimeout(changed));
  addEventListener('hashchange', () => { load(); update(); });

  // One stop of the Tab key in the table; arrows move between links.
  let current = null;
  const links = row => [...row.querySelectorAll('a')];
  const visible = () => [...body.rows].filter(row => !row.hidden);
  const roam = link => {
    if (current) current.tabIndex = -1;
    current = link || (current && !current.closest('tr').hidden ? current : body.querySelector('tr:not([hidden]) a'));
    if (current) current.tabIndex = 0;
  };
  for (const link of body.querySelectorAll('a')) link.tabIndex = -1;
  for (const link of body.querySelectorAll('td a')) {
    link.role = 'button';
    link.ariaHasPopup = 'dialog';
  }
  const target = (event, link) => {
    const row = link.closest('tr'), all = visible(), up = all.indexOf(row), own = links(row), left = own.indexOf(link);
    const rowAt = at => all[Math.max(0, Math.min(all.length - 1, at))];
    const same = other => links(other)[Math.min(left, links(other).length - 1)];
    switch (event.key) {
      case 'ArrowLeft': return own[left - 1];
      case 'ArrowRight': return own[left + 1];
      case 'ArrowUp': return same(rowAt(up - 1));
      case 'ArrowDown': return same(rowAt(up + 1));
      case 'PageUp': return same(rowAt(up - 10));
      case 'PageDown': return same(rowAt(up + 10));
      case 'Home': return event.ctrlKey ? links(rowAt(0))[0] : own[0];
      case 'End': return event.ctrlKey ? links(rowAt(all.length - 1)).at(-1) : own.at(-1);
    }
  };
  body.addEventListener('keydown', event => {
    const link = event.target.closest('a');
    if (!link || event.altKey || event.metaKey) return;
    if (event.key === ' ' && link.parentNode.tagName === 'TD') { event.preventDefault(); link.click(); return; }
    const next = target(event, link);
    if (next) { event.preventDefault(); roam(next); next.focus(); }
  });
  body.addEventListener('focusin', event => { if (event.target.tagName === 'A') roam(event.target); });

  // The reasons of a letter.
  const part = ([name, style], text, parent) => {
    const element = document.createElement(name);
    if (style) element.className = style;
    // Back ticks mark code.
    text.split('`').forEach((piece, at) => element.append(at % 2 ? Object.assign(document.createElement('code'), {textContent: piece}) : piece));
    parent.append(element);
    return element;
  };
  const open = link => {
    const cell = link.parentNode, row = cell.parentNode, column = cell.cellIndex - first;
    const assignment = Math.floor(column / per), letter = column % per - letters;
    const found = data.students[row.dataset.i][assignment][letter], list = dialog.querySelector('ul');
    const heading = table.tHead.rows[0].cells[first + assignment].querySelector('.fit').textContent;
    dialog.querySelector('.who').textContent = row.cells[0].textContent + ' · ' + heading;
    dialog.querySelector('h2').textContent = data.letters[letter];
    dialog.querySelector('.points').textContent = data.texts[found.p];
    dialog.querySelector('.more a').href = link.href;
    list.replaceChildren();
    for (const [text, lost, remedy] of found.r) {
      const item = part(['li'], data.texts[text], list);
      if (lost !== null) { item.append(' '); part(['span', 'lost'], data.texts[lost], item); }
      if (remedy !== null) part(['p', 'remedy'], fill(dialog.dataset.remedy, data.texts[remedy]), item);
    }
    if (!list.children.length) part(['li', 'fine'], dialog.dataset.empty, list);
    dialog.showModal();
  };
  body.addEventListener('click', event => {
    const link = event.target.closest('td a');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    open(link);
  });
  dialog.addEventListener('click', event => { if (event.target === dialog) dialog.close(); });
  dialog.querySelector('.more a').addEventListener('click', () => dialog.close());

  form.hidden = false;
  document.querySelector('.keys').hidden = false;
  load();
  update();
  save();
})();
