import { ORGANIZATION } from '@cairn/backends';
import type { StackId } from '@cairn/backends';
import { ContinueRequest, EnterRequest, RevealRequest } from '@cairn/http-api';
import type { ConsoleSessionAnswer, ConsoleStartAnswer } from '@cairn/http-api';
import type { Accounts } from '../calls/accounts.js';
import { compareStates } from '../calls/console/compare.js';
import { ConsoleSessions } from '../calls/console/sessions.js';
import { stackHolders } from '../calls/console/holders.js';
import { resourceHistory } from '../calls/console/resource-history.js';
import { revealSecret } from '../calls/console/reveal.js';
import type { PreviewViews } from '../calls/console/previews.js';
import { settingsView } from '../calls/console/stack-settings.js';
import type { StackViews } from '../calls/console/stack-views.js';
import type { Deployments } from '../calls/deployments/deployments.js';
import type { Schedules } from '../calls/deployments/schedules.js';
import type { Secrets } from '../calls/secrets.js';
import type { ServicePorts } from '../calls/service-ports.js';
import { stackOf } from '../calls/stack-names.js';
import type { Stacks } from '../calls/stacks.js';
import { hasProperty, resourceDetail, resourceRow } from '../domain/console/state-entries.js';
import { Refusal } from '../domain/refusal.js';
import { SERVICE_WIDE } from '../store/access-store.js';
import { NOTHING, numberIn, parseBody } from './call.js';
import type { Call, SomeHandlers } from './call.js';
import { isSecurePage, sessionCookie } from './console-cookie.js';
import { placeIn } from './console-stream.js';
import type { ConsoleStreams } from './console-stream.js';

/** Most stacks of one stream: the rows of one page of a list, and more. */
const MOST_STREAMED = 100;
const PRIVATE = { 'cache-control': 'no-store' };

/** Calls behind the routes of the console. */
interface ConsoleCalls {
  readonly accounts: Accounts;
  readonly views: StackViews;
  readonly stacks: Stacks;
  readonly secrets: Secrets;
  readonly previews: PreviewViews;
  readonly deployments: Deployments;
  readonly schedules: Schedules;
  readonly streams: ConsoleStreams;
}

/** Returns the handlers of the routes of the console. */
export function consoleHandlers(ports: ServicePorts, calls: ConsoleCalls) {
  const sessions = new ConsoleSessions(ports);
  return {
    ...{ ...sessionHandlers(ports, sessions), ...viewHandlers(ports, calls), ...streamHandlers(calls) },
    consoleContinue: async (call) => {
      const { how } = parseBody(ContinueRequest, call);
      const { continueChange } = ports;
      if (continueChange === undefined)
        throw new Refusal(
          409,
          `The service has no providers. Run \`cairn ${how} ${numberOf(call)}\` where they are.`,
        );
      const reason = await continueChange(stackOf(call.names), numberOf(call), how);
      if (reason !== undefined) throw new Refusal(409, reason);
      return NOTHING;
    },
  } satisfies SomeHandlers;
}

function sessionHandlers({ signIn, passwords, store }: ServicePorts, sessions: ConsoleSessions) {
  return {
    consoleStart: async () => ({
      json: {
        signIn: signIn !== undefined,
        passwords: passwords !== undefined,
      } satisfies ConsoleStartAnswer,
    }),
    consoleLink: async ({ caller }) => ({ json: await sessions.link(caller.token), headers: PRIVATE }),
    consoleEnter: async (call) => {
      if (!call.isConsole) throw new Refusal(400, 'The call does not come from the console.');
      const isSecure = isSecurePage(call.page);
      const { secret, record, life } = await sessions.enter(parseBody(EnterRequest, call).link);
      call.note({ user: record.user, tokenName: record.name });
      return { json: {}, headers: { ...PRIVATE, 'set-cookie': sessionCookie(secret, life, isSecure) } };
    },
    consoleSession: async ({ caller }) => {
      const organizations = await caller.organizations();
      const { kind = 'personal', user } = caller.token;
      const isOwn = passwords !== undefined && kind === 'personal';
      const password = isOwn ? await store.findAccess('passwords', SERVICE_WIDE, user) : undefined;
      const isWriter = await Promise.all(
        organizations.map((organization) => caller.mayInOrganization({ role: 'writer' }, organization)),
      );
      return {
        json: {
          ...{ user: caller.name, organizations },
          writes: organizations.filter((_organization, index) => isWriter[index]),
          password: password !== undefined,
          ...(caller.token.expiresAt !== undefined && { expiresAt: caller.token.expiresAt }),
        } satisfies ConsoleSessionAnswer,
      };
    },
    consoleLeave: async ({ caller, isConsole, page }) => {
      if (!isConsole) throw new Refusal(404, 'There is no session.');
      await sessions.leave(caller.token);
      const noCookie = sessionCookie('', 0, page?.startsWith('https:') === true);
      return { ...NOTHING, headers: { ...PRIVATE, 'set-cookie': noCookie } };
    },
  } satisfies SomeHandlers;
}

