import type { ChangeLineage, StackLease } from '@cairn/backends';
import { cairnError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { isRollingBack, resumeSource, toResume } from '@cairn/engine';
import type { DoneChange, DoubtResolution, ResumeSource } from '@cairn/engine';
import { withManager } from '../operation/state-of-stack.js';
import { afterwards } from '../operation/afterwards.js';
import { withLease } from '../operation/leased.js';
import type { RunOptions, Ended, Outcome, Previewed } from '../operation/operation.js';
import type { Prepared } from '../operation/prepared.js';
import { runRecorded } from '../operation/run-recorded.js';
import type { OperationOptions } from '../options/operation-options.js';
import { tell } from '../ports.js';
import { answersInDoubt } from './answers.js';
import { choiceUnder, showDone } from './chosen-change.js';
import { continuationOf } from '../operation/continuation.js';
import { repeatedOperation } from './repeat.js';
import { rollBackAgain } from './rollback-lineage.js';
import { refuseOtherProgram } from './same-program.js';

/**
 * Continues the stack's newest change where it stopped. `number` is the intended change, for callers that want to be
 * sure. `now` has the options decided again; all others are those of the record. A change that was done when its
 * process died is stored, and nothing else is done. Throws CAIRN-CHANGE-ENDED when there is nothing to continue,
 * CAIRN-CHANGE-UNKNOWN, CAIRN-PROGRAM-CHANGED.
 */
export async function resumeOperation(
  prepared: Prepared,
  number: number | undefined,
  now: OperationOptions = {},
  runOptions: RunOptions = {},
): Promise<Outcome> {
  await prepared.backend.service?.requireChanges();
  return resumeWith(prepared, number, now, runOptions, new Map());
}

/** Resumes the newest change again, with a person's answers about its steps in doubt. */
export function resumeAgain(
  prepared: Prepared,
  now: OperationOptions,
  runOptions: RunOptions,
  answers: ReadonlyMap<string, DoubtResolution>,
): Promise<Outcome> {
  return resumeWith(prepared, undefined, now, runOptions, answers);
}

async function resumeWith(
  prepared: Prepared,
  number: number | undefined,
  now: OperationOptions,
  runOptions: RunOptions,
  answers: ReadonlyMap<string, DoubtResolution>,
): Promise<Outcome> {
  const ended = await withLease<Ended | Over>(
    prepared,
    (lease, listening) => chosen(listening, number, now, runOptions, lease, answers),
    { findsOut: true },
  );
  if (ended.t === 'over') {
    if (ended.ended !== undefined) await afterwards(prepared, { ...ended.ended, stored: [] });
    return ended.shown;
  }
  const more = await answersInDoubt(prepared, ended);
  if (more.size > 0) return resumeWith(prepared, undefined, now, runOptions, more);
  await afterwards(prepared, ended);
  return ended;
}

async function chosen(
  prepared: Prepared,
  number: number | undefined,
  now: OperationOptions,
  runOptions: RunOptions,
  lease: StackLease,
  answers: ReadonlyMap<string, DoubtResolution>,
): Promise<Ended | Over> {
  const newest = await prepared.backend.newestChange(prepared.id).catch(() => undefined);
  const resumed = toResume(await choiceUnder(lease, newest), number);
  switch (resumed.t) {
    case 'begin-again':
      return beginAgain(prepared, now, runOptions, lease, await lease.lineage(resumed.number));
    case 'done':
      return resumeDone(prepared, now, runOptions, lease, resumed.done);
    case 'unfinished':
      return resumeLineage(prepared, now, runOptions, lease, lease.unfinished as ChangeLineage, answers);
    case 'nothing':
      // Throws when there is no such change.
      if (number !== undefined) await prepared.backend.change(prepared.id, number);
      throw nothingToResume(lease, number, resumed.other);
  }
}

/** Begins the operation as it was requested, if there is nothing to continue. */
async function beginAgain(
  prepared: Prepared,
  now: OperationOptions,
  runOptions: RunOptions,
  lease: StackLease,
  lineage: ChangeLineage,
): Promise<Ended> {
  const { operation, plan } = await repeatedOperation(prepared, lineage, now);
  const purpose = { t: 'begin-again', change: Number(lineage.origin) } as const;
  return runRecorded(prepared, operation, runOptions, purpose, lease, {
    base: withManager(prepared, lease.snapshot),
    plan: { follow: plan },
    continuation: await continuationOf(prepared, lease, lease.unfinished, undefined),
  });
}

/** A change that was done when its process died. `ended` is an operation after which more may have to be done. */
interface Over {
  readonly t: 'over';
  readonly shown: Previewed;
  readonly ended: Pick<Ended, 'operation' | 'status'> | undefined;
}

async function resumeDone(
  prepared: Prepared,
  now: OperationOptions,
  runOptions: RunOptions,
  lease: StackLease,
  done: DoneChange,
): Promise<Over> {
  const purpose = { t: 'resume', change: done.origin, rollingBack: done.kind === 'rollback' } as const;
  const shown = await showDone(prepared, done, runOptions, purpose, done.result);
  if (done.kind !== 'destroy') return { t: 'over', shown, ended: undefined };
  const { operation } = await repeatedOperation(prepared, await lease.lineage(done.number), now);
  return { t: 'over', shown, ended: { operation, status: shown.status } };
}

/** Returns the error for a change that cannot be resumed. `other` is the change that could be resumed instead. */
function nothingToResume(
  { stack }: StackLease,
  number: number | undefined,
  other: number | undefined,
): Error {
  return cairnError(
    'CAIRN-CHANGE-ENDED',
    number === undefined
      ? `stack ${stack.stack} has no change to resume`
      : `change ${number} has nothing to resume`,
    {
      hint:
        other === undefined
          ? 'Run `cairn changes` to list the changes, or `cairn up` to continue from the current state.'
          : `Run \`cairn resume ${other}\`: change ${other} is not finished.`,
    },
  );
}

/** Continues a lineage under a lease: its rollback, if that was the latest request. */
export async function resumeLineage(
  prepared: Prepared,
  now: OperationOptions,
  runOptions: RunOptions,
  lease: StackLease,
  lineage: ChangeLineage,
  answers: ReadonlyMap<string, DoubtResolution> = new Map(),
): Promise<Ended> {
  const change = Number(lineage.origin);
  if (isRollingBack(lineage.changes.map(({ operation }) => operation.kind))) {
    refusePolicy(now, lineage);
    const going = { options: now, projectPolicy: true };
    const purpose = { t: 'resume', change, rollingBack: true } as const;
    return rollBackAgain(prepared, going, runOptions, lease, lineage, purpose, answers);
  }
  const { operation, plan } = await repeatedOperation(prepared, lineage, now);
  const base = withManager(prepared, lease.snapshot);
  const from = await continuationOf(prepared, lease, lineage, 'resume', answers);
  const source = resumeSource(plan, from.engine.continues?.past ?? [], from.engine.goalKey);
  tell(prepared.ports, saidOfSource(source));
  if (source.t !== 'plan' && operation.kind === 'up')
    await refuseOtherProgram(prepared, operation, runOptions, change, base, from);
  const purpose = { t: 'resume', change, rollingBack: false } as const;
  return runRecorded(prepared, operation, runOptions, purpose, lease, {
    base,
    plan: { follow: plan, ...(source.t === 'plan' && { replay: source.transcript }) },
    continuation: from,
  });
}

/** Refuses options about errors, which have no meaning when everything is rolled back. Throws CAIRN-USAGE. */
function refusePolicy({ onError, isolate }: OperationOptions, lineage: ChangeLineage): void {
  const idle = onError !== undefined ? 'on-error' : isolate !== undefined ? 'isolate' : undefined;
  if (idle === undefined) return;
  throw cairnError(
    'CAIRN-USAGE',
    `change ${Number(lineage.latest)} rolls change ${Number(lineage.origin)} back: --${idle} does not apply to it`,
    { hint: `Run \`cairn resume ${Number(lineage.latest)}\` to continue the rollback.` },
  );
}

/** Returns messages about the plan with which an operation was begun; none if there was no plan. */
function saidOfSource(source: ResumeSource): readonly Diagnostic[] {
  const said = { severity: 'info', code: 'CAIRN-PLAN-RESUMED' } as const;
  if (source.t === 'plan')
    return [{ ...said, summary: 'the plan of the operation is complete: it continues without the program' }];
  const { why } = source;
  return why === undefined
    ? []
    : [{ ...said, summary: 'running the program: the plan of the operation is not complete', causes: [why] }];
}
