import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { transformSync } from 'esbuild';
import { sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { freePort } from '../support/free-port.js';

/** `@cairn/automation` as installed, in processes of their own: behaviour that a test in this process could not see. */

const repository = path.resolve(__dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(repository, file), 'utf8');
const boxes: Sandbox[] = [];
afterAll(() => boxes.forEach((box) => box.remove()));

/** A folder whose package.json names the packages of a program, and no project. */
function folder(): Sandbox {
  const box = sandbox({}, { projectFile: false });
  boxes.push(box);
  return box;
}

interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly text: string;
  /** Values that the script has printed with `say`, by name. */
  readonly said: Readonly<Record<string, unknown>>;
}

const HEAD = `
import { setTimeout as pause } from 'node:timers/promises';
import { AutomationError, OperationError, StackLockedError, openWorkspace } from '@cairn/automation';
import { CustomResource, ResourceHook, log } from '@cairn/sdk';
const say = (name, value) => process.stdout.write(JSON.stringify({ [name]: value }) + '\\n');
const pet = (name, inputs = { length: 1 }, options = {}) => new CustomResource('cairn-random:index:Pet', name, inputs, options);
const failure = (promise) => promise.then((value) => ({ status: value.status }), (error) => ({ name: error.name, code: error.code, message: error.message, status: error.result?.status }));
`;

