import type { Crypter, SecretsManager } from '@cairn/crypters';
import { isCairnError } from '@cairn/diagnostics';
import { jsonText } from '@cairn/workspace';
import type { ResolvedConfig } from '@cairn/workspace';
import type { Json } from '@cairn/state';
import type { ProgramInfo } from '@cairn/wire';
import type { OpenStack } from '../access/open-stack.js';
import type { SecretMask } from '../masking/mask-secrets.js';
import type { OperationOptions } from '../options/operation-options.js';
import { interruptedEarly } from '../ports.js';
import type { StackDigests } from './stack-digests.js';

/** Everything an operation needs to know before it starts. */
export interface Prepared extends OpenStack {
  readonly manager: SecretsManager;
  /**
   * Crypter of the stack. Unlocking starts early and in the background. Secrets keep their ciphertext for the length of
   * the operation.
   */
  readonly crypter: Promise<Crypter>;
  /** The same for whole documents. Their secrets are sealed one by one; their other texts are not secrets. */
  readonly documents: Promise<Crypter>;
  /** Secrets of this operation, to be masked in texts of others. */
  readonly mask: SecretMask;
  /** Digests beside the state of the stack. Undefined if its backend keeps none. */
  readonly digests: StackDigests | undefined;
  readonly config: ResolvedConfig;
  readonly program: ProgramInfo;
  /** Milliseconds that running steps get to end on request. */
  readonly stopGraceMs: number;
  /** Address of the language host that runs the program, if another process serves one for this operation. */
  readonly client?: string | undefined;
  /** Tells whether an interrupt has come since the lock was requested. Absent if nothing is locked. */
  readonly interrupted?: () => boolean;
}

/** Throws CAIRN-CANCELLED if an interrupt has come, before anything is shown, asked or done that it was to prevent. */
export function refuseInterrupted({ interrupted }: Pick<Prepared, 'interrupted'>): void {
  if (interrupted?.() === true) throw interruptedEarly();
}

/** Returns the operation, without digests if the user wants every provider to be asked. */
export function withDigestsOf(prepared: Prepared, { noDigests }: OperationOptions): Prepared {
  return noDigests === true ? { ...prepared, digests: undefined } : prepared;
}

/**
 * Resolves once the passphrase of the stack has opened its secrets. A key of a service is requested only when it is
 * needed. Throws CAIRN-PASSPHRASE-WRONG, CAIRN-PASSPHRASE-MISSING.
 */
export async function opened({ manager, crypter }: Pick<Prepared, 'manager' | 'crypter'>): Promise<void> {
  if (manager.type === 'passphrase') await crypter;
}

/**
 * Checks like {@link opened}, for work that may need no secret: throws only CAIRN-PASSPHRASE-WRONG. A missing
 * passphrase is an error where it is needed.
 */
export async function refuseWrongPassphrase(unlocking: Pick<Prepared, 'manager' | 'crypter'>): Promise<void> {
  await opened(unlocking).catch((error: unknown) => {
    if (!isCairnError(error) || error.diagnostics[0]?.code === 'CAIRN-PASSPHRASE-WRONG') throw error;
  });
}

/** Returns the configuration in the form of the history: texts, structures and ciphertexts. */
export function historyConfig(config: ResolvedConfig): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    [...config.config].map(([key, tree]) => [key, JSON.parse(jsonText(tree)) as Json]),
  );
}
