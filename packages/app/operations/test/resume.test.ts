import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { operate, resumeOperation, withPrepared } from '../src/index.js';
import type { OwnProgram, Pass, Ports } from '../src/index.js';
import { parts, portsOf, stackWithState } from './library-box.js';

/** Tests of the parts of an operation that a resume repeats, and of the answers it asks for. */

/** Makes a program without resources that records for each run whether it was a preview. */
function program(directory: string): { readonly own: OwnProgram; readonly dryRuns: readonly boolean[] } {
  const dryRuns: boolean[] = [];
  const start: OwnProgram['start'] = ({ dryRun }) => {
    dryRuns.push(dryRun);
    return { finished: Promise.resolve({ t: 'ok' }), stop: () => undefined };
  };
  return { own: { directory, start }, dryRuns };
}

test.each([
  // title, kind, begun by a plan, passes of the resume
  ['an update is resumed once its program is known to want the same', 'up', false, ['preview', 'run']],
  ['one whose plan is complete is resumed without its program', 'up', true, ['run']],
  ['a destroy is resumed without it', 'destroy', false, ['run']],
] as const)('%s [REC-14]', async (_title, kind, planned, expected) => {
  const cwd = await stackWithState(`${kind}-${planned}`);
  const passes: string[] = [];
  const { own, dryRuns } = program(cwd);
  const ports = (cuts: boolean): Ports => ({
    ...portsOf(cwd, {
      attended: true,
      pass: (pass: Pass) => {
        let cancel = (): void => undefined;
        passes.push(pass.which);
        return {
          event: ({ t }) => void (t === 'step-ended' && cuts && cancel()),
          started: (control) => (cancel = () => pass.which === 'run' && control.cancel()),
          confirm: async () => true,
        };
      },
    }),
    program: own,
  });
  await withPrepared(ports(true), {}, async (prepared) => {
    const begun = await operate(
      prepared,
      { kind, options: { parallel: 1 } },
      { preview: planned },
      { strict: planned },
    );
    expect(begun.status).toBe('cancelled');
  });
  const before = dryRuns.length;
  passes.length = 0;
  await withPrepared(ports(false), {}, async (prepared) => {
    expect((await resumeOperation(prepared, undefined)).status).toBe('succeeded');
  });
  expect(passes).toEqual(expected);
  expect(dryRuns.slice(before)).toEqual(expected.length === 2 ? [true, false] : []);
  expect(await parts(cwd)).toEqual([]);
});

test.each([
  // kind, whether the stack remains
  ['destroy', false],
  ['up', true],
] as const)(
  'a %s that was over when its process died is only told, and what follows it is done',
  async (kind, remains) => {
    const cwd = await stackWithState(`late-${kind}`);
    const { own } = program(cwd);
    const notices: string[] = [];
    const ports = (dies: boolean): Ports => ({
      ...portsOf(cwd, {
        notice: ({ t }) => void notices.push(t),
        pass: ({ which }) => ({
          event: () => undefined,
          ended: () => {
            if (dies && which === 'run') throw new Error('died');
          },
        }),
      }),
      program: own,
    });
    const options = kind === 'destroy' ? { remove: true } : {};
    await withPrepared(ports(true), {}, async (prepared) => {
      await expect(operate(prepared, { kind, options })).rejects.toThrow('died');
    });
    const journals = path.join(cwd, 'state/.pulumi/journals');
    const sealed = (readdirSync(journals, { recursive: true }) as string[]).filter((file) =>
      /sealed/.test(file),
    );
    rmSync(path.join(journals, sealed.sort().at(-1) ?? ''));
    await withPrepared(ports(false), {}, async (prepared) => {
      expect((await resumeOperation(prepared, undefined)).status).toBe('succeeded');
      expect(await prepared.backend.exists(prepared.id)).toBe(remains);
    });
    expect(notices).toEqual(remains ? [] : ['stack-removed']);
  },
);
