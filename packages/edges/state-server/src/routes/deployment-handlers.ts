import type { InferOutput } from 'valibot';
import type { StackId } from '@cairn/backends';
import { PAGE_HEADERS } from '@cairn/changes-daemon';
import {
  AcknowledgeRequest,
  ApproveRequest,
  AttendRequest,
  ClaimRequest,
  CreateDeploymentRequest,
  DenyRequest,
  ChangeSettingsRequest,
  DriftScheduleRequest,
  LookRequest,
  RunTokenRequest,
  ScheduleRequest,
  TtlScheduleRequest,
} from '@cairn/http-api';
import type { ApprovalLinks } from '../calls/deployments/approval-links.js';
import type { Agents } from '../calls/deployments/agents.js';
import { needPerson } from '../calls/deployments/approvers.js';
import type { Deployments } from '../calls/deployments/deployments.js';
import type { DriftRuns } from '../calls/deployments/drift.js';
import type { RunTokens } from '../calls/deployments/run-tokens.js';
import type { ScheduleContents, Schedules } from '../calls/deployments/schedules.js';
import type { SourceLooks } from '../calls/deployments/source-looks.js';
import { stackOf } from '../calls/stack-names.js';
import { shownSettings } from '../domain/deployments/settings.js';
import { Refusal } from '../domain/refusal.js';
import { orgOf } from './access-handlers.js';
import { NOTHING, RefusedPage, numberIn, parseBody } from './call.js';
import type { Call, RouteReply, SomeHandlers } from './call.js';

/** Calls behind the routes for deployments. */
interface DeploymentCalls {
  readonly deployments: Deployments;
  readonly schedules: Schedules;
  readonly agents: Agents;
  readonly sources: SourceLooks;
  readonly drift: DriftRuns;
  readonly tokens: RunTokens;
  readonly links: ApprovalLinks;
}

/** Rows of a page, at most. */
const MOST_ROWS = 100;

/** Headers of answers that everyone may keep for some time, and of those that no one may keep. */
const KEPT = { 'cache-control': 'public, max-age=300' };
const UNKEPT = { 'cache-control': 'no-store' };

