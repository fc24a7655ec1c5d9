import { systemRetryPorts } from '@cairn/retries';
import type { RetryPorts } from '@cairn/retries';
import { ConsoleLinkBody } from '@cairn/http-api';
import { untypedDeploymentText } from '@cairn/state';
import { rootOnly } from '../model/root-only.js';
import * as v from 'valibot';
import type { Backend } from '../backend.js';
import type { BackendPorts } from '../backend-ports.js';
import type { ServiceAccess } from '../service-part.js';
import { checkedStackId } from '../stack-id.js';
import type { StackId } from '../stack-id.js';
import { systemTimer } from '../timer.js';
import { refuseWithoutChanges, serviceCapabilities, serviceChanges } from './service-changes.js';
import type { ServiceContext } from './service-context.js';
import { addServiceHistory } from './past-updates.js';
import { readServiceHistory } from './service-history.js';
import { ServiceHttp } from './service-http.js';
import { sendPreview } from './sent-preview.js';
import { openServiceLease } from './service-lease.js';
import {
  cancelCurrent,
  changeTags,
  createOnService,
  currentIn,
  lossIn,
  findStack,
  existingStack,
  removeFromService,
  renameOnService,
  stackRow,
  stackRows,
} from './service-stacks.js';
import {
  editExported,
  exportVersion,
  moveExported,
  readExported,
  replaceExported,
  refuseUnfinishedRename,
} from './service-states.js';
import { awaitIdle, endGone } from './service-wait.js';

/** Opens the backend of a state service. Asks it for the default organization unless the user has chosen one. */
export async function openServiceBackend(
  address: string,
  ports: BackendPorts,
  access: ServiceAccess,
  retries: RetryPorts = systemRetryPorts,
): Promise<Backend> {
  const url = address.replace(/\/+$/, '');
  const http = new ServiceHttp({ url, token: access.token, version: ports.version, retries });
  const organization = access.organization ?? (await defaultOrganization(http)) ?? access.username ?? '';
  return serviceBackend({
    ...{ http, organization, now: ports.now, version: ports.version },
    timer: ports.timer ?? systemTimer,
    integrity: ports.integrity ?? 'check',
    waitForLockMs: ports.waitForLockMs ?? 0,
    waiting: ports.waiting,
    process: ports.process,
    capabilities: serviceCapabilities(http),
    newId: ports.newId,
  });
}

/** The keys of this answer are in any case. */
async function defaultOrganization(http: ServiceHttp): Promise<string | undefined> {
  const answer = await http.find('defaultOrganization', v.record(v.string(), v.unknown()), {});
  const [, login] = Object.entries(answer ?? {}).find(([key]) => key.toLowerCase() === 'githublogin') ?? [];
  return typeof login === 'string' && login !== '' ? login : undefined;
}

function serviceBackend(context: ServiceContext): Backend {
  const { http, organization } = context;
  const own = (id: StackId): StackId => ({
    ...checkedStackId(id),
    organization: id.organization ?? organization,
  });
  return {
    url: http.url,
    service: {
      organization,
      secretsProvider: (id) => {
        const { project, stack, ...named } = own(id);
        const state = { url: http.url, owner: named.organization, project, stack };
        return { type: 'service', state: JSON.stringify(state) };
      },
      requireChanges: () => refuseWithoutChanges(context),
      consoleLink: async () => {
        const { path } = await http.json('consoleLink', ConsoleLinkBody, {});
        return http.url + path;
      },
      sendPreview: (id, preview) => sendPreview(context, own(id), preview),
      hooks: async (id) => (await import('./service-hooks.js')).serviceHooks(context, own(id)),
      schedules: async (id) => (await import('./service-schedules.js')).serviceSchedules(context, own(id)),
      settings: async (id) => (await import('./service-settings.js')).serviceSettings(context, own(id)),
      addHistory: (id, number, update) => addServiceHistory(context, own(id), number, update),
    },
    list: async (project) =>
      (await stackRows(context, project)).map(({ organization: org, ...row }) => ({
        ...(org !== undefined && { organization: org }),
        project: row.project,
        stack: row.stack,
      })),
    summary: (id) => stackRow(context, own(id)),
    summaries: (project) => stackRows(context, project),
    exists: async (id) => (await findStack(context, own(id))) !== undefined,
    create: (id, secretsProvider) => createOnService(context, own(id), secretsProvider),
    remove: async (id, options = {}) => {
      await endGone(context, own(id));
      await removeFromService(context, own(id), options);
    },
    read: (id, options = {}) => readExported(context, own(id), options),
    readRoot: async (id) => {
      const { deployment } = await readExported(context, own(id), { integrity: 'skip' });
      return deployment && rootOnly(deployment);
    },
    exportText: async (id) =>
      untypedDeploymentText((await readExported(context, own(id), { integrity: 'skip' })).deployment),
    history: (id, page = {}) => readServiceHistory(context, own(id), page),
    stateAfter: (id, version) => exportVersion(context, own(id), version),
    ...serviceChanges(context, own),
    replace: (id, deployment) => replaceExported(context, own(id), deployment),
    edit: (id, change, _, options = {}) => editExported(context, own(id), change, options),
    move: (source, dest, change) => moveExported(context, { source: own(source), dest: own(dest) }, change),
    rename: async (from, to) => {
      const notes = await endGone(context, own(from));
      await refuseUnfinishedRename(context, own(from));
      await renameOnService(context, own(from), own(to));
      return notes;
    },
    tags: async (id) => (await existingStack(context, own(id))).tags ?? {},
    editTags: (id, change) => changeTags(context, own(id), change),
    lease: (id, options) => openServiceLease(context, own(id), options),
    awaitUnlocked: async (id, interrupted) => {
      if (context.waitForLockMs > 0) await awaitIdle(context, own(id), interrupted);
    },
    currentOperation: async (id) => currentIn(await existingStack(context, own(id))),
    lostState: async (id) => lossIn(await existingStack(context, own(id))),
    cancel: (id) => cancelCurrent(context, own(id)),
    close: async () => undefined,
  };
}
