import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { ServerReadableStream, ServiceDefinition, sendUnaryData } from '@grpc/grpc-js';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/** The receiving side is the other tool's own package. */
const load = createRequire(__filename);
const { EventsService } = load('@pulumi/pulumi/proto/events_grpc_pb.js') as {
  EventsService: ServiceDefinition;
};
const { Empty } = load('google-protobuf/google/protobuf/empty_pb.js') as { Empty: new () => object };

const program = `
import { RandomPet } from '@cairn/provider-random';
export const name = new RandomPet('pet', { length: 2 }).result;
`;

type Line = Record<string, unknown> & { sequence: number };
const parsed = (text: string): Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
const kinds = (lines: readonly Line[]): string[] =>
  lines.map((line) => Object.keys(line).find((key) => key.endsWith('Event')) ?? 'none');
const urns = (lines: readonly Line[]): string[] =>
  lines.flatMap((line) => {
    const event = line['resOutputsEvent'] as { metadata: { urn: string } } | undefined;
    return event === undefined ? [] : [event.metadata.urn.replace(/^.*::/, '')];
  });

describe('events for programs [EVT-1] [EVT-3]', () => {
  let box: Sandbox;
  beforeAll(async () => {
    box = sandbox({ 'index.ts': program });
    giveStack(box);
  });
  afterAll(() => box.remove());

  const urnOfPet = async (): Promise<string> => {
    const { stdout } = expectOk(await box.cairn(['stack', '--show-urns']));
    return stdout.split(/\s+/).find((word) => word.startsWith('urn:') && word.endsWith('::pet')) ?? 'none';
  };

  test('a file gets every event, numbered, with those of the engine itself; stdout leaves the latter out', async () => {
    const words = ['up', '--yes', '--skip-preview', '--json', '--event-log', 'events.log'];
    const { stdout } = expectOk(await box.cairn(words));
    const log = parsed(readFileSync(path.join(box.directory, 'events.log'), 'utf8'));
    expect(log.map(({ sequence }) => sequence)).toEqual(log.map((_, index) => index));
    expect(kinds(log)[0]).toBe('preludeEvent');
    expect(kinds(log).slice(-2)).toEqual(['summaryEvent', 'cancelEvent']);
    const shown = parsed(stdout);
    expect(kinds(shown).at(-1)).toBe('cancelEvent');
    expect(urns(log).filter((name) => name.startsWith('default'))).toHaveLength(1);
    expect(urns(shown)).toEqual(urns(log).filter((name) => !name.startsWith('default')));
    expect(urns(shown)).toContain('pet');
    expect(shown.at(-1)?.sequence).toBe(log.at(-1)?.sequence);
  });

  test('with CAIRN_EVENT_LOG=changes, the log leaves out what changes nothing', async () => {
    const logged = async (words: readonly string[], said: string): Promise<readonly Line[]> => {
      const env = { CAIRN_EVENT_LOG: said };
      expectOk(await box.cairn([...words, '--event-log', 'changes.log'], { env }));
      return parsed(readFileSync(path.join(box.directory, 'changes.log'), 'utf8'));
    };
    const refresh = ['refresh', '--preview-only'];
    expect(urns(await logged(refresh, 'all'))).toContain('pet');
    const quiet = await logged(refresh, 'changes');
    expect([urns(quiet), kinds(quiet)[0], ...kinds(quiet).slice(-2)]).toEqual([
      ...[[], 'preludeEvent', 'summaryEvent', 'cancelEvent'],
    ]);
    expect(quiet.map(({ sequence }) => sequence)).toEqual(quiet.map((_, index) => index));
    const replaced = await logged(['preview', '--replace', await urnOfPet()], 'changes');
    expect(new Set(urns(replaced))).toEqual(new Set(['pet', 'shop-dev']));
  });

  test('a listener gets the same lines over gRPC', async () => {
    const events: Line[] = [];
    const server = new Server();
    server.addService(EventsService, {
      streamEvents(
        call: ServerReadableStream<{ getEvent(): string }, object>,
        answer: sendUnaryData<object>,
      ) {
        call.on('data', (message) => events.push(JSON.parse(message.getEvent()) as Line));
        call.on('end', () => answer(null, new Empty()));
      },
    });
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      );
    });
    try {
      expectOk(await box.cairn(['preview', '--event-log', `tcp://127.0.0.1:${port}`]));
    } finally {
      server.forceShutdown();
    }
    expect(kinds(events).slice(-2)).toEqual(['summaryEvent', 'cancelEvent']);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index));
    expect(urns(events)).toContain('pet');
  });

  test('a place that cannot be written stops the operation before it begins; a listener that is gone is a warning', async () => {
    const refused = await box.cairn([
      'up',
      '--yes',
      '--skip-preview',
      '--event-log',
      'no/such/directory/log',
    ]);
    expect([refused.code, refused.text]).toEqual([2, expect.stringContaining('CAIRN-EVENT-LOG')]);
    const gone = expectOk(await box.cairn(['preview', '--event-log', 'tcp://127.0.0.1:1']));
    expect(gone.stderr).toContain('CAIRN-EVENT-LOG');
  });

  test('--output json is one line with the result', async () => {
    const { stdout } = expectOk(
      await box.cairn(['up', '--yes', '--output', 'json', '--replace', await urnOfPet()]),
    );
    const pet = { urn: await urnOfPet(), name: 'pet' };
    // Through a service, this member has the page of the change.
    const { cairn: _, ...result } = JSON.parse(stdout) as { readonly cairn?: object };
    expect(result).toEqual({
      result: 'succeeded',
      duration: expect.any(Number),
      summary: expect.objectContaining({ replace: 1 }),
      resources: expect.arrayContaining([
        expect.objectContaining({
          ...pet,
          op: 'create-replacement',
          parent: expect.stringContaining('shop-dev'),
        }),
      ]),
    });
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    const failed = await box.cairn([
      'up',
      '--yes',
      '--output',
      'json',
      '--target',
      'urn:pulumi:dev::shop::a:b:C::none',
    ]);
    expect(JSON.parse(failed.stdout)).toMatchObject({ result: 'failed' });
    expect(failed.stderr).toContain('a:b:C::none');
    expect((await box.cairn(['preview', '--json', '--output', 'json'])).code).toBe(2);
    expect((await box.cairn(['preview', '--output', 'xml'])).code).toBe(2);
  });

  test('a replacement is one step of a preview, or three; what is ours stands apart; a protected resource says why it stays', async () => {
    const words = ['preview', '--json', '--replace', await urnOfPet()];
    const steps = async (...more: string[]): Promise<readonly string[]> => {
      const { stdout } = expectOk(await box.cairn([...words, ...more]));
      const document = JSON.parse(stdout) as {
        steps: { op: string; urn: string; newState?: { outputs?: object }; cairn: { reason: string } }[];
      };
      return document.steps
        .filter(({ urn, cairn: { reason } }) => urn.endsWith('::pet') && reason !== '')
        .map(({ op, newState }) => `${op}${newState?.outputs === undefined ? '' : ' with outputs'}`);
    };
    expect(await steps()).toEqual(['replace with outputs']);
    expect(await steps('--show-replacement-steps')).toEqual([
      'create-replacement',
      'replace with outputs',
      'delete-replaced',
    ]);
    expectOk(await box.cairn(['state', 'protect', '--yes', await urnOfPet()]));
    box.write('index.ts', "console.log('one\\n\\ntwo');\nprocess.stderr.write('begun');\n");
    const kept = await box.cairn(['up', '--yes', '--skip-preview', '--json']);
    expect(kept.code).toBe(4);
    const lines = parsed(kept.stdout);
    const said = lines.flatMap((line) => {
      const event = line['diagnosticEvent'] as
        { message: string; severity: string; prefix?: string } | undefined;
      return event === undefined ? [] : [[event.severity, event.prefix ?? '', event.message]];
    });
    expect(said).toEqual(
      expect.arrayContaining([
        ['info', '', 'one\n\n'],
        ['info', '', 'two\n\n'],
        ['info#err', '', 'begun\n'],
        ['error', 'error: ', expect.stringContaining('::pet')],
      ]),
    );
    expect(
      lines.filter((line) => JSON.stringify(line).includes('"op":"delete"')).map((line) => kinds([line])[0]),
    ).toEqual(['resourcePreEvent', 'resOpFailedEvent']);
    expectOk(await box.cairn(['state', 'unprotect', '--yes', await urnOfPet()]));
    box.write('index.ts', program);
  });

  test('a preview is one document, or a stream where that is asked for', async () => {
    expect(JSON.parse(expectOk(await box.cairn(['preview', '--json'])).stdout)).toHaveProperty(
      'changeSummary',
    );
    const env = { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: 'true' };
    expect(kinds(parsed(expectOk(await box.cairn(['preview', '--json'], { env })).stdout)).at(-1)).toBe(
      'cancelEvent',
    );
  });
});

