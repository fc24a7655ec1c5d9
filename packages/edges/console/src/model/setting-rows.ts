import { valueKind } from './values.js';

/** Setting of a stack: its path in the settings, and its value, which is a text, a list or a mark of a secret. */
interface SettingRow {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Paths of settings that most stacks have, in the order in which a form offers them. */
export const COMMON_SETTINGS = [
  ...['sourceContext.git.repoUrl', 'sourceContext.git.branch', 'sourceContext.git.repoDir'],
  ...['operationContext.environmentVariables.', 'operationContext.preRunCommands', 'agentPoolID'],
] as const;

/** Returns settings as rows: one for each value that is no map. */
export function settingRows(
  settings: Readonly<Record<string, unknown>>,
  above: readonly string[] = [],
): readonly SettingRow[] {
  return Object.entries(settings).flatMap(([key, value]) => {
    const path = [...above, key];
    const isMap = valueKind(value) === 'map' && Object.keys(value as object).length > 0;
    return isMap ? settingRows(value as Readonly<Record<string, unknown>>, path) : [{ path, value }];
  });
}

/**
 * Returns a change of settings that sets the value at a path, or removes it for `null`. A list, a map, `true` and
 * `false` are written as JSON; every other text is the value.
 */
export function settingChange(
  path: readonly string[],
  text: string | null,
  isSecret = false,
): Readonly<Record<string, unknown>> {
  const value = text === null ? null : isSecret ? { secret: text } : valueOf(text);
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Readonly<
    Record<string, unknown>
  >;
}

/** Returns the keys of a path that a person wrote: `operationContext.environmentVariables.SIZE`. */
export function settingPath(text: string): readonly string[] {
  return text.trim().split('.');
}

/** Returns true for a path whose keys all have a name. */
export function isSettingPath(text: string): boolean {
  return settingPath(text).every((key) => key !== '');
}

function valueOf(text: string): unknown {
  if (!/^\s*(?:true|false|[[{])/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
