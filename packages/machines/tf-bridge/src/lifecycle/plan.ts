import type {
  Action,
  Block,
  Ignored,
  PlanAnswer,
  PlanOutcome,
  ReplaceReason,
  TfPath,
  TfValue,
} from '@cairn/tfplugin';
import { ignoreAttributes, planOutcome, proposedNew, secondPlanOutcome, toldOf } from '@cairn/tfplugin';
import { CLIENT_CAPABILITIES, NO_BYTES } from '../client/calls.js';
import type { TfDiagnostic } from '../client/diagnostics.js';
import { hasErrors, readDiagnostics, decodePath } from '../client/diagnostics.js';
import type { Connection } from './connection.js';
import {
  identityAnswer,
  identityMessage,
  objectAnswer,
  objectMessage,
  resourceTypeSchema,
} from './connection.js';
import type { Subject, Told } from './failure.js';
import { Judge } from './failure.js';
import type { Identity, TerraformObjectState } from './object-state.js';

/** Request of a plan for a change. */
export interface PlanChangeRequest {
  /** The object before the change, upgraded and read. Missing for a create. */
  readonly prior?: TerraformObjectState | undefined;
  /** The program's configuration, of the schema's type. */
  readonly config: TfValue;
  /** Places whose changes by the program are ignored. */
  readonly ignored?: Ignored | undefined;
  /** True if the user requested a replacement. */
  readonly forced?: boolean | undefined;
}

/** A planned change that may be applied. */
export interface Planned extends Told {
  readonly action: Action;
  readonly reason?: ReplaceReason;
  /** Paths that require the replacement. */
  readonly replacePaths: readonly TfPath[];
  readonly prior: TerraformObjectState | undefined;
  /** The configuration of the plan that counts. */
  readonly config: TfValue;
  /** The planned object. In a replacement, the new one. */
  readonly planned: TfValue;
  readonly private: Uint8Array;
  readonly identity?: Identity;
  readonly legacy: boolean;
}

/**
 * Requests the plan of a change, and the second one of a replacement [TFC-10, TFC-11]. Changes nothing. Fails if the
 * provider refuses, or if its plan breaks the contract.
 */
export async function plan(
  connection: Connection,
  subject: Subject,
  request: PlanChangeRequest,
): Promise<Planned> {
  const { block } = resourceTypeSchema(connection, subject.type);
  const judge = new Judge(connection.calls.name, subject);
  const { prior, ignored, forced } = request;
  const tainted = prior?.tainted ?? false;
  const told = toldOf(prior, tainted, undefined);
  const config =
    ignored === undefined
      ? request.config
      : ignoreAttributes(block, told?.value ?? null, request.config, ignored);
  const first = await ask(connection, judge, block, {
    prior: told?.value ?? null,
    config,
    private: told?.private ?? NO_BYTES,
    identity: told?.identity,
  });
  const { masks } = subject;
  const common = { block, config, ...(masks !== undefined && { masks }) };
  const question = {
    ...common,
    prior: prior?.value ?? null,
    tainted,
    ...(forced !== undefined && { forced }),
    ...(ignored !== undefined && { ignored }),
  };
  const outcome = planOutcome(question, first);
  judge.found(outcome.findings, first.warnings);
  const made = { prior, ...chosen(outcome), warnings: first.warnings, notes: outcome.notes };
  if (!outcome.secondPlan) return { ...made, config, planned: outcome.planned, ...carried(first) };
  const second = await ask(connection, judge, block, {
    prior: null,
    config: request.config,
    private: first.private,
    identity: undefined,
  });
  const again = secondPlanOutcome({ ...common, config: request.config }, second);
  judge.found(again.findings, second.warnings);
  // Warnings of the second plan repeat those of the first.
  return { ...made, config: request.config, planned: again.planned, ...carried(second) };
}

function chosen({ action, reason, replacePaths }: PlanOutcome) {
  return { action, ...(reason !== undefined && { reason }), replacePaths };
}

function carried({ private: bytes, identity, legacy }: Asked) {
  return { private: bytes, ...(identity !== undefined && { identity }), legacy };
}

/** The plan of a delete. */
export interface PlannedDelete extends Told {
  readonly prior: TerraformObjectState;
  readonly private: Uint8Array;
  readonly identity?: Identity;
}

/** Requests the plan of a delete if the provider wants that. Otherwise its private data is that of the state. */
export async function planDelete(
  connection: Connection,
  subject: Subject,
  prior: TerraformObjectState,
): Promise<PlannedDelete> {
  const unasked = { prior, private: prior.private, warnings: [], notes: [] };
  const withIdentity = prior.identity === undefined ? unasked : { ...unasked, identity: prior.identity };
  if (!connection.schema.capabilities.planDestroy) return withIdentity;
  const { block } = resourceTypeSchema(connection, subject.type);
  const judge = new Judge(connection.calls.name, subject);
  const { value, private: bytes, identity } = prior;
  const answer = await ask(connection, judge, block, {
    prior: value,
    config: null,
    private: bytes,
    identity,
  });
  const outcome = planOutcome({ block, prior: value, config: null }, answer);
  judge.found(outcome.findings, answer.warnings);
  return { ...withIdentity, private: answer.private, warnings: answer.warnings, notes: outcome.notes };
}

interface Question {
  readonly prior: TfValue;
  readonly config: TfValue;
  readonly private: Uint8Array;
  readonly identity: Identity | undefined;
}

interface Asked extends PlanAnswer {
  readonly private: Uint8Array;
  readonly identity: Identity | undefined;
  readonly warnings: readonly TfDiagnostic[];
}

async function ask(connection: Connection, judge: Judge, block: Block, question: Question): Promise<Asked> {
  const { calls, schema } = connection;
  const { type } = judge.subject;
  const identities = schema.identities.get(type);
  const { prior, config } = question;
  const proposed = config === null ? null : proposedNew(block, prior, config);
  const answer = await calls.call('planResourceChange', {
    typeName: type,
    priorState: objectMessage(block, prior),
    proposedNewState: objectMessage(block, proposed),
    config: objectMessage(block, config),
    priorPrivate: question.private,
    providerMeta: undefined,
    clientCapabilities: CLIENT_CAPABILITIES,
    priorIdentity: identityMessage(identities, question.identity),
  });
  const diagnostics = readDiagnostics(answer.diagnostics);
  if (hasErrors(diagnostics)) throw judge.failure(diagnostics, []);
  return {
    planned: judge.value(objectAnswer(block, answer.plannedState), 'PLAN_TYPE', diagnostics),
    requiresReplace: answer.requiresReplace.map(decodePath),
    legacy: answer.legacyTypeSystem,
    deferred: answer.deferred !== undefined,
    private: answer.plannedPrivate,
    identity: judge.identity(identityAnswer(identities, answer.plannedIdentity, question.identity, true)),
    warnings: diagnostics,
  };
}
