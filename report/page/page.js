// Shows the value of the point that is nearest to the pointer.
const tip = document.getElementById("tip");
const reach = 40; // in CSS pixels
let last = null;

function show(dot, x, y) {
  if (last && last !== dot) last.setAttribute("fill", "transparent");
  last = dot;
  tip.hidden = !dot;
  if (!dot) return;
  dot.setAttribute("fill", "color-mix(in srgb, currentColor 45%, transparent)");
  tip.textContent = dot.dataset.tip;
  const width = tip.offsetWidth;
  tip.style.left = Math.max(4, Math.min(x + 14, innerWidth - width - 8)) + "px";
  tip.style.top = Math.max(4, y - 34) + "px";
}

for (const svg of document.querySelectorAll("figure svg")) {
  const dots = [...svg.querySelectorAll("[data-tip]")];
  svg.addEventListener("pointermove", (event) => {
    let best = null, nearest = reach;
    for (const dot of dots) {
      const box = dot.getBoundingClientRect();
      const d = Math.hypot(box.x + box.width / 2 - event.clientX, box.y + box.height / 2 - event.clientY);
      if (d < nearest) [best, nearest] = [dot, d];
    }
    show(best, event.clientX, event.clientY);
  });
  svg.addEventListener("pointerleave", () => show(null));
}
