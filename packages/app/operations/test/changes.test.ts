import { replayChange } from '@cairn/changes';
import type { ChangeRecord } from '@cairn/changes';
import {
  abortChange,
  approveTask,
  findChange,
  operate,
  shownChange,
  stackChanges,
  withPrepared,
} from '../src/index.js';
import type { OpenStack } from '../src/index.js';
import { codeOf, inStack, portsOf, stackWithState } from './library-box.js';

test('a running change is asked to stop, one that has ended is not, and both are shown with what they did', async () => {
  const cwd = await stackWithState('aborting');
  const ports = portsOf(cwd, {
    // It has begun, and no step runs yet.
    async pass({ change }) {
      await inStack(portsOf(cwd), async (stack) => {
        const row = await findChange(stack, { id: change, last: undefined });
        if (row === undefined) throw new Error('the change is not listed');
        await abortChange(stack, row, { keep: true });
      });
      return { event: () => undefined };
    },
  });
  await withPrepared(ports, {}, (prepared) => operate(prepared, { kind: 'destroy', options: {} }));

  await inStack(portsOf(cwd), async (stack) => {
    const changes = await stackChanges(stack);
    expect(changes.map(({ kind }) => kind)).toEqual(['edit', 'destroy']);
    const last = await findChange(stack, { id: undefined, last: 'destroy' });
    if (last === undefined) throw new Error('the change is not listed');
    const { row, tasks, environment } = await shownChange(stack, last);
    expect([row.number, environment]).toEqual([2, { 'exec.kind': 'test' }]);
    expect(tasks.map(({ kind }) => kind)).toContain('delete');
    const { messages } = await stack.backend.change(stack.id, 2);
    expect(messages).toEqual([{ t: 'abort', rollback: false, by: expect.stringContaining('@') }]);
    expect(await codeOf(abortChange(stack, last))).toBe('CAIRN-CHANGE-ENDED');
    expect(await codeOf(approveTask(stack, 2, '99'))).toBe('CAIRN-CHANGE-UNKNOWN');
    expect(await codeOf(approveTask(stack, 9, '1'))).toBe('CAIRN-CHANGE-UNKNOWN');
  });
});

/** Makes a stack with one change, number 7, which has one task of a kind that waits, or is done. */
function stackWith(kind: string, status: 'wait' | 'done', told: unknown[], running = false): OpenStack {
  const at = '2030-01-01T00:00:00Z';
  const bodies = [
    { record: 'change', id: '7', kind: 'up', summary: '', scope: 'dev', growing: true },
    { record: 'task', id: '1', kind, summary: 'a task', waits: [] },
    { record: 'status', task: '1', status, waited: 'do' },
  ];
  const records = bodies.map((body, index) => ({ ...body, seq: index + 1, tx: index + 1, at }));
  const backend = {
    changeRow: async () => ({ id: '7', number: 7, kind: 'up', running, unfinished: true }),
    change: async () => ({ view: replayChange(records as unknown as ChangeRecord[]) }),
    tell: async (_id: unknown, change: number, message: object) => void told.push([change, message]),
  };
  return { backend, id: { project: 'p', stack: 'dev' } } as unknown as OpenStack;
}

test.each([
  ['gate', false, 'resume'],
  ['delete', false, 'rollback'],
  ['gate', true, 'runs'],
] as const)(
  'a task of kind %s that waits is agreed to; running: %s, next: %s',
  async (kind, running, next) => {
    const told: unknown[] = [];
    const { task, next: then } = await approveTask(stackWith(kind, 'wait', told, running), 7, '1');
    expect([task.id, then]).toEqual(['1', next]);
    expect(told).toEqual([[7, { t: 'approve', task: '1', by: expect.stringContaining('@') }]]);
  },
);

test('a task that does not wait is not agreed to', async () => {
  const told: unknown[] = [];
  expect(await codeOf(approveTask(stackWith('gate', 'done', told), 7, '1'))).toBe('CAIRN-CHANGE-ENDED');
  expect(told).toEqual([]);
});
