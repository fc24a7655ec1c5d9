import { errorCatchingCrypter, lockedCrypter } from '@cairn/crypters';
import type { Crypter } from '@cairn/crypters';
import { isCairnError, warningDiagnostic } from '@cairn/diagnostics';
import type { CairnError, Diagnostic } from '@cairn/diagnostics';
import type { StackOutputs } from '@cairn/engine';
import { decodeResource } from '@cairn/state';
import type { SerializedDeployment } from '@cairn/state';
import { emptyMap, isSecret } from '@cairn/values';
import type { OpenStack } from '../access/open-stack.js';
import type { Ports } from '../ports.js';
import { stateCrypter } from '../access/secrets.js';
import { referredStack, stackOn } from '../access/stack-reference.js';

/**
 * Returns outputs of another stack of the same backend, for stack references. A user who may not open that stack's
 * secrets can still refer to its other outputs. Each secret that cannot be opened is an empty map, a secret too, and a
 * warning names the stack and the cause [SEC-6].
 */
export async function referredOutputs(
  { ports, backend, id }: Pick<OpenStack, 'ports' | 'backend' | 'id'>,
  name: string,
  warn: (diagnostic: Diagnostic) => void,
): Promise<StackOutputs> {
  const other = stackOn(backend, { ...id, ...referredStack(ports, name, id.project) });
  const deployment = await backend.readRoot(other);
  const root = deployment?.resources[0];
  if (deployment === undefined || root === undefined) return { outputs: emptyMap, secretNames: [] };
  const refused: CairnError[] = [];
  const crypter = await crypterOf(ports, deployment);
  const { outputs } = decodeResource(
    root,
    errorCatchingCrypter(crypter, '{}', (error) => refused.push(error)),
    `the state of stack ${name}`,
  );
  const [first] = refused;
  if (first !== undefined) warn(unreadable(name, refused.length, first));
  const secretNames = Object.keys(outputs)
    .filter((key) => isSecret(outputs[key]))
    .sort();
  return { outputs, secretNames };
}

/** Returns the crypter. If the key is not available, each secret fails on its own. */
async function crypterOf(ports: Ports, deployment: SerializedDeployment): Promise<Crypter> {
  try {
    return await stateCrypter(ports, deployment);
  } catch (error) {
    if (isCairnError(error)) return lockedCrypter(() => error);
    throw error;
  }
}

function unreadable(stack: string, count: number, error: CairnError): Diagnostic {
  const [cause] = error.diagnostics;
  const secrets = count === 1 ? 'one secret' : `${count} secrets`;
  return warningDiagnostic(
    cause?.code ?? 'CAIRN-SECRETS-MALFORMED',
    `cannot open ${secrets} in the outputs of stack ${stack}: the program gets {} instead`,
    {
      causes: [cause?.summary ?? error.message, ...(cause?.causes ?? [])],
      hint:
        cause?.hint ?? `Make the secrets of stack ${stack} readable here before resources depend on them.`,
    },
  );
}