/** Returns the handlers of the routes for settings, requests, drift and agents. */
export function deploymentHandlers(calls: DeploymentCalls) {
  const { deployments, agents, sources, drift, tokens } = calls;
  return {
    ...scheduleHandlers(calls.schedules),
    openApproval: linkHandler(calls.links, false),
    followApproval: linkHandler(calls.links, true),
    deploymentSettings: async ({ names }) => ({ json: await deployments.settings(stackOf(names)) }),
    changeDeploymentSettings: async (call) => {
      const change = parseBody(ChangeSettingsRequest, call);
      const settings = await deployments.changeSettings(stackOf(call.names), change, call.caller);
      // The console gets no ciphertext.
      return { json: call.isConsole ? await shownSettings(settings) : settings };
    },
    removeDeploymentSettings: async ({ names }) => {
      await deployments.removeSettings(stackOf(names));
      return NOTHING;
    },
    listDeployments: async ({ names, query }) => {
      const page = pageIn(query);
      return { json: { ...(await deployments.list(stackOf(names), page)), itemsPerPage: page.size } };
    },
    createDeployment: async (call) => {
      const request = parseBody(CreateDeploymentRequest, call);
      const { operation, cairn } = request;
      call.note({ detail: cairn?.review === true ? `${operation} of the review stack` : operation });
      const asked = stackOf(call.names);
      const { stack, deployment } = await deployments.create(asked, request, call.caller, call.initiator);
      const { id, number } = deployment;
      return { json: { id, version: number, consoleUrl: deployments.page(stack, number) ?? '' } };
    },
    getDeployment: async ({ names }) => ({ json: await deployments.get(stackOf(names), idIn(names)) }),
    getDeploymentVersion: async ({ names }) => {
      const { version = '' } = names;
      if (!/^[1-9]\d{0,8}$/.test(version)) throw new Refusal(404, 'Deployment not found.');
      return { json: await deployments.getNumbered(stackOf(names), Number(version)) };
    },
    deploymentLogs: async ({ names, query }) => {
      const from = query.get('continuationToken') ?? '';
      const { lines, next } = await deployments.logs(stackOf(names), idIn(names), from);
      return { json: { lines, ...(next !== undefined && { nextToken: next }) } };
    },
    deploymentUpdates: async ({ names }) => ({
      json: await deployments.updates(stackOf(names), idIn(names)),
    }),
    cancelDeployment: async (call) => {
      call.note({ detail: idIn(call.names) });
      await deployments.cancel(stackOf(call.names), idIn(call.names), call.caller.name);
      return NOTHING;
    },
    approveDeployment: async (call) => {
      const { digest, base, commit, cairn } = parseBody(ApproveRequest, call);
      needPerson(call.caller);
      const stack = stackOf(call.names);
      const member = cairn?.comment;
      const who = member ? await deployments.commented(stack, member, call.caller) : { by: call.caller.name };
      const id = idIn(call.names);
      call.note({ detail: member ? `${id} for ${who.by}, who commented as ${member}` : id });
      await deployments.approve(stack, id, { ...{ ...who, digest, base }, ...(commit && { commit }) });
      return NOTHING;
    },
    denyDeployment: async (call) => {
      const { reason } = parseBody(DenyRequest, call);
      call.note({ detail: idIn(call.names) });
      await deployments.deny(stackOf(call.names), idIn(call.names), call.caller.name, reason ?? undefined);
      return NOTHING;
    },
    attendDeployment: async (call) => ({
      json: await agents.attend(stackOf(call.names), idIn(call.names), parseBody(AttendRequest, call)),
    }),
    attendLook: async (call) => {
      const report = parseBody(LookRequest, call);
      // A look that finds nothing new leaves no row.
      call.note({ isRepeat: true });
      const answer = await sources.attend(stackOf(call.names), report);
      if (answer.deployment !== undefined)
        call.note({ isRepeat: false, detail: `${report.head?.commit ?? ''} ${answer.deployment}` });
      return { json: answer };
    },
    issueRunToken: async (call) => {
      const request = parseBody(RunTokenRequest, call);
      const id = idIn(call.names);
      call.note({ detail: request.audience ? `${id} for ${request.audience}` : id });
      return { json: await tokens.issue(stackOf(call.names), id, call.caller, request), headers: UNKEPT };
    },
    issuerSettings: async () => ({ json: tokens.issuerSettings(), headers: KEPT }),
    issuerKeys: async () => ({ json: await tokens.issuerKeys(), headers: KEPT }),
    driftStatus: async ({ names }) => ({ json: await drift.status(stackOf(names)) }),
    driftRuns: async ({ names, query }) => {
      const page = pageIn(query);
      return { json: { ...(await drift.list(stackOf(names), page)), itemsPerPage: page.size } };
    },
    claimRun: async (call) => {
      // A call that gets no run leaves no row.
      call.note({ isRepeat: true });
      const request = parseBody(ClaimRequest, call);
      const found = ({ project, stack }: StackId, deployment: string): void =>
        call.note({
          ...{ isRepeat: false, stack: `${project}/${stack}` },
          detail: `${request.agent}: ${project}/${stack} ${deployment}`,
        });
      return { json: await agents.claim(orgOf(call.names), call.caller, request, found) };
    },
    listAgents: async ({ names }) => ({ json: { agents: await agents.list(orgOf(names)) } }),
    drainAgent: async (call) => {
      const { agent = '' } = call.names;
      call.note({ detail: agent });
      await agents.drain(orgOf(call.names), agent);
      return NOTHING;
    },
    acknowledgeNotice: async (call) => {
      const notice = parseBody(AcknowledgeRequest, call);
      call.note({ detail: `${notice.type} ${notice.key}` });
      await agents.acknowledge(orgOf(call.names), notice, call.caller.name);
      return NOTHING;
    },
    listNotices: async ({ names, query }) => {
      const wait = numberIn(query, 'wait') ?? 0;
      return { json: { notices: await agents.notices(orgOf(names), query.get('after') ?? '', wait) } };
    },
  } satisfies SomeHandlers;
}

