import { GRPCControllerDefinition, GRPCStdioDefinition, StdioData_Channel } from '@cairn/tfplugin/plugin';
import { healthService, service } from '@cairn/wire/server';
import type { Service } from '@cairn/wire/server';
import type { OutputTap } from './output-tap.js';

/** Returns the services of a plugin besides the provider service. `onShutdown` is called after the answer is sent. */
// [TFP-10]
export function supportServices(output: OutputTap, onShutdown: () => void): readonly Service[] {
  return [
    healthService(['plugin']),
    service(GRPCControllerDefinition, {
      shutdown: async () => {
        setImmediate(onShutdown);
        return {};
      },
    }),
    service(GRPCStdioDefinition, {
      streamStdio: async function* (_request, { signal }) {
        for await (const data of output.read(signal)) yield { channel: StdioData_Channel.STDOUT, data };
      },
    }),
  ];
}
