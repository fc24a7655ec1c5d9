import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProgramFailureCode } from '../resource/resource-error.js';

const FAILURE_CODE: ProgramFailureCode = 'CAIRN-PROGRAM-FAILED';

/**
 * Returns the code of an error that ended the program. The message about a file that does not parse starts with its
 * location.
 */
export function failureCode(error: unknown): ProgramFailureCode {
  if (typeof error !== 'object' || error === null) return FAILURE_CODE;
  const {
    failureCode: own,
    name,
    message,
  } = error as { failureCode?: ProgramFailureCode; name?: unknown; message?: unknown };
  if (name === 'SyntaxError' && /^\S.*:\d+:\d+: /.test(String(message))) return 'CAIRN-PROGRAM-LOAD';
  return own ?? FAILURE_CODE;
}

/** Errors whose message is sufficient. */
const SAYS_ALL: ReadonlySet<string> = new Set(['RunError', 'InputPropertyError', 'InputPropertiesError']);

interface Frame {
  readonly text: string;
  readonly place: string | undefined;
}

/**
 * Describes an error that ended the program: its message, and its location in the program. Frames of libraries and of
 * Node itself are folded. Paths are relative to `directory`.
 */
export function describeProgramError(error: unknown, directory: string): string {
  if (!(typeof error === 'object' && error !== null && 'message' in error))
    return `the program threw ${display(error)}`;
  const { name, message, stack, declaredAt, cause } = error as Error & { declaredAt?: string | undefined };
  if (SAYS_ALL.has(name)) return [message, ...askedAt(error, directory)].join('\n');
  const heading =
    name === 'Error' || name === undefined || name === 'ResourceError' ? message : `${name}: ${message}`;
  const about = (error as { resource?: unknown }).resource;
  const unnamed = name === 'ResourceError' && typeof about === 'string' && !message.includes(about);
  const lines = [unnamed ? `${about}: ${heading}` : heading];
  if (name === 'ResourceError') {
    if (declaredAt !== undefined) lines.push(`    at ${relative(declaredAt, directory)}`);
  } else {
    lines.push(...foldedStack(stack ?? '', directory));
    lines.push(...importedAt(message, directory));
  }
  if (name !== 'ResourceError' && cause !== undefined && cause !== error)
    lines.push(`caused by: ${describeProgramError(cause, directory)}`);
  return lines.join('\n');
}

/** Describes the rejection of a promise that no code awaits. */
export function describeUnawaited(error: unknown, directory: string): string {
  if (!(typeof error === 'object' && error !== null && 'message' in error))
    return `a promise that nothing awaits was rejected with ${display(error)}`;
  const said = describeProgramError(error, directory);
  const { name } = error as Error;
  if (SAYS_ALL.has(name) || name === 'ResourceError') return said;
  return `${said}\n    (of a promise, or a result of apply, that nothing awaits)`;
}

/** Returns the place where the program reads a configuration value that is missing or invalid. */
function askedAt(error: object, directory: string): readonly string[] {
  const { failureCode: code, stack = '' } = error as { failureCode?: string; stack?: string };
  if (code?.startsWith('CAIRN-CONFIG-') !== true) return [];
  return foldedStack(stack, directory)
    .filter((line) => line.startsWith('    at '))
    .slice(0, 1);
}

/** Form of Node's error for an import that cannot be resolved. Its stack has no line. */
const IMPORTED =
  /^(?:Cannot find (?:package|module) '|Package subpath '\.|Package import specifier ")(.+?)['"].*? imported from (.+)$/;
/** Module that a source line names, or requests at run time. */
const NAMED = /\b(?:from|import|require)\s*\(?\s*(['"`])(.+?)\1/g;

/** Returns the place of a failed import: the first line of the importing file that names the module. */
function importedAt(message: string, directory: string): readonly string[] {
  const [, missing = '', from = ''] = IMPORTED.exec(message) ?? [];
  if (from === '') return [];
  const file = filePath(from);
  for (const [index, line] of textOf(file).split('\n').entries())
    for (const { index: at, 0: all, 2: name = '' } of line.matchAll(NAMED)) {
      const isIt =
        name === missing ||
        name.startsWith(`${missing}/`) ||
        (message.startsWith('Package subpath') && name.endsWith(missing)) ||
        path.resolve(path.dirname(file), name) === missing;
      const column = at + all.lastIndexOf(name);
      if (isIt) return [`    at ${relative(file, directory)}:${index + 1}:${column}`];
    }
  return [];
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function display(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

function foldedStack(stack: string, directory: string): readonly string[] {
  const lines: string[] = [];
  let folded = 0;
  const unfold = (): void => {
    if (folded > 0) lines.push(`    (${folded} ${folded === 1 ? 'frame' : 'frames'} of libraries)`);
    folded = 0;
  };
  for (const frame of stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map(parseFrame)) {
    if (frame.place === undefined || isForeign(frame.place, directory)) {
      folded += 1;
      continue;
    }
    unfold();
    lines.push(`    at ${frame.text.replace(frame.place, relative(frame.place, directory))}`);
  }
  // Frames below the program belong to the loader and are dropped.
  return lines;
}

/** Reads a frame of the form `at fn (file:line:column)` or `at file:line:column`. */
function parseFrame(line: string): Frame {
  const text = line
    .trim()
    .slice('at '.length)
    .replace(/^<anonymous> \((.*)\)$/, '$1');
  const place = /\(([^()]+:\d+:\d+)\)$/.exec(text)?.[1] ?? /^(?:async )?(\S+:\d+:\d+)$/.exec(text)?.[1];
  return { text, place };
}

function isForeign(place: string, directory: string): boolean {
  if (/^node:|[\\/]node_modules[\\/]|^internal\//.test(place)) return true;
  return (
    path.relative(directory, filePath(place)).split(path.sep)[0] === '..' || !path.isAbsolute(filePath(place))
  );
}

function relative(place: string, directory: string): string {
  const file = filePath(place);
  if (!path.isAbsolute(file)) return place;
  const short = path.relative(directory, file);
  return short.startsWith('..') ? file : short;
}

function filePath(place: string): string {
  return place.startsWith('file://') ? fileURLToPath(place) : place;
}
