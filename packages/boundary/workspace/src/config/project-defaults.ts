import type { Crypter } from '@cairn/crypters';
import type { Diagnostic, SourceRange } from '@cairn/diagnostics';
import { CairnError, errorDiagnostic, fail } from '@cairn/diagnostics';
import type { ConfigDeclaration, Project } from '../project/project.js';
import type { StackFile } from '../stack-file/stack-file.js';
import { decryptValue } from './decrypt-value.js';
import { getConfig } from './config-edit.js';
import { parseConfigPath, shortConfigKey } from './config-key.js';
import type { ConfigTarget } from './config-key.js';
import { setConfig } from './config-edit.js';
import type { ConfigByKey, ConfigTree } from './config-tree.js';
import { configText, hasSecure, mapSecrets } from './config-tree.js';
import { configTypeText, hasConfigType } from './config-type.js';

/**
 * Returns the config with the project's values and defaults for the places that the stack does not set [CFG-4]. Checks
 * nothing.
 */
export function applyProjectDefaults(project: Project, config: ConfigByKey): ConfigByKey {
  let applied = config;
  for (const declaration of project.config.values()) {
    const target = targetOf(declaration, project.name);
    const given = declaration.value ?? declaration.default;
    if (given === undefined || getConfig(applied, target) !== undefined) continue;
    applied = setConfig(applied, target, target.path.length === 0 ? asStackValue(given) : given);
  }
  return applied;
}

/**
 * Applies the project's values and defaults and checks the result before an operation. Every key of the project must be
 * set, typed values must have their type, and secret ones must be secret. `crypter` is called only if a typed value is
 * a secret. Fails with `CAIRN-CONFIG-MISSING`, one error with all keys, or `CAIRN-CONFIG-INVALID`, one diagnostic for
 * each key, at the place of the value: the stack file, or the project file for its own values.
 */
export async function checkedConfig(
  project: Project,
  stack: string,
  file: Pick<StackFile, 'path' | 'settings' | 'places'>,
  crypter: () => Promise<Crypter>,
): Promise<ConfigByKey> {
  const { config } = file.settings;
  const applied = applyProjectDefaults(project, config);
  refuseMissing(project, stack, applied);
  const problems: Diagnostic[] = [];
  for (const declaration of project.config.values()) {
    const target = targetOf(declaration, project.name);
    const value = getConfig(applied, target);
    if (value === undefined) continue;
    const isFromStack = getConfig(config, target) !== undefined;
    const at: ValuePlace = isFromStack
      ? {
          source: { file: file.path, ...file.places.get(target.key) },
          causes: [`declared at ${declaredAt(declaration)}`],
        }
      : { source: declaration.source };
    const problem = await valueProblem(declaration, value, isFromStack, at, crypter);
    if (problem !== undefined) problems.push(problem(stack, shortConfigKey(declaration.key, project.name)));
  }
  if (problems.length > 0) throw new CairnError(problems);
  return applied;
}

type ProblemText = (stack: string, key: string) => Diagnostic;

/** Place of a value, with that of its declaration if it is elsewhere. */
interface ValuePlace {
  readonly source: SourceRange;
  readonly causes?: readonly string[];
}

function declaredAt({ source: { file, line } }: ConfigDeclaration): string {
  return line === undefined ? file : `${file}:${line}`;
}

async function valueProblem(
  declaration: ConfigDeclaration,
  value: ConfigTree,
  isFromStack: boolean,
  at: ValuePlace,
  crypter: () => Promise<Crypter>,
): Promise<ProblemText | undefined> {
  const { type, items } = declaration;
  if (declaration.secret && isFromStack && !hasSecure(value)) {
    return (stack, key) =>
      errorDiagnostic(
        'CAIRN-CONFIG-INVALID',
        `config value "${key}" of stack "${stack}" must be encrypted: the project declares it as a secret`,
        {
          ...at,
          hint: `Run "${settingOf(key, true)}" and type the value.`,
        },
      );
  }
  if (type === undefined) return undefined;
  const plain = hasSecure(value) ? decryptTree(declaration.key, value, await crypter()) : value;
  if (hasConfigType(plain, type, items)) return undefined;
  return (stack, key) =>
    errorDiagnostic(
      'CAIRN-CONFIG-INVALID',
      `config value "${key}" of stack "${stack}" must be of type ${configTypeText(type, items)}`,
      {
        ...at,
        hint: `Set it again with "${settingOf(key, declaration.secret)}".`,
      },
    );
}

function refuseMissing(project: Project, stack: string, applied: ConfigByKey): void {
  const missing = [...project.config.values()]
    .filter(
      (declaration) =>
        declaration.own && getConfig(applied, targetOf(declaration, project.name)) === undefined,
    )
    .map(({ key, secret }) => ({ key: shortConfigKey(key, project.name), secret }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const [first] = missing;
  if (first === undefined) return;
  const many = missing.length > 1;
  fail(
    'CAIRN-CONFIG-MISSING',
    `stack "${stack}" is missing the config value${many ? 's' : ''} ${missing.map(({ key }) => `"${key}"`).join(', ')}`,
    {
      hint: many
        ? missing.map(({ key, secret }) => `"${settingOf(key, secret)}"`).join(', ')
        : `Set it with "${settingOf(first.key, first.secret)}".`,
    },
  );
}

/** Returns the command that sets a value. The user types a secret value at a prompt, so that no shell keeps it. */
function settingOf(key: string, isSecret: boolean): string {
  return isSecret ? `cairn config set --secret ${key}` : `cairn config set ${key} <value>`;
}

/** Tells whether the project declares a value, or the value that contains it, as a secret [CFG-3]. */
export function isDeclaredSecret(project: Project, target: ConfigTarget): boolean {
  return project.config.get(target.key)?.secret === true;
}

/** Parses the declared key as a path. */
function targetOf(declaration: ConfigDeclaration, project: string): ConfigTarget {
  return parseConfigPath(declaration.key, project);
}

/** Converts a scalar to text, the form of scalars at the top level of a config. */
function asStackValue(value: ConfigTree): ConfigTree {
  return typeof value === 'object' ? value : configText(value);
}

/** Returns the value of a key with its secrets in plain text. */
export function decryptTree(key: string, tree: ConfigTree, crypter: Crypter): ConfigTree {
  return mapSecrets(tree, (ciphertext) => decryptValue(key, ciphertext, crypter));
}
