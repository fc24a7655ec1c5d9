import { urnName, urnType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { cairnError } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import type { ResourceEntry, Snippet } from '@cairn/state';
import type { OperationRequest, SnippetOptions } from '../model/request.js';

/** The snippets of one operation. */
export interface SnippetPlan {
  /** Everything state holds while the operation runs, deleted ones included. */
  readonly all: readonly Snippet[];
  /** What is evaluated. */
  readonly run: readonly Snippet[];
  /** Uuids that go once no live resource has them. */
  readonly deleted: ReadonlySet<string>;
  /** `all` differs from what state holds. */
  readonly changed: boolean;
  /** Undefined: everything takes part. */
  readonly targets: ReadonlySet<string> | undefined;
}

/** Applies the changes that were asked for. Throws a CairnError for one that cannot be [SNIP-3]. */
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

/** What state holds in the end: a deleted snippet stays while a live resource has its uuid [SNIP-4]. */
export function remainingSnippets(plan: SnippetPlan, entries: readonly ResourceEntry[]): readonly Snippet[] {
  if (plan.deleted.size === 0) return plan.all;
  const alive = new Set(entries.filter((entry) => !entry.delete).map((entry) => entry.snippetId));
  return plan.all.filter(({ uuid }) => !plan.deleted.has(uuid) || alive.has(uuid));
}

/**
 * Finds resources of the targeted snippets: by what state says, or by what they are going to register. Undefined: no
 * snippet is targeted.
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

/** One of several resources that a snippet makes: its name goes on behind that of the snippet. */
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
