import type { StackId } from '@cairn/backends';
import type { ConsoleCompareAnswer, ConsolePreviewStep } from '@cairn/http-api';
import { comparedStates } from '../../domain/console/compared-states.js';
import { plannedEntries } from '../../domain/console/planned-state.js';
import { sealedTexts, comparisonDigest, withDigests } from '../../domain/console/secret-digests.js';
import type { ShownDeployment, StateEntry } from '../../domain/console/state-entries.js';
import { Refusal } from '../../domain/refusal.js';
import type { Secrets } from '../secrets.js';
import type { StackViews } from './stack-views.js';

/** State of a stack. Without a version, the newest. */
interface ComparedState {
  readonly stack: StackId;
  readonly version: number | undefined;
  /** Steps of a preview. With them, it is the state as it would be after them. */
  readonly planned?: readonly ConsolePreviewStep[];
}

/**
 * Compares two states. Secrets that the service can open are compared by their plaintexts, which leave this function
 * neither as they are nor as digests.
 */
export async function compareStates(
  { views, secrets }: { readonly views: StackViews; readonly secrets: Secrets },
  from: ComparedState,
  to: ComparedState,
): Promise<ConsoleCompareAnswer> {
  const comparable = comparableEntries(secrets);
  const read = async ({ stack, version, planned }: ComparedState): Promise<readonly StateEntry[]> => {
    const entries = await comparable(stack, await views.deployment(stack, version));
    return planned === undefined ? entries : plannedEntries(entries, planned);
  };
  return comparedStates(await read(from), await read(to));
}

/** Returns a function that returns entries of states of one comparison, with digests in place of secrets. */
export function comparableEntries(
  secrets: Secrets,
): (stack: StackId, state: ShownDeployment) => Promise<readonly StateEntry[]> {
  const digestOf = comparisonDigest();
  return async (stack, state) =>
    withDigests(state.resources, await digestsOf(secrets, stack, state, digestOf));
}

async function digestsOf(
  secrets: Secrets,
  stack: StackId,
  { resources, secretsProvider }: ShownDeployment,
  digestOf: (plaintext: Uint8Array) => string,
): Promise<ReadonlyMap<string, string>> {
  const ciphertexts = secretsProvider === 'service' ? sealedTexts(resources) : [];
  if (ciphertexts.length === 0) return new Map();
  try {
    const sealed = ciphertexts.map((text) => Buffer.from(text, 'base64'));
    const opened = await secrets.decrypt(stack, sealed);
    return new Map(opened.map((plaintext, index) => [ciphertexts[index] ?? '', digestOf(plaintext)]));
  } catch (thrown) {
    // A secret that cannot be opened is equal to none but itself.
    if (thrown instanceof Refusal) return new Map();
    throw thrown;
  }
}
