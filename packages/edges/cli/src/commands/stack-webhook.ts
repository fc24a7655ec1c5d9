import type { StackHook, StackHookDelivery, StackHooks, StackHookSettings } from '@cairn/backends';
import { cairnError } from '@cairn/diagnostics';
import { NO_HOOK_SECRET } from '@cairn/http-api';
import type { CommandContext } from '../command-context.js';
import type { Command } from '../command-spec.js';
import type { Counts, Lists, Switches, Texts } from '../flags/flag-spec.js';
import type { StackFlags } from '../flags/operation.js';
import { refuseUnconfirmed, isConfirmed } from '../flows/confirm.js';
import { withServiceOfStack, writeFields, writeTable } from '../flows/service-tables.js';
import { printJson } from '../terminal/json-output.js';
import { askText, confirm } from '../terminal/prompt.js';

type Json = Switches<'json'>;

function withHooks(
  context: CommandContext,
  flags: StackFlags,
  work: (hooks: StackHooks) => Promise<void>,
): Promise<number> {
  const needs = {
    what: 'webhooks',
    hint: 'Log in to a state service, which sends them. `--event-log FILE` writes the events of one operation.',
  };
  return withServiceOfStack(context, flags, needs, async (service, id) => work(await service.hooks(id)));
}

/** `stack webhook ls` */
export const list: Command<Json> = ({ flags }, context) =>
  withHooks(context, flags, async (hooks) => {
    const found = await hooks.list();
    if (flags.json) return printJson(context, { webhooks: found.map(rowOf), count: found.length });
    const rows = found.map((hook) => [
      ...[hook.name, hook.displayName, hook.payloadUrl, hook.format],
      ...[aboutOf(hook), hook.active ? 'yes' : 'no'],
    ]);
    writeTable(context, ['ID', 'NAME', 'URL', 'FORMAT', 'EVENTS', 'ACTIVE'], rows);
  });

/** `stack webhook get` */
export const get: Command<Json> = ({ args: [name = ''], flags }, context) =>
  withHooks(context, flags, async (hooks) => showHook(context, flags, await hooks.get(name)));

/** `stack webhook new` */
export const create: Command<
  Json &
    Texts<'name' | 'url' | 'hookFormat' | 'links' | 'secret'> &
    Lists<'event' | 'group'> &
    Switches<'active'>
> = ({ flags }, context) =>
  withHooks(context, flags, async (hooks) => {
    const settings: StackHookSettings = {
      displayName: flags.name ?? (await asked(context, flags, 'Name of the webhook', '--name')),
      payloadUrl: flags.url ?? (await asked(context, flags, 'Address to send events to', '--url')),
      active: flags.active,
      format: flags.hookFormat ?? 'raw',
      filters: flags.event,
      groups: flags.group,
      secret: flags.secret || undefined,
      ...(flags.links && { cairn: { links: flags.links } }),
    };
    showHook(context, flags, await hooks.create(settings));
  });

type Changes = Texts<'displayName' | 'url' | 'hookFormat' | 'links' | 'secret'> &
  Lists<'addEvent' | 'removeEvent' | 'addGroup' | 'removeGroup'> & {
    readonly active: 'true' | 'false' | undefined;
  };

/** `stack webhook edit` */
export const edit: Command<Json & Changes> = ({ args: [name = ''], flags }, context) =>
  withHooks(context, flags, async (hooks) =>
    showHook(context, flags, await hooks.change(name, edited(await hooks.get(name), flags))),
  );

function edited(hook: StackHook, flags: Changes): StackHookSettings {
  return {
    displayName: flags.displayName ?? hook.displayName,
    payloadUrl: flags.url ?? hook.payloadUrl,
    active: flags.active === undefined ? hook.active : flags.active === 'true',
    format: flags.hookFormat ?? hook.format,
    filters: changed(hook.filters, flags.addEvent, flags.removeEvent),
    groups: changed(hook.groups, flags.addGroup, flags.removeGroup),
    secret: flags.secret === '' ? NO_HOOK_SECRET : flags.secret,
    ...(flags.links !== undefined && { cairn: { links: flags.links } }),
  };
}

function changed(
  present: readonly string[],
  added: readonly string[],
  removed: readonly string[],
): readonly string[] {
  return [...new Set([...present, ...added])].filter((each) => !removed.includes(each));
}

