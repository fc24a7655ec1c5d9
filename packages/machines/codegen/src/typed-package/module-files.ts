import { stringLiteral } from '../source/literal.js';
import { literalCode } from '../source/plain-code.js';
import { OPENED_PACKAGE } from './layout.js';
import type { Module } from './layout.js';

/** Exports of a module's index besides its types. */
interface ModuleExports {
  /** Files of object types that the module has. */
  readonly typeFiles: readonly string[];
  readonly hasConfig: boolean;
}

/** Returns exports by name with their files, so that a file is loaded when its export is read. */
export function membersCode(module: Module, { hasConfig }: ModuleExports): string {
  const members: Record<string, string> = {};
  for (const [name, part] of module.children) members[name] = `${part}/`;
  for (const { name, file } of module.resources) members[name] = `${file}.cjs`;
  for (const { name, outputName, file } of module.functions) {
    members[name] = `${file}.cjs`;
    members[outputName] = `${file}.cjs`;
  }
  for (const { name } of module.enums) members[name] = 'enums.cjs';
  if (hasConfig) members['config'] = 'config.cjs';
  const rows = Object.entries(members).map(([name, file]) => `  ${name}: ${literalCode(file)},\n`);
  return `module.exports = {\n${rows.join('')}};\n`;
}

/** Returns the index of a module: stand-ins for the exports of its files. */
export function indexCode(module: Module, { hasConfig }: ModuleExports): string {
  const path = stringLiteral(module.folder === '' ? '' : `${module.folder}/`);
  const line = (kind: string, name: string) =>
    `export const ${name} = ${OPENED_PACKAGE}.${kind}(${path}, ${stringLiteral(name)});\n`;
  const up = module.folder === '' ? './' : '../'.repeat(module.folder.split('/').length);
  return [
    `import { pkg as ${OPENED_PACKAGE} } from '${up}package.js';\n\n`,
    ...[...module.children.keys()].map((name) => line('object', name)),
    ...module.resources.map(({ name }) => line('class', name)),
    ...module.functions.flatMap(({ name, outputName }) => [
      line('function', name),
      line('function', outputName),
    ]),
    ...module.enums.map(({ name }) => line('object', name)),
    ...(hasConfig ? [line('object', 'config')] : []),
  ].join('');
}

/** Returns the declarations of a module's index. */
export function indexTypes(module: Module, { typeFiles, hasConfig }: ModuleExports): string {
  const lines = [
    ...[...module.children].map(([name, part]) => `export * as ${name} from './${part}/index.js';\n`),
    ...[...module.resources, ...module.functions].map(({ file }) => `export * from './${file}.js';\n`),
    ...(module.enums.length > 0 ? [`export * from './enums.js';\n`] : []),
    ...(hasConfig ? [`export * from './config.js';\n`] : []),
    ...typeFiles.map((file) => `export type * as ${file} from './${file}.js';\n`),
  ];
  return lines.length === 0 ? 'export {};\n' : lines.join('');
}
