import {
  isDefaultProvider,
  isDefaultProviderName,
  isProviderType,
  providerTypePackage,
  urnName,
} from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { Status } from '@cairn/changes';
import { errorDiagnostic, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { compareDigests } from '../model/goal-digest.js';
import type { Goal } from '../model/goal.js';
import { doubtKey } from '../model/history.js';
import type { PastTask } from '../model/history.js';
import { sameStep } from '../model/make-step.js';
import { isStepKind } from '../model/step-kinds.js';
import { hasVanished } from './facts.js';
import type { BegunProvider, ContinuedView, Facts, PastRegistration } from './facts.js';
import { carryOut, refuse } from './verdict.js';
import type { Verdict } from './verdict.js';

/**
 * Returns the registrations of a lineage by URN. `settled` contains steps in doubt that this operation found to be
 * done. The last task of a registration determines whether all of it was done, because its steps are taken in order. A
 * registration that a later change has undone, or was undoing, is not done, regardless of its tasks. O(tasks).
 */
export function pastRegistrations(
  past: readonly PastTask[],
  settled: ReadonlyMap<string, string>,
): ReadonlyMap<Urn, PastRegistration> {
  const byUrn = new Map<Urn, PastRegistration>();
  for (const task of past) {
    const { urn, goal, kind } = task;
    if (goal === undefined) {
      const known = byUrn.get(urn);
      if (known !== undefined && tookBack(task)) byUrn.set(urn, { ...known, done: false, kinds: [] });
      continue;
    }
    const done = task.doubt === undefined ? task.status === 'done' : settled.get(doubtKey(task)) === 'done';
    const kinds = byUrn.get(urn)?.kinds ?? [];
    byUrn.set(urn, { goal, done, kinds: done && isStepKind(kind) ? [...kinds, kind] : kinds });
  }
  return byUrn;
}

/**
 * Decides about a registration that earlier changes of the lineage already received. State answers a completed one
 * immediately. The ordinary rules decide an incomplete one. A different goal ends the operation [REC-13]. A provider
 * may differ: then the ordinary rules compare.
 */
export function goOn(facts: Facts): Verdict | undefined {
  const { goal, prior, cell, oldUrn, continued } = facts;
  if (continued === undefined) return undefined;
  const past = continued.past(goal.urn);
  if (past === undefined)
    return isAdded(facts, continued) ? refuse(programAdds(goal.urn, continued)) : undefined;
  const digest = continued.digest(goal, past.goal);
  if (digest === undefined) return undefined;
  const change = compareDigests(past.goal, digest);
  if (change === 'other' && !isProviderType(goal.type))
    return refuse(programChanged(goal.urn, continued.origin));
  if (change !== 'same' || !past.done || cell === undefined || prior === undefined) return undefined;
  const stands = !prior.pendingReplacement && !prior.taint && prior.initErrors.length === 0;
  if (!stands || (oldUrn !== undefined && oldUrn !== goal.urn)) return undefined;
  const reason = { t: 'continued' } as const;
  const verdict = carryOut([sameStep(cell, prior, prior, reason)]);
  if (verdict.t !== 'do') return verdict;
  const replaced = past.kinds.includes('create-replacement') ? (['replace'] as const) : [];
  return { ...verdict, past: [...past.kinds, ...replaced] };
}

/**
 * Returns true if the program did not register the resource when the lineage was begun. This is only known once it had
 * registered its whole goal. Then every resource that the lineage has not made existed before. Default providers belong
 * to the engine.
 */
function isAdded(facts: Facts, { registered }: ContinuedView): boolean {
  const { goal, prior } = facts;
  return registered && prior === undefined && !isDefaultProvider(goal.urn) && !hasVanished(facts);
}

/**
 * Makes the warning about a provider that differs from the one at the beginning of the lineage, once per provider. A
 * default provider of another version has another name: it replaces the one of its package.
 */
export function providerChanged(goal: Goal, continued: ContinuedView): Diagnostic | undefined {
  const { origin, past, digest, providers } = continued;
  if (!isProviderType(goal.type)) return undefined;
  const registered = past(goal.urn);
  const before = providers.find(({ urn }) => urn === goal.urn) ?? predecessorOf(goal, providers);
  const now = registered && digest(goal, registered.goal);
  if (
    registered === undefined
      ? before === undefined
      : now === undefined || compareDigests(registered.goal, now) === 'same'
  )
    return undefined;
  const version = goal.inputs['version'];
  const upgraded = before?.version !== undefined && typeof version === 'string' && version !== before.version;
  return warningDiagnostic(
    'CAIRN-PROGRAM-CHANGED',
    upgraded
      ? `the provider "${providerTypePackage(goal.type) ?? urnName(goal.urn)}" now has version ${version}; operation ${origin} began with version ${before.version}`
      : `the provider "${urnName(goal.urn)}" has other settings or another version than when operation ${origin} began`,
    {
      urn: goal.urn,
      hint: upgraded
        ? `The operation continues with version ${version}, which does the remaining steps and compares what version ${before.version} has done. To roll it back instead, run \`cairn rollback ${origin}\`.`
        : 'The operation continues with the current provider.',
    },
  );
}

/**
 * Returns the default provider of the same package with which the lineage began, if the program now asks for another
 * one.
 */
function predecessorOf({ urn, type }: Goal, providers: readonly BegunProvider[]): BegunProvider | undefined {
  if (!isDefaultProviderName(urnName(urn))) return undefined;
  return providers.find((provider) => provider.isDefault && provider.type === type);
}

/** Tells whether a task that answers no registration has undone something, or may have. A delete may wait as well. */
function tookBack({ status, undoWasInDoubt, doubt }: PastTask): boolean {
  return status === 'wait' ? undoWasInDoubt === true || doubt?.direction === 'undo' : TAKEN_BACK.has(status);
}

const TAKEN_BACK: ReadonlySet<Status> = new Set<Status>(['abort', 'undo', 'undoing', 'undone']);

/** Makes the error for a program whose goal for a resource differs from the one that the lineage has begun. */
function programChanged(urn: Urn, origin: string): Diagnostic {
  return changed(urn, origin, `it now wants something else of ${urn}`);
}

function programAdds(urn: Urn, { origin }: ContinuedView): Diagnostic {
  return changed(urn, origin, `it now registers ${urn}`);
}

/**
 * Returns errors for resources that the lineage has completed but that the program did not register by its end. Default
 * providers belong to the engine: the requested versions determine which ones exist.
 */
export function notRegistered(
  past: Iterable<readonly [Urn, PastRegistration]>,
  origin: string,
  isRegistered: (urn: Urn) => boolean,
): readonly Diagnostic[] {
  const missing: Diagnostic[] = [];
  for (const [urn, { done }] of past) {
    if (done && !isRegistered(urn) && !isDefaultProvider(urn))
      missing.push(changed(urn, origin, `it no longer registers ${urn}, as it did in operation ${origin}`));
  }
  return missing;
}

function changed(urn: Urn, origin: string, how: string): Diagnostic {
  return errorDiagnostic('CAIRN-PROGRAM-CHANGED', `program changed since the operation started: ${how}`, {
    urn,
    hint: `Run \`cairn rollback ${origin}\` to roll the operation back, without the program, or \`cairn up\` to start over with the current program.`,
  });
}
