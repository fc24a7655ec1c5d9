import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isCairnError } from '@cairn/diagnostics';
import { createLanguagePlugin } from './language-plugin.js';

/** Language plugins that misbehave, with short limits. Tests of good ones are in e2e/process/languages.test.ts. */

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cairn-language-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Makes a plugin whose executable is a shell script. It notes its process id first. */
async function plugin(script: string, environment: Record<string, string> = {}) {
  const path = join(root, 'pulumi-language-odd');
  await writeFile(path, `#!/bin/sh\necho $$ > ${join(root, 'pid')}\n${script}\n`);
  await chmod(path, 0o755);
  return createLanguagePlugin({
    runtime: 'odd',
    rootDirectory: root,
    programDirectory: root,
    languagePlugins: [],
    bundledDirectories: [],
    environment: {
      PATH: `${root}:${dirname(process.execPath)}:/usr/bin:/bin`,
      CAIRN_HOME: join(root, 'home'),
      PULUMI_HOME: join(root, 'home'),
      ...environment,
    },
    onMessage: () => undefined,
    limits: { portMs: 400, readyMs: 400, answerMs: 400, interruptGraceMs: 400 },
  });
}

async function isGone(): Promise<boolean> {
  const pid = Number(await readFile(join(root, 'pid'), 'utf8'));
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

const NODE_SERVER = (listener: string): string =>
  `exec node -e "const s = ${listener}; s.listen(0, '127.0.0.1', () => console.log(s.address().port))"`;

test.each([
  ['never says its port', 'sleep 60', 'it did not print its address within 0.4 s'],
  ['says a port where nobody listens', 'echo 1; sleep 60', 'did not answer its first call within 0.4 s'],
  ['says no port', 'echo 70000; sleep 60', 'it wrote "70000" where its port was expected'],
  ['ends at once', 'echo why >&2; exit 3', 'it ended with exit code 3 before it printed its address'],
  [
    'takes calls and never answers',
    NODE_SERVER("require('http2').createServer(() => {})"),
    'did not answer its first call within 0.4 s',
  ],
  ['ignores the interrupt', "trap '' INT; sleep 60", 'it did not print its address within 0.4 s'],
])('one that %s is given up, and nothing is left', async (_, script, why) => {
  const odd = await plugin(script);
  const error = await odd.getRequiredPackages(INFO()).catch((thrown: unknown) => thrown);
  expect(isCairnError(error) && error.diagnostics[0]).toMatchObject({
    code: 'CAIRN-PLUGIN-START',
    summary: 'cannot start the language plugin odd',
    causes: expect.arrayContaining([expect.stringContaining(why)]),
  });
  expect(await isGone()).toBe(true);
  await odd.close();
});

test('one without open files left is an error that names the limit', async () => {
  const odd = await plugin('echo "socket: too many open files" >&2; exit 1');
  const error = await odd.getRequiredPackages(INFO()).catch((thrown: unknown) => thrown);
  expect(isCairnError(error) && error.diagnostics[0]).toMatchObject({
    code: 'CAIRN-DESCRIPTORS',
    summary: 'cannot start the language plugin odd',
    hint: expect.stringContaining('ulimit -n'),
  });
  await odd.close();
});

test('one that is greeted and then answers nothing is given up, and nothing is left', async () => {
  const answer = "s.respond({':status':200,'content-type':'application/grpc'},{waitForTrailers:true})";
  const greeted = `require('http2').createServer().on('stream', (s, h) => {
    if (!h[':path'].endsWith('GetPluginInfo')) return;
    ${answer}; s.on('wantTrailers', () => s.sendTrailers({'grpc-status':'0'})); s.end(Buffer.alloc(5));
  })`;
  for (const ask of ['getRequiredPackages', 'about', 'runtimeOptionsPrompts'] as const) {
    const odd = await plugin(NODE_SERVER(greeted.replaceAll('\n', ' ')));
    await expect(odd[ask](INFO())).rejects.toMatchObject({
      diagnostics: [
        {
          code: 'CAIRN-PROGRAM-LOAD',
          causes: ['the language plugin odd did not answer within 0.4 s'],
        },
      ],
    });
    expect(await isGone()).toBe(true);
  }
});

test('one that speaks another protocol is no language plugin, and nothing is left', async () => {
  const odd = await plugin(NODE_SERVER("require('http').createServer((_, answer) => answer.end('hi'))"));
  const error = await odd.getPluginInfo().catch((thrown: unknown) => thrown);
  expect(isCairnError(error) && error.diagnostics[0]?.code).toBe('CAIRN-PLUGIN-START');
  expect(await isGone()).toBe(true);
});

test('one that is closed while it starts is given up at once', async () => {
  const odd = await plugin('sleep 60');
  const info = odd.getPluginInfo();
  info.catch(() => undefined);
  while (!(await readFile(join(root, 'pid')).catch(() => undefined))?.includes('\n'))
    await new Promise((resolve) => setTimeout(resolve, 10));
  await odd.close();
  await expect(info).rejects.toMatchObject({
    diagnostics: [{ code: 'CAIRN-PLUGIN-START', causes: ['the operation is ending'] }],
  });
  expect(await isGone()).toBe(true);
});

test('one that runs already is used at its port; a list that cannot be read is refused', async () => {
  const odd = await plugin('exit 1', { CAIRN_DEBUG_LANGUAGES: 'odd:1' });
  await expect(odd.getPluginInfo()).rejects.toMatchObject({
    diagnostics: [{ code: 'CAIRN-PLUGIN-START', hint: expect.stringContaining('odd') }],
  });
  const unread = await plugin('exit 1', { PULUMI_DEBUG_LANGUAGES: 'odd' });
  await expect(unread.getPluginInfo()).rejects.toMatchObject({
    diagnostics: [{ code: 'CAIRN-USAGE', hint: expect.stringContaining('CAIRN_DEBUG_LANGUAGES') }],
  });
});

const INFO = () => ({ rootDirectory: root, programDirectory: root, entryPoint: '.', options: {} });
