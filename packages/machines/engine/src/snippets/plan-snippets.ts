import { urnName, urnType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { cairnError } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import type { ResourceEntry, Snippet } from '@cairn/state';
import type { OperationRequest, SnippetOptions } from '../model/request.js';

/** The snippets of one operation. */
export interface SnippetPlan {
  /** All snippets of the state while the operation runs, including deleted ones. */
  readonly all: readonly Snippet[];
  /** Snippets to evaluate. */
  readonly run: readonly Snippet[];
  /** Uuids of snippets that are removed once no live resource has them. */
  readonly deleted: ReadonlySet<string>;
  /** True if `all` differs from the state. */
  readonly changed: boolean;
  /** Uuids of the targets; `undefined` if all snippets take part. */
  readonly targets: ReadonlySet<string> | undefined;
}

/** Applies the requested changes. Throws a CairnError for a change that is not possible [SNIP-3]. */
export function planSnippets(base: readonly Snippet[], options: SnippetOptions): SnippetPlan {
  const all = new Map(base.map((snippet) => [snippet.uuid, snippet]));
  const deleted = new Set<string>();
  let changed = false;
  for (const [key, snippet] of Object.entries(options.changes ?? {})) {
    if (snippet === null) {
      if (!all.has(key)) throw refused(`cannot delete snippet "${key}": no such snippet in snapshot`);
      deleted.add(key);
      continue;
    }
    if (snippet.uuid !== key) throw refused(`snippet "${key}" has mismatched uuid "${snippet.uuid}"`);
    all.set(key, snippet);
    changed = true;
  }
  const targets = options.targets === undefined ? undefined : new Set(options.targets);
  const list = [...all.values()];
  const run = list.filter(({ uuid }) => !deleted.has(uuid) && (targets === undefined || targets.has(uuid)));
  return { all: list, run, deleted, changed, targets };
}

/** Returns the snippets of the final state. A deleted snippet remains while a live resource has its uuid [SNIP-4]. */
export function remainingSnippets(plan: SnippetPlan, entries: readonly ResourceEntry[]): readonly Snippet[] {
  if (plan.deleted.size === 0) return plan.all;
  const alive = new Set(entries.filter((entry) => !entry.delete).map((entry) => entry.snippetId));
  return plan.all.filter(({ uuid }) => !plan.deleted.has(uuid) || alive.has(uuid));
}

/**
 * Returns a test for resources of the targeted snippets, by their state or by the registrations they will make. Returns
 * `undefined` if no snippet is targeted.
 */
export function ownedByTargets({
  base,
  snippets = {},
  kind,
}: Pick<OperationRequest, 'base' | 'snippets' | 'kind'>): ((urn: Urn) => boolean) | undefined {
  if (snippets.targets === undefined || kind !== 'up') return undefined;
  const { targets, run } = planSnippets(base.snippets ?? [], snippets);
  if (targets === undefined) return undefined;
  const old = new Set(
    base.resources.filter(({ snippetId = '' }) => targets.has(snippetId)).map((entry) => entry.urn),
  );
  const made = new Set(run.map(({ type, name }) => `${type}\n${name}`));
  return (urn) => old.has(urn) || made.has(`${urnType(urn)}\n${urnName(urn)}`) || isInstance(urn, run);
}

/** Tells whether the URN is one of several resources that a snippet makes. Its name extends that of the snippet. */
function isInstance(urn: Urn, run: readonly Snippet[]): boolean {
  const [type, name] = [urnType(urn), urnName(urn)];
  return run.some(
    (snippet) =>
      snippet.type === type && /\brange\s*=/.test(snippet.code) && name.startsWith(`${snippet.name}-`),
  );
}

function refused(message: string): CairnError {
  return cairnError('CAIRN-SNIPPET', message, { hint: 'Nothing was changed.' });
}
