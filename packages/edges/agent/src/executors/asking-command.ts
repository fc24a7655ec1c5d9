import type { RunRow } from '@cairn/changes-daemon';
import type { PlanResult, WorkResult } from '../stack-work.js';
import { operationResult } from './command-results.js';
import type { ProcessEnd, ProcessRequest } from './process.js';

/** A command that has saved its plan and asks whether to follow it. */
interface AskingCommand {
  readonly t: 'asks';
  /** Digest of its plan. */
  readonly digest: string;
  readonly answer: (text: 'yes' | 'no') => void;
  readonly end: Promise<ProcessEnd>;
}

/** Starts a command, and resolves when it asks, or with its end if it ends without a question. */
export async function untilAsked(
  start: (onQuestion: ProcessRequest['onQuestion']) => Promise<ProcessEnd>,
): Promise<AskingCommand | { readonly t: 'ended'; readonly end: ProcessEnd }> {
  let asked: (command: Omit<AskingCommand, 'end'>) => void = () => undefined;
  const question = new Promise<Omit<AskingCommand, 'end'>>((resolve) => (asked = resolve));
  const end = start((digest, answer) => asked({ t: 'asks', digest, answer }));
  return Promise.race([
    question.then((command) => ({ ...command, end })),
    end.then((status) => ({ t: 'ended', end: status }) as const),
  ]);
}

/** Parts of the caller when a plan is followed. */
interface Following {
  /** Finds out what is no longer as it was planned. */
  readonly moved: (run: RunRow) => Promise<WorkResult | undefined>;
  /** Does what follows the operation, and returns the result of the whole. */
  readonly ended: (run: RunRow, result: WorkResult) => Promise<WorkResult>;
}

/**
 * Returns the plan of a command that asks, with the ways to answer it. A plan that cannot be read, or is not that of
 * the command, is not followed.
 */
export async function withAnswer(
  { digest, answer, end }: AskingCommand,
  plan: () => Promise<PlanResult>,
  { moved, ended }: Following,
): Promise<PlanResult> {
  const drop = async (): Promise<void> => {
    answer('no');
    await end;
  };
  const follow = async (run: RunRow): Promise<WorkResult> => {
    const problem = await moved(run);
    if (problem === undefined) answer('yes');
    else await drop();
    return problem ?? ended(run, operationResult(await end));
  };
  try {
    const planned = await plan();
    // A program may have written to the file.
    if (planned.t !== 'planned' || planned.digest !== digest)
      throw new Error('the plan is no longer the one that was made');
    return { ...planned, asking: { follow, end: drop } };
  } catch (thrown) {
    await drop();
    throw thrown;
  }
}
