import { UNKNOWN_ID, makeUrn, isTypeToken, tokenPackage } from '@cairn/addresses';
import { plainOutputsMap } from '@cairn/values';
import type { ReadResourceRequest } from '@cairn/wire';
import { chooseProvider } from '../provider-choice.js';
import { invalid, optionalUrn } from '../refusal.js';
import type { ReadGoal } from '../../model/goal.js';
import type { MonitorContext } from '../monitor-context.js';
import { inheritedAliases } from './aliases.js';
import { uniqueUrns } from './dependencies.js';
import { secretOutputs } from './options.js';

/** Normalises a read as registrations are, for the options that a read can have [PRG-11]. */
export async function normaliseRead(
  request: ReadResourceRequest,
  context: MonitorContext,
): Promise<ReadGoal> {
  const { type, name, id } = request;
  if (!isTypeToken(type)) {
    throw invalid(
      `type ${JSON.stringify(type)} of ${JSON.stringify(name)} is not of the form package:module:name`,
    );
  }
  const { stack, project } = context.identity;
  const parent = optionalUrn(request.parent, 'parent');
  const urn = makeUrn({ stack, project, parent, type, name });
  const record = parent === undefined ? undefined : context.resources.get(parent);
  const goal: ReadGoal = {
    urn,
    type,
    name,
    parent,
    id,
    idUnknown: id === UNKNOWN_ID,
    properties: plainOutputsMap(request.properties),
    provider: undefined,
    dependencies: uniqueUrns(request.dependencies, 'dependency'),
    additionalSecretOutputs: secretOutputs(request.additionalSecretOutputs, urn, context.tell),
    sourcePosition: context.sources.position(request.sourcePosition),
    stackTrace: context.sources.frames(request.stackTrace, request.parentStackTraceHandle),
    aliases: inheritedAliases({ urn, type, name, parent }, record, [], context.identity),
  };
  const key = tokenPackage(type);
  const selected = context.packages.select(key, request.package);
  const wish = {
    provider: request.provider,
    providers: {},
    parent: record,
    package: selected,
    key,
    neededBy: urn,
    askedAt: goal.sourcePosition,
  };
  const provider = await chooseProvider(wish, context);
  return { ...goal, provider, extensionRef: selected.extensionRef };
}
