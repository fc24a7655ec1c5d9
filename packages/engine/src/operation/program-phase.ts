import type { RunResult } from '@cairn/wire';
import type { SnippetSources } from '../snippets/snippet-sources.js';
import type { OperationLoop } from './loop.js';
import type { PostRegistration } from '../model/registration.js';
import type { Neighbours } from './neighbours.js';
import { replay } from './replay.js';
import type { OperationRequest } from '../model/request.js';

/** Who registers resources. */
export type ProgramSource = Pick<Neighbours, 'runProgram' | 'cancelProgram'>;

/** The program, or what a complete plan says in its place; snippets are in the plan as well. */
export function programSource(
  { plan }: Pick<OperationRequest, 'plan'>,
  neighbours: Neighbours,
  post: PostRegistration,
): ProgramSource {
  const said = plan?.replay;
  if (said === undefined) return neighbours;
  return {
    runProgram: () => replay(said, post, neighbours.providers),
    // Whoever waits for an answer gets a refusal, and nothing more is said.
    cancelProgram: () => undefined,
  };
}

/**
 * Runs the program until it ends and every registration is answered. When the operation must end before that, the
 * program is asked to end as soon as nothing of it runs any more, however long it would go on.
 */
export async function runProgram(
  source: ProgramSource,
  loop: OperationLoop,
  snippets: SnippetSources | undefined,
  onFault: (thrown: unknown) => void,
): Promise<RunResult> {
  const running = source.runProgram(snippets).catch((thrown: unknown): RunResult => {
    onFault(thrown);
    return { t: 'bail' };
  });
  const ended = await Promise.race([running, failedAndQuiet(loop)]);
  if (ended === 'failed') {
    await answersSent();
    source.cancelProgram();
  }
  const result = ended === 'failed' ? await running : ended;
  await loop.quiet();
  return result;
}

async function failedAndQuiet(loop: OperationLoop): Promise<'failed'> {
  await loop.whenStopped();
  await loop.quiet();
  return 'failed';
}

/** Resolves when answers that were given have left: what is refused from now on was not answered. */
function answersSent(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
