import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { commandTable } from '../src/commands/table.js';

const deploy = path.join(__dirname, '..', 'deploy');
/** Commands that have a unit and an image. `port` is that of the health check. */
const DEPLOYED = [
  { command: 'serve', unit: 'cairn-serve.service', image: 'Dockerfile', port: ':8080' },
  { command: 'agent', unit: 'cairn-agent.service', image: 'Dockerfile.agent', port: ':7800' },
] as const;
const textOf = (file: string): string => readFileSync(path.join(deploy, file), 'utf8');
const { name, bin, files } = JSON.parse(readFileSync(path.join(__dirname, '..', 'package.json'), 'utf8')) as {
  name: string;
  bin: Record<string, string>;
  files: readonly string[];
};

function expectFlags(command: string, text: string): void {
  const spec = commandTable.find(({ path: words }) => words.join(' ') === command);
  const known = new Set(spec?.flags?.map((flag) => `--${flag.name}`));
  const used = text.match(/--[a-z][a-z-]*/g) ?? [];
  expect(used.length).toBeGreaterThan(0);
  expect(used.filter((flag) => !known.has(flag))).toEqual([]);
}

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

(hasSystemd ? test : test.skip).each(DEPLOYED)('systemd takes $unit', ({ unit: name, command }) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'cairn-unit-'));
  try {
    const file = path.join(folder, name);
    writeFileSync(file, textOf(name));
    mkdirSync(path.join(folder, 'etc'));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], {
      encoding: 'utf8',
    });
    expect([status, stderr.split('\n').filter((line) => line.includes(`cairn-${command}`))]).toEqual([0, []]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each(DEPLOYED)(
  '$unit gives no privileges, and its command has flags that exist',
  ({ command, unit: file }) => {
    const unit = textOf(file);
    for (const line of [
      'NoNewPrivileges=yes',
      'ProtectSystem=strict',
      'CapabilityBoundingSet=',
      'DynamicUser=yes',
    ])
      expect(unit.split('\n')).toContain(line);
    const lines = unit.split('\n').filter((line) => line.startsWith('ExecStart='));
    expect(lines).toEqual([expect.stringContaining(`env ${Object.keys(bin)[0] ?? ''} ${command} `)]);
    expectFlags(
      command,
      unit
        .split('\n')
        .filter((line) => line.includes('--'))
        .join('\n'),
    );
  },
);

test.each(DEPLOYED)(
  '$image is not root, and its commands are those of the package',
  ({ command, image, port }) => {
    const dockerfile = textOf(image);
    const lines = dockerfile.split('\n');
    expect(lines.indexOf('USER node')).toBeGreaterThan(0);
    expect(lines.slice(lines.indexOf('USER node')).some((line) => /^USER (?!node)/.test(line))).toBe(false);
    expect(dockerfile).toContain(`${name}@\${VERSION}`);
    const entry = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(dockerfile)?.[1] ?? '[]') as readonly string[];
    const args = JSON.parse(/^CMD (.*)$/m.exec(dockerfile)?.[1] ?? '[]') as readonly string[];
    expect([Object.keys(bin).includes(entry[0] ?? ''), entry[1]]).toEqual([true, command]);
    expectFlags(command, args.join(' '));
    const health = /^HEALTHCHECK .* CMD (.*)$/m.exec(dockerfile)?.[1] ?? '';
    const [node = '', ...words] = JSON.parse(health) as readonly string[];
    expect(node).toBe('node');
    // Nothing listens here: the check says so by its status, and is no fault of syntax.
    const refused = spawnSync(
      process.execPath,
      words.map((word) => word.replace(port, ':1')),
      { encoding: 'utf8' },
    );
    expect([refused.status, refused.stderr]).toEqual([1, '']);
  },
);

test('the files are published', () => {
  expect(files).toContain('deploy');
  const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: path.join(__dirname, '..'),
    encoding: 'utf8',
  });
  for (const { unit, image } of DEPLOYED)
    for (const file of [unit, image]) expect(packed).toContain(`deploy/${file}"`);
});
