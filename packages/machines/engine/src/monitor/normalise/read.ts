import { UNKNOWN_ID, makeUrn, parseTypeToken, tokenPackage } from '@cairn/addresses';
import { plainOutputsMap } from '@cairn/values';
import type { ReadResourceRequest } from '@cairn/wire';
import { chooseProvider } from '../provider-choice.js';
import { invalid, optionalUrn } from '../refusal.js';
import type { ReadGoal } from '../../model/goal.js';
import type { MonitorWorld } from '../world.js';
import { inheritedAliases } from './aliases.js';
import { uniqueUrns } from './dependencies.js';
import { secretOutputs } from './options.js';

/** Normalises a read as registrations are, for the options that a read can have [PRG-11]. */
export async function normaliseRead(request: ReadResourceRequest, world: MonitorWorld): Promise<ReadGoal> {
  const { type, name, id } = request;
  if (parseTypeToken(type) === undefined) {
    throw invalid(
      `type ${JSON.stringify(type)} of ${JSON.stringify(name)} is not of the form package:module:name`,
    );
  }
  const { stack, project } = world.identity;
  const parent = optionalUrn(request.parent, 'parent');
  const urn = makeUrn({ stack, project, parent, type, name });
  const record = parent === undefined ? undefined : world.resources.get(parent);
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
    additionalSecretOutputs: secretOutputs(request.additionalSecretOutputs, urn, world.tell),
    sourcePosition: world.sources.position(request.sourcePosition),
    stackTrace: world.sources.frames(request.stackTrace, request.parentStackTraceHandle),
    aliases: inheritedAliases({ urn, type, name, parent }, record, [], world.identity),
  };
  const key = tokenPackage(type);
  const selected = world.packages.select(key, request.package);
  const wish = {
    provider: request.provider,
    providers: {},
    parent: record,
    package: selected,
    key,
    neededBy: urn,
    askedAt: goal.sourcePosition,
  };
  const provider = await chooseProvider(wish, world);
  return { ...goal, provider, extensionRef: selected.extensionRef };
}
