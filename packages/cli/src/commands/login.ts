import { mkdir } from 'node:fs/promises';
import type { Backend } from '@cairn/backends';
import { EXIT, cairnError, isCairnError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { openBackend, userOf } from '@cairn/operations/stacks';
import { tell } from '../session/tell.js';
import { defaultBackendUrl, logIn } from '@cairn/workspace';
import type { Command } from './command-spec.js';
import { stackChoice } from '../session/stack-choice.js';
import { portsOf } from '../session/ports.js';

export const run: Command = async ({ args, flags }, world) => {
  const user = userOf(world);
  const given = flags.on('local') ? 'file://~' : (args[0] ?? flags.text('backend-url'));
  if (flags.on('local') && args[0] !== undefined) {
    throw cairnError('CAIRN-USAGE', '--local and a URL cannot be given together', {
      hint: 'give one of the two',
    });
  }
  const url = given ?? defaultBackendUrl(user);
  const backend = await openBackend(portsOf(world, flags), stackChoice(flags), {
    url,
    createDirectory: url === defaultBackendUrl(user),
  });
  try {
    tell(world, await writeWarnings(backend));
  } finally {
    await backend.close();
  }
  await mkdir(user.userHome, { recursive: true, mode: 0o700 });
  await logIn(user, url);
  world.stderr.write(`Logged in to ${url}\n`);
  return EXIT.ok;
};

/** Who may only read can still look at stacks and export them, so that is a warning as well. */
async function writeWarnings(backend: Backend): Promise<readonly Diagnostic[]> {
  try {
    return await backend.checkWrites();
  } catch (thrown) {
    if (!isCairnError(thrown) || thrown.diagnostics[0]?.code !== 'CAIRN-STORE-DENIED') throw thrown;
    return thrown.diagnostics.map((found) => ({ ...found, severity: 'warning' as const }));
  }
}
