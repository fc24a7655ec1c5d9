import { didNothing } from '@cairn/backends';
import type { ChangeLine, StackLease } from '@cairn/backends';
import { EXIT, cairnError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { resumeSource } from '@cairn/engine';
import type { Resolution, ResumeSource } from '@cairn/engine';
import { maskedError } from '@cairn/operations';
import { parseChangeId } from '../changes/change-id.js';
import type { Flags } from '../commands/command-spec.js';
import type { World } from '../world.js';
import { askInDoubt } from './ask-in-doubt.js';
import { detach, wantsDetach } from './detach.js';
import { goingOn } from './going-on.js';
import { withLease } from './leased.js';
import { warnOfSecrets } from './open-stack.js';
import { tell } from './tell.js';
import type { Operation } from './operate.js';
import { prepare } from './prepare.js';
import type { Prepared } from './prepare.js';
import { realRun } from './real-run.js';
import type { Ended } from './real-run.js';
import { isRollingBack, repeatedOperation } from './repeat.js';
import { rollBackAgain } from './rollback.js';
import { refuseOtherProgram } from './same-program.js';
import { withManager } from './state-of-stack.js';

/** What resuming came to, with what follows when it has succeeded. */
type Resumed = Ended & Pick<Operation, 'afterwards'>;

/** `cairn resume [ID]`: goes on with the stack's newest change where it stopped. Resolves with the exit code. */
export async function resumeChange(world: World, flags: Flags, id: string | undefined): Promise<number> {
  const number = id === undefined ? undefined : parseChangeId(id);
  const prepared = await prepare(world, flags, { createFirst: false });
  if (flags.on('show-secrets')) warnOfSecrets(world);
  try {
    if (wantsDetach(world, flags)) return await detach(world, flags, prepared.id, { answered: false });
    return await resumeWith(world, prepared, flags, number, new Map());
  } catch (error) {
    throw maskedError(error, prepared.mask.mask);
  } finally {
    await prepared.backend.close();
  }
}

/** Goes on with the newest change once more, with a person's answers about its steps in doubt. */
export function resumeAgain(
  world: World,
  prepared: Prepared,
  flags: Flags,
  answers: ReadonlyMap<string, Resolution>,
): Promise<number> {
  return resumeWith(world, prepared, flags, undefined, answers);
}

async function resumeWith(
  world: World,
  prepared: Prepared,
  flags: Flags,
  number: number | undefined,
  answers: ReadonlyMap<string, Resolution>,
): Promise<number> {
  const ended = await withLease(
    world,
    prepared,
    async (lease) => {
      const idle = await idleLine(prepared, lease, number);
      if (idle !== undefined) return beginAgain(world, prepared, flags, lease, idle);
      return resumeLine(world, prepared, flags, lease, unfinishedLine(lease, number), answers);
    },
    { findsOut: true },
  );
  const more = await askInDoubt(world, ended);
  if (more.size > 0) return resumeWith(world, prepared, flags, undefined, more);
  if (ended.code === EXIT.ok) await ended.afterwards?.(prepared);
  return ended.code;
}

/**
 * The newest change, when that is meant and died before it did anything; what only answers or edits is not begun again.
 */
async function idleLine(
  { backend, id }: Prepared,
  lease: StackLease,
  number: number | undefined,
): Promise<ChangeLine | undefined> {
  const [newest] = await backend.changes(id).catch(() => []);
  if (newest === undefined || !didNothing(newest) || newest.kind === 'resolve' || newest.kind === 'edit')
    return undefined;
  return number === undefined || number === newest.number ? lease.line(newest.number) : undefined;
}

/** There is nothing to go on with: the operation begins, as it was asked for. */
async function beginAgain(
  world: World,
  prepared: Prepared,
  now: Flags,
  lease: StackLease,
  line: ChangeLine,
): Promise<Resumed> {
  const { operation, plan } = await repeatedOperation(world, prepared, line, now);
  const title = `Beginning change ${Number(line.origin)} again`;
  const { afterwards } = operation;
  const ended = await realRun(
    world,
    prepared,
    { ...operation, title },
    lease,
    withManager(prepared, lease.snapshot),
    {
      claims: undefined,
      plan: { follow: plan },
      goingOn: await goingOn(prepared, lease, lease.unfinished, undefined),
    },
  );
  return afterwards === undefined ? ended : { ...ended, afterwards };
}

/**
 * The line to go on with. Throws CAIRN-CHANGE-ENDED when there is none, or when the change that is named is not of it.
 */
function unfinishedLine(lease: StackLease, number: number | undefined): ChangeLine {
  const line = lease.unfinished;
  if (line === undefined)
    throw cairnError(
      'CAIRN-CHANGE-ENDED',
      number === undefined
        ? `stack ${lease.stack.stack} has no change to resume`
        : `change ${number} has nothing to resume`,
      { hint: '`cairn changes` lists the changes; `cairn up` goes on from the state as it is' },
    );
  if (number !== undefined && !line.changes.some(({ row }) => row.number === number))
    throw cairnError('CAIRN-CHANGE-ENDED', `change ${number} has nothing to resume`, {
      hint: `the change that is not finished is ${Number(line.latest)}: \`cairn resume ${Number(line.latest)}\``,
    });
  return line;
}

/** Goes on with a line under a lease: with its rollback when that was the last that was asked for. */
export async function resumeLine(
  world: World,
  prepared: Prepared,
  now: Flags,
  lease: StackLease,
  line: ChangeLine,
  answers: ReadonlyMap<string, Resolution> = new Map(),
): Promise<Resumed> {
  const title = `Resuming change ${Number(line.origin)}`;
  if (isRollingBack(line)) {
    const idle = ['on-error', 'isolate'].find((name) => now.has(name) && now.text(name) !== undefined);
    if (idle !== undefined)
      throw cairnError(
        'CAIRN-USAGE',
        `change ${Number(line.latest)} takes change ${Number(line.origin)} back: no --${idle} applies to it`,
        { hint: `\`cairn resume ${Number(line.latest)}\` goes on with the rollback` },
      );
    return rollBackAgain(world, prepared, now, lease, line, { answers, title: `${title}: rolling back` });
  }
  const { operation, plan } = await repeatedOperation(world, prepared, line, now);
  const base = withManager(prepared, lease.snapshot);
  const from = await goingOn(prepared, lease, line, 'resume', answers);
  const source = resumeSource(plan, from.engine.continues?.past ?? [], from.engine.goalKey);
  tell(world, saidOfSource(source));
  if (source.t !== 'plan' && operation.kind === 'up')
    await refuseOtherProgram(world, prepared, operation, lease, from);
  const ended = await realRun(world, prepared, { ...operation, title }, lease, base, {
    claims: undefined,
    plan: { follow: plan, ...(source.t === 'plan' && { replay: source.transcript }) },
    goingOn: from,
  });
  const { afterwards } = operation;
  return afterwards === undefined ? ended : { ...ended, afterwards };
}

/** What people hear of the plan that an operation was begun with; nothing when there was none. */
function saidOfSource(source: ResumeSource): readonly Diagnostic[] {
  const said = { severity: 'info', code: 'CAIRN-PLAN-RESUMED' } as const;
  if (source.t === 'plan')
    return [{ ...said, summary: 'the plan of the operation is complete: it goes on without the program' }];
  const { why } = source;
  return why === undefined
    ? []
    : [{ ...said, summary: 'the program is run: the plan of the operation is not complete', causes: [why] }];
}
