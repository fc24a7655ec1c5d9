import { chmodSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { cairnCommand } from './cairn.js';
import type { Sandbox } from './cairn.js';

const fake = path.resolve(__dirname, '../../packages/edges/agent/test/fake-docker.mjs');

/** Call of a command line of containers. */
interface DockerCall {
  readonly call: 'run' | 'rm';
  readonly words: readonly string[];
}

/**
 * Gives a box a command `docker` that checks its words and runs processes, with an image that has `cairn`. `env` has
 * the variables by which it is found.
 */
export function giveDocker(box: Sandbox): {
  readonly env: Record<string, string>;
  readonly calls: () => readonly DockerCall[];
} {
  const daemon = path.join(box.home, 'daemon');
  const image = path.join(daemon, 'image');
  const bin = path.join(box.home, 'bin');
  for (const folder of [image, bin]) mkdirSync(folder, { recursive: true });
  chmodSync(fake, 0o755);
  symlinkSync(cairnCommand, path.join(image, 'cairn'));
  symlinkSync(fake, path.join(bin, 'docker'));
  return {
    env: {
      PATH: `${bin}${path.delimiter}${process.env['PATH'] ?? ''}`,
      DOCKER_HOST: `unix://${daemon}/docker.sock`,
    },
    calls: () =>
      readFileSync(path.join(daemon, 'calls.jsonl'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as DockerCall),
  };
}
