import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/** Arguments of a component that come only after it was registered [REG-19]. */

interface Exported {
  readonly deployment: {
    readonly resources: readonly {
      readonly urn: string;
      readonly inputs?: object;
      readonly outputs?: object;
    }[];
  };
}

/** A component whose argument comes when the file `go` exists; `ready` exists when its child does. */
const PROGRAM = `
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { ComponentResource } from '@cairn/sdk';
import { LocalFile } from '@cairn/provider-local';

async function told(): Promise<string> {
  while (!existsSync('go')) await setTimeout(20);
  return readFileSync('go', 'utf8');
}

class Box extends ComponentResource {
  constructor(name: string, args: object) {
    super('test:index:Box', name, args);
    const child = new LocalFile('child', { path: 'child.txt', content: 'x' }, { parent: this });
    child.id.apply(() => writeFileSync('ready', ''));
    this.registerOutputs({ path: child.path });
  }
}
new Box('box', { size: 1, later: told() });
`;

describe('an argument that comes late', () => {
  let box: Sandbox;
  const stored = async () => {
    const { deployment } = JSON.parse(expectOk(await box.cairn(['stack', 'export'])).stdout) as Exported;
    const { inputs, outputs } = deployment.resources.find(({ urn }) => urn.endsWith('::box')) ?? {};
    return { inputs, outputs };
  };
  beforeAll(async () => {
    box = sandbox({ 'index.ts': PROGRAM });
    giveStack(box);
  });
  afterAll(() => box.remove());

  test('killed before it came: a resume brings it', async () => {
    const running = box.start(['up', '--yes', '--skip-preview']);
    let over = false;
    void running.finished.then(() => (over = true));
    while (!existsSync(path.join(box.directory, 'ready')) && !over) await pause(20);
    expect(over).toBe(false);
    running.process.kill('SIGKILL');
    await running.finished;
    box.write('go', 'first');
    expectOk(await box.cairn(['resume', '--yes']));
    expect(await stored()).toEqual({
      inputs: { size: 1, later: 'first' },
      outputs: { path: 'child.txt' },
    });
    expectOk(await box.cairn(['preview', '--expect-no-changes']));
  });

  test('another value is an update of the component, in the preview too', async () => {
    box.write('go', 'second');
    const preview = expectOk(await box.cairn(['preview', '--diff']));
    expect(preview.text).toMatch(/~.*box/);
    expect(preview.text).toContain('1 to update');
    const up = expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
    expect(up.text).toContain('1 updated');
    expect((await stored()).inputs).toEqual({ size: 1, later: 'second' });
    expectOk(await box.cairn(['up', '--yes', '--expect-no-changes']));
  });
});