function start(box: Sandbox, script: string, name: string, words: readonly string[] = []): ChildProcess {
  box.write(name, script);
  return spawn(process.execPath, [...words, name], {
    cwd: box.directory,
    env: box.env as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function ended(child: ChildProcess): Promise<Ran> {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += String(chunk)));
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  const lines = text.split('\n').filter((line) => line.startsWith('{"'));
  const said = Object.assign({}, ...lines.map((line) => JSON.parse(line) as object)) as Ran['said'];
  return { code, signal, text, said };
}

let scripts = 0;
const run = (box: Sandbox, body: string): Promise<Ran> =>
  ended(start(box, HEAD + body, `script-${++scripts}.mjs`));

/** A block of a page, as JavaScript. */
function block(page: string, mark: string): string {
  const code = new RegExp(`^\`\`\`ts ${mark}\\n([^]*?)^\`\`\`$`, 'm').exec(read(page))?.[1];
  return transformSync(code ?? 'throw new Error("the page has no such block")', { loader: 'ts' }).code;
}

test('the test of the README passes, and leaves nothing behind', async () => {
  const box = folder();
  const ran = await ended(
    start(box, block('packages/edges/automation/README.md', 'test'), 'pet.test.mjs', ['--test']),
  );
  expect(ran).toMatchObject({ code: 0 });
  expect(ran.text).toMatch(/^[#ℹ] pass 1$/m);
  expect(existsSync(path.join(box.state, '.pulumi', 'stacks', 'pets', 'test.json'))).toBe(false);
});

test('the server of the README makes two sites at once', async () => {
  const box = folder();
  const port = await freePort();
  box.env['PORT'] = String(port);
  const server = start(box, block('packages/edges/automation/README.md', 'server'), 'server.mjs');
  try {
    const ask = async (name: string): Promise<string> => {
      for (let tries = 0; ; tries += 1)
        try {
          return await (await fetch(`http://127.0.0.1:${port}/${name}`, { method: 'POST' })).text();
        } catch (error) {
          if (tries > 300) throw error;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
    };
    expect(await Promise.all([ask('ann'), ask('bob')])).toEqual(['sites/ann.html', 'sites/bob.html']);
    for (const name of ['ann', 'bob'])
      expect(readFileSync(path.join(box.directory, 'sites', `${name}.html`), 'utf8')).toBe(`Hello ${name}`);
  } finally {
    server.kill();
  }
});

test('the guide does what it says', async () => {
  const page = read('docs/automation.md');
  const blocks = [...page.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code]) => code);
  const shown = [...page.matchAll(/^```text\n([^]*?)^```$/gm)].map(([, text]) => text).join('');
  const box = folder();
  box.write('infra/Cairn.yaml', 'name: infra\nruntime: nodejs\nmain: index.ts\n');
  box.write(
    'infra/index.ts',
    "import { RandomPet } from '@cairn/provider-random';\nexport const name = new RandomPet('name').result;\n",
  );
  box.write(
    'infra/package.json',
    '{"type":"module","dependencies":{"@cairn/sdk":"*","@cairn/provider-random":"*"}}',
  );
  const { code } = transformSync(blocks.join('\n'), { loader: 'ts' });
  const ran = await ended(start(box, code, 'guide.mjs'));
  expect({ code: ran.code, text: ran.text }).toEqual({ code: 0, text: shown });
});

test('importing is quick: nothing of the engine is loaded before it is needed', async () => {
  const { said } = await run(
    folder(),
    `const { default: inspector } = await import('node:inspector');
    const session = new inspector.Session();
    session.connect();
    const urls = [];
    session.on('Debugger.scriptParsed', ({ params }) => urls.push(params.url));
    session.post('Debugger.enable');
    session.disconnect();
    say('urls', urls.filter((url) => url.includes('/automation/') || url.includes('grpc') || url.includes('yaml')));`,
  );
  const urls = said['urls'] as string[];
  expect(urls.some((url) => url.includes('/automation/dist/index.js'))).toBe(true);
  expect(urls.filter((url) => /grpc|yaml|engine-events/.test(url))).toEqual([]);
});

test('a promise that nobody awaits fails its own operation, and no other one', async () => {
  const ran = await run(
    folder(),
    `const program = async ({ stack }) => {
      pet('pet');
      if (stack === 'promise') void (async () => { await pause(1); throw new Error('leaked by a promise'); })();
      if (stack === 'timer') setTimeout(() => { throw new Error('leaked by a timer'); }, 1);
      await pause(50);
      return { stack };
    };
    const workspace = await openWorkspace({ project: 'shop', program });
    const stacks = await Promise.all(['promise', 'timer', 'well'].map((name) => workspace.createStack(name)));
    const [promise, timer, well] = await Promise.all(stacks.map((stack) => failure(stack.up())));
    say('promise', promise);
    say('timer', timer);
    say('well', well);
    say('listeners', process.listenerCount('unhandledRejection') + process.listenerCount('uncaughtException'));
    await workspace.close();`,
  );
  expect(ran).toMatchObject({ code: 0, said: { well: { status: 'succeeded' }, listeners: 0 } });
  for (const name of ['promise', 'timer']) {
    expect(ran.said[name]).toMatchObject({
      name: 'OperationError',
      code: 'CAIRN-PROGRAM-FAILED',
      status: 'failed',
    });
    expect(JSON.stringify(ran.said[name])).toContain(`leaked by a ${name}`);
  }
});

test('what is declared after the program has ended is refused, while its operation still deletes', async () => {
  const ran = await run(
    folder(),
    `let keep = true;
    let declare;
    const program = () => {
      const hook = new ResourceHook('slow', async () => { declare?.(); await pause(100); });
      if (keep) pet('gone', { length: 1 }, { hooks: { beforeDelete: [hook] } });
      else void (async () => { await new Promise((resolve) => (declare = resolve)); pet('late'); })();
    };
    const workspace = await openWorkspace({ project: 'shop', program });
    const stack = await workspace.createStack('dev');
    await stack.up();
    keep = false;
    say('late', await failure(stack.up()));
    await workspace.close();`,
  );
  expect(ran.code).toBe(0);
  expect(ran.said['late']).toMatchObject({ status: 'failed', code: 'CAIRN-PROGRAM-FAILED' });
  expect(JSON.stringify(ran.said['late'])).toContain('cannot declare late');
});

test.each([
  ['a promise', `void Promise.reject(new Error('not of the program'));`],
  ['a callback', `setImmediate(() => { throw new Error('not of the program'); });`],
])('an error of %s that is none of the program ends the process as ever', async (_, leak) => {
  const ran = await run(
    folder(),
    `const workspace = await openWorkspace({ project: 'shop', program: () => pause(5000) });
    const stack = await workspace.createStack('dev');
    const operation = stack.up();
    for await (const event of operation) if (event.type === 'step-ended') break;
    ${leak}
    await operation;`,
  );
  expect(ran.code).toBe(1);
  expect(ran.text).toContain('Error: not of the program');
});

test('a process that is killed in the middle: another one resumes, with nothing but the backend in common', async () => {
  const box = folder();
  const workspace = `await openWorkspace({ project: 'shop', program: () => {
      const first = pet('first');
      const second = pet('second', { length: 1, prefix: first.outputOf('result') });
      return { both: second.outputOf('result') };
    } })`;
  const killed = await run(
    box,
    `const stack = await (${workspace}).createStack('dev');
    for await (const event of stack.up())
      if (event.type === 'step-ended' && event.step.name === 'first') process.kill(process.pid, 'SIGKILL');`,
  );
  expect(killed.signal).toBe('SIGKILL');
  const { said, code } = await run(
    box,
    `const stack = await (${workspace}).selectStack('dev');
    say('before', (await stack.changes()).map(({ kind, unfinished }) => ({ kind, unfinished })));
    const { status, changes, outputs } = await stack.resume();
    say('resumed', { status, created: changes.create, both: outputs.both.value });
    say('after', (await stack.changes()).some(({ unfinished }) => unfinished));
    say('again', await failure(stack.up({ expectNoChanges: true })));`,
  );
  expect({ code, said }).toMatchObject({
    code: 0,
    said: {
      before: [{ kind: 'up', unfinished: true }],
      resumed: { status: 'succeeded', created: 1, both: expect.stringMatching(/^\w+-\w+$/) },
      after: false,
      again: { status: 'succeeded' },
    },
  });
});

test('a stack that another process works on is locked; cancel from here ends that operation', async () => {
  const box = folder();
  const open = `await openWorkspace({ project: 'shop', program: ({ signal }) => { pet('pet'); return new Promise((resolve) => signal.addEventListener('abort', resolve)); } })`;
  const holder = start(
    box,
    `${HEAD}const stack = await (${open}).createStack('dev');
    const operation = stack.up();
    for await (const event of operation) if (event.type === 'step-ended' && event.step.name === 'pet') break;
    say('ready', true);
    say('end', await failure(operation));
    process.exit(0);`,
    'holder.mjs',
  );
  const held = ended(holder);
  await new Promise<void>((resolve) =>
    holder.stdout?.on('data', (chunk) => String(chunk).includes('ready') && resolve()),
  );
  const { said, code } = await run(
    box,
    `const stack = await (${open}).selectStack('dev');
    const error = await stack.up().catch((thrown) => thrown);
    say('locked', [error instanceof StackLockedError, error.code]);
    say('running', (await stack.changes()).map(({ running }) => running));
    say('cancelled', await stack.cancel());`,
  );
  expect({ code, said }).toEqual({
    code: 0,
    said: { locked: [true, 'CAIRN-STATE-LOCKED'], running: [true], cancelled: true },
  });
  expect((await held).said['end']).toMatchObject({ name: 'OperationError', code: 'CAIRN-CANCELLED' });
});

test('two operations on one stack in one process: the second is refused', async () => {
  const { said, code } = await run(
    folder(),
    `let release;
    const isRefused = new Promise((resolve) => (release = resolve));
    const workspace = await openWorkspace({ project: 'shop', program: () => { pet('pet'); return isRefused; } });
    const stack = await workspace.createStack('dev');
    const both = [failure(stack.up()), failure(stack.up())];
    void Promise.race(both).then(release);
    say('both', (await Promise.all(both)).map(({ status, code }) => status ?? code).sort());
    await workspace.close();`,
  );
  expect({ code, said }).toEqual({ code: 0, said: { both: ['CAIRN-STATE-LOCKED', 'succeeded'] } });
});

test('a project in a directory: its program gets a process of its own, and the command sees the same stack', async () => {
  const box = sandbox({
    'index.ts': `import { RandomPet } from '@cairn/provider-random';
console.log('said by the program');
export const name = new RandomPet('name').result;
`,
  });
  boxes.push(box);
  const { said, code } = await run(
    box,
    `const workspace = await openWorkspace({ directory: '.' });
    const stack = await workspace.createStack('dev');
    let written = '';
    const operation = stack.up();
    for await (const event of operation) if (event.type === 'program-output') written += event.text;
    say('up', { written, name: (await operation).outputs.name.value });`,
  );
  expect(code).toBe(0);
  const { written, name } = said['up'] as { readonly written: string; readonly name: string };
  expect(written).toContain('said by the program');
  expect((await box.cairn(['stack', 'output', 'name', '--stack', 'dev'])).stdout.trim()).toBe(name);
});

test('policies: what they correct and what they refuse are events with the pack, the policy and the resource', async () => {
  const box = folder();
  box.write('pack/PulumiPolicy.yaml', 'runtime: nodejs\nversion: 1.0.0\n');
  box.write('pack/package.json', '{"name": "house", "version": "1.0.0", "private": true}');
  box.write(
    'pack/index.ts',
    `import { PolicyPack } from '@pulumi/policy';
const ours = ({ type }: { type: string }) => type === 'cairn-random:index:Pet';
new PolicyPack('house', {
  policies: [
    {
      name: 'two-words',
      description: 'Pets have two names.',
      enforcementLevel: 'remediate',
      remediateResource: (args) => (ours(args) && args.props.length === 1 ? { ...args.props, length: 2 } : undefined),
    },
    {
      name: 'short',
      description: 'Pets have short names.',
      enforcementLevel: 'mandatory',
      validateResource: (args, report) => {
        if (ours(args) && args.props.length > 3) report('longer than 3');
      },
    },
    {
      name: 'polite',
      description: 'Pets are greeted.',
      enforcementLevel: 'advisory',
      validateResource: (args, report) => {
        if (ours(args)) report('say hello');
      },
    },
  ],
});
`,
  );
  const { said, code, text } = await run(
    box,
    `let length = 1;
    const workspace = await openWorkspace({ project: 'shop', program: () => ({ pet: pet('pet', { length }).outputOf('result') }) });
    const stack = await workspace.createStack('dev');
    const policyPacks = ['pack'];
    const eventsOf = async (operation) => {
      const events = [];
      try { for await (const event of operation) if (event.type.startsWith('policy')) events.push(event); } catch {}
      return events;
    };
    say('applied', await eventsOf(stack.up({ policyPacks })));
    say('name', (await stack.outputs()).pet.value);
    length = 4;
    say('preview', (await eventsOf(stack.preview({ policyPacks }))).map(({ policy, level }) => [policy, level]));
    say('refused', await failure(stack.up({ policyPacks })));
    await workspace.close();`,
  );
  expect({ code, text }).toMatchObject({ code: 0 });
  const of = { urn: 'urn:pulumi:dev::shop::cairn-random:index:Pet::pet', pack: 'house' };
  expect(said['applied']).toEqual([
    {
      ...of,
      type: 'policy-remediation',
      policy: 'two-words',
      before: expect.objectContaining({ length: 1 }),
      after: expect.objectContaining({ length: 2 }),
    },
    {
      ...of,
      type: 'policy-violation',
      policy: 'polite',
      level: 'advisory',
      message: expect.stringContaining('say hello'),
    },
  ]);
  expect(said['name']).toMatch(/^\w+-\w+$/);
  expect(said['preview']).toEqual(expect.arrayContaining([['short', 'mandatory']]));
  expect(said['refused']).toMatchObject({ name: 'OperationError', status: 'failed' });
});

test('an object that exists is imported, and the program that declares it changes nothing', async () => {
  const box = folder();
  box.write('note.txt', 'fine');
  const { code, said } = await run(
    box,
    `const program = () => void new CustomResource('cairn-local:index:File', 'note', { path: 'note.txt', content: 'fine' });
    const workspace = await openWorkspace({ project: 'notes', passphrase: 'x', program });
    const stack = await workspace.createStack('dev');
    const item = { type: 'cairn-local:index:File', name: 'note', id: 'note.txt' };
    say('imported', (await stack.import([item])).changes);
    say('same', (await stack.up()).changes);
    await workspace.close();`,
  );
  expect({ code, said }).toEqual({
    code: 0,
    said: { imported: { create: 1, import: 1 }, same: { same: 2 } },
  });
});
