import type { Crypter, SecretsManager } from '@cairn/crypters';
import { isCairnError } from '@cairn/diagnostics';
import { jsonText } from '@cairn/workspace';
import type { OperationConfig } from '@cairn/workspace';
import type { Json } from '@cairn/state';
import type { ProgramInfo } from '@cairn/wire';
import type { OpenStack } from '../access/open-stack.js';
import type { SecretMask } from '../masking/mask-secrets.js';
import { interruptedEarly } from '../ports.js';

/** Everything an operation needs to know before it starts. */
export interface Prepared extends OpenStack {
  readonly manager: SecretsManager;
  /** Unlocking starts early and in the background; secrets keep their ciphertext for the length of the operation. */
  readonly crypter: Promise<Crypter>;
  /** The same for whole documents: what is secret in them is sealed on its own, their other texts are none. */
  readonly documents: Promise<Crypter>;
  /** What is secret in this operation, to be taken out of what others say. */
  readonly mask: SecretMask;
  readonly config: OperationConfig;
  readonly program: ProgramInfo;
  /** Milliseconds that running steps get to end when they are asked to. */
  readonly stopGraceMs: number;
  /** Address of the language host that runs the program, when somebody serves one for this operation. */
  readonly client?: string | undefined;
  /** Whether an interrupt has come since somebody asked for the lock. Absent: nothing is locked. */
  readonly interrupted?: () => boolean;
}

/** Throws CAIRN-CANCELLED if an interrupt has come, before anything is shown, asked or done that it was to prevent. */
export function refuseInterrupted({ interrupted }: Pick<Prepared, 'interrupted'>): void {
  if (interrupted?.() === true) throw interruptedEarly();
}

/**
 * Resolves once the passphrase of the stack has opened its secrets; a key of a service is asked for only when something
 * needs it. Throws CAIRN-PASSPHRASE-WRONG, CAIRN-PASSPHRASE-MISSING.
 */
export async function opened({ manager, crypter }: Pick<Prepared, 'manager' | 'crypter'>): Promise<void> {
  if (manager.type === 'passphrase') await crypter;
}

/**
 * As {@link opened}, for what may need no secret: throws CAIRN-PASSPHRASE-WRONG only. A passphrase that is missing is
 * an error where it is needed.
 */
export async function refuseWrongPassphrase(unlocking: Pick<Prepared, 'manager' | 'crypter'>): Promise<void> {
  await opened(unlocking).catch((error: unknown) => {
    if (!isCairnError(error) || error.diagnostics[0]?.code === 'CAIRN-PASSPHRASE-WRONG') throw error;
  });
}

/** Configuration as history keeps it: texts, structures and ciphertexts. */
export function historyConfig(config: OperationConfig): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    [...config.config].map(([key, tree]) => [key, JSON.parse(jsonText(tree)) as Json]),
  );
}
