import { once } from 'node:events';
import { isCairnError } from '@cairn/diagnostics';
import { spawnProcess } from '@cairn/processes';
import { withoutOwnSecrets } from '@cairn/values/own-secrets';

/** Commands that hold an exclusive lock on a file (`flock(2)`) until stdin ends, and print a line when they hold it. */
const HOLDERS: readonly (readonly [command: string, args: (file: string) => readonly string[]])[] = [
  ['flock', (file) => [file, 'sh', '-c', 'echo held; exec cat']],
  [
    'perl',
    (file) => [
      '-e',
      'use Fcntl ":flock"; open(my $f, ">>", $ARGV[0]) or exit 1; flock($f, LOCK_EX) or exit 1; $| = 1; print "held\\n"; 1 while <STDIN>;',
      file,
    ],
  ],
];

/** Milliseconds of waiting after which `onWaiting` is called. */
const PATIENCE_MS = 1_000;

/**
 * Does some work while the lock file of a plugin is locked, as every tool that shares the cache does. Where no command
 * can hold such a lock, the work is done without one.
 */
export async function whileLocked<T>(
  file: string,
  environment: Readonly<Record<string, string | undefined>>,
  onWaiting: () => void,
  work: () => Promise<T>,
): Promise<T> {
  const release = await hold(file, environment, onWaiting);
  try {
    return await work();
  } finally {
    await release();
  }
}

async function hold(
  file: string,
  environment: Readonly<Record<string, string | undefined>>,
  onWaiting: () => void,
): Promise<() => Promise<void>> {
  for (const [command, args] of HOLDERS) {
    const child = await spawnProcess(command, args(file), {
      env: withoutOwnSecrets(environment) as NodeJS.ProcessEnv,
      stdio: ['pipe', 'pipe', 'ignore'],
    }).catch((error: unknown) => {
      if (isCairnError(error)) throw error;
      return undefined;
    });
    if (!child?.stdin || !child.stdout) continue;
    const { stdin, stdout } = child;
    stdin.on('error', () => undefined);
    const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()));
    const waiting = setTimeout(onWaiting, PATIENCE_MS);
    const held = await Promise.race([once(stdout, 'data').then(() => true), ended.then(() => false)]);
    clearTimeout(waiting);
    if (!held) continue;
    return async () => {
      stdin.end();
      await ended;
    };
  }
  return async () => undefined;
}
