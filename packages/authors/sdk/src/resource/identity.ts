import { isUrn, makeUrn } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { emptyMap } from '@cairn/values';
import type { Input, Output } from '../output/brand.js';
import { gather } from '../output/gather.js';
import { makeOutput } from '../output/output.js';
import { isWhollyUnknown, unknownLike } from '../output/resolution.js';
import { deployment } from '../runtime/deployment.js';
import { ResourceNode } from './node.js';
import { STATE, isResource } from './state.js';
import type { AnyResource } from './state.js';

/** Returns the logical name of a resource. */
export function resourceName(resource: AnyResource): string {
  return resource[STATE].name;
}

/** Returns the type of a resource, such as `aws:s3/bucket:Bucket`. */
export function resourceType(resource: AnyResource): string {
  return resource[STATE].type;
}

/** Returns URN and id of a text `<URN>::<id>`, such as the reference of a provider. Throws for any other form. */
export function parseResourceReference(text: string): readonly [urn: string, id: string] {
  const at = text.lastIndexOf('::');
  const urn = text.slice(0, Math.max(at, 0));
  if (!isUrn(urn))
    throw new TypeError(`cannot read resource reference ${JSON.stringify(text)}: expected <URN>::<id>`);
  return [urn, text.slice(at + 2)];
}

/** The stack itself, as a parent for resources beside a component rather than below it. */
export const rootStackResource: AnyResource = {
  get [STATE]() {
    return deployment().root;
  },
};

/** Parts of a resource's URN. Missing parts are those of the running program. */
export interface UrnParts {
  readonly name: Input<string>;
  readonly type: Input<string>;
  /** A resource or its URN. Defaults to the stack. */
  readonly parent?: AnyResource | Input<string> | undefined;
  readonly project?: string | undefined;
  readonly stack?: string | undefined;
}

/** Returns the URN that a resource of these parts has or had: for aliases. */
export function createUrn({ name, type, parent, project, stack }: UrnParts): Output<string> {
  const { settings, root } = deployment();
  const above = parent ?? (root.type !== type ? { [STATE]: root } : undefined);
  const parentUrn = isResource(above) ? above[STATE].registered().then(({ urn }) => urn) : above;
  const parts = gather([name, type, parentUrn]);
  const made = Promise.resolve(parts).then((found) => {
    const [ownName, ownType, ownParent] = found.value as [string, string, Urn | undefined];
    if ([ownName, ownType, ownParent].some(isWhollyUnknown)) return unknownLike(found);
    const place = { stack: stack ?? settings.stack, project: project ?? settings.project };
    return { ...found, value: makeUrn({ ...place, parent: ownParent, type: ownType, name: ownName }) };
  });
  return makeOutput<string>(made);
}

/** A resource of which only the URN is known: for `dependsOn` and similar options. */
export class DependencyResource implements AnyResource {
  readonly [STATE]: ResourceNode;

  constructor(urn: string | Promise<string>) {
    const node = new ResourceNode({ kind: 'custom', type: '', name: String(urn), parent: undefined });
    const registered = async () => ({
      ...{ urn: (await urn) as Urn, id: undefined, outputs: emptyMap },
      ...{ outputDependencies: {}, missingAreUnknown: false },
    });
    node.start(registered());
    this[STATE] = node;
  }
}