test('a log that cannot be written: the operation has failed, and what was unfinished before it stays so', async () => {
  const box = sandbox({
    'index.ts': `
import { LocalCommand } from '@cairn/provider-local';
new LocalCommand('check', { create: 'test -e fine.txt' });
`,
  });
  try {
    giveStack(box);
    const bad = ['--event-log', path.join(box.directory, 'nowhere', 'events.json')];
    const changes = async (): Promise<readonly string[]> =>
      expectOk(await box.cairn(['changes'])).stdout.match(/Update dev.*/g) ?? [];
    const expectUnwritten = async (words: readonly string[]): Promise<void> => {
      const { code, stderr } = await box.cairn([...words, ...bad]);
      expect([code, stderr]).toEqual([2, expect.stringContaining('CAIRN-EVENT-LOG')]);
    };
    await expectUnwritten(['up', '--yes', '--skip-preview']);
    // A user who saw the number of change 1 finds that change, and no other operation gets its number.
    expect(await changes()).toEqual(['Update dev (failed)']);
    expect((await box.cairn(['resume'])).stderr).toContain('has no change to resume');
    expect((await box.cairn(['up', '--yes', '--skip-preview'])).code).toBe(4);
    await expectUnwritten(['resume']);
    expect(await changes()).toEqual([
      'Update dev (failed)',
      'Update dev (failed, resumed by 3)',
      'Update dev (failed, unfinished, resumes 2)',
    ]);
    box.write('fine.txt', '');
    expect(expectOk(await box.cairn(['resume'])).stdout).toContain('Resuming change 2 (dev)');
  } finally {
    box.remove();
  }
});
