import { isProviderType, makeProviderReference } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { UNKNOWN, propertyMap } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';
import type { AliasRequest, RegisterResourceRequest } from '@cairn/wire';
import type { ProgramContext, ProgramFunction } from '../program/program-of.js';
import { resourceName, resourceType } from './fuzz-case.js';
import type { WantedResource } from './fuzz-case.js';

/** A registered resource, as the program knows it. */
interface Registered {
  readonly urn: Urn;
  readonly type: string;
  readonly pkg: string;
  readonly id: string;
  /** A value of it that other resources may use. Unknown if the engine does not return it. */
  readonly value: PropertyValue;
}

/**
 * Returns the program that registers random resources: each as soon as its links are ready, so that independent ones
 * overlap. Links to later positions and impossible links (a component as a provider) are omitted.
 */
export function randomProgram(resources: readonly WantedResource[]): ProgramFunction {
  return async (context) => {
    const started: Promise<Registered>[] = [];
    for (const wanted of resources) {
      const earlier = [...started];
      started.push(register(context, wanted, (at) => (at === undefined ? undefined : earlier[at])));
    }
    await Promise.all(started);
  };
}

type Earlier = (position: number | undefined) => Promise<Registered> | undefined;

async function register(
  context: ProgramContext,
  wanted: WantedResource,
  earlier: Earlier,
): Promise<Registered> {
  const [parent, deletedWith, replaceWith, provider, from, bound] = await Promise.all(
    (['parent', 'deletedWith', 'replaceWith', 'provider', 'from', 'bound'] as const).map((key) =>
      earlier(wanted[key]),
    ),
  );
  const deps = (await Promise.all(wanted.deps.map(earlier))).filter((each) => each !== undefined);
  const owner = parent === undefined || isProviderType(parent.type) ? undefined : parent;
  const type = resourceType(wanted);
  const name = resourceName(wanted);
  const serving =
    provider?.type === `pulumi:providers:${wanted.pkg}` && provider.id !== ''
      ? makeProviderReference(provider.urn, provider.id)
      : '';
  const dependencies = [...new Set([...deps, from, bound].flatMap((each) => (each ? [each.urn] : [])))];
  const parented = owner === undefined ? {} : { parent: owner.urn };
  if (wanted.kind === 'read') {
    const answer = await context.read(type, name, `outside-${name}`, {
      ...parented,
      provider: serving,
      dependencies,
    });
    return { urn: answer.urn, type, pkg: wanted.pkg, id: `outside-${name}`, value: name };
  }
  const options: Partial<RegisterResourceRequest> = {
    ...parented,
    dependencies,
    deletedWith: deletedWith?.urn ?? '',
    replaceWith: replaceWith === undefined ? [] : [replaceWith.urn],
    protect: wanted.protect,
    aliases: wanted.renamed ? [aliasOf(resourceName({ ...wanted, renamed: false }))] : [],
  };
  if (wanted.kind === 'component') {
    const { urn } = await context.component(type, name, options);
    return { urn, type, pkg: wanted.pkg, id: '', value: name };
  }
  if (wanted.kind === 'provider') {
    const answer = await context.resource(type, name, { update: wanted.update }, options);
    return {
      urn: answer.urn,
      type,
      pkg: wanted.pkg,
      id: answer.id,
      value: context.dryRun ? UNKNOWN : answer.id,
    };
  }
  const answer = await context.resource(type, name, undefined, {
    ...options,
    inputs: propertyMap({
      update: wanted.update,
      replace: wanted.replace,
      from: from?.value,
      bound: bound?.value,
    }),
    provider: serving,
    propertyDependencies: {
      update: [],
      replace: [],
      ...(from && { from: [from.urn] }),
      ...(bound && { bound: [bound.urn] }),
    },
    retainOnDelete: wanted.retain,
    deleteBeforeReplace: wanted.deleteFirst,
    ignoreChanges: wanted.ignoreUpdate ? ['update'] : [],
    replaceOnChanges: wanted.promoteUpdate ? ['update'] : [],
    replacementTrigger: wanted.trigger,
    importId: wanted.imported ? `outside-${name}` : '',
  });
  const value = answer.id === '' ? UNKNOWN : answer.id;
  return { urn: answer.urn, type, pkg: wanted.pkg, id: answer.id, value };
}

/** Returns the alias of a resource that had another name before. */
function aliasOf(name: string): AliasRequest {
  return { kind: 'spec', name, type: '', stack: '', project: '', parent: { kind: 'same' } };
}
