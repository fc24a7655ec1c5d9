import { tokenPackage } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { isCairnError, messageOf } from '@cairn/diagnostics';
import { containsUnknown, emptyMap, outputDependencies, plainOutputsMap } from '@cairn/values';
import { isInvalidAnswer, StatusError } from '@cairn/wire';
import type { CallbackInvokeOptions, MonitorInvokeRequest, MonitorInvokeResponse } from '@cairn/wire';
import { withOutputValues } from '../model/output-values.js';
import { answered, answeredFailures, answeredResult, badAnswer } from '../providers/provider-answer.js';
import type { AnswerSubject } from '../providers/provider-answer.js';
import { BUILTIN } from '../providers/registry.js';
import { dependenciesExist } from './invoke-dependencies.js';
import { isProviderLeftOut } from './left-out.js';
import { assignedProvider, chooseProvider } from './provider-choice.js';
import { optionalUrn, urnOf } from './refusal.js';
import type { ResourceRecord } from './resources.js';
import type { MonitorContext } from './monitor-context.js';
import { refused } from './transforms/resource-transforms.js';
import type { Transforms } from './transforms/registry.js';

const UNKNOWN_RESULT: MonitorInvokeResponse = Object.freeze({
  result: emptyMap,
  failures: [],
  unknown: true,
});

/**
 * Asks a provider a question [INV-2]. The provider is not called while an argument is unknown or something the answer
 * depends on does not exist yet. Failures are returned to the program, which decides how to handle them.
 */
export async function handleInvoke(
  asked: MonitorInvokeRequest,
  context: MonitorContext,
): Promise<MonitorInvokeResponse> {
  const { token } = asked;
  const key = tokenPackage(token);
  const parent = optionalUrn(asked.parent, 'parent');
  const component = componentAt(parent, context);
  const request = await transformed(asked, component, context);
  const args = plainOutputsMap(request.args);
  const carried = Object.values(request.args).flatMap((value) => outputDependencies(value));
  const waitsFor = [...request.dependsOn.map((urn) => urnOf(urn, 'dependsOn')), ...carried];
  const selected = context.packages.select(key, request.package);
  const reference = await chooseProvider(
    {
      provider: request.provider,
      providers: {},
      parent: component,
      package: selected,
      key,
      neededBy: `the invocation of ${token}`,
      askedAt: context.sources.position(request.sourcePosition),
    },
    context,
  );
  if (isProviderLeftOut(reference, context)) return UNKNOWN_RESULT;
  if (containsUnknown(args) || !(await dependenciesExist(waitsFor, parent, context))) return UNKNOWN_RESULT;
  try {
    const neededBy = parent ?? context.stackUrn;
    const provider = await context.providers.forReference(reference, neededBy, selected.extensionRef);
    const from = invoked(token, context);
    const answer = answered(
      from,
      await context.during(() =>
        provider.invoke({
          token,
          args,
          ...(request.args !== args && { argsWithOutputs: request.args }),
          preview: context.preview,
        }),
      ),
    );
    const failures = answeredFailures(from, answer.failures);
    const result = answeredResult(from, answer.result, 'result');
    const told = asked.acceptsOutputValues === true ? result : plainOutputsMap(result);
    return { result: told, failures, unknown: false };
  } catch (error) {
    const told = isInvalidAnswer(error) ? badAnswer(invoked(token, context), error.fault) : error;
    throw new StatusError('UNKNOWN', `invocation of ${token} returned an error: ${explained(told)}`, {
      cause: error,
    });
  }
}

/**
 * Describes the source of an answer. Plugins answer with known values, also in a preview [PROV-11]; values that the
 * engine itself remembers may be unknown.
 */
function invoked(token: string, { preview }: MonitorContext): AnswerSubject {
  const own = tokenPackage(token) === BUILTIN;
  return { entry: { type: token }, call: 'invoke', preview: preview && own };
}

/** Returns the question after the transforms of the program. Most programs have none. */
function transformed(
  request: MonitorInvokeRequest,
  parent: ResourceRecord | undefined,
  { transforms }: MonitorContext,
): MonitorInvokeRequest | Promise<MonitorInvokeRequest> {
  if (transforms.ofInvokes.length === 0) return request;
  const key = tokenPackage(request.token);
  const provider = assignedProvider({ provider: request.provider, providers: {}, parent, key });
  return transformedInvoke(request, provider, transforms);
}

/**
 * Returns the parent if it is a component. Only a component passes providers on to a question; a custom parent's own
 * provider does not count [INV-1].
 */
function componentAt(parent: Urn | undefined, { resources }: MonitorContext): ResourceRecord | undefined {
  const record = parent === undefined ? undefined : resources.get(parent);
  return record?.custom === false ? record : undefined;
}

/** Returns the message with its causes and hints. */
function explained(error: unknown): string {
  if (!isCairnError(error)) return messageOf(error);
  return error.diagnostics
    .flatMap(({ summary, causes = [], hint }) => [summary, ...causes, ...(hint === undefined ? [] : [hint])])
    .join('\n');
}

/**
 * Applies the transforms to a question in the order of their registration, one question at a time [XFORM-8].
 * `provider`: the one that would answer; empty for a default one.
 */
function transformedInvoke(
  request: MonitorInvokeRequest,
  provider: string,
  transforms: Transforms,
): Promise<MonitorInvokeRequest> {
  return transforms.inTurn(async () => {
    let { args } = request;
    let options: CallbackInvokeOptions = optionsOf(request, provider);
    for (const callback of [...transforms.ofInvokes]) {
      const question = { token: request.token, args: withOutputValues(args), options };
      const answer = await transforms.callbacks.transformInvoke(callback, question).catch(refused);
      args = answer.args ?? args;
      options = answer.options ?? options;
    }
    const { version, pluginDownloadUrl, pluginChecksums } = options;
    return {
      ...request,
      args,
      provider: options.provider === provider ? request.provider : options.provider,
      package: { ...request.package, version, pluginDownloadUrl, pluginChecksums },
    };
  });
}

function optionsOf({ package: pkg }: MonitorInvokeRequest, provider: string): CallbackInvokeOptions {
  const { version, pluginDownloadUrl, pluginChecksums } = pkg;
  return { provider, version, pluginDownloadUrl, pluginChecksums };
}
