import { cairnError, unreachable } from '@cairn/diagnostics';
import type { RecordedStep, StrandedChange } from '@cairn/backends';
import type { Flags } from '../commands/command-spec.js';
import { confirm } from '../terminal/prompt.js';
import type { World } from '../world.js';
import { isConfirmed, refuseUnconfirmed } from './confirm.js';
import { withStack } from './open-stack.js';

/**
 * Shows what dead operations recorded that nobody can take over any more, and sets their journals aside when the answer
 * is yes. Throws CAIRN-CANCELLED when it is no. Resolves with the numbers of the changes.
 */
export function setStrandedAside(world: World, flags: Flags): Promise<readonly number[]> {
  refuseUnconfirmed(world, flags, 'this changes the state');
  return withStack(world, flags, async ({ backend, id }) => {
    const gone = await backend.setAside(id, async (stranded) => {
      for (const change of stranded) for (const line of linesOf(change)) world.stderr.write(`${line}\n`);
      if (isConfirmed(world, flags) || (await confirm(world, 'Do you want to set this aside?'))) return true;
      throw cairnError('CAIRN-CANCELLED', 'nothing was changed');
    });
    for (const { number } of gone)
      world.stderr.write(`Set change ${number} aside; the state of stack ${id.stack} stays as it is\n`);
    return gone.map(({ number }) => number);
  });
}

/** What a stranded change says. */
export function linesOf({ number, begun, steps, damage }: StrandedChange): readonly string[] {
  if (damage !== undefined)
    return [`Change ${number} (${begun}) ended early, and its journal is damaged: ${damage}`];
  const lost = steps.some((step) => isLost(step));
  return [
    `Change ${number} (${begun}) ended early, and somebody else has altered the state since.`,
    steps.length === 0 ? 'It recorded no step.' : 'It recorded these steps:',
    ...steps.map((step) => `  ${textOf(step)}`),
    ...(lost
      ? [
          'What the state does not have may exist all the same: look for it, then `cairn import` it or delete it by hand.',
        ]
      : []),
  ];
}

function textOf(step: RecordedStep): string {
  const { type, urn, id, outcome, inState } = step;
  const object = id === undefined ? urn : `${urn} (id ${id})`;
  if (outcome === 'in doubt') return `${type} ${object}: nobody knows whether it was done`;
  if (outcome === 'failed') return `${type} ${object}: failed`;
  const has = inState ? 'the state has it' : 'the state does not have it';
  switch (type) {
    case 'creating':
    case 'importing':
      return `${type} ${object}: done; ${has}`;
    case 'updating':
      return `${type} ${object}: done; the state may have its values of before`;
    case 'deleting':
      return `${type} ${object}: done; ${has}`;
    case 'reading':
      return `${type} ${object}: done`;
    default:
      return unreachable(type);
  }
}

/** It may have an object that nobody knows. */
function isLost({ type, outcome, inState }: RecordedStep): boolean {
  return (type === 'creating' || type === 'importing') && outcome !== 'failed' && !inState;
}
