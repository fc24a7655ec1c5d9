import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/** Hooks of the real `@pulumi/pulumi`: functions around every step, an error hook that has a failed call made again. */

const PROGRAM = `
const fs = require('fs');
const pulumi = require('@pulumi/pulumi');
const note = (line) => fs.appendFileSync(process.env.HOOK_LOG, line + '\\n');
const round = new pulumi.Config().requireNumber('round');
const provider = {
  async create(inputs) {
    const fs = require('fs');
    fs.appendFileSync(process.env.HOOK_LOG, 'create ' + inputs.name + '\\n');
    if (inputs.name === 'flaky' && fs.readFileSync(process.env.HOOK_LOG, 'utf8').match(/^create flaky$/gm).length < 3)
      throw new Error('no room yet');
    return { id: inputs.name, outs: { ...inputs, token: 'token of ' + inputs.name } };
  },
  async diff(_id, olds, news) {
    return { changes: olds.size !== news.size };
  },
  async update(id, olds, news) {
    require('fs').appendFileSync(process.env.HOOK_LOG, 'update ' + id + '\\n');
    return { outs: { ...news, token: olds.token } };
  },
  async delete(id) {
    require('fs').appendFileSync(process.env.HOOK_LOG, 'delete ' + id + '\\n');
  },
};
class Thing extends pulumi.dynamic.Resource {
  constructor(name, size, options) {
    super(provider, name, { name, size, token: undefined }, options);
  }
}
const said = (when) => (args) =>
  note(
    [
      when,
      args.name,
      args.id || '-',
      args.oldInputs ? args.oldInputs.size : '-',
      args.newInputs ? args.newInputs.size : '-',
      args.oldOutputs ? args.oldOutputs.token : '-',
      args.newOutputs ? args.newOutputs.token : '-',
    ].join(' '),
  );
const hook = (name, options) => new pulumi.ResourceHook(name, said(name), options);
const beforeDelete = hook('beforeDelete');
const afterDelete = hook('afterDelete');
const previewed = hook('previewed', { onDryRun: true });
const retry = new pulumi.ErrorHook('retry', (args) => {
  note('failed ' + args.failedOperation + ' ' + args.name + ' ' + args.errors.length);
  return true;
});
if (round < 3) {
  new Thing('watched', round, {
    hooks: {
      beforeCreate: [said('beforeCreate'), previewed],
      afterCreate: [said('afterCreate')],
      beforeUpdate: [said('beforeUpdate')],
      afterUpdate: [said('afterUpdate')],
      beforeDelete: [beforeDelete],
      afterDelete: [afterDelete],
    },
  });
}
if (round === 2) new Thing('flaky', 1, { hooks: { onError: [retry] } });
if (round === 4) {
  new Thing('refused', 1, {
    hooks: { beforeCreate: [() => { throw new Error('not today'); }] },
  });
}
`;

describe('hooks of an unmodified program', () => {
  let box: Sandbox;
  let log: string;

  beforeAll(async () => {
    box = sandbox(
      {
        'Pulumi.yaml': 'name: hooks\nruntime: nodejs\n',
        'package.json': JSON.stringify({
          name: 'hooks',
          main: 'index.js',
          dependencies: { '@pulumi/pulumi': '*' },
        }),
        'index.js': PROGRAM,
      },
      { projectFile: false },
    );
    log = path.join(box.directory, 'hooks.log');
    appendFileSync(log, '');
    giveStack(box);
  });
  afterAll(() => box.remove());

  async function play(round: number, command: readonly string[] = ['up', '--yes', '--skip-preview']) {
    expectOk(await box.cairn(['config', 'set', 'round', String(round)]));
    writeFileSync(log, '');
    const finished = await box.cairn([...command], { env: { HOOK_LOG: log } });
    return { finished, calls: readFileSync(log, 'utf8').split('\n').filter(Boolean) };
  }

  test('each runs at its moment with what belongs to it', async () => {
    const preview = await play(1, ['preview']);
    expectOk(preview.finished);
    expect(preview.calls).toEqual(['previewed watched - - 1 - -']);

    const first = await play(1);
    expectOk(first.finished);
    expect(first.calls).toEqual([
      'beforeCreate watched - - 1 - -',
      'previewed watched - - 1 - -',
      'create watched',
      'afterCreate watched watched - 1 - token of watched',
    ]);

    const second = await play(2);
    expectOk(second.finished);
    expect(second.calls.filter((call) => call.includes('watched'))).toEqual([
      'beforeUpdate watched watched 1 2 token of watched -',
      'update watched',
      'afterUpdate watched watched 1 2 token of watched token of watched',
    ]);
    expect(second.calls.filter((call) => call.includes('flaky'))).toEqual([
      'create flaky',
      'failed create flaky 1',
      'create flaky',
      'failed create flaky 2',
      'create flaky',
    ]);
    expect(second.finished.text).toContain('retrying create due to on-error hook request (2/100)');

    const third = await play(3);
    expectOk(third.finished);
    expect(third.calls.filter((call) => call.includes('watched'))).toEqual([
      'beforeDelete watched watched 2 - token of watched -',
      'delete watched',
      'afterDelete watched watched 2 - token of watched -',
    ]);

    const fourth = await play(4);
    expect(fourth.finished.code).not.toBe(0);
    expect(fourth.finished.text).toContain('failed: not today');
    expect(fourth.calls).toEqual([]);
  });
});
