import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(__dirname, '..', '..');
const installed = path.join(root, 'node_modules', '@pulumi', 'pulumi');

function check(...words: readonly string[]): { readonly said: string; readonly status: number | null } {
  const tool = path.join(root, 'tools', 'pulumi-checklist.mjs');
  const ended = spawnSync(process.execPath, [tool, '--check', ...words], { encoding: 'utf8' });
  return { said: ended.stdout + ended.stderr, status: ended.status };
}

test('the checklist has every export, call, message and field of the installed @pulumi/pulumi', () => {
  expect(check()).toEqual({ said: '', status: 0 });
}, 60_000);

describe('a newer version', () => {
  const copy = mkdtempSync(path.join(tmpdir(), 'cairn-checklist-'));
  beforeAll(() =>
    cpSync(installed, copy, {
      recursive: true,
      filter: (file) => !/node_modules|vendor/.test(path.relative(installed, file)),
    }),
  );
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  test('with a new export, member, call, message, field and value is told of each', () => {
    const edit = (file: string, change: (text: string) => string): void => {
      const at = path.join(copy, file);
      const before = readFileSync(at, 'utf8');
      expect(change(before)).not.toBe(before);
      writeFileSync(at, change(before));
    };
    edit('index.d.ts', (text) => `${text}\nexport declare function brandNew(): void;\n`);
    edit('resource.d.ts', (text) =>
      text.replace('protect?: boolean;', 'protect?: boolean;\n    newOption?: boolean;'),
    );
    edit('proto/resource_grpc_pb.js', (text) =>
      text.replace("path: '/pulumirpc.ResourceMonitor/Invoke'", "path: '/pulumirpc.ResourceMonitor/Ask'"),
    );
    edit('proto/resource_pb.js', (text) =>
      text
        .replaceAll('proto.pulumirpc.ExistsResourceResponse.', 'proto.pulumirpc.NewMessage.')
        .replace(
          /(ExistsResourceRequest\.serializeBinaryToWriter[\s\S]*?writer\.writeString\(\s*)1,/,
          '$1 99,',
        )
        .replace('RESOURCE_MONITOR_FEATURE_SECRETS: 0', 'RESOURCE_MONITOR_FEATURE_NEW: 0'),
    );
    const { said, status } = check('--package', copy);
    expect(status).toBe(1);
    for (const line of [
      'no answer: export brandNew of index',
      'no answer: call pulumirpc.ResourceMonitor/Ask',
      'an answer about nothing: call Invoke of pulumirpc.ResourceMonitor',
      'proto/ does not have the message pulumirpc.NewMessage',
      'proto/ does not have field 99',
      'proto/ does not have RESOURCE_MONITOR_FEATURE_NEW of pulumirpc.ResourceMonitorFeature',
      'docs/maintainers/pulumi-checklist.md is not up to date',
    ])
      expect(said).toContain(line);
  }, 60_000);
});
