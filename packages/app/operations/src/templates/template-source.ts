import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { unpackArchive } from '@cairn/archives';
import { cairnError, messageOf } from '@cairn/diagnostics';
import { checkOut, isGitAddress, readGitAddress } from '@cairn/plugin-host/install';
import { spawnProcess } from '@cairn/processes';
import { withoutOwnSecrets } from '@cairn/values/own-secrets';
import type { Ports } from '../ports.js';
import { readTemplate } from './template-file.js';
import type { Template, TemplateKind } from './template-file.js';

/** The working directory, and the environment. */
type Place = Pick<Ports, 'cwd' | 'env'>;

/** Templates that a text named, in a directory of their own. */
interface FoundTemplates {
  readonly templates: readonly Template[];
  /** Removes fetched files. */
  readonly remove: () => Promise<void>;
}

/**
 * Finds templates: in a directory, at a git address, in an npm package (`npm:NAME[@VERSION]`), or by name. A name is
 * looked up among installed templates, else in the repository of templates. With `offline` nothing is fetched. Fails
 * with CAIRN-USAGE.
 */
export async function findTemplates(
  ports: Place,
  kind: TemplateKind,
  text: string,
  offline: boolean,
): Promise<FoundTemplates> {
  const directory = path.resolve(
    ports.cwd,
    text.startsWith('~/') ? path.join(homedir(), text.slice(2)) : text,
  );
  const isHere = await stat(directory).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isHere) return { templates: await templatesIn(directory, kind, text), remove: async () => undefined };
  const fetched = isGitAddress(text) || text.startsWith('npm:');
  if (!fetched && /[/\\]|^\.|^~/.test(text))
    throw cairnError('CAIRN-USAGE', `there is no directory ${text}`, {
      hint: `Check the path: Cairn looked for ${directory}.`,
    });
  if (!fetched) {
    const installed = (await installedTemplates(ports, kind)).find(({ name }) => name === text);
    if (installed !== undefined) return { templates: [installed], remove: async () => undefined };
  }
  if (offline)
    throw cairnError('CAIRN-USAGE', `the template ${text} is not on this machine`, {
      hint: 'Leave out --offline to fetch it, or list the templates on this machine with --list-templates.',
    });
  return fetch(ports, kind, text);
}

async function fetch(ports: Place, kind: TemplateKind, text: string): Promise<FoundTemplates> {
  const base = await mkdtemp(path.join(tmpdir(), 'cairn-template-'));
  const remove = () => rm(base, { recursive: true, force: true });
  try {
    if (text.startsWith('npm:')) {
      const directory = await unpackedPackage(ports, text.slice('npm:'.length), base);
      return { templates: await templatesIn(directory, kind, text), remove };
    }
    if (isGitAddress(text)) {
      const { folder } = await checkOut(readGitAddress(text), path.join(base, 'repository'), ports.env);
      return { templates: await templatesIn(path.join(base, 'repository', folder), kind, text), remove };
    }
    const repository = named(ports, kind.variables.repository) ?? kind.repository;
    const branch = named(ports, kind.variables.branch);
    const address = { ...readGitAddress(repository), ...(branch === undefined ? {} : { ref: branch }) };
    await checkOut(address, path.join(base, 'repository'), ports.env);
    const template = await readTemplate(path.join(base, 'repository', text), kind);
    if (template === undefined) throw unknown(text, `no folder of that name in ${repository}`);
    return { templates: [template], remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

const named = ({ env }: Place, name: string): string | undefined =>
  env[`CAIRN_${name}`] || env[`PULUMI_${name}`] || undefined;

function unknown(text: string, why: string): Error {
  return cairnError('CAIRN-USAGE', `there is no template ${JSON.stringify(text)}`, {
    causes: [why],
    hint: 'Pass a directory, a git address, npm:PACKAGE, or typescript, javascript, provider or component.',
  });
}

/** Returns the templates of a directory, which is one or contains some. */
async function templatesIn(
  directory: string,
  kind: TemplateKind,
  text: string,
): Promise<readonly Template[]> {
  const own = await readTemplate(directory, kind);
  if (own !== undefined) return [own];
  const templates = await below(directory, kind);
  if (templates.length > 0) return templates;
  throw cairnError('CAIRN-USAGE', `${text} has no template`, {
    hint: `Name a folder with ${kind.files.filter((file) => file.endsWith('.yaml')).join(' or ')}.`,
  });
}

async function below(directory: string, kind: TemplateKind): Promise<readonly Template[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name);
  const found = await Promise.all(names.sort().map((name) => readTemplate(path.join(directory, name), kind)));
  return found.filter((template) => template !== undefined);
}

/**
 * Returns the templates in the folder that the environment names, else in that of the home that is shared with Pulumi.
 */
export async function installedTemplates(ports: Place, kind: TemplateKind): Promise<readonly Template[]> {
  const { env } = ports;
  const home = env['PULUMI_HOME'] || path.join(env['HOME'] || homedir(), '.pulumi');
  return below(named(ports, kind.variables.path) ?? path.join(home, kind.folder), kind);
}

/** Lets npm pack a package, so that its settings and registries apply, and unpacks the result. */
async function unpackedPackage(ports: Place, name: string, base: string): Promise<string> {
  const words = ['pack', '--json', '--pack-destination', base, '--', name];
  let [out, err] = ['', ''];
  const options = { cwd: ports.cwd, env: withoutOwnSecrets(ports.env) as NodeJS.ProcessEnv };
  const child = await spawnProcess('npm', words, options, ({ stdout, stderr }) => {
    stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
    stderr?.on('data', (chunk: Buffer) => (err += chunk.toString()));
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  const [packed] =
    code === 0 ? (JSON.parse(out.slice(out.indexOf('['))) as { readonly filename: string }[]) : [];
  if (packed === undefined)
    throw cairnError('CAIRN-USAGE', `npm has no package ${name}`, {
      causes: err.trim().split('\n'),
      hint: 'Check its name, and the registry that npm uses.',
    });
  const directory = path.join(base, 'package');
  const archive = path.join(base, path.basename(packed.filename));
  await unpackArchive(archive, directory, { strip: 1 }).catch((error: unknown) => {
    const details = { causes: [messageOf(error)], hint: 'Report it to the publisher of the package.' };
    throw cairnError('CAIRN-USAGE', `cannot unpack the npm package ${name}`, details, error);
  });
  return directory;
}
