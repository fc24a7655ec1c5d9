import { randomBytes } from 'node:crypto';
import { organizationOf } from '@cairn/backends';
import type { StackId } from '@cairn/backends';
import { NO_HOOK_SECRET, isMailAddress, recipientsOf } from '@cairn/http-api';
import type { ChangeHookRequest, CreateHookRequest, HookAnswer } from '@cairn/http-api';
import type { InferOutput } from 'valibot';
import type { StackKeys, WrappedKey } from '../crypto/stack-keys.js';
import type { Hook } from '../domain/hooks.js';
import { Refusal } from '../domain/refusal.js';
import type { AccessEditor, AccessReader } from '../store/access-store.js';
import type { ServiceStore } from '../store/service-store.js';

/** Webhooks of one stack, or of one organization. */
const MOST = 20;

/** Facilities for changing webhooks. */
export interface HookPorts {
  readonly store: ServiceStore;
  readonly keys: StackKeys;
  /** Returns a fresh UUID. */
  readonly newId: () => string;
}

/** Organization, or stack of it, that webhooks belong to. */
export interface HookScope {
  readonly organization: string;
  readonly stack?: (StackId & { readonly id: string }) | undefined;
}

/** Address and secret of a webhook, open. */
interface HookTarget {
  readonly url: string;
  readonly secret: string | undefined;
  /** Key of links that approve, in base64. Those of an earlier one are no longer valid. */
  readonly linkKey?: string | undefined;
}

/** Lists the webhooks of a scope by name. */
export async function listHooks(access: AccessReader, scope: HookScope): Promise<readonly Hook[]> {
  const hooks = await access.listAccess('hooks', scope.organization);
  return hooks.filter(({ stackId }) => stackId === scope.stack?.id);
}

/** Returns a webhook of a scope. Refuses one that does not exist. */
export async function findHook(access: AccessReader, scope: HookScope, name: string): Promise<Hook> {
  const hook = await access.findAccess('hooks', scope.organization, name);
  if (hook === undefined || hook.stackId !== scope.stack?.id) throw new Refusal(404, 'Webhook not found.');
  return hook;
}

/** Makes a webhook. Refuses one whose display name another one of the scope has. */
export async function createHook(
  { store, keys, newId }: HookPorts,
  scope: HookScope,
  request: InferOutput<typeof CreateHookRequest>,
): Promise<Hook> {
  refuseOtherScope(scope, request);
  const id = newId().replaceAll('-', '').slice(0, 12);
  const { displayName, active, payloadUrl: url } = request;
  const secret = request.secret || undefined;
  const links = request.cairn?.links || undefined;
  const format = formatOf(url, request.format ?? 'raw', secret, links);
  const linkKey = newLinkKey(links);
  const hook: Hook = {
    ...{ id, displayName, active, format, ...(links !== undefined && { links }) },
    ...(scope.stack !== undefined && { stackId: scope.stack.id }),
    ...{ filters: request.filters ?? [], groups: request.groups ?? [] },
    ...{ sealed: await sealed(keys, id, { url, secret, linkKey }), hasSecret: secret !== undefined },
  };
  await store.changeAccess(scope.organization, async (access) => {
    const others = await refuseDisplayName(access, scope, displayName);
    if (others.length >= MOST) throw new Refusal(409, `There are ${MOST} webhooks already.`);
    await access.putAccess('hooks', hook);
  });
  return hook;
}

/** Changes a webhook. What the request does not name stays; see {@link ChangeHookRequest} for its lists. */
export async function changeHook(
  { store, keys }: HookPorts,
  scope: HookScope,
  name: string,
  request: InferOutput<typeof ChangeHookRequest>,
): Promise<Hook> {
  refuseOtherScope(scope, request);
  return store.changeAccess(scope.organization, async (access) => {
    const before = await findHook(access, scope, name);
    const target = await openTarget(keys, before);
    const { payloadUrl, secret } = request;
    const isWhole = typeof payloadUrl === 'string';
    const links = (request.cairn?.links ?? before.links) || undefined;
    const after: HookTarget = {
      url: payloadUrl ?? target.url,
      secret: secret === NO_HOOK_SECRET ? undefined : secret || target.secret,
      linkKey: links === before.links ? target.linkKey : newLinkKey(links),
    };
    const format = formatOf(after.url, request.format ?? before.format, after.secret, links);
    const { links: _links, ...rest } = before;
    const displayName = request.displayName ?? before.displayName;
    if (displayName !== before.displayName) await refuseDisplayName(access, scope, displayName);
    const hook: Hook = {
      ...rest,
      ...{ displayName, active: request.active ?? before.active, format },
      ...(links !== undefined && { links }),
      filters: request.filters ?? (isWhole ? [] : before.filters),
      groups: request.groups ?? (isWhole ? [] : before.groups),
      ...{ sealed: await sealed(keys, before.id, after), hasSecret: after.secret !== undefined },
    };
    await access.putAccess('hooks', hook);
    return hook;
  });
}

