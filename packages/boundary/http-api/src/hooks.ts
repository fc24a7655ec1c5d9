import * as v from 'valibot';
import type { Route } from './route.js';

const NONE = 0;
const SMALL = 1 << 20;

/** Routes below a place that has webhooks. Their addresses may hold tokens, so only administrators see them. */
function hookRoutesIn(place: string) {
  const hook = `${place}/{hook}`;
  const read = { method: 'GET', needs: 'admin', maxBody: NONE } as const;
  const post = { method: 'POST', needs: 'admin', maxBody: SMALL } as const;
  return {
    list: { ...read, path: place },
    create: { ...post, path: place, audit: 'made a webhook' },
    get: { ...read, path: hook },
    change: { ...post, method: 'PATCH', path: hook, audit: 'changed a webhook' },
    remove: { ...read, method: 'DELETE', path: hook, audit: 'removed a webhook' },
    ping: { ...post, path: `${hook}/ping`, audit: 'tried a webhook' },
    deliveries: { ...read, path: `${hook}/deliveries` },
    redeliver: {
      ...{ ...post, path: `${hook}/deliveries/{delivery}/redeliver` },
      audit: 'sent a delivery of a webhook again',
    },
  } as const satisfies Readonly<Record<string, Route>>;
}

/** Puts what stacks and organizations have for each of these routes under the names of the routes. */
export function byHookRoute<T>(inStack: HookParts<T>, inOrganization: HookParts<T>) {
  return {
    listStackHooks: inStack.list,
    createStackHook: inStack.create,
    getStackHook: inStack.get,
    changeStackHook: inStack.change,
    deleteStackHook: inStack.remove,
    pingStackHook: inStack.ping,
    stackHookDeliveries: inStack.deliveries,
    redeliverStackHook: inStack.redeliver,
    listHooks: inOrganization.list,
    createHook: inOrganization.create,
    getHook: inOrganization.get,
    changeHook: inOrganization.change,
    deleteHook: inOrganization.remove,
    pingHook: inOrganization.ping,
    hookDeliveries: inOrganization.deliveries,
    redeliverHook: inOrganization.redeliver,
  };
}

type HookParts<T> = Readonly<Record<keyof ReturnType<typeof hookRoutesIn>, T>>;

/** Routes for webhooks of stacks and organizations. */
export const HOOK_ROUTES = byHookRoute<Route>(
  hookRoutesIn('/api/stacks/{org}/{project}/{stack}/hooks'),
  hookRoutesIn('/api/orgs/{org}/hooks'),
);

/** Events that webhooks can be about, by group. */
export const HOOK_EVENTS = {
  stacks: [
    ...(['stack_created', 'stack_deleted'] as const),
    ...(['update_succeeded', 'update_failed', 'preview_succeeded', 'preview_failed'] as const),
    ...(['destroy_succeeded', 'destroy_failed', 'refresh_succeeded', 'refresh_failed'] as const),
    ...(['import_succeeded', 'import_failed'] as const),
  ],
  deployments: [
    ...(['drift_detected', 'drift_detection_succeeded', 'drift_detection_failed'] as const),
    ...(['approval_wanted', 'run_failed', 'afterwards_failed', 'run_held', 'run_recovered'] as const),
    ...(['agent_lost', 'source_failed'] as const),
  ],
} as const;

/** Group of events. */
export type HookGroup = keyof typeof HOOK_EVENTS;

/** Event that a webhook can be about. */
export type HookEvent = (typeof HOOK_EVENTS)[HookGroup][number];

/** Forms of bodies: that of the protocol, those of two chats, and our own one of mails. */
const HOOK_FORMATS = ['raw', 'slack', 'ms_teams', 'mail'] as const;

/** Most recipients of a mail. */
const MOST_RECIPIENTS = 20;

const GROUPS = Object.keys(HOOK_EVENTS) as HookGroup[];
const EVENTS = [...HOOK_EVENTS.stacks, ...HOOK_EVENTS.deployments];

/** Secret with which clients say that a webhook shall have none. */
export const NO_HOOK_SECRET = '__remove-secret';

const PayloadUrl = v.pipe(
  v.string(),
  v.maxLength(2048, 'is longer than 2048 characters'),
  v.url('is no address'),
  v.regex(/^(?:https?|mailto):/i, 'is no http address, and no mailto address'),
  v.check((text) => URL.canParse(text) && new URL(text).username === '', 'has a user in it'),
  v.check(
    (text) => !isMailAddress(text) || isRecipients(recipientsOf(text)),
    `is not mailto: and up to ${MOST_RECIPIENTS} addresses with commas between them`,
  ),
);

