import { didNothing } from '@cairn/backends';
import type { ChangeLine, StackLease } from '@cairn/backends';
import { cairnError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { resumeSource } from '@cairn/engine';
import type { Resolution, ResumeSource } from '@cairn/engine';
import { withManager } from '../operation/state-of-stack.js';
import { afterwards } from '../operation/afterwards.js';
import { withLease } from '../operation/leased.js';
import type { Conduct, Ended, Outcome, Previewed } from '../operation/operation.js';
import type { Prepared } from '../operation/prepared.js';
import { realRun } from '../operation/real-run.js';
import type { OperationOptions } from '../options/operation-options.js';
import { tell } from '../ports.js';
import { alreadyDone, showDone } from './already-done.js';
import type { AlreadyDone } from './already-done.js';
import { answersInDoubt } from './answers.js';
import { goingOn } from './going-on.js';
import { isRollingBack, repeatedOperation } from './repeat.js';
import { rollBackAgain } from './rollback-line.js';
import { refuseOtherProgram } from './same-program.js';

/**
 * Goes on with the stack's newest change where it stopped. `number`: the change that is meant, for whoever wants to be
 * sure. `now`: what is decided anew; all other options are those of the record. One that was over when its process died
 * is stored, and nothing else is done. Throws CAIRN-CHANGE-ENDED when there is nothing to go on with,
 * CAIRN-PROGRAM-CHANGED.
 */
export function resume(
  prepared: Prepared,
  number: number | undefined,
  now: OperationOptions = {},
  conduct: Conduct = {},
): Promise<Outcome> {
  return resumeWith(prepared, number, now, conduct, new Map());
}

/** Goes on with the newest change once more, with a person's answers about its steps in doubt. */
export function resumeAgain(
  prepared: Prepared,
  now: OperationOptions,
  conduct: Conduct,
  answers: ReadonlyMap<string, Resolution>,
): Promise<Outcome> {
  return resumeWith(prepared, undefined, now, conduct, answers);
}

async function resumeWith(
  prepared: Prepared,
  number: number | undefined,
  now: OperationOptions,
  conduct: Conduct,
  answers: ReadonlyMap<string, Resolution>,
): Promise<Outcome> {
  const ended = await withLease<Ended | Over>(
    prepared,
    async (lease) => {
      const idle = await idleLine(prepared, lease, number);
      if (idle !== undefined) return beginAgain(prepared, now, conduct, lease, idle);
      const done = alreadyDone(lease, number);
      if (done !== undefined) return resumeDone(prepared, now, conduct, lease, done);
      return resumeLine(prepared, now, conduct, lease, unfinishedLine(lease, number), answers);
    },
    { findsOut: true },
  );
  if (ended.t === 'over') {
    if (ended.ended !== undefined) await afterwards(prepared, { ...ended.ended, stored: [] });
    return ended.shown;
  }
  const more = await answersInDoubt(prepared, ended);
  if (more.size > 0) return resumeWith(prepared, undefined, now, conduct, more);
  await afterwards(prepared, ended);
  return ended;
}

/**
 * The newest change, when that is meant and died before it did anything. What only answers or edits is not begun again,
 * and what somebody has taken back only when it is named.
 */
async function idleLine(
  { backend, id }: Prepared,
  lease: StackLease,
  number: number | undefined,
): Promise<ChangeLine | undefined> {
  const [newest] = await backend.changes(id).catch(() => []);
  if (newest === undefined || !didNothing(newest) || newest.kind === 'resolve' || newest.kind === 'edit')
    return undefined;
  if (number !== undefined && number !== newest.number) return undefined;
  const line = await lease.line(newest.number);
  const messages = line.changes.flatMap((change) => change.messages);
  const isTakenBack = messages.some((message) => message.t === 'abort' && message.rollback);
  return isTakenBack && number === undefined ? undefined : line;
}

/** There is nothing to go on with: the operation begins, as it was asked for. */
async function beginAgain(
  prepared: Prepared,
  now: OperationOptions,
  conduct: Conduct,
  lease: StackLease,
  line: ChangeLine,
): Promise<Ended> {
  const { operation, plan } = await repeatedOperation(prepared, line, now);
  const purpose = { t: 'begin-again', change: Number(line.origin) } as const;
  return realRun(prepared, operation, conduct, purpose, lease, {
    base: withManager(prepared, lease.snapshot),
    plan: { follow: plan },
    goingOn: await goingOn(prepared, lease, lease.unfinished, undefined),
  });
}

/** What was over when its process died. `ended`: an operation after which something else may have to be done. */
interface Over {
  readonly t: 'over';
  readonly shown: Previewed;
  readonly ended: Pick<Ended, 'operation' | 'status'> | undefined;
}

async function resumeDone(
  prepared: Prepared,
  now: OperationOptions,
  conduct: Conduct,
  lease: StackLease,
  done: AlreadyDone,
): Promise<Over> {
  const purpose = { t: 'resume', change: done.origin, rollingBack: done.kind === 'rollback' } as const;
  const shown = await showDone(prepared, done, conduct, purpose, done.result);
  if (done.kind !== 'destroy') return { t: 'over', shown, ended: undefined };
  const { operation } = await repeatedOperation(prepared, await lease.line(done.change), now);
  return { t: 'over', shown, ended: { operation, status: shown.status } };
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
  prepared: Prepared,
  now: OperationOptions,
  conduct: Conduct,
  lease: StackLease,
  line: ChangeLine,
  answers: ReadonlyMap<string, Resolution> = new Map(),
): Promise<Ended> {
  const change = Number(line.origin);
  if (isRollingBack(line)) {
    refusePolicy(now, line);
    const going = { options: now, projectPolicy: true };
    const purpose = { t: 'resume', change, rollingBack: true } as const;
    return rollBackAgain(prepared, going, conduct, lease, line, purpose, answers);
  }
  const { operation, plan } = await repeatedOperation(prepared, line, now);
  const base = withManager(prepared, lease.snapshot);
  const from = await goingOn(prepared, lease, line, 'resume', answers);
  const source = resumeSource(plan, from.engine.continues?.past ?? [], from.engine.goalKey);
  tell(prepared.ports, saidOfSource(source));
  if (source.t !== 'plan' && operation.kind === 'up')
    await refuseOtherProgram(prepared, operation, conduct, change, base, from);
  const purpose = { t: 'resume', change, rollingBack: false } as const;
  return realRun(prepared, operation, conduct, purpose, lease, {
    base,
    plan: { follow: plan, ...(source.t === 'plan' && { replay: source.transcript }) },
    goingOn: from,
  });
}

/** What an error does has no meaning where everything is taken back. Throws CAIRN-USAGE. */
function refusePolicy({ onError, isolate }: OperationOptions, line: ChangeLine): void {
  const idle = onError !== undefined ? 'on-error' : isolate !== undefined ? 'isolate' : undefined;
  if (idle === undefined) return;
  throw cairnError(
    'CAIRN-USAGE',
    `change ${Number(line.latest)} takes change ${Number(line.origin)} back: no --${idle} applies to it`,
    { hint: `\`cairn resume ${Number(line.latest)}\` goes on with the rollback` },
  );
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