/** `stack webhook rm` */
export const remove: Command = ({ args: [name = ''], flags }, context) => {
  refuseUnconfirmed(context, flags, 'this removes a webhook');
  return withHooks(context, flags, async (hooks) => {
    if (!isConfirmed(context, flags) && !(await confirm(context, `Remove webhook ${name}?`))) return;
    await hooks.remove(name);
    context.stderr.write(`Removed webhook ${name}\n`);
  });
};

/** `stack webhook ping` */
export const ping: Command<Json> = ({ args: [name = ''], flags }, context) =>
  withHooks(context, flags, async (hooks) => showDelivery(context, flags, await hooks.ping(name)));

/** `stack webhook delivery ls` */
export const deliveries: Command<Json & Counts<'count'>> = ({ args: [name = ''], flags }, context) =>
  withHooks(context, flags, async (hooks) => {
    const found = (await hooks.deliveries(name)).slice(0, flags.count);
    if (flags.json) return printJson(context, { deliveries: found.map(deliveryOf), count: found.length });
    const rows = found.map((each) => [
      ...[each.id, each.kind, timeOf(each), `${each.duration}ms`],
      each.responseCode === 0 ? 'no answer' : String(each.responseCode),
    ]);
    writeTable(context, ['ID', 'KIND', 'TIME', 'TOOK', 'STATUS'], rows);
  });

/** `stack webhook delivery redeliver` */
export const redeliver: Command<Json> = ({ args: [name = '', delivery = ''], flags }, context) =>
  withHooks(context, flags, async (hooks) =>
    showDelivery(context, flags, await hooks.redeliver(name, delivery)),
  );

/** Asks for what no flag says. */
async function asked(
  context: CommandContext,
  flags: StackFlags,
  message: string,
  flag: string,
): Promise<string> {
  const answer =
    context.terminal.interactive && !isConfirmed(context, flags) ? await askText(context, message) : '';
  if (answer) return answer;
  throw cairnError('CAIRN-USAGE', `cannot make the webhook: ${flag} is missing`, {
    hint: 'A webhook needs --name and --url.',
  });
}

function showHook(context: CommandContext, { json }: Json, hook: StackHook): void {
  const { organizationName, projectName = '', stackName = '', hasSecret } = hook;
  if (json) {
    const place = { organizationName, projectName, stackName, envName: '' };
    return printJson(context, { ...place, ...rowOf(hook), hasSecret, secretCiphertext: '' });
  }
  writeFields(context, [
    ['ID', hook.name],
    ['Name', hook.displayName],
    ['Stack', [organizationName, projectName, stackName].join('/')],
    ['URL', hook.payloadUrl],
    ['Format', hook.format],
    ['Events', aboutOf(hook)],
    ['Active', hook.active ? 'yes' : 'no'],
    ['Has secret', hasSecret ? 'yes' : 'no'],
    ...(hook.cairn?.links ? [['Links approve as', hook.cairn.links] as const] : []),
  ]);
}

/** Returns a webhook as scripts read it, with the other tool's names of fields. */
function rowOf({ name, displayName, payloadUrl, format, active, groups, filters, cairn }: StackHook) {
  const row = { id: name, name: displayName, url: payloadUrl, format, active };
  return { ...row, eventGroups: groups, events: filters, ...(cairn?.links && { cairn }) };
}

function aboutOf({ groups, filters }: StackHook): string {
  return [...groups.map((group) => `all of ${group}`), ...filters].join(', ') || 'all';
}

function showDelivery(context: CommandContext, { json }: Json, delivery: StackHookDelivery): void {
  if (json) return printJson(context, deliveryOf(delivery));
  const { responseCode, responseBody } = delivery;
  writeFields(context, [
    ['ID', delivery.id],
    ['Kind', delivery.kind],
    ['URL', delivery.requestUrl],
    ['Time', timeOf(delivery)],
    ['Took', `${delivery.duration}ms`],
    ['Payload', delivery.payload],
    ['Status', responseCode === 0 ? 'no answer' : String(responseCode)],
    ['Answer', responseBody],
  ]);
}

function deliveryOf(delivery: StackHookDelivery) {
  const { id, kind, payload, timestamp, duration, requestUrl, requestHeaders } = delivery;
  const { responseCode, responseHeaders, responseBody } = delivery;
  return {
    ...{ id, kind, payload, timestamp, duration, requestUrl, requestHeaders },
    ...{ responseCode, responseHeaders, responseBody },
  };
}

function timeOf({ timestamp }: StackHookDelivery): string {
  return new Date(timestamp * 1000).toISOString().replace('.000', '');
}
