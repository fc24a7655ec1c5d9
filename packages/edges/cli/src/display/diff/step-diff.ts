import {
  diffMaps,
  emptyMap,
  expandPath,
  formatPath,
  getAt,
  pathContains,
  propertyMap,
  setAt,
} from '@cairn/values';
import type { PropertyMap, PropertyPath, PropertyValue } from '@cairn/values';
import type { Reason, ReasonSource, StepView } from '@cairn/engine';
import { visibleName } from '../../terminal/controls.js';
import { keyText, valueText } from '../value-text.js';
import { SIGNS, changeLines, kindPaint } from './change-lines.js';
import type { DiffStyle } from './change-lines.js';
import { readableChanges } from './value-changes.js';
import type { ReadableChange } from './value-changes.js';

/** Replaces a value whose differences must not be shown. */
const HIDDEN_TEXT = '(hidden)';

/**
 * Lists the changes of a step, property by property: `+` added, `-` removed, `~` changed with both values. Values on a
 * path that is secret on either side are masked. Creates list their inputs; deletes list nothing. A resource that stays
 * the same lists only its previous URN, if it moved.
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
      return changes(step, style);
    case 'same':
      return movedLines(step, style);
    case 'refresh':
      return step.refreshResult === 'delete' ? [] : changes(step, style);
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
  const hidden = (step.new ?? step.old)?.hideDiffs ?? [];
  const found = differences(old, news, hidden).filter((change) => !String(change.path[0]).startsWith('__'));
  const forced = new Set(step.replaceKeys);
  const sources = sourcesOf(step.reason);
  const seen = new Set<string>();
  const lines = found.flatMap((change) => {
    const part = hiddenPart(change.path, hidden);
    if (part !== undefined) return hiddenLines(part, change, seen, style);
    const note = forced.has(String(change.path[0])) ? style.paint.magenta('  [forces replacement]') : '';
    const shown = withoutHiddenParts(change, old, news, hidden);
    return changeLines(shown, { old, new: news, note, sources, indent: INDENT }, style);
  });
  const shown = new Set(found.map(({ path }) => String(path[0])));
  const others = step.replaceKeys.filter((key) => !shown.has(key));
  return [
    ...movedLines(step, style),
    ...lines,
    ...others.map((key) => `    ${style.paint.magenta(`~ ${key}  [forces replacement]`)}`),
  ];
}

const INDENT = 4;

/**
 * Returns the differences. If hidden parts are identified by their index in a list, items are not matched by their
 * content.
 */
function differences(
  old: PropertyMap,
  news: PropertyMap,
  hidden: readonly PropertyPath[],
): readonly ReadableChange[] {
  if (hidden.length === 0) return readableChanges(old, news);
  return diffMaps(old, news).map((change) => ({ ...change, oldPath: change.path }));
}

/** Returns the resources that changed values come from. */
function sourcesOf(reason: Reason): readonly ReasonSource[] {
  return reason.t === 'property' || reason.t === 'option' ? reason.sources : [];
}

/** Returns the previous URN of the resource. */
function movedLines({ old, new: news }: StepView, { paint }: DiffStyle): readonly string[] {
  if (old === undefined || news === undefined || old.urn === news.urn) return [];
  return [`    ${paint.cyan(`> was ${visibleName(old.urn)}`)}`];
}

/** Returns one line for each hidden part, however much of it changed. */
function hiddenLines(
  part: PropertyPath,
  change: ReadableChange,
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
 * Returns the change with values that may be shown: a container that was added or removed as a whole may contain
 * something hidden.
 */
function withoutHiddenParts(
  change: ReadableChange,
  old: PropertyMap,
  news: PropertyMap,
  hidden: readonly PropertyPath[],
): ReadableChange {
  const inside = hidden.filter((each) => each.length > change.path.length);
  if (inside.length === 0) return change;
  const shown = (map: PropertyMap, value: PropertyValue | undefined) =>
    value === undefined ? undefined : getAt(withoutHidden(map, inside), change.path);
  return { ...change, old: shown(old, change.old), new: shown(news, change.new) };
}

function sides(step: StepView): readonly [PropertyMap, PropertyMap] {
  const [old, news] = [step.old?.inputs ?? emptyMap, step.new?.inputs ?? emptyMap];
  if (step.kind !== 'refresh') return [old, news];
  // A look-up finds outputs. Inputs are clearer, so they are used if the provider has read them too.
  const changed = new Set(diffMaps(old, news).map(({ path }) => String(path[0])));
  const found = (outputs: PropertyMap, inputs: PropertyMap): PropertyMap =>
    propertyMap({
      ...outputs,
      ...Object.fromEntries(Object.entries(inputs).filter(([key]) => changed.has(key))),
    });
  return [found(step.old?.outputs ?? emptyMap, old), found(step.new?.outputs ?? emptyMap, news)];
}

function entryLines(mark: string, key: string, value: PropertyValue, style: DiffStyle): readonly string[] {
  return [
    `    ${style.paint.green(`${mark} ${key}: ${valueText(value, style.showSecrets, 6, style.full)}`)}`,
  ];
}

/**
 * Returns the part of a changed path under which the option hideDiffs hides every difference, or undefined if it is
 * shown. `*` in a hidden path matches any one segment [DIFF-13].
 */
function hiddenPart(path: PropertyPath, hidden: readonly PropertyPath[]): PropertyPath | undefined {
  const around = hidden.filter((each) => pathContains(each, path)).sort((a, b) => a.length - b.length);
  const [outermost] = around;
  return outermost && path.slice(0, outermost.length);
}

/** Replaces hidden values by {@link HIDDEN_TEXT}, in a map that is shown whole. */
function withoutHidden(map: PropertyMap, hidden: readonly PropertyPath[]): PropertyMap {
  let shown = map;
  for (const pattern of hidden) {
    for (const path of expandPath(map, pattern)) shown = setAt(shown, path, HIDDEN_TEXT) ?? shown;
  }
  return shown;
}

/** Lists an operation's changes to the outputs of the stack, and counts those that stay the same. */
export function outputChangeLines(old: PropertyMap, news: PropertyMap, style: DiffStyle): readonly string[] {
  const changes = readableChanges(old, news);
  const changed = new Set(changes.map(({ path }) => String(path[0])));
  const unchanged = Object.keys(news).filter((key) => !changed.has(key)).length;
  if (changes.length === 0) return [];
  return [
    style.paint.bold('Outputs:'),
    ...changes.flatMap((change) => changeLines(change, { old, new: news, indent: INDENT }, style)),
    ...(unchanged === 0 ? [] : [style.paint.dim(`      ${unchanged} unchanged`)]),
    '',
  ];
}
