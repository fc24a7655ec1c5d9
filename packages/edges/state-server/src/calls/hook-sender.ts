import { organizationOf } from '@cairn/backends';
import type { StackId } from '@cairn/backends';
import { signApprovalLink } from '@cairn/changes-daemon';
import type { ApprovalClaims } from '@cairn/changes-daemon';
import { APPROVAL_PATH } from '@cairn/http-api';
import type { HookDeliveryAnswer } from '@cairn/http-api';
import { hookSignature, pauseAfter } from '@cairn/http-api/hooks';
import type { PostHook } from '@cairn/http-api/hooks';
import type { StackKeys } from '../crypto/stack-keys.js';
import { hookBody, linkedBody } from '../domain/hook-body.js';
import type { HookPlace } from '../domain/hook-body.js';
import { wants } from '../domain/hooks.js';
import type { Hook, HookOccasion } from '../domain/hooks.js';
import { Refusal } from '../domain/refusal.js';
import { KEPT_DELIVERIES } from '../store/delivery-store.js';
import type { DeliveryAttempt, DeliveryStore, HookDelivery } from '../store/delivery-store.js';
import type { ServiceStore } from '../store/service-store.js';
import { openTarget } from './hooks.js';
import type { HookScope } from './hooks.js';
import { pageAddress } from './page-address.js';
import { seconds } from './service-ports.js';
import type { ServicePorts } from './service-ports.js';

/** Deliveries of one look, which are sent at the same time. */
const MOST = 20;
/** Time after which a delivery is taken up again whose process has died, in milliseconds. */
const HELD_MS = 60_000;

/** Facilities for sending. */
interface SenderPorts extends Pick<ServicePorts, 'url' | 'signIn'> {
  readonly store: ServiceStore;
  readonly keys: StackKeys;
  readonly now: () => Date;
  readonly monotonic: () => number;
  /** Returns a fresh UUID. */
  readonly newId: () => string;
  readonly failed: (what: string, thrown: unknown) => void;
  /** Without it nothing is sent: another process does. */
  readonly post?: PostHook | undefined;
}

/**
 * Tells webhooks what happens. What is to be sent is stored with what happened, so it is sent after a crash as well, at
 * least once. It is sent in the background, and tried again for some hours.
 */
export class HookSender {
  readonly #ports: SenderPorts;
  /** True if something was stored that is due. */
  #isNoted = false;
  #sending: Promise<void> | undefined;

  constructor(ports: SenderPorts) {
    this.#ports = ports;
  }

