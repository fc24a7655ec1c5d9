import { BaseMovedError } from '@cairn/backends';
import type { LeaseOptions, OpenCrypter, StackLease } from '@cairn/backends';
import { messageOf, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { crypterFor, managerIn, reencrypt } from './state-of-stack.js';
import { rememberInterrupts, tell } from '../ports.js';
import type { Ports } from '../ports.js';
import { opened } from './prepared.js';
import type { Prepared } from './prepared.js';

/** Use of a lease. */
interface LeaseUse {
  /** Claims to lock. Defaults to the whole stack. */
  readonly claims?: LeaseOptions['claims'];
  /** True if the operation resolves and reports steps in doubt itself; recovery need not. */
  readonly findsOut?: boolean;
}

/**
 * Runs a function with the stack locked, and releases it in any case. Nothing is locked, recovered or asked before the
 * passphrase has opened the stack's secrets. Notes of recovery are shown first. `run` gets `prepared` with
 * `interrupted`.
 */
export async function withLease<T>(
  prepared: Prepared,
  run: (lease: StackLease, prepared: Prepared) => Promise<T>,
  { claims, findsOut = false }: LeaseUse = {},
): Promise<T> {
  const { ports } = prepared;
  const interrupts = rememberInterrupts(ports);
  const attempt = async (): Promise<T> => {
    const lease = await leaseStack(prepared, claims, interrupts.heard);
    try {
      tell(ports, findsOut ? lease.notes.filter(({ code }) => code !== 'CAIRN-IN-DOUBT') : lease.notes);
      return await run(lease, { ...prepared, interrupted: interrupts.heard });
    } finally {
      await lease.release().catch((error: unknown) => tell(ports, [unreleased(prepared, error)]));
    }
  };
  try {
    await opened(prepared);
    return await onMovedBases(ports, attempt);
  } finally {
    interrupts.stop();
  }
}

/** Number of times that an operation is begun on a state that is newer than the one before. */
const MOVED_BASES = 3;

/**
 * Runs an attempt again, from a new lease on, when another process has changed the state before its operation began:
 * what was shown and agreed to was about the old state.
 */
async function onMovedBases<T>(ports: Ports, attempt: () => Promise<T>): Promise<T> {
  for (let left = MOVED_BASES; left > 0; left -= 1) {
    try {
      return await attempt();
    } catch (thrown) {
      if (!(thrown instanceof BaseMovedError)) throw thrown;
      ports.interaction.notice({ t: 'base-moved' });
    }
  }
  return attempt();
}

/**
 * Takes the stack. A state that another secrets manager sealed is sealed again first, so that one state has one
 * manager.
 */
async function leaseStack(
  prepared: Prepared,
  claims: LeaseOptions['claims'],
  interrupted: () => boolean,
): Promise<StackLease> {
  const { ports, backend, id } = prepared;
  const openCrypter: OpenCrypter = (_record, deployment) => crypterFor(prepared, deployment);
  const options = { openCrypter, interrupted, ...(claims === undefined ? {} : { claims }) };
  const lease = await backend.lease(id, options);
  // Only an operation that is alone may resolve steps in doubt.
  if (claims !== undefined && lease.deployment.pendingOperations.length > 0) {
    tell(ports, lease.notes);
    await lease.release();
    return leaseStack(prepared, undefined, interrupted);
  }
  const manager = managerIn(prepared, lease.deployment);
  if (manager === 'same') return lease;
  tell(ports, lease.notes);
  await lease.release();
  if (manager === 'other') ports.interaction.notice({ t: 'state-sealed-anew' });
  const sealed = await reencrypt(prepared, lease.deployment, lease.snapshot);
  await backend.replace(id, sealed, 'secrets provider of the stack file');
  return backend.lease(id, options);
}

function unreleased(prepared: Prepared, error: unknown): Diagnostic {
  return warningDiagnostic(
    'CAIRN-STATE-LOCKED',
    `the lock of stack "${prepared.id.stack}" could not be released`,
    {
      causes: [messageOf(error)],
      hint: `Remove it with \`cairn cancel ${prepared.id.stack}\`.`,
    },
  );
}
