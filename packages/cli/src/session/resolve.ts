import { urnName } from '@cairn/addresses';
import { cairnError } from '@cairn/diagnostics';
import { answerFits } from '@cairn/engine';
import type { Resolution } from '@cairn/engine';
import { chosenDoubt, maskedError } from '@cairn/operations';
import type { NamedDoubt } from '@cairn/operations';
import type { Flags } from '../commands/command-spec.js';
import type { World } from '../world.js';
import { goingOn } from './going-on.js';
import { withLease } from './leased.js';
import { prepare } from './prepare.js';
import { realRun } from './real-run.js';
import { withManager } from './state-of-stack.js';

/**
 * `cairn change resolve NAME --created ID | --not-created | --done | --not-done`: records what a person says about one
 * step in doubt, and nothing else. `key`: any name of it. Resolves with the exit code. Throws CAIRN-CHANGE-ENDED when
 * no such step is in doubt, CAIRN-USAGE when several are meant, or when the answer is to another question.
 */
export async function resolveTask(
  world: World,
  flags: Flags,
  key: string,
  answer: Resolution,
): Promise<number> {
  const prepared = await prepare(world, flags, { createFirst: false });
  try {
    const ended = await withLease(world, prepared, async (lease) => {
      const line = lease.unfinished;
      const all = await goingOn(prepared, lease, line, line === undefined ? undefined : 'resolve');
      const chosen = chosenDoubt(all.doubts, key);
      refuseMisfit(chosen, answer);
      const { name, task } = chosen;
      const operation = {
        ...{ kind: 'resolve' as const, previewOnly: false, flags },
        title: `Resolving ${name} ${urnName(task.urn)}`,
      };
      const engine = { ...all.engine, inDoubt: [task], resolutions: new Map([[name, answer]]) };
      return realRun(world, prepared, operation, lease, withManager(prepared, lease.snapshot), {
        ...{ claims: undefined, plan: {} },
        goingOn: { ...all, engine },
      });
    });
    return ended.code;
  } catch (error) {
    throw maskedError(error, prepared.mask.mask);
  } finally {
    await prepared.backend.close();
  }
}

/** Nothing is recorded on the strength of an answer to a question that nobody asked. */
function refuseMisfit({ name, doubt }: NamedDoubt, answer: Resolution): void {
  const { type, resource } = doubt;
  const what = `${type} "${urnName(resource.urn)}" (${resource.type})`;
  const fitting = type === 'creating' ? ['--created ID', '--not-created'] : ['--done', '--not-done'];
  if (!answerFits(type, answer))
    throw cairnError('CAIRN-USAGE', `the answer does not fit ${name}: what is in doubt is ${what}`, {
      hint: `say \`cairn change resolve ${name} ${fitting[0]}\` or \`cairn change resolve ${name} ${fitting[1]}\``,
    });
  if (type === 'deleting' && typeof answer === 'object' && answer.outputs !== undefined)
    throw cairnError('CAIRN-USAGE', `--outputs does not fit ${name}: what is in doubt is ${what}`, {
      hint: 'what was deleted has no outputs',
    });
  if (typeof answer === 'object' && 'created' in answer && answer.created === 'ID')
    throw cairnError('CAIRN-USAGE', `ID stands for the id that ${what} came to`, {
      hint: `look for the object, then e.g. \`cairn change resolve ${name} --created i-0abc\``,
    });
}
