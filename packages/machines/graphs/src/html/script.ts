/**
 * Script of a page: opens the target of an address, folds frames, shows neighbours, filters, and follows arrows with
 * the keys. Without it the page has the same contents.
 */
export const PAGE_SCRIPT = `'use strict';
const all = (root, query) => [...root.querySelectorAll(query)];
const reveal = (element) => {
  for (let at = element; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
};
const arrive = () => {
  const element = document.getElementById(location.hash.slice(1));
  if (!element) return;
  reveal(element.tagName === 'LI' ? element.querySelector('details') || element : element);
  element.scrollIntoView({ block: 'center' });
};
addEventListener('hashchange', arrive);
arrive();

const draw = (svg) => {
  const boxes = new Map(all(svg, '[data-box]').map((box) => [box.dataset.box, box]));
  const edges = all(svg, '.edge');
  const folded = new Set();
  const shown = (id) => {
    let last = id;
    for (let at = id; at !== undefined; at = boxes.get(at).dataset.inside) if (folded.has(at)) last = at;
    return last;
  };
  const place = (id) => {
    const box = boxes.get(id);
    const rect = box.querySelector('rect:last-of-type');
    const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((name) => Number(rect.getAttribute(name)));
    return { x, width, middle: box.classList.contains('frame') ? y + 15 : y + height / 2 };
  };
  const update = () => {
    for (const [id, box] of boxes) box.toggleAttribute('hidden', shown(id) !== id);
    for (const edge of edges) {
      const [from, to] = [shown(edge.dataset.from), shown(edge.dataset.to)];
      edge.toggleAttribute('hidden', from === to);
      const [a, b] = [place(from), place(to)];
      const bend = Math.max(30, Math.abs(b.x - a.x - a.width) / 2);
      const start = a.x + a.width;
      edge.setAttribute('d', 'M' + [start, a.middle] + 'C' + [start + bend, a.middle, b.x - bend, b.middle, b.x, b.middle]);
    }
  };
  for (const [id, box] of boxes) {
    if (!box.classList.contains('frame')) continue;
    const rect = box.querySelector('rect');
    const height = rect.getAttribute('height');
    const button = document.createElementNS(svg.namespaceURI, 'text');
    button.setAttribute('class', 'fold');
    button.setAttribute('x', Number(rect.getAttribute('x')) + Number(rect.getAttribute('width')) - 18);
    button.setAttribute('y', Number(rect.getAttribute('y')) + 20);
    button.setAttribute('role', 'button');
    button.setAttribute('tabindex', '0');
    const say = () => {
      const isFolded = folded.has(id);
      button.textContent = isFolded ? '+' : '−';
      button.setAttribute('aria-expanded', String(!isFolded));
      button.setAttribute('aria-label', (isFolded ? 'Unfold ' : 'Fold ') + box.querySelector('.name').textContent);
      rect.setAttribute('height', isFolded ? '30' : height);
    };
    const toggle = () => {
      if (!folded.delete(id)) folded.add(id);
      say();
      update();
    };
    button.addEventListener('click', toggle);
    button.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      toggle();
    });
    box.append(button);
    say();
  }
  const near = (box) => {
    for (const edge of edges)
      edge.classList.toggle('near', box !== undefined && [edge.dataset.from, edge.dataset.to].includes(box.dataset.box));
    svg.classList.toggle('walking', box !== undefined);
  };
  for (const box of boxes.values()) {
    if (box.classList.contains('frame')) continue;
    for (const name of ['focusin', 'pointerenter']) box.addEventListener(name, () => near(box));
    for (const name of ['focusout', 'pointerleave']) box.addEventListener(name, () => near(undefined));
    box.addEventListener('keydown', ({ key }) => {
      const id = box.dataset.box;
      const forth = edges.find((edge) => edge.dataset.from === id)?.dataset.to;
      const back = edges.find((edge) => edge.dataset.to === id)?.dataset.from;
      const next = key === 'ArrowRight' ? forth : key === 'ArrowLeft' ? back : undefined;
      boxes.get(next)?.querySelector('a')?.focus();
    });
  }
};
for (const svg of all(document, 'svg.graph')) draw(svg);

for (const tools of all(document, '.tools')) tools.hidden = false;
const fit = document.querySelector('.tools[data-for=graph] button');
fit?.addEventListener('click', () => {
  const isFitted = document.body.classList.toggle('fitted');
  fit.setAttribute('aria-pressed', String(isFitted));
});

const tools = document.querySelector('.tools[data-for=resources]');
if (tools) {
  const field = tools.querySelector('input');
  const list = document.getElementById('resources');
  const items = all(list, 'li').map((item) => [item, item.textContent.toLowerCase()]);
  field.addEventListener('input', () => {
    const wanted = field.value.trim().toLowerCase();
    for (const [item, text] of items) item.hidden = !text.includes(wanted);
    for (const box of all(document, '.graph .box'))
      box.classList.toggle('faint', !box.textContent.toLowerCase().includes(wanted));
  });
  const [unfold, fold] = all(tools, 'button');
  const set = (open) => all(list, 'details').forEach((each) => (each.open = open));
  unfold.addEventListener('click', () => set(true));
  fold.addEventListener('click', () => set(false));
}
`;
