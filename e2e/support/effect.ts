import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Sandbox } from './cairn.js';

/** Records its effect; kills the process that asked for it if `kill.txt` names it. */
export const EFFECT = `
echo "$1 $2" >> effects.log
if [ "$(cat kill.txt 2>/dev/null)" = "$1 $2" ]; then rm kill.txt; kill -9 "$PPID"; exit 1; fi
echo "$2"
`;

/**
 * Records one real effect. Kills the process that asked for it before or after it if `kill.txt` says so
 * (`before create a`); once.
 */
export const EFFECT_WITH_MOMENTS = `
when=$(cat kill.txt 2>/dev/null)
if [ "$when" = "before $1 $2" ]; then rm kill.txt; kill -9 "$PPID"; exit 1; fi
echo "$1 $2" >> effects.log
if [ "$when" = "after $1 $2" ]; then rm kill.txt; kill -9 "$PPID"; exit 1; fi
echo "$2"
`;

/** Lists the effects that a box has noted, in order. */
export function effectsOf(box: Sandbox): readonly string[] {
  const log = path.join(box.directory, 'effects.log');
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
}

/** Runs a command that is killed at a point, such as `before create a`. Fails if it is not. */
export async function killedAt(box: Sandbox, point: string, words: readonly string[]): Promise<void> {
  box.write('kill.txt', point);
  const end = await box.process(words);
  if (end.signal !== 'SIGKILL') throw new Error(`not killed ${point}, ended with ${end.code}:\n${end.text}`);
}