/** Removes a webhook with its deliveries. Those that are due are not sent. */
export async function removeHook({ store }: HookPorts, scope: HookScope, name: string): Promise<void> {
  await store.changeAccess(scope.organization, async (access) => {
    await findHook(access, scope, name);
    await access.removeAccess('hooks', name);
  });
  await store.removeDeliveries(scope.organization, name, 0);
}

/** Removes the webhooks of a stack that is gone. */
export async function removeHooksOf(store: ServiceStore, scope: HookScope): Promise<void> {
  const hooks = await listHooks(store, scope);
  if (hooks.length === 0) return;
  await store.changeAccess(scope.organization, async (access) => {
    for (const { id } of hooks) await access.removeAccess('hooks', id);
  });
  for (const { id } of hooks) await store.removeDeliveries(scope.organization, id, 0);
}

/** Seals the keys of all webhooks of an organization under the current master key. Returns how many it sealed. */
export async function rotateHookKeys(
  store: ServiceStore,
  keys: StackKeys,
  organization: string,
): Promise<{ readonly rotated: number; readonly current: number }> {
  return store.changeAccess(organization, async (access) => {
    let rotated = 0;
    const hooks = await access.listAccess('hooks', organization);
    for (const hook of hooks) {
      const key = await keys.rewrap(hook.id, hook.sealed.key);
      if (key === undefined) continue;
      rotated += 1;
      await access.putAccess('hooks', { ...hook, sealed: { ...hook.sealed, key } });
    }
    return { rotated, current: hooks.length - rotated };
  });
}

/** Opens the address and the secret of a webhook. */
export async function openTarget(keys: StackKeys, { id, sealed: { key, text } }: Hook): Promise<HookTarget> {
  const opened = (await keys.open(id, key)).decrypt(Buffer.from(text, 'base64'));
  if (opened === undefined)
    throw new Refusal(409, 'The address of the webhook cannot be opened. Make another webhook.');
  const { url, secret, linkKey } = JSON.parse(opened.toString('utf8')) as HookTarget;
  return { url, secret, linkKey };
}

/** Returns the form of the bodies for an address. Refuses what an address cannot have. */
function formatOf(
  url: string,
  format: Hook['format'],
  secret: string | undefined,
  links: string | undefined,
): Hook['format'] {
  const isMail = isMailAddress(url);
  const found = isMail && format === 'raw' ? 'mail' : format;
  if ((found === 'mail') !== isMail)
    throw new Refusal(400, 'format: mail is the form of mailto addresses only.');
  if (isMail && secret !== undefined) throw new Refusal(400, 'secret: a mail has no signature.');
  if (links === undefined) return found;
  // A link counts as its reader: what several people read has none.
  if (!(isMail ? recipientsOf(url).length === 1 : found === 'raw'))
    throw new Refusal(400, 'cairn.links: needs the form raw, or a mail to one address.');
  return found;
}

function newLinkKey(links: string | undefined): string | undefined {
  return links === undefined ? undefined : randomBytes(32).toString('base64');
}

/** Returns a webhook as the protocol shows it. */
export async function hookAnswer(keys: StackKeys, scope: HookScope, hook: Hook): Promise<HookAnswer> {
  const { stack } = scope;
  return {
    organizationName: scope.organization,
    ...(stack !== undefined && { projectName: stack.project, stackName: stack.stack }),
    ...{ name: hook.id, displayName: hook.displayName, payloadUrl: (await openTarget(keys, hook)).url },
    ...{ active: hook.active, format: hook.format, filters: hook.filters, groups: hook.groups },
    ...{ hasSecret: hook.hasSecret, secretCiphertext: '' },
    ...(hook.links !== undefined && { cairn: { links: hook.links } }),
  };
}

async function sealed(keys: StackKeys, id: string, target: HookTarget): Promise<Hook['sealed']> {
  const key: WrappedKey = await keys.create(id);
  const text = (await keys.open(id, key)).encrypt(Buffer.from(JSON.stringify(target)));
  return { key, text: text.toString('base64') };
}

/** Refuses a request whose names are not those of its path. */
function refuseOtherScope(
  { organization, stack }: HookScope,
  request: Pick<InferOutput<typeof ChangeHookRequest>, 'organizationName' | 'projectName' | 'stackName'>,
): void {
  const named = [
    ['organizationName', request.organizationName, organization],
    ['projectName', request.projectName, stack?.project],
    ['stackName', request.stackName, stack?.stack],
  ] as const;
  for (const [field, given, own] of named)
    if (given && given !== own) throw new Refusal(400, `${field}: is not that of the address`);
}

async function refuseDisplayName(
  access: AccessEditor,
  scope: HookScope,
  displayName: string,
): Promise<readonly Hook[]> {
  const others = await listHooks(access, scope);
  if (others.some((other) => other.displayName === displayName))
    throw new Refusal(409, `A webhook with the name '${displayName}' already exists.`);
  return others;
}

/** Returns the scope of a stack with its immutable id. */
export function stackScope(stack: StackId, id: string): HookScope {
  return { organization: organizationOf(stack), stack: { ...stack, id } };
}
