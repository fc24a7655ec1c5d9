import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { packageFolder } from '../../tools/workspaces.mjs';
import { sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { PageRun, leftOut, readPage } from '../support/page-run.js';

jest.setTimeout(600_000);

/** Pages whose files are written and whose commands are carried out, with the least number of files in each. */
const PAGES = [
  ['providers.md', 10],
  ['sdk.md', 12],
  ['components.md', 15],
] as const;

describe.each(PAGES)('docs/%s', (page, files) => {
  let box: Sandbox;
  beforeAll(() => {
    box = sandbox({ 'package.json': '{}' }, { projectFile: false });
  });
  afterAll(() => box.remove());

  test(`what the page shows is what happens${leftOut(readPage(page))}`, async () => {
    const { blocks, varying } = readPage(page);
    expect(blocks.filter(({ kind }) => kind === 'file').length).toBeGreaterThanOrEqual(files);
    const instead = (folder: string, line: string): boolean => {
      if (!line.startsWith('npm install')) return false;
      install(folder, line);
      return true;
    };
    await new PageRun(box, { instead }).carryOut({ blocks, varying });
  });

  /**
   * Installs as npm does, without a registry: a folder and the packages of the workspace are packed and unpacked, never
   * linked, and a folder becomes a dependency. Their other dependencies are found above, in the repository.
   */
  function install(folder: string, line: string): void {
    const words = line.split(' ').slice(2);
    const wanted = words.filter((word) => word.startsWith('@cairn/'));
    const fresh = withDependencies(wanted).filter((name) => !unpacked.has(name));
    unpack(fresh.map(packageFolder), box.directory);
    for (const local of words.filter((word) => word.startsWith('../'))) {
      const source = path.resolve(folder, local);
      unpack([source], folder);
      const name = path.basename(source);
      const manifest = path.join(folder, 'package.json');
      const before = JSON.parse(readFileSync(manifest, 'utf8')) as { dependencies?: Record<string, string> };
      const dependencies = { ...before.dependencies, [name]: `file:${local}` };
      writeFileSync(manifest, JSON.stringify({ ...before, dependencies }));
    }
  }

  /** Packs folders and unpacks the tarballs where npm would put them for a project. */
  function unpack(folders: readonly string[], project: string): void {
    if (folders.length === 0) return;
    const tarballs = path.join(box.home, 'tarballs');
    mkdirSync(tarballs, { recursive: true });
    const packing = ['pack', '--json', '--loglevel=error', '--pack-destination', tarballs, ...folders];
    const packed = JSON.parse(run('npm', packing, box.home)) as readonly {
      readonly name: string;
      readonly filename: string;
    }[];
    for (const { name, filename } of packed) {
      const target = path.join(project, 'node_modules', name);
      rmSync(target, { recursive: true, force: true });
      mkdirSync(target, { recursive: true });
      run('tar', ['-xzf', path.join(tarballs, filename), '-C', target, '--strip-components=1'], box.home);
      linkCommands(project, target);
      unpacked.add(name);
    }
  }

  const unpacked = new Set<string>();
});

/** Makes a package's commands executable, and puts links to them where npm does. */
function linkCommands(project: string, target: string): void {
  const { bin = {} } = JSON.parse(readFileSync(path.join(target, 'package.json'), 'utf8')) as {
    readonly bin?: Readonly<Record<string, string>>;
  };
  const folder = path.join(project, 'node_modules', '.bin');
  mkdirSync(folder, { recursive: true });
  for (const [name, script] of Object.entries(bin)) {
    const link = path.join(folder, name);
    if (!existsSync(path.join(target, script))) continue;
    chmodSync(path.join(target, script), 0o755);
    rmSync(link, { force: true });
    symlinkSync(path.relative(folder, path.join(target, script)), link);
  }
}

/** Packages of the workspace with all others that they need. */
function withDependencies(names: readonly string[]): readonly string[] {
  const found = new Set(names);
  for (const name of found) {
    const manifest = path.join(packageFolder(name), 'package.json');
    const { dependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as {
      dependencies?: Record<string, string>;
    };
    for (const other of Object.keys(dependencies)) if (other.startsWith('@cairn/')) found.add(other);
  }
  return [...found];
}

function run(command: string, words: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, words, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`${command} ${words.join(' ')} ended with ${status}\n${stderr}`);
  return stdout;
}
