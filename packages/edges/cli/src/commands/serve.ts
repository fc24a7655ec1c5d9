import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { retentionOf } from '@cairn/backends';
import { EXIT, cairnError } from '@cairn/diagnostics';
import {
  PasswordDigests,
  hookPoster,
  listTokens,
  serviceLog,
  startService,
  tlsFiles,
  trustedProxies,
} from '@cairn/state-server';
import type { MailSettings, Role, ServiceLog, TlsFiles } from '@cairn/state-server';
import type { CommandContext } from '../command-context.js';
import type { Command } from '../command-spec.js';
import type { Switches, Texts } from '../flags/flag-spec.js';
import { parseListenAddress, parseServiceUrl } from '../flows/listen-address.js';
import { openStackKeys } from '../flows/master-keys.js';
import type { KeyFlags } from '../flows/master-keys.js';
import { administrationOf, openServiceStore, withServiceStore } from '../flows/service-store.js';
import type { StoreFlags } from '../flows/service-store.js';
import { signInSettingsIn } from '../flows/sign-in-file.js';
import { parseDuration } from '../terminal/duration.js';
import { cairnVersion } from '../flows/version.js';

type ServeFlags = Texts<
  | 'listen'
  | 'mailFrom'
  | 'metrics'
  | 'keepEvents'
  | 'keepStates'
  | 'signIn'
  | 'tlsCert'
  | 'tlsKey'
  | 'url'
  | StoreFlags
> &
  KeyFlags &
  Switches<'passwordSignIn'> &
  Readonly<Record<'trustedProxy' | 'webhooksTo', readonly string[] | undefined>>;

/** `serve`: runs the state service until an interrupt. Its address is the only line on stdout; the log is on stderr. */
export const run: Command<ServeFlags> = async ({ flags }, context) => {
  const keys = await openStackKeys(context, flags, 'start the service');
  const address = parseListenAddress(flags.listen ?? '127.0.0.1:8080', 'listen');
  const log = serviceLog(context.stderr);
  const metrics = flags.metrics === undefined ? undefined : parseListenAddress(flags.metrics, 'metrics');
  const eventsMs = keptMs('keep-events', flags.keepEvents);
  const statesMs = keptMs('keep-states', flags.keepStates);
  const tls = tlsOf(context, flags, log);
  const proxies = trustedProxies(flags.trustedProxy ?? []);
  const post = hookPoster(flags.webhooksTo ?? [], cairnVersion(), { mail: mailSettings(context, flags) });
  const url = flags.url === undefined ? undefined : parseServiceUrl(flags.url);
  const signIn = await signInSettingsIn(context, flags.signIn);
  const { consolePage } = await import('@cairn/console');
  const store = await openServiceStore(context, flags);
  const ports = { store, keys, now: context.now, newId: randomUUID, version: `v${cairnVersion()}` };
  const passwords = flags.passwordSignIn ? new PasswordDigests() : undefined;
  const retention = retentionOf(context.env);
  const more = { monotonic: () => performance.now(), url, signIn, passwords, retention };
  const service = await startService({ ...ports, ...more }, address, log, {
    tls,
    proxies,
    metrics,
    eventsMs,
    statesMs,
    post,
    files: consolePage,
  }).catch(async (thrown: unknown) => {
    await store.close();
    throw thrown;
  });
  context.stdout.write(`${service.url}\n`);
  if (service.metricsUrl !== undefined) log.note(`metrics at ${service.metricsUrl}/metrics`);
  if (service.setup !== undefined)
    context.stderr.write(
      `Make the first administrator within 30 minutes:\n  curl -X POST ${service.url}/setup/${service.setup} -d '{"user":"admin"}'\n`,
    );
  await interrupted(context, () => tls?.reload());
  await service.stop();
  return EXIT.ok;
};

/** Waits for an interrupt. A hang-up is a request to read files again. */
async function interrupted(context: CommandContext, reload: () => void): Promise<void> {
  process.on('SIGHUP', reload);
  await new Promise<void>((resolve) => {
    const unlisten = context.onInterrupt(() => {
      unlisten();
      resolve();
    });
  });
  process.off('SIGHUP', reload);
}

