import { makeUrn } from '@cairn/addresses';
import type { Status } from '@cairn/changes';
import type { PastTask } from '../model/history.js';
import { pastRegistrations } from './continued.js';

const URN = makeUrn({ stack: 'test', project: 'test', type: 'a:b:C', name: 'x' });

const task = (change: string, kind: string, status: Status, goal?: string): PastTask => ({
  change,
  id: '1',
  kind,
  urn: URN,
  status,
  undone: status === 'undone',
  goal,
  rollback: undefined,
  lanes: [0],
});

test.each<[string, readonly PastTask[], boolean, readonly string[]]>([
  ['done', [task('1', 'update', 'done', 'g')], true, ['update']],
  ['not begun', [task('1', 'update', 'do', 'g')], false, []],
  [
    'failed, then done',
    [task('1', 'create', 'error', 'g'), task('2', 'create', 'done', 'g')],
    true,
    ['create'],
  ],
  ['undone in its own change', [task('1', 'update', 'undone', 'g')], false, []],
  ['undone by a later one', [task('1', 'update', 'done', 'g'), task('2', 'update', 'undone')], false, []],
  ['a later one was at it', [task('1', 'update', 'done', 'g'), task('2', 'update', 'undoing')], false, []],
  [
    'a later one asks for consent',
    [task('1', 'update', 'done', 'g'), { ...task('2', 'update', 'wait'), undoWasInDoubt: true }],
    false,
    [],
  ],
  [
    'a later one has left it',
    [task('1', 'update', 'done', 'g'), task('2', 'update', 'hold')],
    true,
    ['update'],
  ],
  [
    'a later one has failed to',
    [task('1', 'update', 'done', 'g'), task('2', 'update', 'error')],
    true,
    ['update'],
  ],
  [
    'undone and done again',
    [task('1', 'update', 'done', 'g'), task('2', 'update', 'undone'), task('3', 'update', 'done', 'g')],
    true,
    ['update'],
  ],
  [
    'its original is deleted after it',
    [task('1', 'create-replacement', 'done', 'g'), task('1', 'delete-replaced', 'done')],
    true,
    ['create-replacement'],
  ],
  [
    'the delete of its original was in doubt',
    [task('1', 'create-replacement', 'done', 'g'), task('1', 'delete-replaced', 'wait')],
    true,
    ['create-replacement'],
  ],
])('a registration that was %s', (_title, past, done, kinds) => {
  expect(pastRegistrations(past, new Map()).get(URN)).toEqual({ goal: 'g', done, kinds });
});
