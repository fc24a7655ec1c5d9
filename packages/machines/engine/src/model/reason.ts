import { urnName, urnType } from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import { unreachable } from '@cairn/diagnostics';

/** Step of this run on a resource whose values another one uses. */
export type SourceStep = 'create' | 'update' | 'replace' | 'read' | 'import';

/** Property whose value comes from a resource that this run has changed. */
export interface ReasonSource {
  readonly key: string;
  readonly urn: Urn;
  readonly step: SourceStep;
}

/** Link of a resource to another one that is replaced [DIFF-9] [DIFF-10]. */
export type DependencyLink = 'property' | 'provider' | 'deletedWith' | 'replaceWith';

/**
 * Reason of a step, as data: property keys or paths, options, URNs, never values. {@link reasonText} makes it a phrase.
 */
export type Reason =
  /** Nothing differs. */
  | { readonly t: 'unchanged' }
  /**
   * This operation changes nothing about it, regardless of the program: it is deleted afterwards, or others are
   * imported.
   */
  | { readonly t: 'kept' }
  /** The user's targets exclude it. */
  | { readonly t: 'out-of-scope' }
  /** The program has registered outputs of its own. */
  | { readonly t: 'outputs' }
  /** State has no entry of it. */
  | { readonly t: 'new' }
  /** State has an entry, but this run looked for its object and found none. */
  | { readonly t: 'vanished' }
  /** Inputs differ, or the provider reports a difference (no keys). `sources`: origins of changed values. */
  | {
      readonly t: 'property';
      readonly keys: readonly string[];
      /** True if they cannot be changed in place. */
      readonly replaces: boolean;
      readonly sources: readonly ReasonSource[];
    }
  /** An option of the resource asks for a new object. `keys`: differing properties, for replaceOnChanges. */
  | {
      readonly t: 'option';
      readonly name: 'replaceOnChanges' | 'replacementTrigger';
      readonly keys: readonly string[];
      readonly sources: readonly ReasonSource[];
    }
  /** A resource that it is linked to is replaced. `keys`: inputs that come from there, for a link by property. */
  | {
      readonly t: 'dependency';
      readonly urn: Urn;
      readonly link: DependencyLink;
      readonly keys: readonly string[];
    }
  /** It moves to another provider that cannot take over the object. */
  | {
      readonly t: 'provider';
      readonly from: ProviderReference | undefined;
      readonly to: ProviderReference | undefined;
    }
  /** Its provider has no complete configuration yet (preview), so a change cannot be ruled out. */
  | { readonly t: 'provider-unknown' }
  | { readonly t: 'taint' }
  /** The user asked for its replacement. */
  | { readonly t: 'requested' }
  /** Its object was made but did not become ready. */
  | { readonly t: 'init-errors' }
  | { readonly t: 'import'; readonly id: string }
  /** The program manages a resource that it has only read so far. */
  | { readonly t: 'ownership' }
  | { readonly t: 'read' }
  /** The program reads another object under a name that was managed. */
  | { readonly t: 'read-other' }
  | { readonly t: 'not-registered' }
  | { readonly t: 'not-read' }
  /** A destroy deletes it. `as`: its role in a destroy that does not delete everything. */
  | { readonly t: 'destroy'; readonly as?: 'target' | 'dependent' | 'rest' | undefined }
  /** A step of this run has replaced its object. */
  | { readonly t: 'replaced' }
  /** An earlier run has replaced its object and could not delete the old one. */
  | { readonly t: 'left-over' }
  /** An earlier run has deleted its object and got no further. */
  | { readonly t: 'interrupted' }
  /** An earlier operation began it, and this one continues that. */
  | { readonly t: 'continued' }
  /** An earlier run has deleted its object and got no further, and the program no longer wants it. */
  | { readonly t: 'abandoned' }
  /** A rollback undoes a change. */
  | { readonly t: 'rollback' }
  /** It belongs to a resource, whose provider reports its changes. */
  | { readonly t: 'view'; readonly owner: Urn }
  /** `before-update`: its provider requires a look at it before every operation. */
  | { readonly t: 'refresh'; readonly asked: 'user' | 'before-update' };

