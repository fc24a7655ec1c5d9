import { ORGANIZATION, fullStackName, organizationOf } from '@cairn/backends';
import type { Backend, NewSeal, StackId } from '@cairn/backends';
import { cairnError, isCairnError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { SecretsProviderRecord } from '@cairn/state';
import { openChosenBackend } from '../access/open-backend.js';
import { openManager } from '../access/secrets.js';
import type { Ports } from '../ports.js';
import { copyStack, movedTo } from './copy-stack.js';
import { withKeysAt } from './keys-at.js';
import { newSeal } from './new-seal.js';

/** Service that takes stacks. */
interface TakingService {
  /** Address at which it is reached now. */
  readonly url: string;
  /** Returns a token of an administrator of an organization there, which is made if it does not exist. */
  readonly tokenOf: (organization: string) => Promise<string>;
  /** Name of the place in reasons of locks. */
  readonly place: string;
  /** Address that clients use, for secrets whose keys the service keeps. */
  readonly publicUrl: string | undefined;
}

/** Outcome for one stack. `there`: it was moved before. */
export interface TakenStack {
  readonly name: string;
  /** Name that it has now, if that is another one. */
  readonly renamed: string | undefined;
  readonly outcome: 'moved' | 'there' | 'refused';
  readonly notes: readonly Diagnostic[];
}

interface TakeOptions {
  readonly from: string;
  /** Address of the service that keeps the keys of secrets, in place of the one that states name. */
  readonly keysAt?: string | undefined;
  readonly into: TakingService;
  /** New names of organizations by those at the source. Others keep theirs. */
  readonly organizations: ReadonlyMap<string, string>;
  /** Seals all secrets under keys of the service. By default only those whose keys another service keeps. */
  readonly reseal: boolean;
  readonly onTaken: (taken: TakenStack) => void;
}

/**
 * Moves every stack of a bucket or another service into a service, with history and tags; see `copyStack`. Stacks keep
 * their organizations, unless these get new names. A stack that cannot be moved is reported, and the others follow.
 * Running it again continues an interrupted run.
 */
export async function takeStacks(
  ports: Ports,
  { from, keysAt, into, organizations, ...options }: TakeOptions,
): Promise<void> {
  const opened = await openChosenBackend(ports, {}, { url: from, createDirectory: false });
  const source = keysAt === undefined ? opened : withKeysAt(opened, keysAt);
  try {
    if (source.bucket?.layout === 'legacy')
      throw cairnError(
        'CAIRN-STATE-TOO-OLD',
        `cannot take the stacks of ${source.url}: they have no projects`,
        {
          hint: 'Run `cairn state upgrade` on it.',
        },
      );
    const targets = new Targets(ports, into);
    try {
      for (const id of await source.list()) {
        const organization = organizations.get(organizationOf(id)) ?? organizationOf(id);
        const to = {
          ...(organization !== ORGANIZATION && { organization }),
          project: id.project,
          stack: id.stack,
        };
        const context = { ports, source, into, reseal: options.reseal, ...(await targets.of(organization)) };
        options.onTaken(await takeStack(context, id, to));
      }
    } finally {
      await targets.close();
    }
  } finally {
    await source.close();
  }
}

/** Service as an administrator of one organization sees it. */
interface Target {
  readonly target: Backend;
  readonly portsThere: Ports;
}

/** The service, opened once for each organization. */
class Targets {
  readonly #ports: Ports;
  readonly #into: TakingService;
  readonly #opened = new Map<string, Target>();

  constructor(ports: Ports, into: TakingService) {
    this.#ports = ports;
    this.#into = into;
  }

  async of(organization: string): Promise<Target> {
    const known = this.#opened.get(organization);
    if (known !== undefined) return known;
    const token = await this.#into.tokenOf(organization);
    const portsThere: Ports = { ...this.#ports, env: { ...this.#ports.env, CAIRN_ACCESS_TOKEN: token } };
    const target = await openChosenBackend(portsThere, {}, { url: this.#into.url, createDirectory: false });
    this.#opened.set(organization, { target, portsThere });
    return { target, portsThere };
  }

  async close(): Promise<void> {
    for (const { target } of this.#opened.values()) await target.close();
  }
}

interface TakeContext extends Target {
  readonly ports: Ports;
  readonly source: Backend;
  readonly into: TakingService;
  readonly reseal: boolean;
}

async function takeStack(context: TakeContext, id: StackId, to: StackId): Promise<TakenStack> {
  const { source, target, into } = context;
  const name = fullStackName(id);
  const names = { name, renamed: name === fullStackName(to) ? undefined : fullStackName(to) };
  try {
    const reasons = ((await source.bucket?.locks(id)) ?? []).map(({ reason }) => reason);
    if (reasons.includes(movedTo(`${into.place} as ${fullStackName(to)}`)))
      return { ...names, outcome: 'there', notes: [] };
    const running = source.bucket === undefined ? await source.currentOperation(id) : undefined;
    if (running !== undefined)
      throw cairnError('CAIRN-STATE-LOCKED', `an operation of ${running.author} works on the stack`);
    const seal = await sealFor(context, id, to);
    const options = { from: id, to, seal, journals: false, force: true, onCopied: async () => undefined };
    const notes = await copyStack(source, target, { ...options, place: into.place, continues: true });
    return { ...names, outcome: 'moved', notes };
  } catch (thrown) {
    if (!isCairnError(thrown)) throw thrown;
    return { ...names, outcome: 'refused', notes: thrown.diagnostics };
  }
}

/** Returns the sealing under keys of the service, for a stack that needs it. */
async function sealFor(
  { ports, portsThere, source, target, into, reseal }: TakeContext,
  id: StackId,
  to: StackId,
): Promise<NewSeal | undefined> {
  const { deployment } = await source.read(id, { integrity: 'skip' });
  const manager = deployment?.secretsProvider;
  if (manager === undefined || (manager.type !== 'service' && !reseal)) return undefined;
  if (into.publicUrl === undefined)
    throw cairnError(
      'CAIRN-USAGE',
      'cannot seal the secrets of the stack: the address of the service is not given',
      {
        hint: 'Give the address that clients use with --url.',
      },
    );
  const here = target.service?.secretsProvider(to) as SecretsProviderRecord;
  const crypter = await openManager(portsThere, here).crypter();
  return newSeal(ports, publicRecord(here, into.publicUrl), crypter);
}

/** Returns the record of a manager with the address that clients use. */
function publicRecord({ type, state = '{}' }: SecretsProviderRecord, url: string): SecretsProviderRecord {
  return { type, state: JSON.stringify({ ...(JSON.parse(state) as object), url: url.replace(/\/+$/, '') }) };
}
