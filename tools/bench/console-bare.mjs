// Pages without a library that do what the pages of the console are measured against.

const head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>bare</title>';

/** Fetches the resources, and makes the rows that are seen: the same elements, with the same words. */
const ROWS = `
const answer = await (await fetch('/console/stacks/organization/shop/dev/resources')).json();
const rows = answer.resources.map((row) => {
  const [, , type, name] = row.urn.slice(4).split('::');
  return { row, type: type.split('$').at(-1), name };
});
const box = document.createElement('div');
box.setAttribute('role', 'tree');
box.style = 'height: 600px; overflow: auto; position: relative';
const inner = document.createElement('div');
inner.style.height = rows.length * 30 + 'px';
const span = (text, name) => {
  const made = document.createElement('span');
  made.className = name;
  made.textContent = text;
  return made;
};
for (const [index, { type, name }] of rows.slice(0, 30).entries()) {
  const line = document.createElement('div');
  line.setAttribute('role', 'treeitem');
  line.style = 'position: absolute; height: 30px; top: ' + index * 30 + 'px';
  line.append(span('', 'twist'), span(name, 'resource-name'), span(type, 'resource-type'));
  inner.append(line);
}
box.append(inner);
document.body.append(box);
`;

/** Listens to the change, and parses what comes. */
const STREAM = `
const source = new EventSource('/console/stream?stack=organization/shop/dev&after=0-0');
source.addEventListener('records', (event) => {
  globalThis.seen = (globalThis.seen ?? 0) + JSON.parse(event.data).records.length;
});
source.onopen = () => (document.body.textContent = 'listening');
`;

/** Pages by path. */
export const BARE_PAGES = new Map([
  ['/bare/empty', `${head}<body>empty</body>`],
  ['/bare/rows', `${head}<body><script type="module">${ROWS}</script></body>`],
  ['/bare/stream', `${head}<body><script type="module">${STREAM}</script></body>`],
]);