function viewHandlers(
  { store }: ServicePorts,
  { views, secrets, previews, stacks, deployments, schedules }: ConsoleCalls,
) {
  return {
    consoleStacks: async ({ query, caller }) => {
      const words = (query.get('filter') ?? '')
        .toLowerCase()
        .split(/\s+/)
        .filter((word) => word !== '');
      const after = Buffer.from(query.get('after') ?? '', 'base64url').toString('utf8');
      return { json: await views.list({ words, after, caller }) };
    },
    consoleStack: async ({ names, caller, query }) => ({
      json: await views.stack(stackOf(names), caller, numberIn(query, 'changes')),
    }),
    consoleResources: async ({ names, query }) => {
      const stack = stackOf(names);
      const version = numberIn(query, 'version');
      const { resources } = await views.deployment(stack, version);
      const text = (query.get('property') ?? '').trim();
      const found = text === '' ? resources : resources.filter((entry) => hasProperty(entry, text));
      const rows = found.map(resourceRow);
      return { json: { version: version ?? (await views.version(stack)), resources: rows } };
    },
    consoleResource: async ({ names, query }) => {
      const state = await views.deployment(stackOf(names), numberIn(query, 'version'));
      const detail = resourceDetail(state, query.get('urn') ?? '');
      if (detail.entries.length === 0) throw new Refusal(404, 'Resource not found.');
      return { json: detail };
    },
    consoleResourceHistory: async ({ names, query }) => ({
      json: await resourceHistory({ views, secrets, stacks }, stackOf(names), {
        ...{ urn: query.get('urn') ?? '', page: numberIn(query, 'page') ?? 1 },
      }),
    }),
    consoleAccess: async ({ names }) => {
      const stack = stackOf(names);
      await views.refuseUnknown(stack);
      return { json: await stackHolders(store, stack) };
    },
    consoleSettings: async ({ names }) => {
      const stack = stackOf(names);
      await views.refuseUnknown(stack);
      return { json: await settingsView({ deployments, schedules }, stack) };
    },
    consoleCompare: async ({ names, query, caller }) => {
      const stack = stackOf(names);
      const other = otherStack(query.get('with')) ?? stack;
      await caller.needOnStack({ role: 'reader', permission: 'stack:export' }, other);
      const from = { stack, version: numberIn(query, 'from') };
      const plan = query.get('plan') ?? '';
      const to = {
        stack: other,
        ...(plan === '' ? { version: numberIn(query, 'to') } : await previews.planned(other, plan)),
      };
      return { json: await compareStates({ views, secrets }, from, to) };
    },
    consoleChange: async (call) => ({ json: await views.change(stackOf(call.names), numberOf(call)) }),
    consolePreviews: async ({ names }) => ({ json: await previews.list(stackOf(names)) }),
    consolePreview: async ({ names }) => ({
      json: await previews.preview(stackOf(names), names['update'] ?? ''),
    }),
    consoleReveal: async (call) => {
      const place = parseBody(RevealRequest, call);
      const value = await revealSecret({ views, secrets }, stackOf(call.names), place);
      return { json: { value }, headers: PRIVATE };
    },
  } satisfies SomeHandlers;
}

function streamHandlers({ accounts, streams, views }: ConsoleCalls) {
  return {
    consoleStream: async ({ query, caller, lastEventId }) => {
      const stacks = query.getAll('stack').map((name) => otherStack(name) as StackId);
      if (stacks.length === 0 || stacks.length > MOST_STREAMED)
        throw new Refusal(400, `stack: name 1 to ${MOST_STREAMED} stacks`);
      for (const stack of stacks) {
        await caller.needOnStack({ role: 'reader', permission: 'stack:read' }, stack);
        await views.refuseUnknown(stack);
      }
      const { token } = caller;
      const mayRead = async (): Promise<boolean> => {
        if (!(await accounts.isValid(token))) return false;
        const rights = await Promise.all(stacks.map((stack) => caller.again().canRead(stack)));
        return rights.every((may) => may);
      };
      const place = stacks.length === 1 ? (placeIn(lastEventId) ?? placeIn(query.get('after'))) : undefined;
      return {
        stream: streams.open({ stacks, place, mayRead }),
        headers: {
          'content-type': 'text/event-stream',
          // The connection ends with the stream, so that the service can end.
          connection: 'close',
          'cache-control': 'no-store',
          'x-accel-buffering': 'no',
        },
      };
    },
  } satisfies SomeHandlers;
}

/** Reads the name of a stack with its organization. */
function otherStack(text: string | null): StackId | undefined {
  if (text === null || text === '') return undefined;
  const [org = ORGANIZATION, project, stack, more] = text.split('/');
  if (more !== undefined) throw new Refusal(400, 'The name of a stack is ORGANIZATION/PROJECT/STACK.');
  return stackOf({ org, project, stack });
}

function numberOf({ names }: Call): number {
  const { number = '' } = names;
  if (/^[1-9]\d{0,8}$/.test(number)) return Number(number);
  throw new Refusal(404, 'Change not found.');
}
