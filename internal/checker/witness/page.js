// What an operation says appears below the picture while it has the focus or
// the pointer; the arrow keys, Home and End go from one to the next in time.
for (const picture of document.querySelectorAll("section")) {
  const ops = [...picture.querySelectorAll("svg .op")];
  const said = picture.querySelector(".said");
  if (!said) continue;
  const resting = said.textContent;
  const show = op => { said.textContent = op ? op.getAttribute("aria-label") : resting; };
  const left = op => op.querySelector(".bar").getBBox().x;
  ops.sort((a, b) => left(a) - left(b));
  ops.forEach((op, i) => {
    op.setAttribute("tabindex", i ? -1 : 0);
    op.addEventListener("focus", () => show(op));
    op.addEventListener("pointerenter", () => show(op));
    op.addEventListener("pointerleave", () => show(ops.find(o => o === document.activeElement)));
    op.addEventListener("click", () => go(i));
    op.addEventListener("keydown", e => {
      const to = { ArrowRight: i + 1, ArrowDown: i + 1, ArrowLeft: i - 1, ArrowUp: i - 1, Home: 0, End: ops.length - 1 }[e.key];
      if (to === undefined || !ops[to]) return;
      e.preventDefault();
      go(to);
    });
  });
  const go = i => {
    for (const op of ops) op.setAttribute("tabindex", -1);
    ops[i].setAttribute("tabindex", 0);
    ops[i].focus();
    ops[i].scrollIntoView({ block: "nearest", inline: "nearest" });
  };
}
