import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { SourceRange } from '@cairn/diagnostics';

/** Larger files are generated ones, and no program. */
const LARGEST = 2_000_000;

/** Reads single lines of a project's files; each file once. Undefined for what cannot be read. */
export function sourceReader(root: string | undefined): (place: SourceRange) => string | undefined {
  const files = new Map<string, readonly string[]>();
  return ({ file, line }) => {
    if (root === undefined || line === undefined) return undefined;
    const full = path.resolve(root, file);
    let lines = files.get(full);
    if (lines === undefined) files.set(full, (lines = linesOf(full)));
    return lines[line - 1];
  };
}

function linesOf(file: string): readonly string[] {
  try {
    return statSync(file).size > LARGEST ? [] : readFileSync(file, 'utf8').split(/\r?\n/);
  } catch {
    return [];
  }
}
