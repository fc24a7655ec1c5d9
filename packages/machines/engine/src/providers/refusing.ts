import { ProviderError, answerAll, callSubject } from '@cairn/wire';
import type { Provider } from '@cairn/wire';

/**
 * Makes a provider inside the engine that refuses every call missing in `answers`, with UNIMPLEMENTED. `title` names it
 * in errors, e.g. `the builtin package pulumi`.
 */
export function refusing(title: string, answers: Partial<Provider>): Provider {
  const refused = answerAll(async (call, request) => {
    const subject = callSubject(call, request);
    const object = subject === undefined ? '' : ` ${subject}`;
    throw new ProviderError('UNIMPLEMENTED', `${title} cannot ${call}${object}`);
  });
  return {
    ...refused,
    handshake: async () => undefined,
    getPluginInfo: async () => ({ version: '' }),
    ...answers,
  };
}
