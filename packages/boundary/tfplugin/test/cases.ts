import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Case of `cases/`; its other parts depend on the function. */
export interface Case {
  readonly id: string;
  readonly function: string;
  readonly expect: unknown;
  readonly [part: string]: unknown;
}

/** Returns the cases of a file that are about a function. */
export function casesOf(file: string, name: string): readonly Case[] {
  const text = readFileSync(path.join(__dirname, 'cases', `${file}.json`), 'utf8');
  const found = (JSON.parse(text) as Case[]).filter((each) => each.function === name);
  if (found.length === 0) throw new Error(`${file} has no case of ${name}`);
  return found;
}