/** Returns a reason as a phrase that follows the name of the resource. */
export function reasonText(reason: Reason): string {
  switch (reason.t) {
    case 'unchanged':
      return 'nothing differs';
    case 'kept':
      return 'this operation leaves it as it is';
    case 'out-of-scope':
      return 'the operation leaves it alone';
    case 'outputs':
      return 'the program registers its outputs';
    case 'new':
      return 'it is new';
    case 'vanished':
      return 'its object no longer exists';
    case 'property':
      return propertyText(reason.keys, reason.replaces) + sourcesText(reason.sources);
    case 'option':
      return optionText(reason.name, reason.keys) + sourcesText(reason.sources);
    case 'dependency':
      return dependencyText(reason.urn, reason.link, reason.keys);
    case 'provider':
      return 'its provider changed';
    case 'provider-unknown':
      return 'its provider is not configured yet, so it may change';
    case 'taint':
      return 'it is tainted';
    case 'requested':
      return 'its replacement was requested';
    case 'init-errors':
      return 'it did not become ready';
    case 'import':
      return reason.id === '' ? 'it is on the list' : `object ${reason.id} is taken over`;
    case 'ownership':
      return 'the program now manages what it only read before';
    case 'read':
      return 'the program reads it';
    case 'read-other':
      return 'the program reads another object under this name';
    case 'not-registered':
      return 'the program no longer registers it';
    case 'not-read':
      return 'the program no longer reads it';
    case 'destroy':
      return DESTROYED[reason.as ?? 'all'];
    case 'replaced':
      return 'it was replaced';
    case 'left-over':
      return 'it was replaced by an earlier run';
    case 'interrupted':
      return 'its object was deleted by an earlier run';
    case 'continued':
      return 'an earlier operation began it';
    case 'abandoned':
      return 'its object is gone and it is no longer wanted';
    case 'rollback':
      return 'what was done to it is undone';
    case 'view':
      return `it follows ${urnName(reason.owner)}`;
    case 'refresh':
      return reason.asked === 'user'
        ? 'its object is looked up'
        : 'its provider requires a look-up before every update';
    default:
      return unreachable(reason);
  }
}

const DESTROYED = {
  all: 'everything is destroyed',
  target: 'its deletion was requested',
  dependent: 'it depends on a target',
  rest: 'everything that is not excluded is destroyed',
} as const;

function propertyText(keys: readonly string[], replaces: boolean): string {
  if (replaces) return `${list(keys, 'a property')} cannot be changed in place`;
  return keys.length === 0 ? 'its provider reports changes' : `${list(keys)} changed`;
}

function optionText(name: 'replaceOnChanges' | 'replacementTrigger', keys: readonly string[]): string {
  if (name === 'replacementTrigger') return 'its replacement trigger changed';
  return `${list(keys, 'it')} changed, and replaceOnChanges requires a new object`;
}

function dependencyText(urn: Urn, link: DependencyLink, keys: readonly string[]): string {
  const other = named(urn);
  switch (link) {
    case 'property':
      return `${list(keys)} ${keys.length === 1 ? 'comes' : 'come'} from ${other}, which is replaced`;
    case 'provider':
      return `its provider ${other} is replaced`;
    case 'deletedWith':
      return `its object is deleted with ${other}, which is replaced`;
    case 'replaceWith':
      return `it is replaced with ${other}`;
    default:
      return unreachable(link);
  }
}

const DONE = {
  create: 'is created',
  update: 'is updated',
  replace: 'is replaced',
  read: 'is read',
  import: 'is imported',
} as const satisfies Record<SourceStep, string>;

/** Returns a phrase for the first source. A phrase has no room for more. */
function sourcesText(sources: readonly ReasonSource[]): string {
  const [first] = sources;
  if (first === undefined) return '';
  return `: ${first.key} comes from ${named(first.urn)}, which ${DONE[first.step]}`;
}

/** Maximum number of keys in a phrase. */
const NAMED_KEYS = 3;

function list(keys: readonly string[], none = ''): string {
  if (keys.length === 0) return none;
  const shown = keys.slice(0, NAMED_KEYS).join(', ');
  return keys.length > NAMED_KEYS ? `${shown} and ${keys.length - NAMED_KEYS} more` : shown;
}

/** Returns the type without its package and module, and the name: `Bucket "logs"`. */
function named(urn: Urn): string {
  const type = urnType(urn);
  return `${type.slice(type.lastIndexOf(':') + 1)} "${urnName(urn)}"`;
}