  /** Stores what webhooks learn of something on a stack. It may be repeated: nothing is sent twice for that. */
  async note(
    store: DeliveryStore,
    stack: StackId,
    stackId: string,
    occasions: readonly HookOccasion[],
  ): Promise<void> {
    if (occasions.length === 0) return;
    const organization = organizationOf(stack);
    const hooks = await store.webhooks(organization);
    const deliveries = occasions.flatMap((occasion) =>
      hooks
        .filter((hook) => wants(hook, occasion, stackId))
        .map((hook) => ({
          ...newDelivery(organization, hook, occasion, this.#placeOf(stack, occasion.page)),
          id: idOf(occasion, String(occasion.facts['updateId'] ?? stackId) + (occasion.about ?? '')),
        })),
    );
    if (deliveries.length === 0) return;
    await store.addDeliveries(deliveries);
    this.#isNoted = true;
  }

  /** Sends in the background what has been stored since the last call. */
  flush(): void {
    if (!this.#isNoted) return;
    this.#isNoted = false;
    void this.sendDue();
  }

  /** Sends what is due. Resolves when that has been tried. */
  sendDue(): Promise<void> {
    const { post, failed } = this.#ports;
    if (post === undefined) return Promise.resolve();
    const sending = (this.#sending ?? Promise.resolve())
      .then(() => this.#sendAll(post))
      .catch((thrown: unknown) => failed('send to webhooks', thrown))
      .finally(() => {
        if (this.#sending === sending) this.#sending = undefined;
      });
    this.#sending = sending;
    return sending;
  }

  /** Waits for what is being sent. */
  async close(): Promise<void> {
    await this.#sending;
  }

  /** Sends a test at once. */
  ping(scope: HookScope, hook: Hook, by: string): Promise<HookDeliveryAnswer> {
    const { organization, stack } = scope;
    const place = stack === undefined ? { organization } : this.#placeOf(stack);
    const at = seconds(this.#ports.now());
    const occasion: HookOccasion = { kind: 'ping', events: [], by, at, facts: { message: 'ping' } };
    const delivery = newDelivery(organization, hook, occasion, place);
    return this.#sendNow(hook, { ...delivery, id: idOf(occasion, this.#ports.newId()) });
  }

  /** Sends a delivery again at once, as a new one. */
  async redeliver({ organization }: HookScope, hook: Hook, id: string): Promise<HookDeliveryAnswer> {
    const found = await this.#ports.store.findDelivery(organization, hook.id, id);
    if (found === undefined) throw new Refusal(404, 'Delivery not found.');
    const { last: _last, ...again } = found;
    const at = seconds(this.#ports.now());
    const named = idOf({ kind: found.kind, at }, this.#ports.newId());
    return this.#sendNow(hook, { ...again, id: named, attempts: 0 });
  }

  /** Returns the deliveries of a webhook as the protocol shows them, newest first. */
  async deliveries({ organization }: HookScope, hook: Hook): Promise<readonly HookDeliveryAnswer[]> {
    const { url } = await openTarget(this.#ports.keys, hook);
    const found = await this.#ports.store.listDeliveries(organization, hook.id);
    return found.flatMap((delivery) => (delivery.last === undefined ? [] : [answerOf(delivery, url)]));
  }

  async #sendAll(post: PostHook): Promise<void> {
    for (;;) {
      const taken = await this.#ports.store.takeDeliveries(MOST, HELD_MS);
      await Promise.all(taken.map((delivery) => this.#sendOne(post, delivery)));
      if (taken.length < MOST) return;
    }
  }

  async #sendOne(post: PostHook, delivery: HookDelivery): Promise<void> {
    const { store, failed } = this.#ports;
    try {
      const hook = await store.findAccess('hooks', delivery.organization, delivery.hook);
      if (hook === undefined) return await store.removeDeliveries(delivery.organization, delivery.hook, 0);
      // A webhook that was turned off gets nothing that was left over.
      if (!hook.active) return await store.putDelivery(delivery, undefined);
      const tried = await this.#attempt(post, hook, delivery);
      const isDone = isSuccess(tried);
      await store.putDelivery(tried, isDone ? undefined : pauseAfter(tried.attempts));
      if (isDone) await store.removeDeliveries(delivery.organization, delivery.hook, KEPT_DELIVERIES);
    } catch (thrown) {
      failed(`send to webhook ${delivery.hook}`, thrown);
    }
  }

  async #sendNow(hook: Hook, delivery: HookDelivery): Promise<HookDeliveryAnswer> {
    const { post, store, keys } = this.#ports;
    if (post === undefined) throw new Refusal(409, 'This process sends nothing to webhooks.');
    const tried = await this.#attempt(post, hook, delivery);
    await store.putDelivery(tried, undefined);
    return answerOf(tried, (await openTarget(keys, hook)).url);
  }

  async #attempt(post: PostHook, hook: Hook, delivery: HookDelivery): Promise<HookDelivery> {
    const { keys, now, monotonic } = this.#ports;
    const { url, secret, linkKey } = await openTarget(keys, hook);
    const { link } = delivery;
    const address =
      link && linkKey !== undefined && link.person === hook.links
        ? this.#linkTo(hook, delivery, linkKey, link)
        : undefined;
    const body =
      address === undefined || link === undefined
        ? delivery.body
        : linkedBody(hook.format, delivery.body, { url: address, person: link.person, until: link.until });
    const headers = {
      'content-type': 'application/json',
      'pulumi-webhook-id': delivery.id,
      'pulumi-webhook-kind': delivery.kind,
      ...(secret !== undefined && { 'pulumi-webhook-signature': hookSignature(secret, body) }),
    };
    const at = seconds(now());
    const began = monotonic();
    const answer = await post(url, headers, body).catch((thrown: unknown) => ({
      ...{ code: 0, headers: '', body: thrown instanceof Error ? thrown.message : 'no answer' },
    }));
    const last: DeliveryAttempt = {
      ...{ at, ms: Math.round(monotonic() - began), requestHeaders: linesOf(headers) },
      ...{ code: answer.code, responseHeaders: answer.headers, responseBody: answer.body },
    };
    const tried = { ...delivery, last };
    return isSuccess(tried) ? tried : { ...tried, attempts: delivery.attempts + 1 };
  }

  /** Returns the address of a link that approves, if the service knows its own. */
  #linkTo(
    { id }: Hook,
    { organization }: HookDelivery,
    key: string,
    claims: ApprovalClaims,
  ): string | undefined {
    const service = this.#ports.url ?? this.#ports.signIn?.url;
    if (service === undefined) return undefined;
    const token = signApprovalLink(Buffer.from(key, 'base64'), claims);
    return `${service.replace(/\/$/, '')}${APPROVAL_PATH}/${organization}/${id}/${token}`;
  }

  #placeOf(stack: StackId, page?: HookOccasion['page']): HookPlace {
    return {
      ...{ organization: organizationOf(stack), project: stack.project, stack: stack.stack },
      page: pageAddress(this.#ports, stack, page),
    };
  }
}

function newDelivery(
  organization: string,
  hook: Hook,
  occasion: HookOccasion,
  place: HookPlace,
): Omit<HookDelivery, 'id'> {
  const body = hookBody(hook.format, occasion, place);
  const { approves } = occasion;
  const link = approves && hook.links !== undefined && { link: { ...approves, person: hook.links } };
  return { organization, hook: hook.id, kind: occasion.kind, body, attempts: 0, ...link };
}

/** Returns the id of a delivery about one thing: the same one every time. Ids sort by time. */
function idOf({ kind, at }: Pick<HookOccasion, 'kind' | 'at'>, about: string): string {
  return `${at}-${about}-${kind}`;
}

function isSuccess({ last }: HookDelivery): boolean {
  return last !== undefined && last.code >= 200 && last.code < 300;
}

function answerOf({ id, kind, body, last }: HookDelivery, requestUrl: string): HookDeliveryAnswer {
  const {
    at = 0,
    ms = 0,
    requestHeaders = '',
    code = 0,
    responseHeaders = '',
    responseBody = '',
  } = last ?? {};
  return {
    ...{ id, kind, payload: body, timestamp: at, duration: ms, requestUrl, requestHeaders },
    ...{ responseCode: code, responseHeaders, responseBody },
  };
}

function linesOf(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}
