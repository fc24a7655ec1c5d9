import type { ControlMessage, MessageListener } from '@cairn/backends';
import { receiveMessages } from './control.js';
import type { MessageResult } from '../pass-view.js';

function scene(over = false): {
  hear: (message: ControlMessage) => void;
  did: string[];
  heard: MessageResult[];
} {
  const did: string[] = [];
  const heard: MessageResult[] = [];
  let listener: MessageListener | undefined;
  receiveMessages(
    { onMessage: (given) => (listener = given) },
    {
      abort: ({ rollback }) => did.push(`abort ${rollback}`) > 0 && !over,
      approve: (task, by) => did.push(`approve ${task} ${by}`) > 0 && task === '4',
      cancelRunning: () => did.push('cancel running'),
      kill: () => did.push('kill'),
    },
    { asked: (_message, carryOut) => heard.push(carryOut()) },
    () => undefined,
  );
  return { hear: (message) => listener?.hear(message), did, heard };
}

const undo: ControlMessage = { t: 'abort', rollback: true, by: 'ada' };
const keep: ControlMessage = { t: 'abort', rollback: false, by: 'ada' };

test.each<[ControlMessage, string, MessageResult]>([
  [undo, 'abort true', { t: 'abort', how: 'undo' }],
  [keep, 'abort false', { t: 'abort', how: 'keep' }],
  [{ t: 'approve', task: '4', by: 'ada' }, 'approve 4 ada', { t: 'approve', waits: true }],
  [{ t: 'approve', task: '5', by: 'ada' }, 'approve 5 ada', { t: 'approve', waits: false }],
  [{ t: 'resolve', task: '4', answer: 'not-created', by: 'ada' }, '', { t: 'resolve' }],
])('a running operation heeds %j', (message, done, came) => {
  const { hear, did, heard } = scene();
  hear(message);
  expect([did.join(), heard]).toEqual([done, [came]]);
});

test.each<[string, readonly ControlMessage[], string[]]>([
  ['the same again', [undo, undo, undo], ['abort true', 'cancel running', 'kill']],
  ['stop, again and again', [keep, keep, undo], ['abort false', 'cancel running', 'kill']],
  ['stop after a rollback', [undo, keep, keep], ['abort true', 'abort false', 'cancel running']],
])('asked to end more than once: %s', (_, messages, done) => {
  const { hear, did } = scene();
  for (const message of messages) hear(message);
  expect(did).toEqual(done);
});

test('one that has done everything already says that it is too late', () => {
  const { hear, heard } = scene(true);
  hear(undo);
  expect(heard).toEqual([{ t: 'abort', how: 'too-late' }]);
});

test('a view that does not want to know does not keep a message from being carried out', () => {
  const did: string[] = [];
  let listener: MessageListener | undefined;
  const running = { abort: () => did.push('abort') > 0, approve: () => true, cancelRunning() {}, kill() {} };
  receiveMessages({ onMessage: (given) => (listener = given) }, running, {}, () => undefined);
  listener?.hear(undo);
  expect(did).toEqual(['abort']);
});
