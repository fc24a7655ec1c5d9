import { isProviderType, makeUrn, parseTypeToken } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { ImportItem, OperationIdentity } from '../../model/request.js';

/** An item with its place in the stack. */
export interface ListedResource {
  readonly item: ImportItem;
  readonly urn: Urn;
  readonly parent: Urn;
}

/** What is in state before an import, as far as the list has to know. */
export interface KnownEntry {
  readonly id: string;
  readonly importId: string;
}

/** A list in the order of work, or what is wrong with it. */
export type ImportOrder =
  | {
      readonly t: 'ordered';
      /** Each level needs those before it, nothing in it needs another; what is in state already is left out. */
      readonly levels: readonly (readonly ListedResource[])[];
    }
  | { readonly t: 'refused'; readonly diagnostics: readonly Diagnostic[] };

/**
 * Puts a list into levels by parent, whatever its order was [IMP-3]. Refuses duplicates, missing parents,
 * what cannot be imported, and objects of other ids than those in state. `known`: the live entry of a URN.
 */
export function importOrder(
  items: readonly ImportItem[],
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
    else if (entry !== undefined && wantedId(entry) !== item.id) diagnostics.push(taken(each, entry));
  }
  if (diagnostics.length > 0) return { t: 'refused', diagnostics };
  return { t: 'ordered', levels: levelsOf(byUrn, there) };
}

function placed(item: ImportItem, { stack, project }: OperationIdentity, root: Urn): ListedResource {
  const { type, name } = item;
  const parent = item.parent ?? root;
  return { item, parent, urn: makeUrn({ stack, project, parent, type, name }) };
}

/** The length of the chain of parents that are not there yet is the level. O(V). */
function levelsOf(
  byUrn: ReadonlyMap<Urn, ListedResource>,
  there: (urn: Urn) => boolean,
): readonly (readonly ListedResource[])[] {
  const depths = new Map<Urn, number>();
  const levels: ListedResource[][] = [];
  for (const start of byUrn.values()) {
    const chain: ListedResource[] = [];
    let at: ListedResource | undefined = start;
    while (at !== undefined && !there(at.urn) && !depths.has(at.urn)) {
      chain.push(at);
      at = byUrn.get(at.parent);
    }
    let depth = at === undefined || there(at.urn) ? -1 : (depths.get(at.urn) as number);
    for (const each of chain.reverse()) {
      depths.set(each.urn, (depth += 1));
      (levels[depth] ??= []).push(each);
    }
  }
  return levels;
}

/** Id that the object was asked for by. */
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
  if (isProviderType(type)) {
    return errorDiagnostic('CAIRN-RESOURCE-TYPE', `providers cannot be imported: ${type} "${item.name}"`, {
      urn,
      hint: 'Name it as the provider of the resources that need it; it is made then.',
    });
  }
  if (component && !item.remote) return undefined;
  if (parseTypeToken(type) === undefined) {
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
    hint: 'Import it under another name, or take the old one out of the stack first.',
  });
}