/** Tells if what goes to an address goes as a mail. */
export function isMailAddress(url: string): boolean {
  return /^mailto:/i.test(url);
}

/** Returns the mailboxes of a `mailto` address. */
export function recipientsOf(url: string): readonly string[] {
  return url.slice('mailto:'.length).split(',');
}

function isRecipients(addresses: readonly string[]): boolean {
  return (
    addresses.length <= MOST_RECIPIENTS &&
    addresses.every((address) => /^[^\s@<>,;:?&%"]+@[^\s@<>,;:?&%"]+$/.test(address))
  );
}

const common = {
  organizationName: v.nullish(v.string()),
  projectName: v.nullish(v.string()),
  stackName: v.nullish(v.string()),
  format: v.nullish(v.picklist(HOOK_FORMATS, `is not ${HOOK_FORMATS.join(', ')}`)),
  filters: v.nullish(v.array(v.picklist(EVENTS, 'is no event that this service sends'))),
  groups: v.nullish(v.array(v.picklist(GROUPS, `is not ${GROUPS.join(' or ')}`))),
  secret: v.nullish(v.pipe(v.string(), v.maxLength(1000, 'is longer than 1000 characters'))),
  /** Our own member: the user who reads it, as whom its links that approve count. An empty text removes it. */
  cairn: v.nullish(
    v.object({ links: v.nullish(v.pipe(v.string(), v.maxLength(100, 'is longer than 100 characters'))) }),
  ),
};
const DisplayName = v.pipe(
  v.string(),
  v.nonEmpty('is empty'),
  v.maxLength(100, 'is longer than 100 characters'),
);

/** Request of a new webhook. Without filters and groups it is about every event. */
export const CreateHookRequest = v.object({
  ...common,
  displayName: DisplayName,
  payloadUrl: PayloadUrl,
  active: v.optional(v.boolean(), true),
});

/** Request that changes a webhook. One with an address is the whole of it: lists that it leaves out are empty. */
export const ChangeHookRequest = v.object({
  ...common,
  displayName: v.nullish(DisplayName),
  payloadUrl: v.nullish(PayloadUrl),
  active: v.nullish(v.boolean()),
});

/** Webhook as the protocol shows it. Its secret is never shown. */
export interface HookAnswer {
  readonly organizationName: string;
  readonly projectName?: string;
  readonly stackName?: string;
  readonly name: string;
  readonly displayName: string;
  readonly payloadUrl: string;
  readonly active: boolean;
  readonly format: (typeof HOOK_FORMATS)[number];
  readonly filters: readonly HookEvent[];
  readonly groups: readonly HookGroup[];
  readonly hasSecret: boolean;
  readonly secretCiphertext: '';
  /** Our own member: the user as whom its links count. */
  readonly cairn?: { readonly links: string };
}

/** Webhook as any service of the protocol shows it. */
export const HookBody = v.looseObject({
  organizationName: v.string(),
  projectName: v.optional(v.string()),
  stackName: v.optional(v.string()),
  name: v.string(),
  displayName: v.string(),
  payloadUrl: v.string(),
  active: v.boolean(),
  format: v.nullish(v.string(), 'raw'),
  filters: v.nullish(v.array(v.string()), []),
  groups: v.nullish(v.array(v.string()), []),
  hasSecret: v.nullish(v.boolean(), false),
  cairn: v.nullish(v.object({ links: v.nullish(v.string()) })),
});

/** Delivery as any service of the protocol shows it; see {@link HookDeliveryAnswer}. */
export const HookDeliveryBody = v.looseObject({
  id: v.string(),
  kind: v.string(),
  payload: v.string(),
  timestamp: v.number(),
  duration: v.number(),
  requestUrl: v.string(),
  requestHeaders: v.string(),
  responseCode: v.number(),
  responseHeaders: v.string(),
  responseBody: v.string(),
});

/** Last attempt of a delivery. `timestamp` is in seconds since 1970, `duration` in milliseconds. No answer: code 0. */
export interface HookDeliveryAnswer {
  readonly id: string;
  readonly kind: string;
  readonly payload: string;
  readonly timestamp: number;
  readonly duration: number;
  readonly requestUrl: string;
  readonly requestHeaders: string;
  readonly responseCode: number;
  readonly responseHeaders: string;
  readonly responseBody: string;
}
