import { isUrn } from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import { BugError } from '@cairn/diagnostics';
import { plainOutputsMap } from '@cairn/values';
import type { ConstructRequest, Provider, RegisterResourceResponse } from '@cairn/wire';
import { answered, answeredDependencies, answeredResult, badAnswer } from '../providers/provider-answer.js';
import type { AnswerSubject } from '../providers/provider-answer.js';
import { providerFailure } from './fatal.js';
import { staysUnconstructed } from './left-out.js';
import { explicitAliases } from './normalise/aliases.js';
import { withOutputs } from './normalise/dependencies.js';
import type { Draft } from './normalise/draft.js';
import { saidOf } from './normalise/recovery-options.js';
import { registerGoal } from './posting.js';
import type { MonitorContext } from './monitor-context.js';

/**
 * Lets a provider construct a component [REG-12]. The constructor registers the component and its children through this
 * monitor, and its answer is returned to the program. If something that it needs is left out of the run, so is the
 * component. While the provider's settings are unknown, the component stays empty [PROV-13].
 */
export async function handleConstruct(
  draft: Draft,
  context: MonitorContext,
): Promise<RegisterResourceResponse> {
  const { goal } = draft;
  const reference = goal.provider;
  if (reference === undefined) throw new BugError(`no provider was chosen for ${goal.urn}`);
  if (staysUnconstructed(goal, context))
    return registerGoal({ ...draft, goal: { ...goal, custom: false } }, context);
  const provider = await context.providers
    .forReference(reference, goal.urn, goal.extensionRef)
    .catch((error: unknown) => {
      throw constructFailure(draft, error);
    });
  if (provider.unconfigured) return registerGoal(emptyComponent(draft), context);
  return constructWith(provider, reference, draft, context);
}

async function constructWith(
  provider: Provider,
  reference: ProviderReference,
  draft: Draft,
  context: MonitorContext,
): Promise<RegisterResourceResponse> {
  const { goal } = draft;
  context.resources.construct(goal.urn, saidOf(draft.request));
  try {
    const from = { entry: goal, call: 'construct', preview: context.preview };
    const request = constructRequest(draft, reference, context);
    const constructed = await context.sources.calledFrom(goal.stackTrace, (caller) =>
      provider.construct({ ...request, context: { ...request.context, ...caller } }),
    );
    const answer = answered(from, constructed);
    const urn = constructedUrn(from, answer.urn, context);
    const outputs = answeredResult(from, answer.outputs, 'outputs');
    return {
      urn,
      id: '',
      outputs: plainOutputsMap(outputs),
      propertyDependencies: withOutputs(answeredDependencies(from, answer.outputDependencies), outputs),
      result: 'success',
      unknown: false,
    };
  } catch (error) {
    throw constructFailure(draft, error);
  }
}

function constructFailure({ goal, request }: Draft, error: unknown): Error {
  const failed = `${goal.type} resource '${goal.name}' has a problem:`;
  return providerFailure({ call: 'construct', failed, inputs: request.inputs }, goal, error);
}

/** Checks that a constructor answers the URN of a resource it has registered in this run. */
function constructedUrn(from: AnswerSubject, urn: unknown, context: MonitorContext): Urn {
  if (typeof urn !== 'string' || !isUrn(urn)) throw badAnswer(from, `${shown(urn)} is not a URN`);
  if (context.resources.get(urn) === undefined) throw badAnswer(from, `it has not registered ${urn}`);
  return urn;
}

function shown(urn: unknown): string {
  return typeof urn === 'string' ? JSON.stringify(urn) : `what it calls its URN, of type ${typeof urn},`;
}

/** Makes a component without inputs or children, which replaces one that cannot be constructed yet. */
function emptyComponent(draft: Draft): Draft {
  return { ...draft, goal: { ...draft.goal, custom: false, provider: undefined } };
}

function constructRequest(
  draft: Draft,
  reference: ProviderReference,
  context: MonitorContext,
): ConstructRequest {
  const { goal, request } = draft;
  const hasTimeouts = Object.values(request.customTimeouts).some((text) => (text ?? '') !== '');
  return {
    context: context.constructContext(),
    type: goal.type,
    name: goal.name,
    parent: goal.parent,
    inputs: request.inputs,
    inputDependencies: goal.propertyDependencies,
    options: {
      aliases: explicitAliases(request.aliases, goal, context.identity, context.resources).map((urn) => ({
        kind: 'urn',
        urn,
      })),
      dependencies: goal.dependencies,
      protect: request.protect ?? (goal.protect ? true : undefined),
      providers: { ...draft.providers, ...ownProvider(draft, reference) },
      additionalSecretOutputs: goal.additionalSecretOutputs,
      customTimeouts: hasTimeouts ? request.customTimeouts : undefined,
      deletedWith: goal.deletedWith,
      deleteBeforeReplace: goal.deleteBeforeReplace,
      ignoreChanges: goal.ignoreChanges,
      replaceOnChanges: goal.replaceOnChanges,
      retainOnDelete: request.retainOnDelete ?? (goal.retainOnDelete ? true : undefined),
      replaceWith: goal.replaceWith,
      replacementTrigger: request.replacementTrigger,
      hooks: request.hooks && { ...request.hooks, onError: [] },
    },
  };
}

/** Returns the component's provider for the constructor's resources. They find a default provider by themselves. */
function ownProvider(
  { request, package: pkg }: Draft,
  reference: ProviderReference,
): Record<string, ProviderReference> {
  return request.provider === '' || pkg === undefined ? {} : { [pkg.package]: reference };
}
