import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/**
 * Shows which steps count as a change, and what the state has of default providers and of objects that are only read.
 */

const PROGRAM = `
const pulumi = require('@pulumi/pulumi');
const provider = {
  create: async (inputs) => ({ id: inputs.name, outs: inputs }),
  read: async (id, props) => ({ id, props: { ...props, seen: process.env.SEEN } }),
};
class Thing extends pulumi.dynamic.Resource {
  constructor(name, props, options) {
    super(provider, name, { name, ...props }, options);
  }
}
class Folder extends pulumi.CustomResource {
  constructor(name, args, options) {
    super('cairn-local:index:Directory', name, args, options);
  }
}
const a = new Thing('a', {});
const added = async ({ props, opts }) => ({ props: { ...props, added: 'yes' }, opts });
new Thing('rewritten', { of: a.id }, { transforms: [added] });
new Folder('folder', { path: 'made' }, { version: '0.1.0' });
if (process.env.READS !== 'no') new Thing('got', { seen: undefined, said: 1 }, { id: 'there' });
`;

interface Entry {
  readonly urn: string;
  readonly inputs?: Record<string, unknown>;
  readonly outputs?: Record<string, unknown>;
  readonly [key: string]: unknown;
}

interface Event {
  readonly summaryEvent?: { readonly resourceChanges: Record<string, number> };
  readonly resourcePreEvent?: {
    readonly metadata: { readonly urn: string; readonly logical?: boolean; readonly op: string };
  };
}

const nameOf = (urn: string): string => urn.split('::').at(-1) ?? '';
const eventsIn = (text: string): readonly Event[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Event);
const countsIn = (text: string) =>
  eventsIn(text).find((event) => event.summaryEvent)?.summaryEvent?.resourceChanges;

test('default providers are no changes, and a read is one only where it found something else', async () => {
  const box = sandbox(
    {
      'Pulumi.yaml': 'name: counted\nruntime: nodejs\n',
      'package.json': JSON.stringify({
        name: 'counted',
        main: 'index.js',
        dependencies: { '@pulumi/pulumi': '*', '@cairn/provider-local': '*' },
      }),
      'index.js': PROGRAM,
    },
    { projectFile: false },
  );
  const run = async (words: readonly string[], env: Record<string, string> = {}) =>
    expectOk(await box.cairn(words, { env: { SEEN: '1', ...env } })).stdout;
  const up = ['up', '--yes', '--skip-preview'];
  try {
    await run(['stack', 'init', 'dev']);
    const planned = JSON.parse(await run(['preview', '--json'])) as {
      steps: { op: string; urn: string }[];
      changeSummary: unknown;
    };
    expect(planned.changeSummary).toEqual({ create: 4 });
    expect(planned.steps.map(({ urn }) => nameOf(urn)).sort()).toEqual([
      'a',
      'counted-dev',
      'folder',
      'got',
      'rewritten',
    ]);

    const log = path.join(box.directory, 'events.jsonl');
    const shown = await run([...up, '--event-log', log]);
    expect(shown).toMatch(/ {4}\+ 4 created\n/);
    expect(shown).not.toContain('pulumi:providers');
    const logged = eventsIn(readFileSync(log, 'utf8')).flatMap(({ resourcePreEvent: event }) =>
      event ? [nameOf(event.metadata.urn)] : [],
    );
    expect(logged).toEqual(expect.arrayContaining(['default', 'default_0_1_0']));
    expect(await run(['preview', '--show-sames'])).not.toContain('pulumi:providers');

    expect(countsIn(await run([...up, '--json']))).toEqual({ same: 4 });
    await run(['preview', '--expect-no-changes'], { SEEN: '2' });
    expect(countsIn(await run([...up, '--json']))).toEqual({ same: 4 });

    const stateOf = async () => {
      const { deployment } = JSON.parse(await run(['stack', 'export'])) as {
        deployment: { resources: Entry[] };
      };
      return new Map(deployment.resources.map((entry) => [nameOf(entry.urn), entry]));
    };
    const before = await stateOf();
    expect(before.get('default_0_1_0')?.inputs).toEqual({ version: '0.1.0', __internal: {} });
    expect(before.get('default_0_1_0')?.outputs).toEqual({ version: '0.1.0' });
    expect(before.get('default')?.inputs ?? {}).not.toHaveProperty('__internal');
    const urn = before.get('a')?.urn;
    expect(before.get('rewritten')).toMatchObject({
      dependencies: [urn],
      propertyDependencies: { added: [], name: [], of: [] },
    });
    const first = before.get('got');
    expect([first?.['external'], first?.['created'], first?.['modified']]).toEqual([
      true,
      undefined,
      undefined,
    ]);
    expect(first?.inputs).toMatchObject({ name: 'got', said: 1 });
    expect(first?.inputs).not.toHaveProperty('seen');
    expect(first?.outputs).toMatchObject({ seen: '1' });

    expect(countsIn(await run([...up, '--json'], { SEEN: '2' }))).toEqual({ same: 4, read: 1 });
    expect(countsIn(await run(['refresh', '--yes', '--skip-preview', '--json'], { SEEN: '2' }))).toEqual({
      same: 5,
    });
    const second = (await stateOf()).get('got');
    expect(second?.outputs).toMatchObject({ seen: '2' });
    expect(second?.['created']).toBeUndefined();
    expect(second?.['modified']).toEqual(expect.any(String));

    const gone = eventsIn(await run([...up, '--json', '--expect-no-changes'], { READS: 'no' }));
    expect(gone.find((event) => event.summaryEvent)?.summaryEvent?.resourceChanges).toEqual({
      same: 4,
      discard: 1,
    });
    expect(
      gone.find(({ resourcePreEvent: event }) => event?.metadata.op === 'discard')?.resourcePreEvent
        ?.metadata,
    ).toMatchObject({ logical: true });
    expect(countsIn(await run(['destroy', '--yes', '--skip-preview', '--json']))).toEqual({ delete: 4 });
  } finally {
    box.remove();
  }
});

test('a state from before default providers had `__internal` shows no update, and gets it with the next one', async () => {
  const box = sandbox({
    'index.ts': `import { RandomPet } from '@cairn/provider-random';\nnew RandomPet('a', {});`,
  });
  try {
    giveStack(box);
    expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
    const exported = expectOk(await box.cairn(['stack', 'export'])).stdout;
    const old = JSON.parse(exported, (key, value: unknown) => (key === '__internal' ? undefined : value));
    expect(JSON.stringify(old)).not.toBe(JSON.stringify(JSON.parse(exported)));
    expectOk(await box.cairn(['stack', 'import'], { input: JSON.stringify(old) }));
    const preview = expectOk(await box.cairn(['preview', '--expect-no-changes', '--json']));
    expect(JSON.parse(preview.stdout)).toMatchObject({ changeSummary: { same: 2 } });
    expect(countsIn(expectOk(await box.cairn(['up', '--yes', '--skip-preview', '--json'])).stdout)).toEqual({
      same: 2,
    });
    expect(expectOk(await box.cairn(['stack', 'export'])).stdout).toContain('"__internal"');
  } finally {
    box.remove();
  }
});
