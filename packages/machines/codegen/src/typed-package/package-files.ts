import type { PackageModel } from '../schema/model.js';
import { stringLiteral } from '../source/literal.js';
import { literalCode } from '../source/plain-code.js';
import { npmNameOf } from './options.js';
import type { GenerateOptions } from './options.js';
import type { Layout } from './layout.js';

/** Returns the package.json, which also names the required plugin for the language host [PRG-2]. */
export function manifestCode(
  model: PackageModel,
  npmName: string,
  { sdkVersion, references }: GenerateOptions,
): string {
  const { base, version, pluginDownloadURL } = model;
  const plugin = base ?? { name: model.name, version, pluginDownloadURL };
  const manifest = {
    name: npmName,
    version: isVersion(version) ? version : '0.0.0',
    description: model.description.split('\n')[0]?.trim() || `Typed resources of the package ${model.name}.`,
    ...(model.homepage !== '' && { homepage: model.homepage }),
    ...(model.license !== '' && { license: model.license }),
    type: 'module',
    exports: {
      '.': { types: './index.d.ts', default: './index.js' },
      './*': { types: './*/index.d.ts', default: './*/index.js' },
      './package.json': './package.json',
    },
    peerDependencies: Object.fromEntries([
      ['@cairn/sdk', `^${sdkVersion}`],
      ...[...(references?.keys() ?? [])].sort().map((name) => [npmNameOf(name), '*'] as const),
    ]) as Record<string, string>,
    pulumi: {
      resource: true,
      name: plugin.name,
      ...(plugin.version !== '' && { version: plugin.version }),
      ...(plugin.pluginDownloadURL !== '' && { server: plugin.pluginDownloadURL }),
      ...(base !== undefined && {
        [base.extension ? 'extensionParameterization' : 'parameterization']: {
          ...{ name: model.name, version, value: base.value },
        },
      }),
    },
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

function isVersion(text: string): boolean {
  return /^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$/.test(text);
}

/** Returns the file through which all others access the SDK. */
export function packageCode(
  model: PackageModel,
  hasDefaults: boolean,
  { references }: Pick<GenerateOptions, 'references'>,
): string {
  const names = [...(references?.keys() ?? [])].sort();
  const { name, version, pluginDownloadURL, base } = model;
  const info = {
    name,
    version,
    pluginDownloadURL: (base?.pluginDownloadURL ?? pluginDownloadURL) || undefined,
    base: base && {
      name: base.name,
      version: base.version,
      value: base.value,
      extension: base.extension ? true : undefined,
    },
    hasDefaults: hasDefaults ? true : undefined,
    references:
      names.length > 0 ? Object.fromEntries(names.map((each) => [each, npmNameOf(each)])) : undefined,
  };
  return `import { openPackage } from '@cairn/sdk/packages';\n\nexport const pkg = openPackage(import.meta.url, ${literalCode(info)});\n`;
}

/** Returns the table of classes for references to resources in a program. */
export function classesCode({ modules }: Layout): string {
  const rows = modules.flatMap(({ folder, resources }) =>
    resources.map(({ model, name }) => {
      const place = [folder === '' ? '' : `${folder}/`, name].map(stringLiteral).join(', ');
      return `  ${stringLiteral(model.token)}: [${place}],\n`;
    }),
  );
  return `module.exports = {\n${rows.join('')}};\n`;
}

/** Returns the README of the folder. */
export function readmeText(model: PackageModel, npmName: string, { modules }: Layout): string {
  const main = modules.find(({ resources }) => resources.some(({ name }) => name !== 'Provider'));
  const example = main?.resources.find(({ name }) => name !== 'Provider');
  const path = main === undefined || main.folder === '' ? npmName : `${npmName}/${main.folder}`;
  const left = model.overlays.map((token) => `- \`${token}\`\n`).join('');
  return [
    `# ${npmName}\n\nTyped resources and functions of the package \`${model.name}\`${model.version === '' ? '' : ` ${model.version}`}, ` +
      'for programs on `@cairn/sdk`. Generated from its schema: changes are lost when that is done again.\n',
    example === undefined ? '' : `\`\`\`ts\nimport { ${example.name} } from '${path}';\n\`\`\`\n`,
    left === '' ? '' : `## Left out\n\nThe schema says of these that other code makes them:\n\n${left}`,
  ]
    .filter((part) => part !== '')
    .join('\n');
}
