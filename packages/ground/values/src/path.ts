import { isArray, isMap, isOutputValue, isSecret, newMap, OutputValue, Secret } from './value.js';
import type { PropertyMap, PropertyValue } from './value.js';

/** One step into a value: a map key, a list index, or `*` for any of either. */
export type PathSegment = string | number;

/** A way into a value, outermost step first. The text `*` as a segment is the wildcard. */
export type PropertyPath = readonly PathSegment[];

/** A path text that does not follow the grammar. `at` is the offset of the fault. */
export class PathError extends Error {
  override readonly name = 'PathError';

  constructor(
    readonly text: string,
    readonly at: number,
    readonly reason: string,
  ) {
    super(`invalid property path ${JSON.stringify(text)} at offset ${at}: ${reason}`);
  }
}

/**
 * Parses `a.b[0]["k.x"][*]`. Segments end at `.` or `[`; `["…"]` takes any text with `\"` escaped; `[n]` is
 * an index; `[*]` is the wildcard. Throws {@link PathError} for leading and trailing dots, `.[` and unclosed brackets.
 */
// [VAL-7]
export function parsePath(text: string): PropertyPath {
  return segmentsOf(text, false);
}

/** As {@link parsePath}, for texts from elsewhere: accepts `.[`, several dots in a row and signed indexes too. */
export function parsePathTolerantly(text: string): PropertyPath {
  return segmentsOf(text, true);
}

function segmentsOf(text: string, tolerant: boolean): PropertyPath {
  const segments: PathSegment[] = [];
  let at = 0;
  while (at < text.length) {
    const char = text[at];
    if (char === '[') {
      const bracket = parseBracket(text, at, tolerant ? /^[+-]?\d+$/ : /^\d+$/);
      segments.push(bracket.segment);
      at = bracket.next;
    } else if (char === '.') {
      if (at === 0) throw new PathError(text, at, 'a path cannot start with "."');
      at += 1;
      if (at === text.length) throw new PathError(text, at, 'a path cannot end with "."');
      if (text[at] === '[' && !tolerant) throw new PathError(text, at, 'no "." before "["');
      if (text[at] === '.' && !tolerant) throw new PathError(text, at, 'two dots in a row');
    } else {
      let end = at;
      while (end < text.length && text[end] !== '.' && text[end] !== '[') end += 1;
      segments.push(text.slice(at, end));
      at = end;
    }
  }
  return segments;
}

function parseBracket(text: string, open: number, index: RegExp): { segment: PathSegment; next: number } {
  if (text[open + 1] === '"') {
    let key = '';
    let at = open + 2;
    for (; at < text.length && text[at] !== '"'; at += 1) {
      if (text[at] === '\\' && text[at + 1] === '"') at += 1;
      key += text[at];
    }
    if (text[at] !== '"') throw new PathError(text, open, 'the quote is not closed');
    if (text[at + 1] !== ']') throw new PathError(text, at, 'the bracket is not closed');
    return { segment: key, next: at + 2 };
  }
  const close = text.indexOf(']', open);
  if (close < 0) throw new PathError(text, open, 'the bracket is not closed');
  const inner = text.slice(open + 1, close);
  if (inner === '*') return { segment: '*', next: close + 1 };
  if (!index.test(inner)) throw new PathError(text, open, 'expected a number, a quoted key or * in brackets');
  return { segment: Number(inner), next: close + 1 };
}

/**
 * Formats a path as in the exchange format. A key of letters, digits and `_` is written as it is, every other key, `*`
 * too, in quotes. {@link parsePath} reads the text back. The one exception is a key that contains `.` or `[` and ends
 * in a backslash: the grammar has no text for it.
 */
export function formatPath(path: PropertyPath): string {
  let text = '';
  for (const segment of path) {
    if (typeof segment === 'number') text += `[${segment}]`;
    else if (isPlain(segment)) text += text === '' ? segment : `.${segment}`;
    else text += `["${segment.replaceAll('"', '\\"')}"]`;
  }
  return text;
}

/**
 * Tells whether a key is written without quotes. A key that ends in a backslash is, where possible: the backslash would
 * hide the closing quote.
 */
