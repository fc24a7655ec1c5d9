import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { isInstalled } from './module-format.js';

/** Key under which the runner of our SDK finds the place. */
const PLACE = Symbol.for('cairn.loader.exit-place');

/**
 * Records where the program first calls `process.exit`. With `reports`, the place of a call with an error is written to
 * stderr as well, for a runner that does not report it.
 */
export function recordExits(reports: boolean): void {
  const { exit } = process;
  process.exit = function leave(code?: number | string | null): never {
    const places = placesAbove(leave);
    (globalThis as { [PLACE]?: string | undefined })[PLACE] ??= places.find((place) => place !== undefined);
    if (reports && places[0] !== undefined && Number(code ?? process.exitCode ?? 0) !== 0)
      process.stderr.write(`process.exit(${code ?? ''}) was called\n    at ${places[0]}\n`);
    return exit.call(process, code);
  };
  // Named imports get the replacement too.
  syncBuiltinESMExports();
}

/** Returns `FILE:LINE:COLUMN` of each caller of `below`; undefined for one that does not belong to the program. */
function placesAbove(below: () => never): readonly (string | undefined)[] {
  const holder: { stack?: string } = {};
  Error.captureStackTrace(holder, below);
  const [, ...lines] = holder.stack?.split('\n') ?? [];
  return lines.map((line) => {
    const place = /((?:file:\/\/)?\/[^()]+:\d+:\d+)\)?$/.exec(line)?.[1];
    if (place === undefined || isInstalled(place)) return undefined;
    return place.startsWith('file:') ? fileURLToPath(place) : place;
  });
}
