import { changeSecretsProvider } from '../session/change-secrets-provider.js';
import type { CommandCode } from './command-spec.js';

export const run: CommandCode['run'] = async ({ args, flags }, world) =>
  changeSecretsProvider(world, flags, args[0] ?? '');
