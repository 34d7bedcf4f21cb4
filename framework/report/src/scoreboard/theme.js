// Colours: as the system, light or dark. The choice is kept in this browser.
(() => {
  const root = document.documentElement, modes = ['auto', 'light', 'dark'];
  let mode = 'auto';
  try { mode = localStorage.getItem('wb-theme') || mode; } catch { /* no storage here: the choice lasts for this page */ }
  const apply = () => {
    if (!modes.includes(mode)) mode = 'auto';
    if (mode === 'auto') delete root.dataset.theme; else root.dataset.theme = mode;
    const button = document.getElementById('theme');
    if (button) button.textContent = button.dataset[mode];
  };
  apply();
  document.addEventListener('DOMContentLoaded', () => {
    const button = document.getElementById('theme');
    button.hidden = false;
    apply();
    button.addEventListener('click', () => {
      mode = modes[(modes.indexOf(mode) + 1) % modes.length];
      try { localStorage.setItem('wb-theme', mode); } catch { /* as above */ }
      apply();
    });
  });
})();
