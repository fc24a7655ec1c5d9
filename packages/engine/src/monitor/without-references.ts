import { plainReferencesMap } from '@cairn/values';
import type { Monitor } from '@cairn/wire';

/** Function that is asked for references: its answers keep them whatever the caller takes [INV-4]. */
const GET_RESOURCE = 'pulumi:pulumi:getResource';

/** The monitor of a program that is given ids and URNs in place of references [VAL-10]. */
export function withoutReferences(monitor: Monitor): Monitor {
  return {
    ...monitor,
    registerResource: async (request) => {
      const answer = await monitor.registerResource(request);
      return { ...answer, outputs: plainReferencesMap(answer.outputs) };
    },
    readResource: async (request) => {
      const answer = await monitor.readResource(request);
      return { ...answer, properties: plainReferencesMap(answer.properties) };
    },
    invoke: async (request) => {
      const answer = await monitor.invoke(request);
      if (request.token === GET_RESOURCE) return answer;
      return { ...answer, result: plainReferencesMap(answer.result) };
    },
    call: async (request) => {
      const answer = await monitor.call(request);
      return { ...answer, result: plainReferencesMap(answer.result) };
    },
  };
}
