import { tokenPackage } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { isCairnError, messageOf } from '@cairn/diagnostics';
import { containsUnknown, emptyMap } from '@cairn/values';
import { StatusError } from '@cairn/wire';
import type { MonitorInvokeRequest, MonitorInvokeResponse } from '@cairn/wire';
import { dependenciesExist } from './invoke-dependencies.js';
import { chooseProvider } from './provider-choice.js';
import { optionalUrn, urnOf } from './refusal.js';
import type { ResourceRecord } from './resources.js';
import type { MonitorWorld } from './world.js';

const UNKNOWN_RESULT: MonitorInvokeResponse = Object.freeze({
  result: emptyMap,
  failures: [],
  unknown: true,
});

/**
 * Asks a provider a question (D10). It is not asked while an argument is unknown or something the answer depends on does not
 * exist yet. What goes wrong is told to the program, which decides what that means.
 */
export async function invoke(
  request: MonitorInvokeRequest,
  world: MonitorWorld,
): Promise<MonitorInvokeResponse> {
  const { token, args } = request;
  const key = tokenPackage(token);
  const parent = optionalUrn(request.parent, 'parent');
  const waitsFor = request.dependsOn.map((urn) => urnOf(urn, 'dependsOn'));
  const selected = world.packages.select(key, request.package);
  const reference = await chooseProvider(
    {
      provider: request.provider,
      providers: {},
      parent: componentAt(parent, world),
      package: selected,
      key,
      neededBy: `the invocation of ${token}`,
    },
    world,
  );
  if (containsUnknown(args) || !(await dependenciesExist(waitsFor, parent, world))) return UNKNOWN_RESULT;
  try {
    const neededBy = parent ?? world.stackUrn;
    const provider = await world.providers.forReference(reference, neededBy, selected.extensionRef);
    const { result, failures } = await provider.invoke({ token, args, preview: world.preview });
    return { result, failures, unknown: false };
  } catch (error) {
    throw new StatusError('UNKNOWN', `invocation of ${token} returned an error: ${explained(error)}`, {
      cause: error,
    });
  }
}

/** Only a component passes providers on to a question; a custom parent's own provider says nothing (A11.1). */
function componentAt(parent: Urn | undefined, { resources }: MonitorWorld): ResourceRecord | undefined {
  const record = parent === undefined ? undefined : resources.get(parent);
  return record?.custom === false ? record : undefined;
}

/** The message, with what to do about it. */
function explained(error: unknown): string {
  if (!isCairnError(error)) return messageOf(error);
  return error.diagnostics
    .flatMap(({ summary, causes = [], hint }) => [summary, ...causes, ...(hint === undefined ? [] : [hint])])
    .join('\n');
}
