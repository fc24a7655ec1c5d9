import type { ChangeLine } from '@cairn/backends';
import { cairnError } from '@cairn/diagnostics';
import type { SavedPlan } from '@cairn/engine';
import type { Flags } from '../commands/command-spec.js';
import type { World } from '../world.js';
import { importOperation } from './import-operation.js';
import { keptPlan } from './kept-options.js';
import type { Operation } from './operate.js';
import type { Prepared } from './prepare.js';
import { readOptions, repeatedFlags } from './recorded-options.js';
import { removeAfterwards } from './remove-afterwards.js';

/** An operation as its record has it, to be gone on with. */
export interface Repeated {
  readonly operation: Operation;
  /** The plan that it is held to. */
  readonly plan: SavedPlan | undefined;
}

/**
 * The operation that began a line, with the options it had then [REC-13]; how things are shown is up to the command
 * line at hand, `now`. Throws CAIRN-CHANGE-ENDED for what cannot be gone on with, CAIRN-JOURNAL-CORRUPT when its
 * options cannot be read.
 */
export async function repeatedOperation(
  world: World,
  prepared: Prepared,
  line: ChangeLine,
  now: Flags,
): Promise<Repeated> {
  const number = Number(line.origin);
  const origin = line.changes[0];
  const kind = origin?.operation.kind;
  if (
    origin === undefined ||
    kind === undefined ||
    kind === 'edit' ||
    kind === 'resolve' ||
    kind === 'rollback'
  )
    throw cairnError('CAIRN-CHANGE-ENDED', `change ${number} has nothing to go on with`, {
      hint: '`cairn up` goes on from the state as it is',
    });
  const options = readOptions(origin.operation.options, number);
  const flags = repeatedFlags(options, now);
  const common = { kind, previewOnly: false, flags };
  switch (kind) {
    case 'up':
      return { operation: common, plan: await keptPlan(prepared, options) };
    case 'refresh':
      return { operation: common, plan: undefined };
    case 'destroy':
      return {
        operation: { ...common, afterwards: (at) => removeAfterwards(world, at, flags) },
        plan: undefined,
      };
    case 'import': {
      const sealed = options.files['list'];
      const list = sealed === undefined ? undefined : (await prepared.documents).decrypt(sealed);
      const words = options.words.map((word) => word ?? undefined);
      return { operation: importOperation(world, { words, list }, flags), plan: undefined };
    }
  }
}

/**
 * Whether going on with a line means going on with taking it back: the newest change that did anything is a rollback.
 */
export function isRollingBack(line: ChangeLine): boolean {
  const course = line.changes.findLast(
    ({ operation }) => operation.kind !== 'resolve' && operation.kind !== 'edit',
  );
  return course?.operation.kind === 'rollback';
}
