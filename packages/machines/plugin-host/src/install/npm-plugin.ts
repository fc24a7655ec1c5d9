import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { unpackArchive } from '@cairn/archives';
import { fail } from '@cairn/diagnostics';
import { describeExit, startProcess } from '@cairn/processes';
import { withoutOwnSecrets } from '@cairn/values/own-secrets';
import type { PluginContent } from './plugin-content.js';
import { checkedPluginName, checkedVersion, commandName } from './plugin-identity.js';
import type { PluginIdentity, PluginReference } from './plugin-identity.js';

const PREFIX = 'npm:';

/**
 * Returns true if a place is an npm package: `npm:NAME[@VERSION]`, or anything else that npm accepts after the colon.
 */
export function isNpmSource(server: string | undefined): server is string {
  return server?.startsWith(PREFIX) === true;
}

type Environment = Readonly<Record<string, string | undefined>>;

interface NpmManifest {
  readonly name?: string;
  readonly version?: string;
  readonly bin?: Readonly<Record<string, string>> | string;
  readonly cairn?: { readonly provider?: { readonly name?: string } };
  readonly pulumi?: { readonly name?: string; readonly version?: string };
}

/** A plugin in an npm package. */
interface NpmPlugin {
  readonly plugin: PluginIdentity;
  readonly content: PluginContent;
}

/**
 * Lets npm fetch the package of a plugin, with npm's own registry and settings, while `use` works with it. The package
 * is a plugin with a PulumiPlugin.yaml, or contains the executable of one as a command. If `wanted` has an empty name,
 * the package's own is taken.
 */
export async function withNpmPackage<T>(
  server: string,
  wanted: PluginReference,
  environment: Environment,
  use: (found: NpmPlugin) => Promise<T>,
): Promise<T> {
  const base = await mkdtemp(join(tmpdir(), 'cairn-npm-'));
  try {
    const spec = server.slice(PREFIX.length);
    const versioned = wanted.version !== undefined && isBareName(spec) ? `${spec}@${wanted.version}` : spec;
    const archive = await packed(versioned, base, environment);
    const unpacked = join(base, 'package');
    await unpackArchive(archive, unpacked, { strip: 1 });
    const manifest = JSON.parse(await readFile(join(unpacked, 'package.json'), 'utf8')) as NpmManifest;
    const plugin = identity(manifest, wanted, spec);
    return await use({
      plugin,
      content: contentOf({ unpacked, archive, manifest, plugin, spec, environment }),
    });
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}

/** Matches a name of a package without a version, a tag or a path. */
const isBareName = (spec: string): boolean => /^(?:@[\w.-]+\/)?[\w-][\w.-]*$/.test(spec);

function identity(
  { version, cairn, pulumi }: NpmManifest,
  wanted: PluginReference,
  spec: string,
): PluginIdentity {
  const name = wanted.name || cairn?.provider?.name || pulumi?.name;
  if (name === undefined)
    return fail('CAIRN-PLUGIN-INSTALL', `the npm package ${spec} does not name its plugin`, {
      hint: `Name it: plugin install resource NAME --server ${PREFIX}${spec}.`,
    });
  return {
    kind: wanted.kind,
    name: checkedPluginName(name),
    version: checkedVersion(wanted.version ?? pulumi?.version ?? version ?? ''),
  };
}

interface Unpacked {
  readonly unpacked: string;
  readonly archive: string;
  readonly manifest: NpmManifest;
  readonly plugin: PluginIdentity;
  readonly spec: string;
  readonly environment: Environment;
}

function contentOf({ unpacked, archive, manifest, plugin, spec, environment }: Unpacked): PluginContent {
  const command = commandName(plugin);
  return async (directory) => {
    const isPlugin = await readFile(join(unpacked, 'PulumiPlugin.yaml')).then(
      () => true,
      () => false,
    );
    if (isPlugin) return cp(unpacked, directory, { recursive: true });
    if (typeof manifest.bin !== 'object' || !Object.hasOwn(manifest.bin, command))
      return fail('CAIRN-PLUGIN-INSTALL', `the npm package ${spec} is not the plugin ${plugin.name}`, {
        causes: [`it has neither a command ${command} nor a PulumiPlugin.yaml`],
        hint: 'Check the name of the package.',
      });
    await writeFile(join(directory, 'package.json'), `${JSON.stringify({ private: true })}\n`);
    await npm(['install', '--omit=dev', '--no-audit', '--no-fund', '--', archive], directory, environment);
    await symlink(join('node_modules', '.bin', command), join(directory, command));
  };
}

/** Returns the path of the archive that npm makes of a package. */
async function packed(spec: string, destination: string, environment: Environment): Promise<string> {
  const shown = await npm(
    ['pack', '--json', '--pack-destination', destination, '--', spec],
    undefined,
    environment,
  );
  const [made] = JSON.parse(shown.slice(shown.indexOf('['))) as readonly { readonly filename?: string }[];
  return join(destination, basename(made?.filename ?? ''));
}

/** Returns the stdout of npm. Fails (CAIRN-PLUGIN-INSTALL) with its message. */
async function npm(
  args: readonly string[],
  cwd: string | undefined,
  environment: Environment,
): Promise<string> {
  const text = { stdout: '', stderr: '' };
  const started = await startProcess({
    command: 'npm',
    args,
    cwd: cwd ?? process.cwd(),
    env: { ...withoutOwnSecrets(environment), npm_config_update_notifier: 'false' },
    onOutput: (stream, chunk) => (text[stream] += chunk),
  });
  const status = await started.exit;
  if (status.kind === 'code' && status.code === 0) return text.stdout;
  return fail('CAIRN-PLUGIN-INSTALL', `npm ${args[0] ?? ''} ${describeExit(status)}`, {
    causes: text.stderr.trim().split('\n'),
    hint: 'Check the name of the package, and the registry that npm uses.',
  });
}
