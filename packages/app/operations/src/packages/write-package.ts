import { mkdir, readFile, readdir, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { generatePackage, npmNameOf } from '@cairn/codegen';
import type { PackageModel } from '@cairn/codegen';
import { cairnError, messageOf } from '@cairn/diagnostics';
import { writeTextFile } from '@cairn/files';
import type { WrittenPackage } from '../making.js';

const MANIFEST = 'package.json';
/** Files beside the manifest that a killed process leaves: a part of it, and locks. */
const DRAFT = /^package\.json\.[0-9a-z.]+\.tmp$/;

/**
 * Writes the code of a package into a folder of its own. Equal files remain, and files that the package no longer has
 * are removed. A folder with anything else is refused.
 */
export async function writePackage(
  model: PackageModel,
  folder: string,
  settings: { readonly sdkVersion: string; readonly references: ReadonlyMap<string, PackageModel> },
): Promise<WrittenPackage> {
  const npmName = npmNameOf(model.name);
  const before = await filesOf(folder);
  await refuseForeign(folder, before);
  const stale = new Set(before);
  const made = new Set<string>();
  let [written, unchanged] = [0, 0];
  for (const [file, text] of generatePackage(model, settings)) {
    stale.delete(file);
    const full = path.join(folder, file);
    if (before.has(file) && (await readFile(full, 'utf8')) === text) {
      unchanged += 1;
      continue;
    }
    if (!made.has(path.dirname(full))) await mkdir(path.dirname(full), { recursive: true });
    made.add(path.dirname(full));
    // The manifest shows the owner of the folder, so it is written in one piece.
    if (file === MANIFEST) await writeTextFile(full, text, { mode: 0o666, keepMode: true });
    else await writeFile(full, text);
    written += 1;
  }
  for (const file of stale) await rm(path.join(folder, file), { force: true });
  await removeEmpty(folder, stale);
  return { npmName, written, removed: stale.size, unchanged };
}

/**
 * Returns the files below a folder, with slashes; none if there is no folder. Files that npm put there are left out.
 */
async function filesOf(folder: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));
  return new Set(files.filter((file) => !file.startsWith('node_modules/')));
}

async function refuseForeign(folder: string, files: ReadonlySet<string>): Promise<void> {
  if ([...files].every((file) => DRAFT.test(file))) return;
  const manifest = await readFile(path.join(folder, MANIFEST), 'utf8').catch(() => '{}');
  if (nameIn(manifest).startsWith(npmNameOf(''))) return;
  throw cairnError('CAIRN-USAGE', `${folder} has files that were not generated`, {
    hint: 'Name another folder with --out, or empty this one.',
  });
}

function nameIn(manifest: string): string {
  try {
    return String((JSON.parse(manifest) as { readonly name?: unknown }).name);
  } catch (error) {
    return messageOf(error);
  }
}

/** Removes folders that have lost their last file. */
async function removeEmpty(folder: string, removed: ReadonlySet<string>): Promise<void> {
  const folders = new Set([...removed].map((file) => path.dirname(file)).filter((each) => each !== '.'));
  for (const each of [...folders].sort().reverse())
    await rmdir(path.join(folder, each)).catch(() => undefined);
}
