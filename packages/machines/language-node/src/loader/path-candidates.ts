import { join } from 'node:path';
import type { PathSettings } from './compiler-settings.js';

/**
 * Returns files that a name may mean by `paths` and `baseUrl` of the tsconfig, best first. A pattern without `*` comes
 * before those with one. Of these, the one with the longest text before the `*` decides. Declarations contain nothing
 * to run.
 */
export function pathCandidates(name: string, settings: PathSettings | undefined): readonly string[] {
  if (settings === undefined || /^(?:\.{0,2}\/|\.{1,2}$|[a-z]+:)/.test(name)) return [];
  const pattern = bestPattern(name, Object.keys(settings.patterns));
  const targets =
    pattern === undefined
      ? []
      : (settings.patterns[pattern] as readonly string[]).map((target) =>
          target.replace('*', () => starOf(name, pattern)),
        );
  const other = settings.baseUrl === undefined ? [] : [join(settings.baseUrl, name)];
  return [...targets, ...other].filter((path) => !/\.d\.[cm]?ts$/.test(path));
}

function bestPattern(name: string, patterns: readonly string[]): string | undefined {
  if (patterns.includes(name)) return name;
  return patterns
    .filter((pattern) => pattern.includes('*') && matches(name, pattern))
    .sort((a, b) => b.indexOf('*') - a.indexOf('*'))[0];
}

function matches(name: string, pattern: string): boolean {
  const [before, after] = parts(pattern);
  return name.length >= before.length + after.length && name.startsWith(before) && name.endsWith(after);
}

function starOf(name: string, pattern: string): string {
  const [before, after] = parts(pattern);
  return name.slice(before.length, name.length - after.length);
}

const parts = (pattern: string): readonly [string, string] => {
  const star = pattern.indexOf('*');
  return [pattern.slice(0, star), pattern.slice(star + 1)];
};
