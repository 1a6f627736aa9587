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
// The steps of lanes: the arrow keys go from one to the next, Home and End to the first
// and the last; what comes later is hidden from the first key on.
for (const lanes of document.querySelectorAll("section.lanes")) {
  const steps = [...lanes.querySelector(".track").querySelectorAll(".step")];
  if (!steps.length) continue;
  const stepper = lanes.querySelector(".stepper"), at = lanes.querySelector(".at");
  let now = -1;
  const go = i => {
    if (!steps[i]) return;
    now = i;
    lanes.classList.add("stepping");
    steps.forEach((step, n) => {
      step.classList.toggle("later", n > i);
      step.setAttribute("tabindex", n === i ? 0 : -1);
    });
    at.textContent = `${i + 1} of ${steps.length}: ${steps[i].getAttribute("aria-label")}`;
  };
  stepper.hidden = false;
  steps.forEach((step, i) => {
    step.setAttribute("tabindex", i ? -1 : 0);
    step.addEventListener("click", () => { go(i); step.focus(); });
    step.addEventListener("keydown", e => {
      const to = { ArrowRight: i + 1, ArrowDown: i + 1, ArrowLeft: i - 1, ArrowUp: i - 1, Home: 0, End: steps.length - 1 }[e.key];
      if (to === undefined) return;
      e.preventDefault();
      if (!steps[to]) return;
      go(to);
      steps[to].focus();
    });
  });
  stepper.querySelector(".on").addEventListener("click", () => go(now + 1));
  stepper.querySelector(".back").addEventListener("click", () => go(now - 1));
}
