import { chmod, copyFile, cp, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { unpackArchive } from '@cairn/archives';
import { fail, messageOf } from '@cairn/diagnostics';
import { commandName } from './plugin-identity.js';
import type { PluginIdentity } from './plugin-identity.js';

/** Writes the files of a plugin into its directory, which exists and is empty. */
export type PluginContent = (directory: string) => Promise<void>;

/** Returns the content of a gzipped tar or a zip file. */
export function archiveContent(archive: string, from = archive): PluginContent {
  return (directory) =>
    unpackArchive(archive, directory).catch((error: unknown) =>
      fail(
        'CAIRN-PLUGIN-INSTALL',
        `cannot unpack ${from}`,
        {
          causes: [messageOf(error)],
          hint: 'Download the archive again. If it fails again, report it to its publisher.',
        },
        error,
      ),
    );
}

/** Returns the content of a file on the user's disk: a gzipped tar, a directory with the plugin, or its executable. */
export async function fileContent(path: string, plugin: PluginIdentity): Promise<PluginContent> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return fail('CAIRN-USAGE', `there is no ${path}`, { hint: 'Check --file.' });
  if (found.isDirectory())
    return (directory) => cp(path, directory, { recursive: true, verbatimSymlinks: true });
  if (await isGzipped(path)) return archiveContent(path);
  if (process.platform !== 'win32' && (found.mode & 0o100) === 0)
    return fail('CAIRN-USAGE', `${path} is not executable`, {
      hint: 'Name a .tar.gz, a directory or an executable; chmod +x makes a file executable.',
    });
  return async (directory) => {
    const target = join(directory, commandName(plugin) + (process.platform === 'win32' ? '.exe' : ''));
    await copyFile(path, target);
    await chmod(target, 0o700);
  };
}

async function isGzipped(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(3), 0, 3, 0);
    return bytesRead === 3 && buffer.equals(Buffer.from([0x1f, 0x8b, 0x08]));
  } finally {
    await file.close();
  }
}
