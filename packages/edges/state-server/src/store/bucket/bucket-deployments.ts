import type { StackId } from '@cairn/backends';
import type { BlobStore } from '@cairn/blobs';
import { DueTimes } from '@cairn/changes-daemon';
import { RUN_LEASE_SECONDS } from '@cairn/http-api';
import type { AskedDeployment } from '../../domain/deployments/deployment.js';
import { EVERY_ID, repeatedNotice } from '../deployment-store.js';
import type {
  AgentRow,
  DeploymentKind,
  DeploymentRows,
  DeploymentStore,
  NoticeRow,
} from '../deployment-store.js';
import { keys } from './documents.js';
import type { Documents } from './documents.js';

/**
 * Deployments in a bucket: one document each, and a mark for each that is open. Times are kept in memory: after a
 * restart each stack with a mark is looked at at once, and each run is kept for its time once more.
 */
export function bucketDeployments(
  blobs: BlobStore,
  documents: Documents,
  monotonic: () => number,
): DeploymentStore {
  const folder = (stackId: string, kind: DeploymentKind): string => `${keys.deployments}${stackId}/${kind}/`;
  const mark = (stackId: string, id: string): string => `${keys.deployments}${stackId}/open/${id}`;
  const ids = async (stackId: string, kind: DeploymentKind): Promise<readonly string[]> => {
    const prefix = folder(stackId, kind);
    const rows = await blobs.list(prefix);
    return rows.map(({ key }) => key.slice(prefix.length).replace(/\.json$/, '')).sort();
  };
  const read = async <K extends DeploymentKind>(stackId: string, kind: K, names: readonly string[]) => {
    const found = await Promise.all(
      names.map(async (id) => ({
        id,
        row: await documents.get<DeploymentRows[K]>(`${folder(stackId, kind)}${id}.json`),
      })),
    );
    return found.filter((each): each is { id: string; row: DeploymentRows[K] } => each.row !== undefined);
  };
  return {
    deploymentRows: async (stackId, kind, { from, below } = EVERY_ID) => {
      const names = await ids(stackId, kind);
      return read(
        stackId,
        kind,
        names.filter((id) => id >= from && id < below),
      );
    },
    deploymentPage: async (stackId, kind, { size, page }) => {
      const names = [...(await ids(stackId, kind))].reverse();
      return {
        rows: await read(stackId, kind, names.slice((page - 1) * size, page * size)),
        total: names.length,
      };
    },
    openDeployments: async (stackId) => {
      const marks = await blobs.list(`${keys.deployments}${stackId}/open/`);
      const names = marks.map(({ key }) => key.slice(key.lastIndexOf('/') + 1)).sort();
      return (await read(stackId, 'deployments', names)).map(({ row }): AskedDeployment => row);
    },
    putDeploymentRow: async (stackId, kind, id, row, isOpen) => {
      // The mark is first: an open deployment without one would never be looked at.
      if (isOpen === true) await documents.put(mark(stackId, id), {});
      await documents.put(`${folder(stackId, kind)}${id}.json`, row);
      if (isOpen === false) await documents.remove(mark(stackId, id));
    },
    removeDeploymentRows: async (stackId, kind, { from, below }) => {
      for (const id of await ids(stackId, kind))
        if (id >= from && id < below) await documents.remove(`${folder(stackId, kind)}${id}.json`);
    },
    ...leasesInMemory(monotonic),
    ...bucketDueStacks(documents, monotonic),
    ...bucketAgents(documents, monotonic),
  };
}

function leasesInMemory(
  monotonic: () => number,
): Pick<DeploymentStore, 'keepRunLease' | 'endRunLease' | 'livingRunLeases'> {
  const ends = new Map<string, number>();
  return {
    keepRunLease: async (_stackId, deployment, ms) => void ends.set(deployment, monotonic() + ms),
    endRunLease: async (deployment) => void ends.delete(deployment),
    livingRunLeases: async (deployments) => {
      for (const each of deployments)
        if (!ends.has(each)) ends.set(each, monotonic() + RUN_LEASE_SECONDS * 1000);
      return new Set(deployments.filter((each) => (ends.get(each) ?? 0) > monotonic()));
    },
  };
}

