import { chmod, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cairnError } from '@cairn/diagnostics';

/** Packages that check the types of a new project or package. */
export const TYPESCRIPT = { '@types/node': '^20.19.0', typescript: '^5.9.3' };

/** Templates of npm packages. Each has its dependencies beside the SDKs, and its commands beside the one for Pulumi. */
export const PACKAGE_TEMPLATES = {
  provider: {
    commands: { 'terraform-provider-': 'bin/terraform.js' },
    dependencies: ['@cairn/provider-terraform'],
    build: 'tsc -p .',
    next: 'cairn provider test .',
  },
  component: {
    commands: {},
    dependencies: ['@cairn/provider-local'],
    build: 'tsc -p . && cairn-component-types dist/site.js',
    next: undefined,
  },
} as const satisfies Record<
  string,
  {
    /** Scripts by the prefix of the package's name in the name of the command. */
    readonly commands: Readonly<Record<string, string>>;
    readonly dependencies: readonly string[];
    readonly build: string;
    readonly next: string | undefined;
  }
>;

/** Name of such a template. */
export type PackageTemplate = keyof typeof PACKAGE_TEMPLATES;

/** Tells whether a template makes an npm package rather than a project. */
export function isPackageTemplate(template: string): template is PackageTemplate {
  return Object.hasOwn(PACKAGE_TEMPLATES, template);
}

/**
 * Returns the name if it can name a package of resources: it is a part of type tokens and of a command. Throws
 * otherwise.
 */
export function checkedPackageName(name: string): string {
  if (/^[a-z][a-z0-9-]*$/.test(name)) return name;
  throw cairnError('CAIRN-USAGE', `${JSON.stringify(name)} is not a valid name of a package`, {
    hint: 'Pass --name with letters from a to z, digits and hyphens, beginning with a letter.',
  });
}

/** Writes an npm package from a template. `version` is the version of Cairn's own packages. */
export async function writePackageTemplate(
  template: PackageTemplate,
  source: string,
  directory: string,
  {
    name,
    description,
    version,
  }: { readonly name: string; readonly description: string | undefined; readonly version: string },
): Promise<void> {
  await copyNamed(source, directory, name);
  const commands = { 'pulumi-resource-': 'bin/plugin.js', ...PACKAGE_TEMPLATES[template].commands };
  for (const script of Object.values(commands)) await chmod(path.join(directory, script), 0o755);
  const own = ['@cairn/provider-sdk', '@cairn/sdk', ...PACKAGE_TEMPLATES[template].dependencies].sort();
  const manifest = {
    name,
    version: '0.1.0',
    ...(description === undefined ? {} : { description }),
    type: 'module',
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './package.json': './package.json',
    },
    files: ['dist', '!dist/**/*.test.*', 'bin'],
    bin: Object.fromEntries(Object.entries(commands).map(([of, script]) => [`${of}${name}`, script])),
    cairn: { provider: { name, module: './dist/provider.js' } },
    pulumi: { resource: true, name, version: '0.1.0' },
    scripts: {
      build: PACKAGE_TEMPLATES[template].build,
      test: 'npm run build && node --test dist/*.test.js',
      prepack: 'npm run build',
    },
    dependencies: Object.fromEntries(own.map((dependency) => [dependency, version])),
    devDependencies: TYPESCRIPT,
  };
  await writeFile(path.join(directory, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  await writeFile(path.join(directory, '.gitignore'), 'dist/\nnode_modules/\n');
}

async function copyNamed(source: string, target: string, name: string): Promise<void> {
  await mkdir(target, { recursive: true });
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const [from, to] = [path.join(source, entry.name), path.join(target, entry.name)];
    if (entry.isDirectory()) await copyNamed(from, to, name);
    else await writeFile(to, (await readFile(from, 'utf8')).replaceAll('__NAME__', name));
  }
}
