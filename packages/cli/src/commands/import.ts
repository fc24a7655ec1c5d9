import { importRequest } from '@cairn/operations';
import { operate } from '../session/operate.js';
import { operationOptions } from '../session/options.js';
import { typedImport } from '../session/typed-import.js';
import type { Command } from './command-spec.js';

export const run: Command = async ({ args, flags }, world) => {
  const options = operationOptions(flags);
  const imports = importRequest(await typedImport(world, args, flags, options), options);
  return operate(world, { kind: 'import', previewOnly: flags.on('preview-only'), flags, imports });
};
