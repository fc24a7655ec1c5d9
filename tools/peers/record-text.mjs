/** The text in which a record is kept. */
export const recordText = (record) => `${lines(record)}\n`;

/** record, steps, step, events, resource: their items have lines of their own. */
const DEPTH = 5;

/** JSON with a line for each event, call, entry and step, so that records can be read and their changes as well. */
function lines(value, depth = 0) {
  const flat = JSON.stringify(value);
  const open = typeof value === 'object' && value !== null && depth < DEPTH && flat.length > 100;
  if (!open) return flat;
  const rows = Array.isArray(value)
    ? value.map((item) => lines(item, depth + 1))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([key, item]) => `${JSON.stringify(key)}:${lines(item, depth + 1)}`);
  const [first, last] = Array.isArray(value) ? '[]' : '{}';
  return `${first}\n${rows.join(',\n')}\n${last}`;
}
