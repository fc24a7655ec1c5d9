import { chmod, mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cairnError } from '@cairn/diagnostics';
import { parseDocument } from 'yaml';
import type { Template } from './template-file.js';

/** Name and settings of a new project, or policy pack. */
interface NewProject {
  /** `undefined` if its file has no name. */
  readonly name: string | undefined;
  readonly description: string;
  readonly runtimeOptions: Readonly<Record<string, string>>;
}

/** Files of a template that do not belong to projects. */
const LEFT_OUT = new Set(['.git', 'node_modules']);

/**
 * Writes the files of a template into a directory, with name and description in their places. Without `force` nothing
 * is overwritten.
 */
export async function writeTemplate(
  template: Template,
  directory: string,
  project: NewProject,
  force: boolean,
): Promise<void> {
  const files = await filesOf(template.directory);
  if (!force) await refusePresent(directory, files);
  for (const file of files) {
    const from = path.join(template.directory, file);
    const to = path.join(directory, file);
    const bytes = await readFile(from);
    await mkdir(path.dirname(to), { recursive: true });
    await writeFile(to, isText(bytes) ? contentOf(bytes.toString('utf8'), file, template, project) : bytes);
    await chmod(to, (await stat(from)).mode & 0o777);
  }
}

function contentOf(text: string, file: string, template: Template, project: NewProject): string {
  if (file === template.file) return projectFile(text, project);
  return text.replaceAll('${PROJECT}', project.name ?? '').replaceAll('${DESCRIPTION}', project.description);
}

/** Returns the project file without the part about the template. */
function projectFile(text: string, { name, description, runtimeOptions }: NewProject): string {
  const document = parseDocument(text);
  if (name !== undefined) document.set('name', name);
  if (description === '') document.delete('description');
  else document.set('description', description);
  document.delete('template');
  const options = Object.entries(runtimeOptions);
  if (options.length > 0) {
    const runtime: unknown = document.get('runtime');
    if (typeof runtime === 'string')
      document.set('runtime', document.createNode({ name: runtime, options: {} }));
    for (const [key, value] of options) document.setIn(['runtime', 'options', key], plain(value));
  }
  return document
    .toString({ lineWidth: 0 })
    .replaceAll('${PROJECT}', name ?? '')
    .replaceAll('${DESCRIPTION}', description);
}

/** Parses an option: a switch or a text. */
const plain = (text: string): unknown => (text === 'true' ? true : text === 'false' ? false : text);

const isText = (bytes: Buffer): boolean => !bytes.subarray(0, 8_000).includes(0);

async function filesOf(directory: string, inside = ''): Promise<readonly string[]> {
  const entries = await readdir(path.join(directory, inside), { withFileTypes: true });
  const lists = await Promise.all(
    entries
      .filter(({ name }) => !LEFT_OUT.has(name))
      .map(async (entry) => {
        const file = path.join(inside, entry.name);
        return entry.isDirectory() ? filesOf(directory, file) : entry.isFile() ? [file] : [];
      }),
  );
  return lists.flat();
}

async function refusePresent(directory: string, files: readonly string[]): Promise<void> {
  const present = await Promise.all(
    files.map((file) =>
      stat(path.join(directory, file)).then(
        () => [file],
        () => [],
      ),
    ),
  );
  if (present.flat().length === 0) return;
  throw cairnError('CAIRN-USAGE', `the template would overwrite ${present.flat().join(', ')}`, {
    hint: 'Name another directory with --dir, or overwrite them with --force.',
  });
}
