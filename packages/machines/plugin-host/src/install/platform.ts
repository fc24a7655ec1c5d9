import { fail } from '@cairn/diagnostics';

/** Names of operating systems and processors in the names of archives, and of checksums. */
export interface Platform {
  readonly os: string;
  readonly arch: string;
}

const SYSTEMS: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };
const PROCESSORS: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** Returns the platform of this process. Fails (CAIRN-PLUGIN-INSTALL) on one for which no plugins are published. */
export function thisPlatform(): Platform {
  const [os, arch] = [SYSTEMS[process.platform], PROCESSORS[process.arch]];
  if (os !== undefined && arch !== undefined) return { os, arch };
  return fail('CAIRN-PLUGIN-INSTALL', `no plugins are published for ${process.platform} on ${process.arch}`, {
    hint: 'Build the plugin yourself and install it with --file.',
  });
}

/** Returns the key of a platform among checksums. */
export function platformKey({ os, arch }: Platform): string {
  return `${os}-${arch}`;
}
