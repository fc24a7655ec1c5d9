import { randomUUID } from 'node:crypto';
import { EXIT, cairnError } from '@cairn/diagnostics';
import { takeStacks } from '@cairn/operations/rare';
import type { TakenStack } from '@cairn/operations/rare';
import { serviceLog, startLoopbackService, takeRecords } from '@cairn/state-server';
import type { ServiceStore, StackKeys } from '@cairn/state-server';
import type { Command } from '../command-spec.js';
import type { CommandContext } from '../command-context.js';
import type { Switches, Texts } from '../flags/flag-spec.js';
import { openStackKeys } from '../flows/master-keys.js';
import type { KeyFlags } from '../flows/master-keys.js';
import { portsOf } from '../flows/ports.js';
import { administrationOf, openServiceStore } from '../flows/service-store.js';
import type { StoreFlags } from '../flows/service-store.js';
import { cairnVersion } from '../flows/version.js';
import { writeDiagnostics } from '../terminal/tell.js';

const WORDS = { moved: 'Moved', there: 'Was moved before:', refused: 'Not moved:' } as const;

/** Records that a move of stacks leaves where they are. */
const STAYS = 'users, tokens, webhooks, states of Terraform and the audit log';

/**
 * `serve migrate`: a line for each stack and each kind of record on stdout. The exit code tells if something could not
 * be moved. What stays is named at the end.
 */
export const run: Command<
  Texts<'from' | 'fromStore' | 'fromBlobs' | 'url' | StoreFlags> &
    Switches<'reseal'> &
    KeyFlags & { readonly organization: readonly string[] }
> = async ({ flags }, context) => {
  const { from, fromStore, url, reseal = false } = flags;
  if (from === undefined && fromStore === undefined)
    throw cairnError('CAIRN-USAGE', 'cannot take stacks: no place is given', {
      hint: 'Give --from URL of a bucket, a state service or its database, or --from-store URL of the store of another service.',
    });
  const organizations = new Map(flags.organization.map(renamingIn));
  const keys = await openStackKeys(context, flags, 'take stacks');
  const store = await openServiceStore(context, flags);
  let left = 0;
  if (fromStore !== undefined) left = await takeFromStore(context, flags, { store, keys });
  if (from === undefined) {
    await store.close();
    context.stderr.write('Not taken: stacks, with their changes\n');
    return left === 0 ? EXIT.ok : EXIT.general;
  }
  const service = await loopbackService(context, store, keys);
  let refused = 0;
  const onTaken = ({ name, renamed, outcome, notes }: TakenStack): void => {
    if (outcome === 'refused') refused += 1;
    context.stdout.write(`${WORDS[outcome]} ${name}${renamed === undefined ? '' : ` as ${renamed}`}\n`);
    writeDiagnostics(context, notes);
  };
  try {
    const place = url ?? placeOf(flags.store ?? '');
    const tokenOf = async (name: string): Promise<string> => {
      await madeOrganization(context, store, name);
      return service.tokenOf(name);
    };
    const into = { url: service.url, tokenOf, place, publicUrl: url };
    const take: Take = (token, place) => {
      const ports = portsOf(context, flags);
      const env = token === undefined ? ports.env : { ...ports.env, CAIRN_ACCESS_TOKEN: token };
      return takeStacks({ ...ports, env }, { ...place, into, organizations, reseal, onTaken });
    };
    if (isDatabase(from)) await takeFromDatabase(context, { from, fromBlobs: flags.fromBlobs }, keys, take);
    else await take(undefined, { from });
  } finally {
    await service.stop();
  }
  if (fromStore === undefined) context.stderr.write(`Not moved: ${STAYS}\n`);
  return refused + left === 0 ? EXIT.ok : EXIT.general;
};

/** Takes the stacks of a place. `token` is one for that place. Defaults to that of the user. */
type Take = (
  token: string | undefined,
  place: { readonly from: string; readonly keysAt?: string },
) => Promise<void>;

/** Serves the database of another service here, and takes the stacks of each of its organizations. */
async function takeFromDatabase(
  context: CommandContext,
  { from, fromBlobs }: Texts<'from' | 'fromBlobs'>,
  keys: StackKeys,
  take: Take,
): Promise<void> {
  const store = await openServiceStore(context, { store: from, blobs: fromBlobs });
  const service = await loopbackService(context, store, keys);
  try {
    for (const organization of await administrationOf(context, store).organizations())
      await take(await service.tokenOf(organization), { from: service.url, keysAt: service.url });
  } finally {
    await service.stop();
  }
}

/** Serves a store to this process alone. */
function loopbackService(
  context: CommandContext,
  store: ServiceStore,
  keys: StackKeys,
): ReturnType<typeof startLoopbackService> {
  const ports = { store, keys, now: context.now, newId: randomUUID, version: `v${cairnVersion()}` };
  return startLoopbackService({ ...ports, monotonic: () => performance.now() }, faultLog(context));
}

function isDatabase(url: string): boolean {
  return /^postgres(?:ql)?:/.test(url);
}

/** Takes everything but stacks from the store of another service. Returns the number of records that stay there. */
async function takeFromStore(
  context: CommandContext,
  { fromStore, fromBlobs }: Texts<'fromStore' | 'fromBlobs'>,
  into: { readonly store: ServiceStore; readonly keys: StackKeys },
): Promise<number> {
  const from = await openServiceStore(context, { store: fromStore, blobs: fromBlobs });
  try {
    const { taken, left } = await takeRecords({ from, into: into.store, keys: into.keys });
    for (const [kind, count] of taken) context.stdout.write(`Took ${kind}: ${count}\n`);
    for (const line of left) context.stderr.write(`Not taken: ${line}\n`);
    return left.length;
  } finally {
    await from.close();
  }
}

/** Makes an organization of the service, unless it is there. */
async function madeOrganization(context: CommandContext, store: ServiceStore, name: string): Promise<void> {
  const administration = administrationOf(context, store);
  if ((await administration.organizations()).includes(name)) return;
  await administration.newOrganization(name, undefined);
  context.stderr.write(`Made organization ${name}\n`);
}

function renamingIn(text: string): readonly [string, string] {
  const [from = '', to = '', ...more] = text.split('=');
  if (from !== '' && to !== '' && more.length === 0) return [from, to];
  throw cairnError('CAIRN-USAGE', `--organization takes FROM=TO, not ${JSON.stringify(text)}`, {
    hint: 'Give the name of an organization at the source, and its new name.',
  });
}

/** Log of the service as far as something fails in it. */
function faultLog({ stderr }: CommandContext): ReturnType<typeof serviceLog> {
  return serviceLog({ write: (line) => void (line.includes('"level":50') && stderr.write(line)) });
}

/** Returns the address of a store without what may be secret. */
function placeOf(store: string): string {
  return store.replace(/^([a-z]+:\/\/)[^/@]*@/, '$1').replace(/\?.*$/, '');
}
