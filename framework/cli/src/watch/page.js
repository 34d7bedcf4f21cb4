// Renews the page of `cargo wb watch`: a part whose content has changed is replaced; the others keep focus and scroll position.
const renew = async () => {
  const gone = /** @type {HTMLElement} */ (document.getElementById("gone"));
  try {
    const answer = await fetch(location.pathname);
    const next = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("main > [id]"))) {
      const renewed = next.getElementById(part.id);
      if (!renewed) continue;
      part.hidden = renewed.hidden;
      if (renewed.innerHTML !== part.innerHTML) part.replaceChildren(...renewed.childNodes);
    }
    document.title = next.title || document.title;
    gone.hidden = answer.ok;
  } catch {
    gone.hidden = false;
  }
  setTimeout(renew, 700);
};
setTimeout(renew, 700);
