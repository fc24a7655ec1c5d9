import { join, resolve } from 'node:path';
import type { Env } from '../env.js';
import { envVar } from '../env.js';

/** Variables of the process and the user's own directory; tests pass their own. */
export interface UserContext {
  readonly env: Env;
  readonly userHome: string;
}

/**
 * Returns Cairn's home: `CAIRN_HOME`, else `PULUMI_HOME`, else `~/.cairn` [CFG-11] [CFG-13]. An empty variable counts
 * as unset.
 */
export function homeDirectory(context: UserContext): string {
  return resolve(namedHome(context) ?? join(context.userHome, '.cairn'));
}

/**
 * Returns Pulumi's home, `~/.pulumi`. Returns undefined if a variable names the home, which is then the only one
 * [CFG-11].
 */
export function pulumiHome(context: UserContext): string | undefined {
  return namedHome(context) === undefined ? resolve(context.userHome, '.pulumi') : undefined;
}

/**
 * Returns the backend of a user who has not logged in [CFG-13]: `file://~/.cairn`, or the home that the variables name.
 */
export function defaultBackendUrl(context: UserContext): string {
  const named = namedHome(context);
  return named === undefined ? 'file://~/.cairn' : directoryUrl(named);
}

/** Returns the address of a backend in a directory. */
export function directoryUrl(directory: string): string {
  return `file://${resolve(directory).replaceAll('%', '%25').replaceAll('?', '%3F')}`;
}

function namedHome({ env }: UserContext): string | undefined {
  return envVar(env, 'HOME') || undefined;
}
