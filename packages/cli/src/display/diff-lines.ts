import {
  changedKeys,
  diffMaps,
  emptyMap,
  expandPath,
  formatPath,
  getAt,
  isSecret,
  pathContains,
  setAt,
} from '@cairn/values';
import type { PropertyChange, PropertyMap, PropertyPath, PropertyValue } from '@cairn/values';
import type { StepView } from '@cairn/engine';
import type { Paint } from '../terminal/paint.js';
import { SECRET_TEXT, keyText, valueText } from './value-text.js';

/** Stands for a value whose differences are not to be shown. */
const HIDDEN_TEXT = '(hidden)';

/** How to print differences. */
export interface DiffStyle {
  readonly paint: Paint;
  readonly showSecrets: boolean;
}

/**
 * What a step changes, property by property: `+` added, `-` removed, `~` changed with both values. Values on a path
 * that is secret on either side are masked. Creates list their inputs; deletes and unchanged resources list nothing.
 */
export function stepDiffLines(step: StepView, style: DiffStyle): readonly string[] {
  switch (step.kind) {
    case 'create':
    case 'import':
    case 'create-replacement':
      return step.old === undefined || step.kind === 'import'
        ? listing(step.new?.inputs ?? emptyMap, style)
        : changes(step, style);
    case 'update':
    case 'replace':
    case 'refresh':
      return changes(step, style);
    default:
      return [];
  }
}

function listing(inputs: PropertyMap, style: DiffStyle): readonly string[] {
  return Object.keys(inputs)
    .filter((key) => !key.startsWith('__'))
    .flatMap((key) => entryLines('+', keyText(key), inputs[key] as PropertyValue, style));
}

function changes(step: StepView, style: DiffStyle): readonly string[] {
  const [old, news] = sides(step);
  const found = diffMaps(old, news).filter((change) => !String(change.path[0]).startsWith('__'));
  const forced = new Set(step.replaceKeys);
  const hidden = (step.new ?? step.old)?.hideDiffs ?? [];
  const seen = new Set<string>();
  const lines = found.flatMap((change) => {
    const part = hiddenPart(change.path, hidden);
    if (part !== undefined) return hiddenLines(part, change, seen, style);
    const note = forced.has(String(change.path[0])) ? style.paint.magenta('  [forces replacement]') : '';
    return changeLines(withoutHiddenParts(change, old, news, hidden), old, news, note, style);
  });
  const shown = new Set(changedKeys(found));
  const others = step.replaceKeys.filter((key) => !shown.has(key));
  return [...lines, ...others.map((key) => `    ${style.paint.magenta(`~ ${key}  [forces replacement]`)}`)];
}

/** One line for each hidden part, whatever of it has changed. */
function hiddenLines(
  part: PropertyPath,
  change: PropertyChange,
  seen: Set<string>,
  { paint }: DiffStyle,
): readonly string[] {
  const path = formatPath(part);
  if (seen.has(path)) return [];
  seen.add(path);
  const kind = part.length === change.path.length ? change.kind : 'update';
  return [`    ${kindPaint(kind, paint)(`${SIGNS[kind]} ${path} ${HIDDEN_TEXT}`)}`];
}

/**
 * The change with its values as they may be shown: a container that came or went as a whole may hold something hidden.
 */
function withoutHiddenParts(
  change: PropertyChange,
  old: PropertyMap,
  news: PropertyMap,
  hidden: readonly PropertyPath[],
): PropertyChange {
  const inside = hidden.filter((each) => each.length > change.path.length);
  if (inside.length === 0) return change;
  const shown = (map: PropertyMap, value: PropertyValue | undefined) =>
    value === undefined ? undefined : getAt(withoutHidden(map, inside), change.path);
  return { ...change, old: shown(old, change.old), new: shown(news, change.new) };
}

function sides(step: StepView): readonly [PropertyMap, PropertyMap] {
  if (step.kind === 'refresh') return [step.old?.outputs ?? emptyMap, step.new?.outputs ?? emptyMap];
  return [step.old?.inputs ?? emptyMap, step.new?.inputs ?? emptyMap];
}

const SIGNS = { add: '+', delete: '-', update: '~' } as const satisfies Record<
  PropertyChange['kind'],
  string
>;

function kindPaint(kind: PropertyChange['kind'], paint: Paint): (text: string) => string {
  switch (kind) {
    case 'add':
      return paint.green;
    case 'delete':
      return paint.red;
    case 'update':
      return paint.yellow;
  }
}

function changeLines(
  change: PropertyChange,
  old: PropertyMap,
  news: PropertyMap,
  note: string,
  style: DiffStyle,
): readonly string[] {
  const path = formatPath(change.path);
  const masked = !style.showSecrets && (onSecret(old, change.path) || onSecret(news, change.path));
  const show = (value: PropertyValue | undefined): string =>
    masked ? SECRET_TEXT : valueText(value ?? null, style.showSecrets, 6 + path.length);
  const sign = SIGNS[change.kind];
  const paintOf = kindPaint(change.kind, style.paint);
  switch (change.kind) {
    case 'add':
      return [`    ${paintOf(`${sign} ${path}: ${show(change.new)}`)}${note}`];
    case 'delete':
      return [`    ${paintOf(`${sign} ${path}: ${show(change.old)}`)}${note}`];
    case 'update':
      return [`    ${paintOf(`${sign} ${path}: ${show(change.old)} => ${show(change.new)}`)}${note}`];
  }
}

/** Whether the value at the path, or anything it lies in, is secret. */
function onSecret(map: PropertyMap, path: PropertyPath): boolean {
  for (let length = 1; length <= path.length; length++) {
    const value = getAt(map, path.slice(0, length));
    if (value !== undefined && isSecret(value)) return true;
  }
  return false;
}

function entryLines(mark: string, key: string, value: PropertyValue, style: DiffStyle): readonly string[] {
  return [`    ${style.paint.green(`${mark} ${key}: ${valueText(value, style.showSecrets, 6)}`)}`];
}

/**
 * The part of a changed path under which the option hideDiffs hides every difference; undefined when it is shown. `*`
 * in a hidden path stands for any one segment [DIFF-13].
 */
function hiddenPart(path: PropertyPath, hidden: readonly PropertyPath[]): PropertyPath | undefined {
  const around = hidden.filter((each) => pathContains(each, path)).sort((a, b) => a.length - b.length);
  const [outermost] = around;
  return outermost && path.slice(0, outermost.length);
}

/**
 * The map with what is hidden replaced by {@link HIDDEN_TEXT}: for values that are shown whole and hold hidden ones.
 */
function withoutHidden(map: PropertyMap, hidden: readonly PropertyPath[]): PropertyMap {
  let shown = map;
  for (const pattern of hidden) {
    for (const path of expandPath(map, pattern)) shown = setAt(shown, path, HIDDEN_TEXT) ?? shown;
  }
  return shown;
}
