// The list of findings: what is shown depends on the text and the category; the
// keys j and k go from one to the next, / to the text, Escape shows all again.
{
  const text = document.querySelector("#text"), category = document.querySelector("#category");
  const shown = document.querySelector(".shown");
  const findings = [...document.querySelectorAll(".finding")];
  const visible = () => findings.filter(f => !f.hidden);
  const update = () => {
    const words = text.value.toLowerCase().split(/\s+/).filter(w => w);
    for (const f of findings) {
      const said = f.textContent.toLowerCase();
      f.hidden = category.value && f.dataset.category !== category.value || !words.every(w => said.includes(w));
    }
    for (const p of document.querySelectorAll(".package")) p.hidden = !p.querySelector(".finding:not([hidden])");
    const n = visible().length;
    shown.textContent = n === findings.length ? "" : `${n} of ${findings.length} shown`;
  };
  const open = to => { for (const f of visible()) f.querySelector("details").open = to; };
  const go = step => {
    const all = visible(), now = all.findIndex(f => f.contains(document.activeElement));
    const next = all[now < 0 ? 0 : now + step];
    if (next) next.querySelector("summary").focus();
  };
  text.addEventListener("input", update);
  category.addEventListener("change", update);
  document.querySelector("#expand").addEventListener("click", () => open(true));
  document.querySelector("#collapse").addEventListener("click", () => open(false));
  document.addEventListener("keydown", e => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === "Escape") {
      text.value = category.value = "";
      update();
      text.blur();
      return;
    }
    if (e.target.matches("input, select")) return;
    switch (e.key) {
    case "/": text.focus(); break;
    case "j": go(1); break;
    case "k": go(-1); break;
    default: return;
    }
    e.preventDefault();
  });
  const aimed = () => {
    const f = location.hash && document.getElementById(location.hash.slice(1));
    if (f && f.matches(".finding")) f.querySelector("details").open = true;
  };
  addEventListener("hashchange", aimed);
  aimed();
  update();
}