function keptMs(flag: 'keep-events' | 'keep-states', text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = parseDuration(text);
  if (ms !== undefined && ms >= 3_600_000) return ms;
  throw cairnError('CAIRN-USAGE', `--${flag} takes a duration from 1h to 366d, not ${JSON.stringify(text)}`, {
    hint: 'Give it as 30d.',
  });
}

/** Variable with the address of the mail server, which often has a password. */
const SMTP = 'CAIRN_SERVE_SMTP';

function mailSettings(
  { env }: CommandContext,
  { mailFrom: from }: Texts<'mailFrom'>,
): MailSettings | undefined {
  const server = env[SMTP] ?? '';
  if (server === '' && from === undefined) return undefined;
  const hint = `Give --mail-from service@example.com, and smtps://USER:PASSWORD@HOST in ${SMTP}.`;
  if (from === undefined || !/^[^\s@<>,;]+@[^\s@<>,;]+$/.test(from))
    throw cairnError('CAIRN-USAGE', 'cannot send mails: --mail-from is missing, or is no address', { hint });
  // The value may have a password, so that the error does not quote it.
  if (!/^smtps?:\/\/./.test(server) || !URL.canParse(server))
    throw cairnError('CAIRN-USAGE', `cannot send mails: ${SMTP} is not the address of a mail server`, {
      hint,
    });
  return { server, from };
}

function tlsOf(
  { cwd }: CommandContext,
  { tlsCert, tlsKey }: Texts<'tlsCert' | 'tlsKey'>,
  log: ServiceLog,
): TlsFiles | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert !== undefined && tlsKey !== undefined)
    return tlsFiles({ cert: path.resolve(cwd, tlsCert), key: path.resolve(cwd, tlsKey) }, log.failed);
  throw cairnError('CAIRN-USAGE', 'cannot serve TLS: only one of certificate and key is given', {
    hint: 'Give both --tls-cert and --tls-key.',
  });
}

/** `serve token new`: prints the token alone on stdout. */
export const newToken: Command<
  Texts<'expires' | 'name' | 'org' | StoreFlags> & {
    readonly role: Role | undefined;
    readonly stacks: readonly string[];
  }
> = async ({ args: [user = ''], flags }, context) =>
  withServiceStore(context, flags, async (store) => {
    const { role = 'writer', name = user } = flags;
    const expiresAt = flags.expires === undefined ? undefined : expiryOf(flags.expires, context.now());
    const limits = { role, expiresAt, ...(flags.stacks.length > 0 && { stacks: flags.stacks }) };
    const token = await administrationOf(context, store, flags.org).newToken({ user, name, ...limits });
    context.stdout.write(`${token}\n`);
    return EXIT.ok;
  });

/** Returns the end of a token in seconds since 1970. */
function expiryOf(text: string, now: Date): number {
  const ms = parseDuration(text);
  if (ms !== undefined && ms >= 1000) return Math.floor((now.getTime() + ms) / 1000);
  throw cairnError('CAIRN-USAGE', `--expires takes a duration from 1s to 366d, not ${JSON.stringify(text)}`, {
    hint: 'Give it as 12h or 90d.',
  });
}

/** `serve token ls`: one line a token. */
export const tokens: Command<Texts<StoreFlags>> = async ({ flags }, context) =>
  withServiceStore(context, flags, async (store) => {
    for (const { id, user, role, name, created, expires, used, stacks } of await listTokens(store)) {
      const more = [
        ...(stacks === undefined ? [] : [`for ${stacks.join(' ')}`]),
        ...(used === undefined ? [] : [`used ${used}`]),
        ...(expires === undefined ? [] : [`until ${expires}`]),
      ];
      context.stdout.write(`${[id, created, role.padEnd(6), user, name, ...more].join('  ')}\n`);
    }
    return EXIT.ok;
  });

/** `serve token rm`: the token is refused from the next call on. */
export const dropToken: Command<Texts<StoreFlags>> = async ({ args: [id = ''], flags }, context) =>
  withServiceStore(context, flags, async (store) => {
    await administrationOf(context, store).dropToken(id);
    context.stderr.write(`Removed token ${id}\n`);
    return EXIT.ok;
  });
