import { lstat, mkdir, readlink, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { cairnError, messageOf } from '@cairn/diagnostics';
import { editTextFile } from '@cairn/files';

/**
 * Makes a folder a dependency of the npm package of a program: in its package.json, and linked where node looks for it,
 * as `npm install` does. Resolves with true if the package.json has changed.
 */
export async function addDependency(
  programDirectory: string,
  npmName: string,
  folder: string,
): Promise<boolean> {
  const file = await nearestManifest(programDirectory);
  const changed = await editTextFile(file, { mode: 0o666, keepMode: true }, (text = '') =>
    withDependency(file, text, npmName, slashes(path.relative(path.dirname(file), folder))),
  );
  await link(path.join(path.dirname(file), 'node_modules', npmName), folder);
  return changed !== undefined;
}

async function nearestManifest(directory: string): Promise<string> {
  for (let at = directory; ; at = path.dirname(at)) {
    const file = path.join(at, 'package.json');
    if ((await lstat(file).catch(() => undefined)) !== undefined) return file;
    if (path.dirname(at) === at)
      throw cairnError('CAIRN-USAGE', `no package.json was found in ${directory} or above it`, {
        hint: 'Create one with `npm init`, or generate only the package with `cairn package gen-sdk`.',
      });
  }
}

/** Returns the text of the file with the dependency, or `undefined` if it has it already. */
function withDependency(file: string, text: string, npmName: string, relative: string): string | undefined {
  const manifest = parsed(file, text);
  const wanted = `file:${relative}`;
  const dependencies = { ...(manifest['dependencies'] as Record<string, string> | undefined) };
  if (dependencies[npmName] === wanted) return undefined;
  dependencies[npmName] = wanted;
  const sorted = Object.fromEntries(Object.entries(dependencies).sort(([a], [b]) => (a < b ? -1 : 1)));
  const indent = /^[ \t]+(?=")/m.exec(text)?.[0] ?? 2;
  return `${JSON.stringify({ ...manifest, dependencies: sorted }, undefined, indent)}\n`;
}

function parsed(file: string, text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    throw cairnError('CAIRN-USAGE', `cannot read ${file}`, { causes: [messageOf(error)] }, error);
  }
}

async function link(at: string, folder: string): Promise<void> {
  const target = path.relative(path.dirname(at), folder);
  const known = await readlink(at).catch(() => undefined);
  if (known === target) return;
  await rm(at, { recursive: true, force: true });
  await mkdir(path.dirname(at), { recursive: true });
  await symlink(target, at, 'junction');
}

function slashes(file: string): string {
  return file.split(path.sep).join('/');
}