function linkHandler(links: ApprovalLinks, isClick: boolean) {
  return async (call: Call): Promise<RouteReply> => {
    const { hook = '', token = '' } = call.names;
    const request = { organization: orgOf(call.names), hook, token, isClick };
    const { status, html } = await links.answer(request, ({ person, stack, deployment }) =>
      call.note({
        ...{ user: person, stack: `${stack.project}/${stack.stack}` },
        detail: `${deployment}, by a link of webhook ${hook}`,
      }),
    );
    if (status !== 200) throw new RefusedPage(status, html, PAGE_HEADERS);
    return { text: html, headers: PAGE_HEADERS };
  };
}

function scheduleHandlers(schedules: Schedules) {
  const create = (read: (call: Call) => ScheduleContents) => async (call: Call) => ({
    json: await schedules.create(stackOf(call.names), read(call), call.caller),
  });
  const change = (read: (call: Call) => ScheduleContents) => async (call: Call) => {
    call.note({ detail: scheduleIn(call) });
    return { json: await schedules.change(stackOf(call.names), scheduleIn(call), read(call), call.caller) };
  };
  const setPaused =
    (paused: boolean) =>
    async (call: Call): Promise<RouteReply> => {
      call.note({ detail: scheduleIn(call) });
      return { json: await schedules.setPaused(stackOf(call.names), scheduleIn(call), paused) };
    };
  return {
    listSchedules: async ({ names }) => ({ json: { schedules: await schedules.list(stackOf(names)) } }),
    createSchedule: create(rawSchedule),
    createDriftSchedule: create(driftSchedule),
    createTtlSchedule: create(ttlSchedule),
    getSchedule: async (call) => ({ json: await schedules.get(stackOf(call.names), scheduleIn(call)) }),
    changeSchedule: change(rawSchedule),
    changeDriftSchedule: change(driftSchedule),
    changeTtlSchedule: change(ttlSchedule),
    removeSchedule: async (call) => {
      call.note({ detail: scheduleIn(call) });
      await schedules.remove(stackOf(call.names), scheduleIn(call));
      return NOTHING;
    },
    pauseSchedule: setPaused(true),
    resumeSchedule: setPaused(false),
  } satisfies SomeHandlers;
}

function rawSchedule(call: Call): ScheduleContents {
  const { scheduleCron: cron, scheduleOnce: once, request, cairn } = parseBody(ScheduleRequest, call);
  const { operation, ...settings } = request;
  return {
    ...{ kind: 'raw', operation, settings, then: false },
    ...(cron && { cron }),
    ...(once && { once }),
    ...clockOf(cairn),
  };
}

/** Returns our own members of a schedule. */
function clockOf(
  cairn: InferOutput<typeof DriftScheduleRequest>['cairn'],
): Pick<ScheduleContents, 'zone' | 'jitter'> {
  return { ...(cairn?.zone && { zone: cairn.zone }), ...(cairn?.jitter && { jitter: cairn.jitter }) };
}

function driftSchedule(call: Call): ScheduleContents {
  const { scheduleCron: cron, autoRemediate, cairn } = parseBody(DriftScheduleRequest, call);
  return {
    kind: 'drift',
    operation: 'detect-drift',
    cron,
    ...clockOf(cairn),
    settings: {},
    then: autoRemediate,
  };
}

function ttlSchedule(call: Call): ScheduleContents {
  const { timestamp: once, deleteAfterDestroy } = parseBody(TtlScheduleRequest, call);
  return { kind: 'ttl', operation: 'destroy', once, settings: {}, then: deleteAfterDestroy };
}

function scheduleIn({ names }: Call): string {
  return names['schedule'] ?? '';
}

function idIn(names: Call['names']): string {
  return names['deployment'] ?? '';
}

function pageIn(query: URLSearchParams): { readonly size: number; readonly page: number } {
  return {
    size: Math.min(numberIn(query, 'pageSize') ?? 10, MOST_ROWS),
    page: numberIn(query, 'page') ?? 1,
  };
}
