import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { cairnCommand, sandbox, scratch } from './cairn.js';
import type { Sandbox } from './cairn.js';

/** Files and empty folders of a new stack `dev` of a project `shop`. Folders have no content. */
interface Template {
  readonly stackFile: string;
  readonly state: Readonly<Record<string, string | null>>;
}

let template: Template | undefined;

/**
 * Gives a box an empty, selected stack: the files that `cairn stack init` writes, without a command. All given stacks
 * have the same encryption salt, so that a process derives their key once. For tests that are not about passphrases.
 */
export function giveStack(box: Sandbox, stack = 'dev'): void {
  const project = projectOf(box);
  template ??= readTemplate();
  assertPlain(box, path.join(box.directory, stackFileOf(project.file, stack)));
  const named = (text: string): string => text.replaceAll('shop/dev', `${project.name}/${stack}`);
  for (const [file, content] of Object.entries(template.state)) {
    const target = path.join(box.state, named(file));
    mkdirSync(content === null ? target : path.dirname(target), { recursive: true });
    if (content !== null) writeFileSync(target, named(content));
  }
  box.write(stackFileOf(project.file, stack), template.stackFile);
  const hash = createHash('sha1').update(path.join(box.directory, project.file)).digest('hex');
  const selection = path.join(box.home, '.cairn', 'workspaces', `${project.name}-${hash}-workspace.json`);
  const stacks = { [box.env['CAIRN_BACKEND_URL'] ?? '']: `organization/${project.name}/${stack}` };
  mkdirSync(path.dirname(selection), { recursive: true, mode: 0o700 });
  writeFileSync(selection, JSON.stringify({ stacks }, undefined, 4));
}

function stackFileOf(projectFile: string, stack: string): string {
  return projectFile.replace('.yaml', `.${stack}.yaml`);
}

function projectOf(box: Sandbox): { readonly file: string; readonly name: string } {
  const file = ['Cairn.yaml', 'Pulumi.yaml'].find((name) => existsSync(path.join(box.directory, name)));
  const text = file === undefined ? '' : readFileSync(path.join(box.directory, file), 'utf8');
  const name = /^name: ([\w-]+)(?: #.*)?$/m.exec(text)?.[1];
  if (file === undefined || name === undefined) throw new Error('the box has no plain project file');
  return { file, name };
}

/** Fails for a box whose stack the real command would make differently. */
function assertPlain(box: Sandbox, stackFile: string): void {
  const { CAIRN_BACKEND_URL: backend, CAIRN_CONFIG_PASSPHRASE: passphrase } = box.env;
  if (passphrase !== 'test passphrase' || backend?.endsWith('/state') !== true || existsSync(stackFile))
    throw new Error('the box is not as it was made: run `stack init`');
}

/** Reads the files that the built command has written for a new stack; runs it once for each build. */
function readTemplate(): Template {
  const built = statSync(path.join(path.dirname(cairnCommand), '..', 'dist', 'main.js')).mtimeMs;
  const file = path.join(scratch, `stack-${built}.json`);
  if (!existsSync(file)) {
    const folder = mkdtempSync(path.join(scratch, 'stack-'));
    const draft = path.join(folder, 'stack.json');
    writeFileSync(draft, JSON.stringify(makeTemplate()));
    renameSync(draft, file);
    rmSync(folder, { recursive: true });
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Template;
}

function makeTemplate(): Template {
  const box = sandbox();
  try {
    execFileSync(process.execPath, [cairnCommand, 'stack', 'init', 'dev'], {
      cwd: box.directory,
      env: { ...box.env, CAIRN_BACKEND_URL: pathToFileURL(box.state).href } as NodeJS.ProcessEnv,
      stdio: 'pipe',
    });
    const state = readdirSync(box.state, { recursive: true, withFileTypes: true }).flatMap((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      if (entry.isDirectory() && readdirSync(file).length > 0) return [];
      return [[path.relative(box.state, file), entry.isFile() ? readFileSync(file, 'utf8') : null]];
    });
    return {
      stackFile: readFileSync(path.join(box.directory, 'Cairn.dev.yaml'), 'utf8'),
      state: Object.fromEntries(state) as Template['state'],
    };
  } finally {
    box.remove();
  }
}
