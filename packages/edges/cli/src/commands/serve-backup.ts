import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { EXIT, cairnError } from '@cairn/diagnostics';
import { backUpService, restoreService } from '@cairn/state-server';
import type { CommandContext } from '../command-context.js';
import type { Command } from '../command-spec.js';
import type { Texts } from '../flags/flag-spec.js';
import { blobOptions, storeUrlsOf } from '../flows/service-store.js';
import type { StoreFlags } from '../flows/service-store.js';

/** `serve backup`: copies everything that the service keeps, while it runs. */
export const backUp: Command<Texts<'to' | StoreFlags>> = async ({ flags }, context) => {
  const urls = storeUrlsOf(flags);
  const to = placeOf(context, flags.to, 'to');
  const { files, bytes } = await backUpService(urls, to, { now: context.now, options: blobOptions(context) });
  context.stderr.write(`Backed up ${files} files with ${bytes} bytes\n`);
  return EXIT.ok;
};

/** `serve restore`: fills an empty store from a backup. */
export const restore: Command<Texts<'from' | StoreFlags>> = async ({ flags }, context) => {
  const urls = storeUrlsOf(flags);
  const from = placeOf(context, flags.from, 'from');
  const { files, bytes } = await restoreService(from, urls, { options: blobOptions(context) });
  context.stderr.write(`Restored ${files} files with ${bytes} bytes\n`);
  return EXIT.ok;
};

/** Returns the address of a bucket or a directory. */
function placeOf({ cwd }: CommandContext, place: string | undefined, flag: 'to' | 'from'): string {
  if (place === undefined)
    throw cairnError('CAIRN-USAGE', `cannot find the backup: no --${flag} is given`, {
      hint: `Give --${flag} a directory, or an address such as s3://backups/monday.`,
    });
  return /^[a-z][a-z0-9+.-]+:/i.test(place) ? place : pathToFileURL(path.resolve(cwd, place)).href;
}
