import { readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import semver from 'semver';
import { parse } from 'yaml';
import { allLanes } from '../ci/lanes.mjs';

/** Checks that the files for people and services beside the code name things that exist. */

const root = path.join(__dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const json = <T>(file: string): T => JSON.parse(read(file)) as T;
const manifest = json<{ scripts: Record<string, string>; engines: { node: string } }>('package.json');
const workflows = readdirSync(path.join(root, '.github/workflows')).map(
  (name) => `.github/workflows/${name}`,
);

interface Workflow {
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly strategy?: { readonly matrix: { readonly include: readonly { readonly only: string }[] } };
        readonly steps: readonly { readonly run?: string; readonly with?: Record<string, unknown> }[];
      }
    >
  >;
}

test.each([...workflows, 'CONTRIBUTING.md', '.devcontainer/devcontainer.json', '.githooks/pre-commit'])(
  'scripts of npm that %s names are there',
  (file) => {
    const named = [...read(file).matchAll(/npm run (?:-s )?([a-z:-]+)/g)].map((match) => match[1] ?? '');
    expect(named.filter((name) => !(name in manifest.scripts))).toEqual([]);
  },
);

test.each(workflows)(
  '%s runs what is in the repository, on the version of Node that is chosen here',
  (file) => {
    const { jobs } = parse(read(file)) as Workflow;
    const steps = Object.values(jobs).flatMap(({ steps: own }) => own);
    expect(steps.length).toBeGreaterThan(0);
    for (const { with: settings } of steps)
      if (settings !== undefined && 'node-version-file' in settings)
        statSync(path.join(root, String(settings['node-version-file'])));
    expect(semver.satisfies(semver.coerce(read('.node-version')) ?? '', manifest.engines.node)).toBe(true);
    for (const { run = '' } of steps) if (run.startsWith('.ci/run')) statSync(path.join(root, '.ci/run'));
  },
);

test('the jobs of CI together have every lane', () => {
  const { jobs } = parse(read('.github/workflows/ci.yml')) as Workflow;
  const words = Object.values(jobs).flatMap(({ strategy }) =>
    (strategy?.matrix.include ?? []).flatMap(({ only }) => only.split(',')),
  );
  const lanes = allLanes({ seed: 1, times: 1 }).map(({ name }: { readonly name: string }) => name);
  const chosen = [...words, 'install', 'build'];
  expect(lanes.filter((name: string) => !chosen.some((word) => name.includes(word)))).toEqual([]);
  expect(chosen.filter((word) => !lanes.some((name: string) => name.includes(word)))).toEqual([]);
});

test('all packages that are published get the same version', () => {
  const { fixed } = json<{ fixed: readonly (readonly string[])[] }>('.changeset/config.json');
  expect(fixed).toEqual([['@cairn/*']]);
});

test('what editors start is there', () => {
  const { configurations } = json<{ configurations: readonly { program: string }[] }>('.vscode/launch.json');
  expect(configurations).toHaveLength(2);
  for (const { program } of configurations)
    statSync(path.join(root, program.replace('${workspaceFolder}/', '')));
});

test('the hook can be started, and names a tool that is there', () => {
  expect(statSync(path.join(root, '.githooks/pre-commit')).mode & 0o111).not.toBe(0);
  statSync(path.join(root, 'tools/staged.mjs'));
});

test.each(['bug.yml', 'feature.yml'])('the form %s asks for something', (name) => {
  const { body } = parse(read(`.github/ISSUE_TEMPLATE/${name}`)) as {
    readonly body: readonly { readonly type: string; readonly id?: string }[];
  };
  expect(body.filter(({ type, id }) => type === 'textarea' && id !== undefined).length).toBeGreaterThan(1);
});
