import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { cairnError, messageOf } from '@cairn/diagnostics';
import { isScalar, parseDocument } from 'yaml';

/** Kind of templates: the files that mark a folder as one, the default source, and the folder of local ones. */
export interface TemplateKind {
  readonly files: readonly string[];
  /**
   * Default repository. `variables` are names of environment variables, without prefix, for another repository, its
   * branch, and a path.
   */
  readonly repository: string;
  readonly variables: { readonly repository: string; readonly branch: string; readonly path: string };
  /** Folder below the home that is shared with Pulumi. */
  readonly folder: string;
}

/** Templates of projects. */
export const PROJECTS: TemplateKind = {
  files: ['Pulumi.yaml', 'Pulumi.yml', 'Cairn.yaml', 'Cairn.yml'],
  repository: 'https://github.com/pulumi/templates.git',
  variables: {
    repository: 'TEMPLATE_GIT_REPOSITORY',
    branch: 'TEMPLATE_BRANCH',
    path: 'TEMPLATE_PATH',
  },
  folder: 'templates',
};

/** Templates of policy packs. */
export const POLICY_PACKS: TemplateKind = {
  files: ['PulumiPolicy.yaml', 'PulumiPolicy.yml'],
  repository: 'https://github.com/pulumi/templates-policy.git',
  variables: {
    repository: 'POLICY_TEMPLATE_GIT_REPOSITORY',
    branch: 'POLICY_TEMPLATE_BRANCH',
    path: 'POLICY_TEMPLATE_PATH',
  },
  folder: 'templates-policy',
};

/** A template on this machine. */
export interface Template {
  readonly name: string;
  readonly directory: string;
  /** Name of its project file. */
  readonly file: string;
  readonly description: string;
  /** Text shown once the project exists; may be empty. */
  readonly quickstart: string;
  readonly config: readonly TemplateSetting[];
}

/** Setting that a new project's stack asks for. */
export interface TemplateSetting {
  readonly key: string;
  readonly description: string;
  /** Default as written in the template; a list or a map as JSON. */
  readonly default: string | undefined;
  readonly secret: boolean;
  /** True if the value is a list or a map, given as JSON. */
  readonly structured: boolean;
}

/**
 * Reads the template in a directory, or returns `undefined` if there is none. Fails (CAIRN-PROJECT-INVALID) on a
 * damaged one.
 */
export async function readTemplate(directory: string, kind: TemplateKind): Promise<Template | undefined> {
  for (const file of kind.files) {
    const text = await readFile(path.join(directory, file), 'utf8').catch(() => undefined);
    if (text !== undefined) return templateOf(directory, file, text);
  }
  return undefined;
}

function templateOf(directory: string, file: string, text: string): Template {
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem !== undefined)
    throw cairnError('CAIRN-PROJECT-INVALID', `cannot read ${path.join(directory, file)}`, {
      causes: [messageOf(problem)],
    });
  const data = record(document.toJS());
  const template = record(data['template']);
  const own = textOf(data['description']);
  return {
    name: path.basename(directory),
    directory,
    file,
    description: textOf(template['description']) || (own.includes('${DESCRIPTION}') ? '' : own),
    quickstart: textOf(template['quickstart']).trim(),
    config: Object.entries(record(template['config'])).map(([key, value]) =>
      setting(key, record(value), document.getIn(['template', 'config', key, 'default'], true)),
    ),
  };
}

/**
 * Reads a setting. `written` is the node of the default, which still has the digits of a number as they are written.
 */
function setting(key: string, value: Readonly<Record<string, unknown>>, written: unknown): TemplateSetting {
  const { default: usual, description, secret } = value;
  const structured = typeof usual === 'object' && usual !== null;
  const asWritten = isScalar(written) && typeof usual === 'number' ? written.source : undefined;
  const text = structured ? JSON.stringify(usual) : (asWritten ?? String(usual ?? ''));
  return {
    key,
    description: textOf(description),
    default: text === '' ? undefined : text,
    secret: secret === true,
    structured,
  };
}

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
