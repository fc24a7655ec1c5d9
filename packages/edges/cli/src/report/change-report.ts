import { isUrn, urnName, urnType } from '@cairn/addresses';
import type { ChangeRow, StoredChange } from '@cairn/backends';
import type { TaskView } from '@cairn/changes';
import type { StepKind } from '@cairn/engine';
import { resourceGraph } from '@cairn/graphs';
import type { Mark } from '@cairn/graphs';
import { shortType } from '../display/short-type.js';
import { STEP_TONES } from './operation-graph.js';
import { reportPage } from './report-page.js';

/** The parts of a resource that its record contains in clear. */
interface Recorded {
  readonly urn: string;
  readonly parent?: string;
  readonly custom?: boolean;
  readonly dependencies?: readonly string[];
  readonly inputs?: Readonly<Record<string, unknown>>;
}

/**
 * Returns a change as a page, made from its record: steps, names of differing inputs, graph and times. Values are
 * omitted, because the secret ones are sealed in the record. Reasons are not recorded, so only those that the inputs
 * show are named.
 */
export async function changeReport(
  stored: Pick<StoredChange, 'view' | 'records' | 'base'>,
  row: ChangeRow,
  about: { readonly project: string; readonly stack: string; readonly error: string | undefined },
): Promise<string> {
  const tasks = [...(stored.view?.tasks.values() ?? [])].filter(({ data }) => isUrn(String(data['urn'])));
  const base = new Map(
    (await stored.base())?.resources.map((each) => [each.urn as string, each as Recorded]),
  );
  const after = new Map<string, Recorded>();
  for (const record of stored.records) {
    const state = 'entry' in record ? (record.entry as { state?: Recorded } | undefined)?.state : undefined;
    if (state !== undefined) after.set(state.urn, state);
  }
  const marks = new Map(tasks.map((task) => [String(task.data['urn']), markOf(task)]));
  return reportPage({
    title: `Change ${row.id}: ${about.project}/${about.stack}`,
    facts: [
      ['Project', about.project],
      ['Stack', about.stack],
      ['Change', row.id],
      ['Result', row.result ?? 'in progress'],
      ...(about.error === undefined ? [] : [['Error', about.error] as const]),
      ['Reasons', 'as the inputs show'],
    ],
    diagnostics: [],
    next: row.unfinished ? [`cairn resume ${row.id}`, `cairn rollback ${row.id}`] : [],
    changes: tasks.map((task) => {
      const urn = String(task.data['urn']);
      const type = isUrn(urn) ? urnType(urn) : '';
      const changes = differing(base.get(urn), after.get(urn), task.kind);
      const lines = changes.map(({ sign, key }) => `    ${sign} ${key}`);
      const why = task.reason ?? shownReason(task.kind, base.has(urn), changes);
      return { urn, type, name: nameOf(urn), mark: markOf(task), why, lines };
    }),
    outputs: [],
    graph: resourceGraph(
      [...marks].map(([urn, mark]) => {
        const known = after.get(urn) ?? base.get(urn);
        const { parent, dependencies = [] } = known ?? {};
        return {
          ...{ urn, mark, type: isUrn(urn) ? shortType(urnType(urn)) : '' },
          custom: known?.custom ?? true,
          refers: { ...(parent === undefined ? {} : { parent }), dependencies },
        };
      }),
    ),
    steps: tasks.flatMap((task) => {
      const endMs = task.ended === undefined ? undefined : Date.parse(task.ended);
      const startMs = endMs === undefined ? Date.parse(task.spawned) : endMs - task.doingMs - task.undoingMs;
      const { tone, words } = markOf(task);
      return [{ name: nameOf(String(task.data['urn'])), words, tone, startMs, endMs }];
    }),
  });
}

const nameOf = (urn: string): string => (isUrn(urn) ? urnName(urn) : urn);

function markOf({ kind, status }: TaskView): Mark {
  const tone = status === 'error' ? 'failed' : (STEP_TONES[kind as StepKind] ?? 'same');
  return { tone, glyph: GLYPHS[tone] ?? '', words: `${kind}: ${status}` };
}

const GLYPHS: Readonly<Partial<Record<Mark['tone'], string>>> = {
  create: '+',
  update: '~',
  delete: '-',
  replace: '+-',
  failed: '!',
};

interface DifferingInput {
  readonly sign: '+' | '~' | '-';
  readonly key: string;
}

/** Returns the inputs that were added, removed or changed. */
function differing(
  old: Recorded | undefined,
  news: Recorded | undefined,
  kind: string,
): readonly DifferingInput[] {
  if (news === undefined || kind === 'delete' || kind === 'delete-replaced') return [];
  const [before, now] = [old?.inputs ?? {}, news.inputs ?? {}];
  return [...new Set([...Object.keys(before), ...Object.keys(now)])]
    .filter((key) => !key.startsWith('__') && JSON.stringify(before[key]) !== JSON.stringify(now[key]))
    .map((key) => ({ key, sign: !(key in before) ? '+' : key in now ? '~' : '-' }));
}

/** Returns the reason for a step if the previous state and the inputs show it; empty if they do not. */
function shownReason(kind: string, existed: boolean, changes: readonly DifferingInput[]): string {
  if (kind === 'delete-replaced') return 'it was replaced';
  if (kind === 'create') return existed ? '' : 'it is new';
  const isChange = kind === 'update' || kind === 'create-replacement' || kind === 'replace';
  return isChange && changes.length > 0 ? `${changes.map(({ key }) => key).join(', ')} changed` : '';
}
