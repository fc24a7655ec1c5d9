import { cairnError } from '@cairn/diagnostics';
import type { StackId } from '../../stack-id.js';
import { didNothing } from '../../model/change-row.js';
import { readFiles } from '../records/change-files.js';
import { currentLineagesOf } from '../records/looked-changes.js';
import { changeNotFound, runningChange } from '../records/read-changes.js';
import type { ChangeFiles } from '../records/change-files.js';
import type { RecordSource } from '../records/read-changes.js';
import { HAPPENED } from '../../model/unfinished-note.js';
import { changeName } from '../layout.js';
import { leaveMessage } from './control-files.js';
import type { ControlMessage } from '../../model/control-message.js';

/**
 * Leaves a message for a change; see `Backend.tell`. An abort is for a change that runs, or for one that died before it
 * did anything and is not to be begun again. Approvals and answers are also for a lineage that can be continued.
 */
export async function tellChange(
  source: RecordSource,
  id: StackId,
  number: number,
  message: ControlMessage,
): Promise<void> {
  const files = await readFiles(source.store, id, { change: changeName(number), number });
  if (files === undefined) throw changeNotFound(id, number);
  if (!(await runningChange(source, id))(files)) await refuseEnded(source, id, files, message);
  await leaveMessage(source.store, files.directory, message);
}

async function refuseEnded(
  { store }: RecordSource,
  id: StackId,
  files: ChangeFiles,
  message: ControlMessage,
): Promise<void> {
  const { number, result } = files;
  if (message.t === 'abort' && message.rollback && didNothing(files)) return;
  const open = (await currentLineagesOf(store, id)).some(
    (lineage) => lineage.unfinished && lineage.members.some((member) => member.number === number),
  );
  if (open && message.t !== 'abort') return;
  throw cairnError(
    'CAIRN-CHANGE-ENDED',
    `change ${number} is not running: it ${HAPPENED[result ?? 'interrupted']}`,
    {
      hint: open
        ? 'Run `cairn rollback` to roll it back, or `cairn resume` to continue it.'
        : 'Run `cairn changes` to see how the changes ended.',
    },
  );
}
