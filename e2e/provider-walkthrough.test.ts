import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sandbox } from './support/cairn.js';
import type { Sandbox } from './support/cairn.js';

const repository = path.resolve(__dirname, '..');
const page = path.join(repository, 'docs', 'providers.md');

/** A fenced block of the page: a file to write, or commands with the output they are said to have. */
interface Block {
  readonly kind: 'file' | 'cwd';
  readonly path: string;
  readonly body: string;
}

interface Command {
  readonly line: string;
  readonly output: string;
}

const blocks = (text: string): readonly Block[] =>
  [...text.matchAll(/^```\w+ (file|cwd)=(\S+)\n([^]*?)^```$/gm)].map((match) => ({
    kind: match[1] as Block['kind'],
    path: match[2] ?? '',
    body: match[3] ?? '',
  }));

const commands = (body: string): readonly Command[] =>
  body
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n');
      return { line: part.slice(0, end), output: part.slice(end + 1) };
    });

/** The output as a pattern in which `…` stands for anything. */
const pattern = (output: string): RegExp =>
  new RegExp(
    `^${output
      .trim()
      .split('…')
      .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('[^]*')}$`,
  );

describe('docs/providers.md', () => {
  let box: Sandbox;
  beforeAll(() => {
    box = sandbox({ 'package.json': '{}' }, { projectFile: false });
  });
  afterAll(() => box.remove());

  test('what the page shows is what happens', () => {
    const all = blocks(readFileSync(page, 'utf8'));
    expect(all.filter((block) => block.kind === 'file').length).toBeGreaterThan(8);
    for (const block of all) {
      if (block.kind === 'file') box.write(block.path, block.body);
      else
        for (const command of commands(block.body)) carryOut(path.join(box.directory, block.path), command);
    }
  });

  function carryOut(folder: string, { line, output }: Command): void {
    if (line.startsWith('npm install')) return install(folder, line);
    const env = {
      ...box.env,
      PATH: `${path.join(repository, 'node_modules', '.bin')}${path.delimiter}${process.env['PATH']}`,
    };
    const run = spawnSync('sh', ['-c', `{ ${line}\n} 2>&1`], {
      cwd: folder,
      env: env as NodeJS.ProcessEnv,
      encoding: 'utf8',
    });
    const said = `$ ${line}\n${run.stdout.trim()}`;
    if (output !== '') expect(said).toMatch(pattern(`$ ${line}\n${output}`));
    const fails = output.includes('error[');
    expect({ said, failed: run.status !== 0 }).toEqual({ said, failed: fails });
  }

  /** Packages of the workspace are found as they are; a folder is linked and named as a dependency, as npm does. */
  function install(folder: string, line: string): void {
    const local = line.split(' ').find((word) => word.startsWith('../'));
    if (local === undefined) return;
    const name = path.basename(local);
    const modules = path.join(folder, 'node_modules');
    mkdirSync(modules, { recursive: true });
    const manifest = path.join(folder, 'package.json');
    const before = JSON.parse(readFileSync(manifest, 'utf8')) as { dependencies?: Record<string, string> };
    if (before.dependencies?.[name] !== undefined) return;
    symlinkSync(path.resolve(folder, local), path.join(modules, name), 'dir');
    writeFileSync(
      manifest,
      JSON.stringify({ ...before, dependencies: { ...before.dependencies, [name]: `file:${local}` } }),
    );
  }
});
