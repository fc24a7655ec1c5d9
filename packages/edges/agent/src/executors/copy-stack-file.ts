import { constants } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { errno } from '@cairn/files';

/** Gives a stack the configuration of another one, unless the program has some for it. */
export async function copyStackFile(folder: string, from: string, to: string): Promise<void> {
  const name = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);
  for (const prefix of ['Cairn', 'Pulumi']) {
    const [source, target] = [from, to].map((each) => path.join(folder, `${prefix}.${name(each)}.yaml`));
    if (source === undefined || target === undefined) continue;
    await copyFile(source, target, constants.COPYFILE_EXCL).catch((thrown: unknown) => {
      if (!['ENOENT', 'EEXIST'].includes(errno(thrown) ?? '')) throw thrown;
    });
  }
}
