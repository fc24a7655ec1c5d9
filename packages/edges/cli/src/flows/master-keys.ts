import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { cairnError, messageOf } from '@cairn/diagnostics';
import { isKeyUrl, masterKeyOf, stackKeys } from '@cairn/state-server';
import type { StackKeys } from '@cairn/state-server';
import type { CommandContext } from '../command-context.js';

const MASTER_KEY = 'CAIRN_SERVE_MASTER_KEY';
const RETIRED_KEYS = 'CAIRN_SERVE_RETIRED_KEYS';

/** Flags that name the master keys. */
export interface KeyFlags {
  readonly masterKey: string | undefined;
  readonly retiredKey: readonly string[] | undefined;
}

type Sources = Pick<CommandContext, 'env' | 'cwd'>;

/**
 * Opens the keys of stacks under the master keys of flags or the environment. `wanted` says what they are needed for,
 * in the error for a missing one.
 */
export async function openStackKeys(
  context: Sources,
  { masterKey, retiredKey }: KeyFlags,
  wanted: string,
): Promise<StackKeys> {
  const { env } = context;
  const text = env[MASTER_KEY];
  const retired = retiredKey ?? (env[RETIRED_KEYS] ?? '').split(/[\s,]+/).filter((each) => each !== '');
  const isFlag = retiredKey !== undefined;
  const others = await Promise.all(
    retired.map((each) => (isFlag ? keyOf(context, each) : masterKeyOf(each, RETIRED_KEYS, env))),
  );
  if (masterKey !== undefined) return stackKeys(await keyOf(context, masterKey), others);
  if (text !== undefined && text !== '') return stackKeys(masterKeyOf(text, MASTER_KEY, env), others);
  throw cairnError('CAIRN-USAGE', `cannot ${wanted}: no master key for secrets is given`, {
    hint: `Make one with \`openssl rand -base64 32 > master.key\`, and give it with --master-key or in ${MASTER_KEY}.`,
  });
}

/** Returns the key in a file, or the one at the address of a key service. */
async function keyOf({ env, cwd }: Sources, place: string): Promise<ReturnType<typeof masterKeyOf>> {
  if (isKeyUrl(place)) return masterKeyOf(place, place, env);
  return masterKeyOf(await readKeyFile(path.resolve(cwd, place)), place, env);
}

async function readKeyFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (thrown) {
    throw cairnError('CAIRN-USAGE', `cannot read the master key in ${file}: ${messageOf(thrown)}`);
  }
}