/** Stack that is due, as its mark names it. */
interface DueMark {
  readonly stack: StackId;
}

function bucketDueStacks(
  documents: Documents,
  monotonic: () => number,
): Pick<DeploymentStore, 'wakeStack' | 'dueStacks'> {
  const times = new DueTimes();
  let loaded: Promise<Map<string, StackId>> | undefined;
  const marks = (): Promise<Map<string, StackId>> => {
    loaded ??= documents
      .list<DueMark & { readonly id: string }>(keys.dueStacks)
      .then((rows) => {
        for (const { id } of rows) times.plan(id, -Infinity);
        return new Map(rows.map(({ id, stack }) => [id, stack]));
      })
      .catch((thrown: unknown) => {
        loaded = undefined;
        throw thrown;
      });
    return loaded;
  };
  return {
    wakeStack: async (stack, stackId, ms) => {
      const known = await marks();
      const key = `${keys.dueStacks}${stackId}.json`;
      const before = known.get(stackId);
      if (ms === undefined) {
        times.forget(stackId);
        if (known.delete(stackId)) await documents.remove(key);
        return;
      }
      known.set(stackId, stack);
      times.plan(stackId, monotonic() + ms);
      const isSame =
        before !== undefined &&
        before.stack === stack.stack &&
        before.project === stack.project &&
        before.organization === stack.organization;
      if (!isSame) await documents.put(key, { id: stackId, stack });
    },
    dueStacks: async (most) => {
      const known = await marks();
      return times.due(monotonic(), most).map((id) => known.get(id) as StackId);
    },
  };
}

function bucketAgents(
  documents: Documents,
  monotonic: () => number,
): Pick<
  DeploymentStore,
  'seeAgent' | 'putAgent' | 'listAgents' | 'addNotice' | 'acknowledgeNotice' | 'listNotices'
> {
  const seen = new Map<string, number>();
  const began = monotonic();
  const key = (organization: string, name: string): string => `${keys.agents}${organization}/${name}.json`;
  const noticeKey = (organization: string, { type, key: about }: Pick<NoticeRow, 'type' | 'key'>): string =>
    `${keys.notices}${organization}/${Buffer.from(`${type} ${about}`).toString('base64url')}.json`;
  const put = async (organization: string, agent: AgentRow): Promise<void> => {
    seen.set(key(organization, agent.name), monotonic());
    await documents.put(key(organization, agent.name), agent);
  };
  return {
    seeAgent: async (organization, agent) => {
      const known = await documents.get<AgentRow>(key(organization, agent.name));
      const noted = { ...agent, ...(known?.drain && { drain: known.drain }) };
      if (known === undefined || known.pool !== agent.pool || known.gone !== undefined)
        await put(organization, noted);
      seen.set(key(organization, agent.name), monotonic());
      return noted;
    },
    putAgent: put,
    listAgents: async (organization) =>
      (await documents.list<AgentRow>(`${keys.agents}${organization}/`)).map((agent) => ({
        agent,
        agoMs: monotonic() - (seen.get(key(organization, agent.name)) ?? began),
      })),
    addNotice: async (organization, notice, before) => {
      await documents.edit<NoticeRow>(noticeKey(organization, notice), async (known) => {
        const isEarly = before !== undefined && known !== undefined && known['last-repeated'] > before;
        return isEarly ? undefined : repeatedNotice(known, notice);
      });
    },
    acknowledgeNotice: async (organization, notice, acknowledged) => {
      await documents.edit<NoticeRow>(
        noticeKey(organization, notice),
        async (before) => before && { ...before, acknowledged },
      );
    },
    listNotices: async (organization, after) =>
      (await documents.list<NoticeRow>(`${keys.notices}${organization}/`))
        .filter((notice) => notice['last-repeated'] > after)
        .sort((a, b) => (a['last-repeated'] < b['last-repeated'] ? -1 : 1)),
  };
}
