import type { World } from './world.js';

/** The parts of `cairn stack export` that the campaign reads. */
interface Exported {
  readonly deployment: {
    readonly resources?: readonly Entry[];
    readonly pending_operations?: readonly { readonly type: string; readonly resource: Entry }[];
  };
}

interface Entry {
  readonly urn: string;
  readonly type: string;
  readonly custom?: boolean;
  readonly delete?: boolean;
  readonly external?: boolean;
  readonly inputs?: Readonly<Record<string, unknown>>;
}

/** A step that the state holds as begun and not ended. */
export interface Pending {
  readonly urn: string;
  readonly type: string;
  readonly object: string;
  readonly value: string;
  /** Outputs of the object, for the answer to a question. */
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** An object as the state has it. */
export type Known = Pick<Pending, 'object' | 'value' | 'outputs'>;

/** Reads the objects in a state, and what is pending in it. `faults`: what no finished operation leaves. */
export function stateOf(exported: string): {
  readonly world: World;
  readonly pending: readonly Pending[];
  /** Objects with their values and outputs, by URN. */
  readonly entries: ReadonlyMap<string, Known>;
  readonly faults: readonly string[];
} {
  const { deployment } = JSON.parse(exported) as Exported;
  const world = new Map<string, string>();
  const entries = new Map<string, Known>();
  const faults: string[] = [];
  for (const entry of deployment.resources ?? []) {
    if (entry.delete === true) faults.push(`state: ${entry.urn} is on its way out`);
    const { object, value } = objectIn(entry);
    if (object === undefined) continue;
    if (world.has(object)) faults.push(`state: ${object} stands twice`);
    world.set(object, value);
    entries.set(entry.urn, { object, value, outputs: entry.inputs ?? {} });
  }
  const pending = (deployment.pending_operations ?? []).flatMap(({ type, resource }) => {
    const { object, value } = objectIn(resource);
    const outputs =
      resource.type === 'cairn-local:index:Command' ? { stdout: value, stderr: '' } : (resource.inputs ?? {});
    return object === undefined ? [] : [{ urn: resource.urn, type, object, value, outputs }];
  });
  return { world, pending, entries, faults };
}

const nameOf = (urn: string): string => urn.slice(urn.lastIndexOf('::') + 2);

/** Returns the object of an entry; the stack, providers and components have none. */
function objectIn({ urn, type, inputs = {} }: Entry): {
  readonly object: string | undefined;
  readonly value: string;
} {
  const text = (key: string): string => String(inputs[key] ?? '');
  switch (type) {
    case 'cairn-local:index:File':
      return { object: text('path').replace(/\.txt$/, ''), value: text('content') };
    case 'cairn-local:index:Directory':
      return { object: text('path').replace(/\.dir$/, ''), value: '1' };
    case 'cairn-local:index:Command': {
      const [version] = inputs['triggers'] as readonly unknown[];
      const { VALUE = '' } = inputs['environment'] as Readonly<Record<string, string>>;
      return { object: `${nameOf(urn)}-${String(version)}`, value: VALUE };
    }
    case 'seen:index:Thing':
    case 'blind:index:Thing':
    case 'things:index/thing:Thing':
    case 'pulumi-nodejs:dynamic:Resource':
      return { object: `${text('name')}-${text('version')}`, value: text('value') };
    default:
      return { object: undefined, value: '' };
  }
}
