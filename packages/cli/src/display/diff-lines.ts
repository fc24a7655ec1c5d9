import { changedKeys, diffMaps, emptyMap, formatPath, getAt, isSecret } from '@cairn/values';
import type { PropertyChange, PropertyMap, PropertyPath, PropertyValue } from '@cairn/values';
import type { StepView } from '@cairn/engine';
import type { Paint } from '../terminal/paint.js';
import { SECRET_TEXT, keyText, valueText } from './value-text.js';

/** How to print differences. */
export interface DiffStyle {
  readonly paint: Paint;
  readonly showSecrets: boolean;
}

/**
 * What a step changes, property by property: `+` added, `-` removed, `~` changed with both values. Values on a path that is
 * secret on either side are masked. Creates list their inputs; deletes and unchanged resources list nothing.
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
  const lines = found.flatMap((change) => {
    const note = forced.has(String(change.path[0])) ? style.paint.magenta('  [forces replacement]') : '';
    return changeLines(change, old, news, note, style);
  });
  const shown = new Set(changedKeys(found));
  const others = step.replaceKeys.filter((key) => !shown.has(key));
  return [...lines, ...others.map((key) => `    ${style.paint.magenta(`~ ${key}  [forces replacement]`)}`)];
}

function sides(step: StepView): readonly [PropertyMap, PropertyMap] {
  if (step.kind === 'refresh') return [step.old?.outputs ?? emptyMap, step.new?.outputs ?? emptyMap];
  return [step.old?.inputs ?? emptyMap, step.new?.inputs ?? emptyMap];
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
  switch (change.kind) {
    case 'add':
      return [`    ${style.paint.green(`+ ${path}: ${show(change.new)}`)}${note}`];
    case 'delete':
      return [`    ${style.paint.red(`- ${path}: ${show(change.old)}`)}${note}`];
    case 'update':
      return [`    ${style.paint.yellow(`~ ${path}: ${show(change.old)} => ${show(change.new)}`)}${note}`];
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
