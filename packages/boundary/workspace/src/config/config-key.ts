import { fail, messageOf } from '@cairn/diagnostics';
import type { PropertyPath } from '@cairn/values';
import { parsePath } from '@cairn/values';

/** A place in a config: the full key and the path inside its value. The path is empty for the value itself. */
export interface ConfigTarget {
  readonly key: string;
  readonly path: PropertyPath;
}

/** Returns the reason why a text is not a config key, or undefined. */
function keyProblem(namespace: string, name: string): string | undefined {
  if (namespace === '' || name === '') return 'both sides of the colon need a name';
  return name.includes(':') ? 'it has too many colons' : undefined;
}

/**
 * Resolves a key as a user or a file writes it to the full key `ns:name`. It may be `ns:name`, the older
 * `ns:config:name`, or `name` in the project's own namespace [CFG-5]. If `problem` is undefined, the key is well
 * formed.
 */
export function resolveConfigKey(
  text: string,
  project: string,
): { readonly key: string; readonly problem?: string | undefined } {
  const colon = text.indexOf(':');
  const namespace = colon < 0 ? project : text.slice(0, colon);
  const rest = text.slice(colon + 1);
  const name = colon >= 0 && rest.startsWith('config:') ? rest.slice('config:'.length) : rest;
  return { key: `${namespace}:${name}`, problem: keyProblem(namespace, name) };
}

/** Resolves a key typed by a user. Fails with `CAIRN-CONFIG-INVALID`. */
export function parseConfigKey(text: string, project: string): string {
  const { key, problem } = resolveConfigKey(text, project);
  return problem === undefined ? key : badKey(text, problem);
}

/**
 * Parses a key followed by a path, as `--path` takes it: `ns:name.inner[0]["a.b"]`. The namespace ends at a colon in
 * front of the first `.` or `[`; the first segment is the name.
 */
export function parseConfigPath(text: string, project: string): ConfigTarget {
  const head = text.slice(0, headLength(text));
  const colon = head.lastIndexOf(':');
  let segments: PropertyPath;
  try {
    segments = parsePath(text.slice(colon + 1));
  } catch (thrown) {
    return badKey(text, messageOf(thrown));
  }
  const [name, ...path] = segments;
  if (typeof name !== 'string' || name === '') return badKey(text, 'its first part must be a name');
  if (name.includes(':')) return badKey(text, 'it has too many colons');
  return { key: parseConfigKey(`${text.slice(0, colon + 1)}${name}`, project), path };
}

/** Returns a full key as it is shown: the project's own keys without their namespace. */
export function shortConfigKey(key: string, project: string): string {
  return key.startsWith(`${project}:`) ? key.slice(project.length + 1) : key;
}

function headLength(text: string): number {
  const end = text.search(/[.[]/);
  return end < 0 ? text.length : end;
}

function badKey(text: string, problem: string): never {
  return fail('CAIRN-CONFIG-INVALID', `invalid config key ${JSON.stringify(text)}: ${problem}`, {
    hint: 'Write a key as name or namespace:name.',
  });
}
