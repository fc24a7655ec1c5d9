import type { ConsoleStackAnswer } from '@cairn/http-api';
import { call, stackCall } from '../../api/client.js';
import type { StackName } from '../../api/client.js';
import type { Reveal } from '../../parts/value.js';

/** Returns the request for secrets of one resource, or undefined for a reader, who may see none. */
export function revealOf(
  name: StackName,
  urn: string,
  part: 'inputs' | 'outputs',
  role: string,
): Reveal | undefined {
  if (role === 'reader') return undefined;
  return async (path) => {
    const answer = await call<{ readonly value: unknown }>('POST', stackCall(name, '/reveal'), {
      urn,
      part,
      path,
    });
    return answer.value;
  };
}

/** Returns the request for secret outputs of the program. */
export function rootReveal(
  name: StackName,
  { project, stack, role }: ConsoleStackAnswer,
): Reveal | undefined {
  const urn = `urn:pulumi:${stack}::${project}::pulumi:pulumi:Stack::${project}-${stack}`;
  return revealOf(name, urn, 'outputs', role);
}