function isPlain(key: string): boolean {
  return /^\w+$/.test(key) || (key.endsWith('\\') && !/[.[]/.test(key));
}

/** Tells whether `path` is `container` itself or lies inside it. `*` in the container matches any one segment. */
export function pathContains(container: PropertyPath, path: PropertyPath): boolean {
  if (path.length < container.length) return false;
  return container.every((segment, index) => segment === '*' || segment === path[index]);
}

/**
 * Returns the value at a path without wildcards, or `undefined` if there is none. Looks through secrets and outputs.
 */
export function getAt(value: PropertyValue, path: PropertyPath): PropertyValue | undefined {
  let current: PropertyValue | undefined = value;
  for (const segment of path) {
    current = step(unwrap(current), segment);
    if (current === undefined) return undefined;
  }
  return current;
}

/**
 * Returns the map with the value at a path replaced. Marks of secrets and outputs on the way remain. Returns
 * `undefined` if a container on the way is missing or of the wrong kind, or if a list would have to grow.
 */
export function setAt(map: PropertyMap, path: PropertyPath, value: PropertyValue): PropertyMap | undefined {
  return edit(map, path, () => value) as PropertyMap | undefined;
}

/** Returns the map without the property at a path; `undefined` as for {@link setAt}, or if the path ends in a list. */
export function removeAt(map: PropertyMap, path: PropertyPath): PropertyMap | undefined {
  return edit(map, path, () => undefined) as PropertyMap | undefined;
}

function edit(
  value: PropertyValue,
  path: PropertyPath,
  change: (old: PropertyValue | undefined) => PropertyValue | undefined,
): PropertyValue | undefined {
  if (isSecret(value)) {
    const inner = edit(value.value, path, change);
    return inner === undefined ? undefined : new Secret(inner);
  }
  if (isOutputValue(value)) {
    const inner = value.value === undefined ? undefined : edit(value.value, path, change);
    return inner === undefined ? undefined : new OutputValue(inner, value.secret, value.dependencies);
  }
  const [segment, ...rest] = path;
  if (segment === undefined) return undefined;
  const old = step(value, segment);
  if (isMap(value) && typeof segment === 'string') {
    const changed = rest.length === 0 ? change(old) : old === undefined ? undefined : edit(old, rest, change);
    if (changed === undefined && rest.length > 0) return undefined;
    const copy = Object.assign(newMap(), value);
    if (changed === undefined) delete copy[segment];
    else copy[segment] = changed;
    return copy;
  }
  if (isArray(value) && typeof segment === 'number' && old !== undefined) {
    const changed = rest.length === 0 ? change(old) : edit(old, rest, change);
    return changed === undefined ? undefined : value.with(segment, changed);
  }
  return undefined;
}

/**
 * Returns every concrete path that `pattern` matches inside `value`. Wildcards expand to the keys and indexes present.
 */
export function expandPath(value: PropertyValue, pattern: PropertyPath): readonly PropertyPath[] {
  let found: { path: PathSegment[]; value: PropertyValue | undefined }[] = [{ path: [], value }];
  for (const segment of pattern) {
    found = found.flatMap((at) =>
      segment === '*'
        ? childSegments(unwrap(at.value)).map((child) => descend(at, child))
        : [descend(at, segment)],
    );
  }
  return found.map((at) => at.path);
}

function descend(at: { path: PathSegment[]; value: PropertyValue | undefined }, segment: PathSegment) {
  return { path: [...at.path, segment], value: step(unwrap(at.value), segment) };
}

function childSegments(value: PropertyValue | undefined): readonly PathSegment[] {
  if (isArray(value)) return value.map((_item, index) => index);
  if (isMap(value)) return Object.keys(value);
  return [];
}

function step(value: PropertyValue | undefined, segment: PathSegment): PropertyValue | undefined {
  if (isArray(value)) return typeof segment === 'number' ? value[segment] : undefined;
  if (isMap(value) && Object.hasOwn(value, segment)) return value[segment];
  return undefined;
}

function unwrap(value: PropertyValue | undefined): PropertyValue | undefined {
  let current = value;
  while (isSecret(current) || isOutputValue(current)) current = current.value;
  return current;
}
