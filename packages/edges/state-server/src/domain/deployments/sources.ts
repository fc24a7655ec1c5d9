import { parseNoticeDuration } from '@cairn/changes-daemon';
import type { SealedSettings, SourceRow } from './deployment.js';

/** Source whose new commits ask for something. */
interface WatchedSource {
  /** Text that names the source. Another one begins without a commit that was seen. */
  readonly of: string;
  /** Operation that a commit asks for. */
  readonly operation: 'update' | 'preview';
  /** Milliseconds between two looks. */
  readonly everyMs: number;
}

/** Newest commit of a source, and the tree of the stack's folder in it. */
interface FoundHead {
  readonly commit: string;
  readonly tree: string;
}

const OPERATIONS: Readonly<Record<string, WatchedSource['operation'] | undefined>> = {
  up: 'update',
  preview: 'preview',
};
/** Time between two looks of a source that says nothing else, and the shortest one. Milliseconds. */
const USUAL_MS = 60_000;
const LEAST_MS = 1_000;
/** Milliseconds during which the same failure is not reported again. */
const REPEAT_MS = 3_600_000;

/**
 * Returns the source of settings whose commits ask for operations: a repository without a fixed commit, if
 * `cairn.onCommit` or Pulumi's `gitHub.deployCommits` says so [AGT-19].
 */
export function watchedSource(settings: SealedSettings): WatchedSource | undefined {
  const own = membersIn(settings, 'cairn');
  const source = membersIn(own, 'source');
  const { gitAuth: _, ...git } = membersIn(membersIn(settings, 'sourceContext'), 'git');
  const isVersioned =
    source['git'] !== undefined ||
    source['archive'] !== undefined ||
    (git['repoUrl'] && source['directory'] === undefined);
  const isFixed = typeof git['commit'] === 'string' && git['commit'] !== '';
  const deploys = membersIn(settings, 'gitHub')['deployCommits'] === true;
  const operation = OPERATIONS[String(own['onCommit'] ?? (deploys ? 'up' : 'nothing'))];
  if (!isVersioned || isFixed || operation === undefined) return undefined;
  const { every, ...place } = source;
  const everyMs = Math.max(LEAST_MS, parseNoticeDuration(String(every)) ?? USUAL_MS);
  return { of: JSON.stringify([git, place]), operation, everyMs };
}

/** Returns the time of the next look in milliseconds since 1970: at once if nothing is known about the source. */
export function nextLook({ of, everyMs }: WatchedSource, row: SourceRow | undefined, now: Date): number {
  const looked = row?.of === of ? Date.parse(row.looked ?? '') : NaN;
  // After the clock was set back, the next look is at once.
  return looked <= now.getTime() ? looked + everyMs : 0;
}

/** Returns a row that an agent has, to look. */
export function begunLook({ of }: WatchedSource, row: SourceRow | undefined, agent: string): SourceRow {
  return { ...(row?.of === of ? row : { of }), fence: (row?.fence ?? 0) + 1, agent };
}

/** Returns a row after a look: what was found, or why it failed. `isNews` is false for a failure that has a notice. */
export function endedLook(
  { agent: _agent, failed, ...row }: SourceRow,
  found: FoundHead | { readonly why: string },
  now: Date,
): { readonly row: SourceRow; readonly isNews: boolean } {
  const looked = now.toISOString();
  if (!('why' in found)) {
    const isNews = found.tree !== row.tree;
    return { row: { ...row, commit: found.commit, tree: found.tree, looked }, isNews };
  }
  const isKnown = failed?.why === found.why && now.getTime() - Date.parse(failed.at) < REPEAT_MS;
  return {
    row: { ...row, looked, failed: isKnown ? failed : { why: found.why, at: looked } },
    isNews: !isKnown,
  };
}

/** Returns the parts of settings that name a source. */
export function sourceSettings(settings: SealedSettings): SealedSettings {
  const { sourceContext, cairn } = settings;
  const { source } = membersIn({ cairn }, 'cairn');
  return {
    ...(sourceContext !== undefined && { sourceContext }),
    ...(source !== undefined && { cairn: { source } }),
  };
}

function membersIn(members: SealedSettings, name: string): SealedSettings {
  const value = Object.hasOwn(members, name) ? members[name] : undefined;
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as SealedSettings)
    : {};
}
