import { importOperation, typedImport } from '../session/import-operation.js';
import { operate } from '../session/operate.js';
import type { CommandCode } from './command-spec.js';

export const run: CommandCode['run'] = async ({ args, flags }, world) =>
  operate(world, importOperation(world, await typedImport(world, args, flags), flags));
