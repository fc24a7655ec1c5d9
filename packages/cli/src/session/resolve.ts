import { urnName } from '@cairn/addresses';
import { EXIT, cairnError } from '@cairn/diagnostics';
import { doubtKey } from '@cairn/engine';
import type { Resolution } from '@cairn/engine';
import type { Flags } from '../commands/command-spec.js';
import type { World } from '../world.js';
import { goingOn } from './going-on.js';
import { withLease } from './leased.js';
import { prepare } from './prepare.js';
import { realRun } from './real-run.js';
import { withManager } from './state-of-stack.js';

/**
 * `cairn change resolve TASK --created ID | --not-created`: records what a person says about one step in doubt, and nothing else. `key`:
 * the task, `7/3`. Resolves with the exit code. Throws CAIRN-CHANGE-ENDED when the step is not in doubt.
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
      const answers = new Map([[key, answer]]);
      const all = await goingOn(prepared, lease, line, line === undefined ? undefined : 'resolve', answers);
      const task = all.doubts.get(key);
      if (task === undefined) throw notInDoubt(key, all.engine.inDoubt?.map(doubtKey) ?? []);
      const operation = {
        ...{ kind: 'resolve' as const, previewOnly: false, flags },
        title: `Resolving ${key} ${urnName(task.urn)}`,
      };
      const engine = { ...all.engine, inDoubt: [task] };
      return realRun(world, prepared, operation, lease, withManager(prepared, lease.snapshot), {
        ...{ claims: undefined, plan: {} },
        goingOn: { ...all, engine },
      });
    });
    return ended.result.summary.result === 'succeeded' ? EXIT.ok : ended.code;
  } finally {
    await prepared.backend.close();
  }
}

function notInDoubt(key: string, others: readonly string[]): Error {
  return cairnError('CAIRN-CHANGE-ENDED', `task ${key} is not in doubt`, {
    hint: others.length === 0 ? 'no step of this stack is' : `in doubt: ${others.join(', ')}`,
  });
}
