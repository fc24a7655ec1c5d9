import { randomBytes } from 'node:crypto';
import type { Crypter } from '@cairn/crypters';
import { cairnError, isCairnError, messageOf } from '@cairn/diagnostics';
import type { SecretsProviderRecord } from '@cairn/state';
import type { DataKey, SealedHeader } from './sealed-format.js';
import type { SealingPorts, StateEncryption } from '../../backend-ports.js';

/** Rules for writing a stack's files. */
interface StackSealing {
  /** True if its stored checkpoint is sealed. Undefined if it has none. */
  sealed: boolean | undefined;
  manager: SecretsProviderRecord | undefined;
  key: Promise<DataKey> | undefined;
  /** True if stored files are not as they are to be: older files are to be rewritten. */
  unsettled: boolean;
}

/** Keys of sealed states, one per stack and manager, obtained once for the life of a backend. */
export class StateKeys {
  readonly #stacks = new Map<string, StackSealing>();
  readonly #unwrapped = new Map<string, Promise<DataKey>>();
  readonly #crypters = new Map<string, Promise<Crypter>>();
  readonly #ports: SealingPorts | undefined;

  constructor(ports: SealingPorts | undefined) {
    this.#ports = ports;
  }

  get mode(): StateEncryption {
    return this.#ports?.mode;
  }

  /** Returns true if anything is known of the stack's checkpoint. */
  knows(stack: string): boolean {
    return this.#stacks.has(stack);
  }

  /** Returns true if the manager is known under which files of the stack are to be sealed. */
  hasManager(stack: string): boolean {
    return this.#stacks.get(stack)?.manager !== undefined;
  }

  /** Returns true if the stack's checkpoint is known to be plain. */
  isPlain(stack: string): boolean {
    return this.#stacks.get(stack)?.sealed === false;
  }

  managerOf(stack: string): SecretsProviderRecord | undefined {
    return this.#stacks.get(stack)?.manager;
  }

  /**
   * Notes the form of the stack's stored checkpoint: sealed under a manager, plain, or missing (`sealed` is undefined).
   */
  noteCheckpoint(stack: string, sealed: boolean | undefined, manager?: SecretsProviderRecord): void {
    const known = this.#stackOf(stack);
    known.sealed = sealed;
    if (manager !== undefined && !sameRecord(known.manager, manager)) {
      known.manager = manager;
      known.key = undefined;
    }
  }

  /** Sets the manager under which files of the stack are sealed from now on. The same one again changes nothing. */
  useManager(stack: string, manager: SecretsProviderRecord | undefined): void {
    const known = this.#stackOf(stack);
    if (manager === undefined || sameRecord(known.manager, manager)) return;
    if (known.manager !== undefined && known.sealed === true) known.unsettled = true;
    known.manager = manager;
    known.key = undefined;
  }

  /** Notes that the checkpoint was written, sealed or not. Other stored files may be in the other form. */
  noteWritten(stack: string, sealed: boolean): void {
    const known = this.#stackOf(stack);
    if (known.sealed !== undefined && known.sealed !== sealed) known.unsettled = true;
    known.sealed = sealed;
  }

  /** Returns true once if older files are to be rewritten, and clears the mark. */
  takeUnsettled(stack: string): boolean {
    const known = this.#stacks.get(stack);
    const unsettled = known?.unsettled === true;
    if (known !== undefined) known.unsettled = false;
    return unsettled;
  }

  /** Returns true if files of the stack are written sealed. */
  seals(stack: string): boolean {
    return this.mode === 'on' || (this.mode === undefined && this.#stacks.get(stack)?.sealed === true);
  }

  /**
   * Returns the key to seal files of the stack with. Fails with `CAIRN-STATE-SEALED` when there is no manager or it
   * returns no crypter.
   */
  keyFor(stack: string): Promise<DataKey> {
    const known = this.#stacks.get(stack);
    const manager = known?.manager;
    if (known === undefined || manager === undefined) return Promise.reject(noManager(stack));
    return (known.key ??= this.#newKey(stack, manager));
  }

  /** Returns the key that a header wraps. Fails with `CAIRN-STATE-SEALED`. */
  unwrap(stack: string, { manager, wrapped }: SealedHeader, name: string): Promise<DataKey> {
    const id = JSON.stringify([manager.type, manager.state, wrapped]);
    const known = this.#unwrapped.get(id) ?? this.#open(manager, wrapped, name);
    this.#unwrapped.set(id, known);
    known.catch(() => this.#unwrapped.delete(id));
    const sealing = this.#stacks.get(stack);
    if (sealing !== undefined && sameRecord(sealing.manager, manager)) sealing.key ??= known;
    return known;
  }

  #stackOf(stack: string): StackSealing {
    const known = this.#stacks.get(stack);
    if (known !== undefined) return known;
    const fresh: StackSealing = { sealed: undefined, manager: undefined, key: undefined, unsettled: false };
    this.#stacks.set(stack, fresh);
    return fresh;
  }

  async #newKey(stack: string, manager: SecretsProviderRecord): Promise<DataKey> {
    const key = randomBytes(32);
    const crypter = await this.#crypterOf(manager, `the state of ${stack}`);
    try {
      return { manager, key, wrapped: crypter.encrypt(key.toString('base64')) };
    } catch (thrown) {
      throw noKey(`the state of ${stack}`, thrown);
    }
  }

  async #open(manager: SecretsProviderRecord, wrapped: string, name: string): Promise<DataKey> {
    const crypter = await this.#crypterOf(manager, name);
    try {
      return { manager, wrapped, key: Buffer.from(crypter.decrypt(wrapped), 'base64') };
    } catch (thrown) {
      throw noKey(name, thrown);
    }
  }

  async #crypterOf(manager: SecretsProviderRecord, name: string): Promise<Crypter> {
    if (this.#ports === undefined) throw noKey(name, undefined);
    const id = JSON.stringify([manager.type, manager.state]);
    const opening = this.#crypters.get(id) ?? this.#ports.open(manager);
    this.#crypters.set(id, opening);
    try {
      return await opening;
    } catch (thrown) {
      this.#crypters.delete(id);
      throw noKey(name, thrown);
    }
  }
}

/** Returns true if both name the same manager with the same settings. */
export function sameRecord(
  a: SecretsProviderRecord | undefined,
  b: SecretsProviderRecord | undefined,
): boolean {
  return a?.type === b?.type && a?.state === b?.state;
}

function noManager(stack: string): Error {
  return cairnError(
    'CAIRN-STATE-SEALED',
    `cannot seal the state of ${stack}: it does not name a secrets provider`,
    {
      hint: 'Give the stack one with `cairn stack change-secrets-provider`, or turn off the encryption of its state.',
    },
  );
}

function noKey(name: string, thrown: unknown): Error {
  if (isCairnError(thrown) && thrown.diagnostics[0]?.code === 'CAIRN-STATE-SEALED') return thrown;
  const found = isCairnError(thrown) ? thrown.diagnostics : [];
  const causes =
    found.length > 0 ? found.map((each) => each.summary) : thrown === undefined ? [] : [messageOf(thrown)];
  return cairnError(
    'CAIRN-STATE-SEALED',
    `cannot open ${name}: it is sealed, and its key is not available`,
    {
      causes,
      hint:
        found[0]?.hint ??
        "Give access to the stack's secrets provider: its passphrase or its key. Nothing was changed.",
    },
    thrown,
  );
}
