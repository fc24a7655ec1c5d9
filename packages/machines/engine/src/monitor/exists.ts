import { UNKNOWN_ID, makeUrn, isTypeToken, tokenPackage } from '@cairn/addresses';
import { messageOf } from '@cairn/diagnostics';
import { containsUnknown, emptyMap, isEmptyMap, plainOutputsMap } from '@cairn/values';
import { StatusError, isInitFailed } from '@cairn/wire';
import type { ExistsResourceRequest, ExistsResourceResponse } from '@cairn/wire';
import { answered } from '../providers/provider-answer.js';
import { isProviderLeftOut } from './left-out.js';
import { chooseProvider } from './provider-choice.js';
import { invalid, optionalUrn } from './refusal.js';
import type { MonitorContext } from './monitor-context.js';

const UNKNOWN_ANSWER: ExistsResourceResponse = Object.freeze({ exists: false, unknown: true });

/**
 * Asks a provider whether an object exists [PRG-14]: a read that is not recorded. The answer is unknown while the id, a
 * property or the provider's settings are. Failures are returned to the program, which decides how to handle them.
 */
export async function existsResource(
  request: ExistsResourceRequest,
  context: MonitorContext,
): Promise<ExistsResourceResponse> {
  const { type, id } = request;
  if (!isTypeToken(type))
    throw invalid(`type ${JSON.stringify(type)} is not of the form package:module:name`);
  if (id === '') throw invalid(`cannot look for a resource of type ${type}: it needs an id`);
  const parent = optionalUrn(request.parent, 'parent');
  const key = tokenPackage(type);
  const selected = context.packages.select(key, request.package);
  const reference = await chooseProvider(
    {
      provider: request.provider,
      providers: {},
      parent: parent === undefined ? undefined : context.resources.get(parent),
      package: selected,
      key,
      neededBy: `the look for ${type}`,
    },
    context,
  );
  const properties = plainOutputsMap(request.properties);
  if (id === UNKNOWN_ID || containsUnknown(properties) || isProviderLeftOut(reference, context))
    return UNKNOWN_ANSWER;
  const { stack, project } = context.identity;
  const urn = makeUrn({ stack, project, parent, type, name: id });
  const told = isEmptyMap(properties) ? undefined : properties;
  try {
    const provider = await context.providers.forReference(
      reference,
      parent ?? context.stackUrn,
      selected.extensionRef,
    );
    if (provider.unconfigured) return UNKNOWN_ANSWER;
    const { outputs = undefined, id: found } = answered(
      { entry: { urn, type }, call: 'read', preview: false },
      await context.during(() =>
        provider.read({ urn, name: id, type, id, inputs: told, state: told ?? emptyMap, timeoutSeconds: 0 }),
      ),
    );
    return { exists: outputs !== undefined && found !== '', unknown: false };
  } catch (error) {
    if (isInitFailed(error)) return { exists: true, unknown: false };
    throw new StatusError('UNKNOWN', `cannot tell whether ${type} '${id}' exists: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
