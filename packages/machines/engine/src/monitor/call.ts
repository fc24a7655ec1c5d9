import { isProviderType, makeProviderReference, tokenPackage, UNKNOWN_ID, urnType } from '@cairn/addresses';
import type { ProviderReference } from '@cairn/addresses';
import {
  containsUnknown,
  emptyMap,
  getProperty,
  isKind,
  isOutputValue,
  plainOutputsMap,
} from '@cairn/values';
import type { PropertyMap, ResourceReference } from '@cairn/values';
import type { MonitorCallRequest, MonitorCallResponse } from '@cairn/wire';
import type { PackageRequest } from '../providers/package-request.js';
import {
  answered,
  answeredDependencies,
  answeredFailures,
  answeredResult,
} from '../providers/provider-answer.js';
import { providerFailure } from './fatal.js';
import { isProviderLeftOut } from './left-out.js';
import { byProperty, withOutputs } from './normalise/dependencies.js';
import { chooseProvider } from './provider-choice.js';
import { referenceOf } from './refusal.js';
import type { MonitorContext } from './monitor-context.js';

/** Runs a method of a component or provider. A provider that fails ends the operation [INV-5]. */
export async function handleCall(
  request: MonitorCallRequest,
  context: MonitorContext,
): Promise<MonitorCallResponse> {
  const { token, args } = request;
  const receiver = receiverOf(args);
  const selected = context.packages.select(tokenPackage(token), request.package);
  const reference = await calledProvider(request, receiver, selected, context);
  if (isUnanswerable(args, reference, context)) return NOTHING;
  try {
    const frames = context.sources.frames(request.stackTrace ?? [], request.parentStackTraceHandle);
    const neededBy = receiver?.urn ?? context.stackUrn;
    const provider = await context.providers.forReference(reference, neededBy, selected.extensionRef);
    const from = { entry: { urn: receiver?.urn, type: token }, call: 'call', preview: context.preview };
    const answer = answered(
      from,
      await context.sources.calledFrom(frames, (caller) =>
        provider.call({
          context: { ...context.constructContext(), ...caller },
          token,
          args,
          argDependencies: withOutputs(byProperty(request.argDependencies), args),
        }),
      ),
    );
    const result = answeredResult(from, answer.result, 'result');
    return {
      result: request.acceptsOutputValues === true ? result : plainOutputsMap(result),
      resultDependencies: withOutputs(answeredDependencies(from, answer.resultDependencies), result),
      failures: answeredFailures(from, answer.failures),
    };
  } catch (error) {
    const asked = { call: 'call', failed: `call to function '${token}' failed:`, inputs: args } as const;
    throw providerFailure(asked, { urn: receiver?.urn, type: token }, error);
  }
}

/** Answer of a method whose needed objects are not made in this run. */
const NOTHING: MonitorCallResponse = Object.freeze({
  result: emptyMap,
  resultDependencies: {},
  failures: [],
});

function isUnanswerable(args: PropertyMap, reference: ProviderReference, context: MonitorContext): boolean {
  if (isProviderLeftOut(reference, context)) return true;
  return !context.appliesGoals && !context.preview && containsUnknown(args);
}

/** Returns the resource whose method it is. */
function receiverOf(args: PropertyMap): ResourceReference | undefined {
  const self = getProperty(args, '__self__');
  const value = isOutputValue(self) ? self.value : self;
  return value !== undefined && isKind(value, 'reference') ? value : undefined;
}

/**
 * Chooses the provider of a method. A provider resource answers its own methods. For others, the named provider
 * answers, or else the receiver's. A provider that a preview would make has no id yet.
 */
async function calledProvider(
  request: MonitorCallRequest,
  receiver: ResourceReference | undefined,
  selected: PackageRequest,
  context: MonitorContext,
): Promise<ProviderReference> {
  if (receiver !== undefined && isProviderType(urnType(receiver.urn))) {
    const id = typeof receiver.id === 'string' && receiver.id !== '' ? receiver.id : UNKNOWN_ID;
    return makeProviderReference(receiver.urn, id);
  }
  if (request.provider !== '') return referenceOf(request.provider, 'provider');
  const record = receiver === undefined ? undefined : context.resources.get(receiver.urn);
  if (record?.provider !== undefined) return record.provider;
  const key = tokenPackage(request.token);
  const neededBy = `the call of ${request.token}`;
  return chooseProvider(
    { provider: '', providers: {}, parent: record, package: selected, key, neededBy },
    context,
  );
}
