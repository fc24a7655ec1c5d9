import { EXIT, cairnError } from '@cairn/diagnostics';
import { editTaint } from '@cairn/state';
import type { Flags } from '../commands/command-spec.js';
import type { World } from '../world.js';
import { tell, withStack } from './open-stack.js';

/** `state taint` and `state untaint`: marks set or taken away in the stored state, under the stack's lock. */
export function taintResources(
  world: World,
  flags: Flags,
  urns: readonly string[] | undefined,
  taint: boolean,
): Promise<number> {
  if (urns?.length === 0) {
    const hint = taint ? {} : { hint: 'Give URNs, or --all.' };
    throw cairnError('CAIRN-USAGE', 'which resources? No URN was given', hint);
  }
  return withStack(world, flags, async ({ backend, id }) => {
    let changed: readonly string[] = [];
    const notes = await backend.edit(id, (deployment) => {
      const edit = editTaint(deployment, urns, taint);
      ({ changed } = edit);
      return changed.length === 0 ? undefined : edit.deployment;
    });
    tell(world, notes);
    for (const urn of changed) {
      world.stderr.write(
        taint ? `${urn} is replaced by the next update\n` : `${urn} is not tainted any more\n`,
      );
    }
    if (changed.length === 0) world.stderr.write('Nothing had to be changed\n');
    return EXIT.ok;
  });
}
