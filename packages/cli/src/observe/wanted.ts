import type { World } from '../world.js';

/** File to which calls between processes are written; undefined: none is asked for. */
export function callLogFile({ env }: Pick<World, 'env'>): string | undefined {
  const file = env['CAIRN_DEBUG_GRPC'] ?? env['PULUMI_DEBUG_GRPC'];
  return file === '' ? undefined : file;
}

/** Whether anybody looks into the command. */
export function isObserved(world: Pick<World, 'env'>): boolean {
  return callLogFile(world) !== undefined;
}
