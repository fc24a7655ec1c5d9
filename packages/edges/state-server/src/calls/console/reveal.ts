import type { StackId } from '@cairn/backends';
import { Refusal } from '../../domain/refusal.js';
import { isSealedValue, valueAt } from '../../domain/console/blinded-values.js';
import type { Secrets } from '../secrets.js';
import type { StackViews } from './stack-views.js';

/** Place of a secret in the newest state. */
interface SecretPlace {
  readonly urn: string;
  readonly part: 'inputs' | 'outputs';
  readonly path: readonly (string | number)[];
}

/** Returns the value of one secret. Refuses places without one, and secrets that the service cannot open. */
export async function revealSecret(
  { views, secrets }: { readonly views: StackViews; readonly secrets: Secrets },
  stack: StackId,
  { urn, part, path }: SecretPlace,
): Promise<unknown> {
  const { resources, secretsProvider } = await views.deployment(stack);
  const entry = resources.find((each) => each.urn === urn && each['delete'] !== true);
  const found = valueAt(entry?.[part], path);
  if (typeof found !== 'object' || found === null || !isSealedValue(found))
    throw new Refusal(404, 'There is no secret at this place of the state.');
  if (secretsProvider !== 'service' || typeof found.ciphertext !== 'string')
    throw new Refusal(
      409,
      `The service cannot open the secrets of this stack: ${secretsProvider ?? 'no service'} keeps their key. ` +
        'Run `cairn stack output --show-secrets` or `cairn stack export --show-secrets` where the key is.',
    );
  const [text] = await secrets.decrypt(stack, [Buffer.from(found.ciphertext, 'base64')]);
  return JSON.parse(text?.toString('utf8') ?? 'null');
}
