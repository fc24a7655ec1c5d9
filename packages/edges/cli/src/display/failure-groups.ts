import { urnName, urnType } from '@cairn/addresses';
import type { Diagnostic } from '@cairn/diagnostics';
import { aboutUrn } from './diagnostic-words.js';
import { shortType } from './short-type.js';

/** Number of resources with the same failure from which they are listed below it. */
const LISTED = 4;

/** Failures of several resources in the same words, apart from the resources' names. */
export interface FailureGroup {
  /** The failure in the words that apply to all of them. */
  readonly shared: Diagnostic;
  readonly members: readonly Diagnostic[];
}

/** Returns failures that many resources share, and the others one by one, both in order of appearance. */
export function groupedFailures<T extends { readonly diagnostic: Diagnostic }>(
  errors: readonly T[],
): { readonly groups: readonly FailureGroup[]; readonly single: readonly T[] } {
  const alike = new Map<string, { shared: Diagnostic; members: Diagnostic[] }>();
  const groupOf = new Map<T, { shared: Diagnostic; members: Diagnostic[] }>();
  for (const error of errors) {
    const shared = withoutResource(error.diagnostic);
    if (shared === undefined) continue;
    const key = wordsOf(shared);
    const group = alike.get(key) ?? { shared, members: [] };
    alike.set(key, group);
    group.members.push(error.diagnostic);
    groupOf.set(error, group);
  }
  return {
    groups: [...alike.values()].filter(({ members }) => members.length >= LISTED),
    single: errors.filter((error) => (groupOf.get(error)?.members.length ?? 0) < LISTED),
  };
}

const wordsOf = ({ code, summary, causes, hint }: Diagnostic): string =>
  JSON.stringify([code, summary, causes, hint]);

/**
 * Returns the diagnostic in words that apply to every resource, or undefined if it is about no resource. Without a
 * `common` summary, the name is removed from the texts.
 */
function withoutResource(diagnostic: Diagnostic): Diagnostic | undefined {
  const { urn: _urn, source: _source, common, ...said } = diagnostic;
  const urn = aboutUrn(diagnostic);
  if (urn === undefined) return undefined;
  const hint = said.hint === undefined ? {} : { hint: said.hint.replaceAll(urn, 'URN') };
  if (common !== undefined) return { ...said, summary: common, ...hint };
  const [type, name] = [urnType(urn), urnName(urn)];
  const bare = (text: string): string =>
    [urn, `${type} "${name}"`, `${shortType(type)} "${name}"`, `"${name}"`]
      .reduce((rest, each) => rest.replaceAll(each, ''), text)
      .replace(/ {2,}/g, ' ')
      .replace(/ ([:;,.])/g, '$1')
      .trim();
  return {
    ...said,
    summary: bare(said.summary),
    ...(said.causes === undefined ? {} : { causes: said.causes.map(bare) }),
    ...hint,
  };
}
