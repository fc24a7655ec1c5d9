import type { Action, ApplyOutcome, ContractFinding, TfValue } from '@cairn/tfplugin';
import { afterApply, findingAt, initialVersusFinal } from '@cairn/tfplugin';
import type { TfDiagnostic } from '../client/diagnostics.js';
import { hasErrors, readDiagnostics } from '../client/diagnostics.js';
import { Malformed } from '../client/malformed.js';
import type { Connection } from './connection.js';
import {
  identityAnswer,
  identityChange,
  identityMessage,
  objectAnswer,
  objectMessage,
  resourceTypeSchema,
} from './connection.js';
import type { Subject, Told } from './failure.js';
import { Judge } from './failure.js';
import type { TerraformFailure } from './failure.js';
import type { Identity, TerraformObjectState } from './object-state.js';
import type { Planned, PlannedDelete } from './plan.js';

/** Outcome of a change. A failure never undoes a saved change [TFC-26]. */
export interface ApplyResult extends Told {
  /** The object after the change. Undefined if there is none. */
  readonly state: TerraformObjectState | undefined;
  /** True if the answer contained the object; otherwise `state` is the one before the change. */
  readonly answered: boolean;
  /** Failure of the change. Missing if it succeeded. */
  readonly failure?: TerraformFailure;
}

/** Fails if the plan of an apply differs from the one made earlier [TFC-16]. */
export function checkSamePlan(
  connection: Connection,
  subject: Subject,
  initial: Planned,
  final: Planned,
): void {
  const { block } = resourceTypeSchema(connection, subject.type);
  // In a replacement, the create is planned again when the old object is gone or left aside.
  const whole = initial.action === 'replace' && final.prior === undefined;
  const action: Action = whole ? 'create' : initial.action;
  new Judge(connection.calls.name, subject).found(
    initialVersusFinal(block, { action, planned: initial.planned }, final, subject.masks),
  );
}

/**
 * Creates or updates an object as planned. In a replacement, this is the create. Fails only if the effect of the call
 * is unknown; a refusal by the provider is returned with the existing object.
 */
export async function apply(
  connection: Connection,
  subject: Subject,
  planned: Planned,
): Promise<ApplyResult> {
  const creates = planned.action === 'create' || planned.action === 'replace';
  return change(connection, subject, {
    action: creates ? 'create' : 'update',
    prior: creates ? undefined : planned.prior,
    config: planned.config,
    planned: planned.planned,
    private: planned.private,
    identity: planned.identity,
  });
}

/** Deletes an object. */
export async function applyDelete(
  connection: Connection,
  subject: Subject,
  planned: PlannedDelete,
): Promise<ApplyResult> {
  const { prior, private: bytes, identity } = planned;
  return change(connection, subject, {
    action: 'delete',
    prior,
    config: null,
    planned: null,
    private: bytes,
    identity,
  });
}

interface Change {
  readonly action: 'create' | 'update' | 'delete';
  readonly prior: TerraformObjectState | undefined;
  readonly config: TfValue;
  readonly planned: TfValue;
  readonly private: Uint8Array;
  readonly identity: Identity | undefined;
}

async function change(connection: Connection, subject: Subject, wanted: Change): Promise<ApplyResult> {
  const { calls, schema } = connection;
  const { block, version } = resourceTypeSchema(connection, subject.type);
  const identities = schema.identities.get(subject.type);
  const judge = new Judge(calls.name, subject);
  const answer = await calls.call('applyResourceChange', {
    typeName: subject.type,
    priorState: objectMessage(block, wanted.prior?.value ?? null),
    plannedState: objectMessage(block, wanted.planned),
    config: objectMessage(block, wanted.config),
    plannedPrivate: wanted.private,
    providerMeta: undefined,
    plannedIdentity: identityMessage(identities, wanted.identity),
  });
  const diagnostics = readDiagnostics(answer.diagnostics);
  const returned = objectAnswer(block, answer.newState);
  if (returned instanceof Malformed) return unreadable(judge, wanted, returned, diagnostics);
  const question = {
    block,
    action: wanted.action,
    prior: wanted.prior?.value ?? null,
    planned: wanted.planned,
  };
  const { masks } = subject;
  const outcome = afterApply(masks === undefined ? question : { ...question, masks }, {
    state: returned,
    failed: hasErrors(diagnostics),
    legacy: answer.legacyTypeSystem,
  });
  const answered = identityAnswer(identities, answer.newIdentity, wanted.prior?.identity);
  const { identity } = answered;
  const saved: TerraformObjectState = {
    schemaVersion: version,
    value: null,
    private: answer.private,
    ...(identity !== undefined && { identity }),
    tainted: false,
    ...(masks !== undefined && { sensitivePaths: masks }),
  };
  return {
    ...stateAfter(outcome, saved, wanted.prior),
    warnings: [
      ...diagnostics.filter(({ severity }) => severity === 'warning'),
      ...identityChange(identities, wanted.prior?.identity, identity),
    ],
    notes: outcome.notes,
    ...failed(judge, diagnostics, [...outcome.findings, ...answered.findings]),
  };
}

function stateAfter(
  { saved }: ApplyOutcome,
  made: TerraformObjectState,
  prior: TerraformObjectState | undefined,
): Pick<ApplyResult, 'state' | 'answered'> {
  if (saved.kind === 'unchanged') return { state: prior, answered: false };
  if (saved.kind === 'removed') return { state: undefined, answered: true };
  const tainted = saved.tainted || (prior?.tainted ?? false);
  return { state: { ...made, value: saved.value, tainted }, answered: true };
}

function failed(judge: Judge, diagnostics: readonly TfDiagnostic[], findings: readonly ContractFinding[]) {
  if (findings.length === 0 && !hasErrors(diagnostics)) return {};
  return { failure: judge.failure(diagnostics, findings) };
}

/** Returns the outcome for an object that does not have its type: it is not saved [TFC-21]. */
function unreadable(
  judge: Judge,
  wanted: Change,
  { path, reason }: Malformed,
  diagnostics: readonly TfDiagnostic[],
): ApplyResult {
  const about: TfDiagnostic = { severity: 'error', summary: reason, detail: '', path };
  return {
    state: wanted.prior,
    answered: false,
    warnings: [],
    notes: [],
    failure: judge.failure([...diagnostics, about], [findingAt(path, 'NONCONFORMING')]),
  };
}
