import { parseProviderReference } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import type { Cell } from '../model/cell.js';
import type { DependencyLink, Reason } from '../model/reason.js';
import type { Facts } from './facts.js';
import { dependentKey } from './verdict.js';
import type { CondemnedEntry, DependentDiff } from './verdict.js';

/** Entries that must be deleted before the root, or the questions that are still open. */
type Condemned =
  | { readonly t: 'ask'; readonly dependents: readonly DependentDiff[] }
  /** In snapshot order, without the root. */
  | { readonly t: 'known'; readonly entries: readonly CondemnedEntry[] };

/**
 * Finds the dependents in the old graph that a delete-first replacement deletes as well [DIFF-9]. The set grows by its
 * own dependents. Each round of questions needs the answers of the previous one. Entries already processed in this run
 * are left alone. A fresh import has no dependents in the old graph.
 */
export function condemnedBy(facts: Facts, root: Cell): Condemned {
  const members = new Map<Urn, Cell>([[root.entry.urn, root]]);
  const taken = new Map<Cell, Reason | undefined>([[root, undefined]]);
  const open = new Map<Cell, DependentDiff>();
  const queue: Cell[] = [root];
  for (let member = queue.shift(); member !== undefined; member = queue.shift()) {
    for (const cell of facts.graph.dependents(member.entry.urn)) {
      if (taken.has(cell) || !mayBeCondemned(facts, cell)) continue;
      const answer = judge(facts, cell, members, root.entry.urn);
      if ('because' in answer) {
        taken.set(cell, answer.because);
        open.delete(cell);
        members.set(cell.entry.urn, cell);
        queue.push(cell);
      } else if ('ask' in answer) {
        open.set(cell, answer.ask);
      } else {
        open.delete(cell);
      }
    }
  }
  if (open.size > 0) return { t: 'ask', dependents: [...open.values()] };
  return { t: 'known', entries: inOrder(facts, taken) };
}

function inOrder(facts: Facts, taken: ReadonlyMap<Cell, Reason | undefined>): readonly CondemnedEntry[] {
  return [...taken]
    .flatMap(([cell, reason]) => (reason === undefined ? [] : [{ cell, reason }]))
    .sort((a, b) => facts.entries.position(a.cell) - facts.entries.position(b.cell));
}

function mayBeCondemned(facts: Facts, cell: Cell): boolean {
  const { entry } = cell;
  if (cell.gone || entry.pendingReplacement || entry.external || !entry.custom) return false;
  return !facts.view.isProcessed(cell) && !facts.view.isCondemned(cell);
}

/** Reason why the dependent must be deleted, or the question that decides it, or the decision to keep it. */
type Judgement = { readonly because: Reason } | { readonly ask: DependentDiff } | { readonly stays: true };

const stays: Judgement = { stays: true };

function judge(facts: Facts, cell: Cell, members: ReadonlyMap<Urn, Cell>, root: Urn): Judgement {
  const { entry } = cell;
  const provider = entry.provider === undefined ? undefined : parseProviderReference(entry.provider).urn;
  if (provider !== undefined && members.has(provider)) return hangsOn(provider, 'provider');
  if (entry.deletedWith !== undefined && members.has(entry.deletedWith)) {
    return hangsOn(entry.deletedWith, 'deletedWith');
  }
  if (entry.replaceWith.includes(root)) return hangsOn(root, 'replaceWith');
  const keys = dependentInputs(entry, members);
  const [first] = keys;
  if (first === undefined) return stays;
  const replaces = entry.delete || facts.answers.dependents?.get(dependentKey(entry.urn, keys));
  if (replaces === undefined) return { ask: { cell, keys } };
  return replaces ? hangsOn(memberBehind(entry, first, members) ?? root, 'property', keys) : stays;
}

function hangsOn(urn: Urn, link: DependencyLink, keys: readonly string[] = []): Judgement {
  return { because: { t: 'dependency', urn, link, keys } };
}

function dependentInputs(entry: ResourceEntry, members: ReadonlyMap<Urn, Cell>): readonly string[] {
  return Object.keys(entry.propertyDependencies).filter(
    (key) => memberBehind(entry, key, members) !== undefined,
  );
}

function memberBehind(entry: ResourceEntry, key: string, members: ReadonlyMap<Urn, Cell>): Urn | undefined {
  return entry.propertyDependencies[key]?.find((urn) => members.has(urn));
}
