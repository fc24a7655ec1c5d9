import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { SourceRange } from '@cairn/diagnostics';
import { SECRET_TEXT } from '@cairn/values';

/** Files larger than this are generated, not programs. */
const LARGEST = 2_000_000;

/**
 * Returns a reader of single lines of a project's files, secret literals masked. Each file is read once. A line that
 * cannot be read is `undefined`.
 */
export function sourceReader(root: string | undefined): (place: SourceRange) => string | undefined {
  const files = new Map<string, readonly string[]>();
  return ({ file, line }) => {
    if (root === undefined || line === undefined) return undefined;
    const full = path.resolve(root, file);
    let lines = files.get(full);
    if (lines === undefined) files.set(full, (lines = linesOf(full)));
    const text = lines[line - 1];
    return text === undefined ? undefined : withoutSecretLiterals(text);
  };
}

function linesOf(file: string): readonly string[] {
  try {
    return statSync(file).size > LARGEST ? [] : readFileSync(file, 'utf8').split(/\r?\n/);
  } catch {
    return [];
  }
}

/** Matches a call of `secret` with a literal text or number, within one line. */
const SECRET_LITERAL =
  /\bsecret\(\s*(?:"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|`(?:[^`\\]|\\.)*`?|[-+\d][\w.]*)/g;

/** Returns a line of a program with its secret literals masked [SEC-8]. */
export function withoutSecretLiterals(line: string): string {
  return line.replace(SECRET_LITERAL, `secret(${SECRET_TEXT}`);
}
