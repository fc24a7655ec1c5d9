// Where two records of a case differ, and whether each difference is a listed one. Pure.

/** Differences as `{ case, step, at, peer, ours }`; `at` is a path, members joined by ` / `. */
export function differencesOf(peer, ours) {
  const found = [];
  const count = Math.max(peer.steps.length, ours.steps.length);
  for (let step = 0; step < count; step++) {
    const note = (at, a, b) =>
      found.push({ case: peer.name, step: step + 1, at: at.join(' / '), peer: a, ours: b });
    diff(peer.steps[step], ours.steps[step], [], note);
  }
  return found;
}

function diff(a, b, at, note) {
  if (JSON.stringify(a) === JSON.stringify(b)) return;
  if (isList(a) && isList(b)) return diffLists(a, b, at, note);
  if (!isMap(a) || !isMap(b)) return note(at, a, b);
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) diff(a[key], b[key], [...at, key], note);
}

/** Compares lists of one length by place; others by the identity of their items, and then as far as those agree. */
function diffLists(a, b, at, note) {
  if (a.length === b.length && a.every((item, index) => labelOf(item) === labelOf(b[index])))
    return a.forEach((item, index) => diff(item, b[index], [...at, labelOf(item) ?? String(index)], note));
  if (a.some(isMap) || b.some(isMap)) {
    note([...at, 'order'], a.map(shown), b.map(shown));
    const others = [...b];
    for (const item of a) {
      const index = others.findIndex((other) => labelOf(other) === labelOf(item));
      if (labelOf(item) === undefined || index < 0) continue;
      diff(item, others[index], [...at, labelOf(item)], note);
      others.splice(index, 1);
    }
    return;
  }
  note(at, a, b);
}

/** Describes an event, a call or a step in a few words. */
function labelOf(item) {
  if (!isMap(item)) return undefined;
  if (typeof item.op === 'string') return item.op;
  const [kind, ...more] = Object.keys(item);
  if (kind === undefined || more.length > 0 || !isMap(item[kind])) return undefined;
  const body = item[kind];
  const what = body.metadata?.op ?? body.severity;
  return what === undefined ? kind : `${kind} ${what}`;
}

const shown = (item) => labelOf(item) ?? item;
const isList = Array.isArray;
const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Judges differences by the list: `unlisted`, those that no line is about, and `gone`, lines (or cases that a line
 * names) with no difference any more. A line: `{ at, cases?, when?, why }`; `at` a pattern for the path; `cases` the
 * names of all cases that have it, where it is not to be expected anywhere; `when` judges the two values; `sometimes`:
 * it is a matter of time, and may be away.
 */
export function judge(differences, list, casesRun) {
  const seen = new Map(list.map((line) => [line, new Set()]));
  const unlisted = differences.filter((difference) => {
    const lines = list.filter((line) => isAbout(line, difference));
    for (const line of lines) seen.get(line).add(difference.case);
    return lines.length === 0;
  });
  const gone = list.flatMap((line) => {
    if (line.sometimes === true) return [];
    const cases = (line.cases ?? []).filter((name) => casesRun.includes(name) && !seen.get(line).has(name));
    if (line.cases !== undefined) return cases.map((name) => `${line.at} in ${name}: ${line.why}`);
    return seen.get(line).size > 0 ? [] : [`${line.at}: ${line.why}`];
  });
  return { unlisted, gone };
}

function isAbout({ at, cases, step, when }, difference) {
  if (cases !== undefined && !cases.includes(difference.case)) return false;
  if (step !== undefined && step !== difference.step) return false;
  return at.test(difference.at) && (when === undefined || when(difference.peer, difference.ours));
}
