import { isProviderType, makeUrn, isTypeToken } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { RequestedImport, OperationIdentity } from '../../model/request.js';

/** An item with its place in the stack. */
export interface ListedResource {
  readonly item: RequestedImport;
  readonly urn: Urn;
  readonly parent: Urn;
}

/** Parts of an entry's state before an import that the list needs. */
interface KnownEntry {
  readonly id: string;
  readonly importId: string;
}

/** A list in the order of work, or its faults. */
type ImportOrder =
  | {
      readonly t: 'ordered';
      /**
       * Levels. Each needs those before it, and nothing in it needs another item of it. Entries already in state are
       * left out.
       */
      readonly levels: readonly (readonly ListedResource[])[];
    }
  | { readonly t: 'refused'; readonly diagnostics: readonly Diagnostic[] };

/**
 * Sorts a list into levels by parent and provider, regardless of its order [IMP-3]. Refuses duplicates, missing
 * parents, items that cannot be imported or need themselves, and objects with other ids than those in state. `known`:
 * returns the live entry of a URN.
 */
export function importOrder(
  items: readonly RequestedImport[],
  identity: OperationIdentity,
  root: Urn,
  known: (urn: Urn) => KnownEntry | undefined,
): ImportOrder {
  const listed = items.map((item) => placed(item, identity, root));
  const byUrn = new Map<Urn, ListedResource>();
  const diagnostics: Diagnostic[] = [];
  for (const each of listed) {
    const against = byUrn.has(each.urn) ? duplicate(each) : unfit(each);
    byUrn.set(each.urn, each);
    if (against !== undefined) diagnostics.push(against);
  }
  const there = (urn: Urn) => urn === root || known(urn) !== undefined;
  for (const each of byUrn.values()) {
    const { urn, parent, item } = each;
    const entry = known(urn);
    if (!byUrn.has(parent) && !there(parent)) diagnostics.push(orphan(each));
    else if (entry !== undefined && !isProviderType(item.type) && wantedId(entry) !== item.id)
      diagnostics.push(taken(each, entry));
  }
  if (diagnostics.length > 0) return { t: 'refused', diagnostics };
  const wanted = [...byUrn.values()].filter(({ urn }) => !there(urn));
  const levels = levelsOf(wanted);
  const left = wanted.length - levels.flat().length;
  return left === 0 ? { t: 'ordered', levels } : { t: 'refused', diagnostics: [circle(wanted, levels)] };
}

function placed(item: RequestedImport, { stack, project }: OperationIdentity, root: Urn): ListedResource {
  const { type, name } = item;
  const parent = item.parent ?? root;
  return { item, parent, urn: makeUrn({ stack, project, parent, type, name }) };
}

/** Sorts items into levels. Each needs the one before it; an item that needs itself is in none. O(V + E). */
function levelsOf(wanted: readonly ListedResource[]): readonly (readonly ListedResource[])[] {
  const listed = new Set(wanted.map(({ urn }) => urn));
  const open = new Map<Urn, number>();
  const dependents = new Map<Urn, ListedResource[]>();
  for (const each of wanted) {
    const needs = needsOf(each).filter((urn) => listed.has(urn));
    open.set(each.urn, needs.length);
    for (const urn of needs) (dependents.get(urn) ?? newList(dependents, urn)).push(each);
  }
  const levels: (readonly ListedResource[])[] = [];
  let level = wanted.filter(({ urn }) => open.get(urn) === 0);
  while (level.length > 0) {
    levels.push(level);
    level = level
      .flatMap(({ urn }) => dependents.get(urn) ?? [])
      .filter(({ urn }) => {
        const left = (open.get(urn) as number) - 1;
        open.set(urn, left);
        return left === 0;
      });
  }
  return levels;
}

function newList(lists: Map<Urn, ListedResource[]>, urn: Urn): ListedResource[] {
  const list: ListedResource[] = [];
  lists.set(urn, list);
  return list;
}

function needsOf({ parent, item: { provider } }: ListedResource): readonly Urn[] {
  return provider === undefined || provider === parent ? [parent] : [parent, provider];
}

function circle(
  wanted: readonly ListedResource[],
  levels: readonly (readonly ListedResource[])[],
): Diagnostic {
  const placed = new Set(levels.flat());
  const [first] = wanted.filter((each) => !placed.has(each));
  const { item, urn } = first as ListedResource;
  return errorDiagnostic('CAIRN-RESOURCE-PARENT', `${item.type} "${item.name}" comes before itself`, {
    urn,
    hint: 'Give its provider another parent: a provider cannot be a child of a resource that it manages.',
  });
}

/** Returns the id that the object was requested with. */
function wantedId({ id, importId }: KnownEntry): string {
  return importId === '' ? id : importId;
}

function unfit({ item, urn }: ListedResource): Diagnostic | undefined {
  const { type, id, component } = item;
  if (type === 'pulumi:pulumi:StackReference') {
    return errorDiagnostic('CAIRN-RESOURCE-TYPE', 'stack references cannot be imported', {
      urn,
      hint: 'Read it in the program instead.',
    });
  }
  if (isProviderType(type))
    return id !== '' || component || item.outputs !== undefined ? lookedUp(item, urn) : undefined;
  if (component && !item.remote) return undefined;
  if (!isTypeToken(type)) {
    return errorDiagnostic(
      'CAIRN-RESOURCE-TYPE',
      `"${type}" is not a type token of the form package:module:name`,
      { urn, hint: 'Use the type token that the provider documents.' },
    );
  }
  if (component || id !== '') return undefined;
  return errorDiagnostic('CAIRN-RESOURCE-OPTION', `${type} "${item.name}" has no id to import`, {
    urn,
    hint: 'Give the id by which its provider finds the object.',
  });
}

function lookedUp({ type, name }: RequestedImport, urn: Urn): Diagnostic {
  return errorDiagnostic(
    'CAIRN-RESOURCE-TYPE',
    `${type} "${name}" is a provider, which cannot be looked up`,
    {
      urn,
      hint: 'Leave out its id, outputs and component; its inputs are its settings.',
    },
  );
}

function duplicate({ item, urn }: ListedResource): Diagnostic {
  return errorDiagnostic('CAIRN-RESOURCE-DUPLICATE', `duplicate import of ${item.type} "${item.name}"`, {
    urn,
    hint: 'Remove one of the two from the list, or give it another name or parent.',
  });
}

function orphan({ parent, urn }: ListedResource): Diagnostic {
  return errorDiagnostic('CAIRN-RESOURCE-PARENT', `unknown parent ${parent} of ${urn}`, {
    urn,
    hint: 'Import the parent as well, or name one that is in the stack.',
  });
}

function taken({ urn, item }: ListedResource, entry: KnownEntry): Diagnostic {
  return errorDiagnostic('CAIRN-RESOURCE-DUPLICATE', `resource ${urn} already exists`, {
    urn,
    causes: [`the stack has it with id "${wantedId(entry)}", the import names "${item.id}"`],
    hint: 'Import it under another name, or remove the old one from the stack first.',
  });
}
