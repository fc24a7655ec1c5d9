import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { commandTable } from '../src/commands/table.js';

const deploy = path.join(__dirname, '..', 'deploy');
const unit = readFileSync(path.join(deploy, 'cairn-serve.service'), 'utf8');
const dockerfile = readFileSync(path.join(deploy, 'Dockerfile'), 'utf8');
const { name, bin, files } = JSON.parse(readFileSync(path.join(__dirname, '..', 'package.json'), 'utf8')) as {
  name: string;
  bin: Record<string, string>;
  files: readonly string[];
};

/** Flags that `serve` has. */
const FLAGS = new Set(
  commandTable.find(({ path: words }) => words.join(' ') === 'serve')?.flags?.map((flag) => `--${flag.name}`),
);

function expectFlags(text: string): void {
  const used = text.match(/--[a-z][a-z-]*/g) ?? [];
  expect(used.length).toBeGreaterThan(0);
  expect(used.filter((flag) => !FLAGS.has(flag))).toEqual([]);
}

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

(hasSystemd ? test : test.skip)('systemd takes the unit', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'cairn-unit-'));
  try {
    const file = path.join(folder, 'cairn-serve.service');
    writeFileSync(file, unit);
    mkdirSync(path.join(folder, 'etc'));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], {
      encoding: 'utf8',
    });
    expect([status, stderr.split('\n').filter((line) => line.includes('cairn-serve'))]).toEqual([0, []]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the unit gives no privileges, and its command has flags that exist', () => {
  for (const line of [
    'NoNewPrivileges=yes',
    'ProtectSystem=strict',
    'CapabilityBoundingSet=',
    'DynamicUser=yes',
  ])
    expect(unit.split('\n')).toContain(line);
  const lines = unit.split('\n').filter((line) => line.startsWith('ExecStart='));
  expect(lines).toEqual([expect.stringContaining(`env ${Object.keys(bin)[0] ?? ''} serve `)]);
  expectFlags(
    unit
      .split('\n')
      .filter((line) => line.includes('--'))
      .join('\n'),
  );
});

test('the image is not root, and its commands are those of the package', () => {
  const lines = dockerfile.split('\n');
  expect(lines.indexOf('USER node')).toBeGreaterThan(0);
  expect(lines.slice(lines.indexOf('USER node')).some((line) => /^USER (?!node)/.test(line))).toBe(false);
  expect(dockerfile).toContain(`${name}@\${VERSION}`);
  const entry = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(dockerfile)?.[1] ?? '[]') as readonly string[];
  const command = JSON.parse(/^CMD (.*)$/m.exec(dockerfile)?.[1] ?? '[]') as readonly string[];
  expect([Object.keys(bin).includes(entry[0] ?? ''), entry[1]]).toEqual([true, 'serve']);
  expectFlags(command.join(' '));
  const health = /^HEALTHCHECK .* CMD (.*)$/m.exec(dockerfile)?.[1] ?? '';
  const [node = '', ...words] = JSON.parse(health) as readonly string[];
  expect(node).toBe('node');
  // Nothing listens here: the check says so by its status, and is no fault of syntax.
  const refused = spawnSync(
    process.execPath,
    words.map((word) => word.replace(':8080', ':1')),
    { encoding: 'utf8' },
  );
  expect([refused.status, refused.stderr]).toEqual([1, '']);
});

test('the files are published', () => {
  expect(files).toContain('deploy');
  const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: path.join(__dirname, '..'),
    encoding: 'utf8',
  });
  for (const file of ['deploy/Dockerfile', 'deploy/cairn-serve.service']) expect(packed).toContain(file);
});
