import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { envVar } from '../env.js';
import type { JsonData } from '../files/json-text.js';
import type { Project } from '../project/project.js';
import type { UserContext } from './home.js';
import { homeDirectory, pulumiHome } from './home.js';
import { pulumiLogin } from './credentials.js';
import { editJsonObject, isJsonMap, readJsonObject } from './json-file.js';

/** Returns the path of a project's file of selections [CFG-11]. */
export function selectionPath(context: UserContext, project: Project): string {
  return selectionFile(homeDirectory(context), project);
}

function selectionFile(home: string, project: Project): string {
  const hash = createHash('sha1').update(project.location.file).digest('hex');
  const name = project.name.replace(/[/\\]/g, '-');
  return join(home, 'workspaces', `${name}-${hash}-workspace.json`);
}

/**
 * Returns the stack selected for a project on a backend. `CAIRN_STACK` or `PULUMI_STACK` wins, even if set to the empty
 * text, which selects none. If Cairn has no selection for the project, that of Pulumi counts, provided that Pulumi is
 * logged in to the backend [CFG-11]. `isName` tells whether the older single selection can be a stack of this backend.
 */
export async function selectedStack(
  context: UserContext,
  project: Project,
  backendUrl: string,
  isName: (text: string) => boolean,
): Promise<string | undefined> {
  const stated = envVar(context.env, 'STACK');
  if (stated !== undefined) return stated === '' ? undefined : stated;
  const object = await readJsonObject(selectionPath(context, project));
  if (object !== undefined) return selectionIn(object, backendUrl, isName);
  const home = pulumiHome(context);
  if (home === undefined || (await pulumiLogin(context)) !== backendUrl) return undefined;
  const pulumi = await readJsonObject(selectionFile(home, project)).catch(() => undefined);
  return selectionIn(pulumi, backendUrl, () => true);
}

function selectionIn(
  object: ReadonlyMap<string, JsonData> | undefined,
  backendUrl: string,
  isName: (text: string) => boolean,
): string | undefined {
  const stacks = object?.get('stacks');
  const selected = isJsonMap(stacks) ? stacks.get(backendUrl) : undefined;
  if (typeof selected === 'string' && selected !== '') return selected;
  const older = object?.get('stack');
  return typeof older === 'string' && older !== '' && isName(older) ? older : undefined;
}

/**
 * Selects a stack by its fully qualified name. With undefined, it selects none and clears the older single selection
 * too.
 */
export async function storeSelectedStack(
  context: UserContext,
  project: Project,
  backendUrl: string,
  stack: string | undefined,
): Promise<void> {
  await editJsonObject(selectionPath(context, project), (found) =>
    selected(found ?? new Map(), backendUrl, stack),
  );
}

function selected(
  found: ReadonlyMap<string, JsonData>,
  backendUrl: string,
  stack: string | undefined,
): ReadonlyMap<string, JsonData> {
  const object = new Map(found);
  const old = object.get('stacks');
  const stacks = new Map<string, JsonData>(isJsonMap(old) ? old : []);
  if (stack === undefined) {
    stacks.delete(backendUrl);
    object.delete('stack');
  } else {
    stacks.set(backendUrl, stack);
  }
  const sorted = new Map([...stacks].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
  if (sorted.size > 0) object.set('stacks', sorted);
  else object.delete('stacks');
  return object;
}
