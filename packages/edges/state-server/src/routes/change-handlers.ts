import { takePastMessages, takePastRecords } from '@cairn/backends';
import type { MovingChange } from '@cairn/backends';
import { ChangeMessageRequest, ImportChangeRequest } from '@cairn/http-api';
import { textItems } from '@cairn/state';
import type { ChangeCalls } from '../calls/changes.js';
import { stackOf } from '../calls/stack-names.js';
import type { Stacks } from '../calls/stacks.js';
import { Refusal } from '../domain/refusal.js';
import { ofRequest } from '../domain/request-fault.js';
import { documentText } from '../store/document-bytes.js';
import { NOTHING, parseBody } from './call.js';
import type { Call, SomeHandlers } from './call.js';
import { documentIn, memberIn } from './state-bodies.js';

/** Returns the handlers of the routes about the records of changes. */
export function changeHandlers(changes: ChangeCalls, stacks: Pick<Stacks, 'importChange'>) {
  return {
    importChange: async (call) => {
      const { operation, end, states, messages } = parseBody(ImportChangeRequest, call);
      const items = ofRequest(() => textItems(memberIn(call.body, 'records') ?? '[]', 'the body'));
      const base = memberIn(call.body, 'base');
      await stacks.importChange(stackOf(call.names), {
        number: numberOf(call),
        operation: operation as MovingChange['operation'],
        end: end as MovingChange['end'],
        states: { base: states.base, left: states.left },
        ...ofRequest(() => ({
          records: takePastRecords(items.map(({ value }) => value)),
          messages: takePastMessages(messages),
        })),
        texts: items.map(({ text }) => text),
        base: base === undefined ? undefined : documentIn(base),
        by: call.caller.name,
      });
      return NOTHING;
    },
    listChanges: async ({ names }) => {
      const { running = null, changes: listed } = await changes.list(stackOf(names));
      const rows = listed.map(({ number, operation, sealed }) => ({ number, operation, sealed }));
      return { json: { running, changes: rows } };
    },
    changeRecords: async (call) => {
      const after = Number(call.query.get('after') ?? 0);
      if (!Number.isSafeInteger(after) || after < 0)
        throw new Refusal(400, 'after is not the number of a record.');
      const { records, entries } = await changes.records(stackOf(call.names), numberOf(call), after);
      return { text: `{"records":[${records.join(',')}],"entries":[${entries.join(',')}]}` };
    },
    changeBase: async (call) => ({
      text: documentText(await changes.base(stackOf(call.names), numberOf(call))),
    }),
    changeMessages: async (call) => {
      const messages = await changes.messages(stackOf(call.names), numberOf(call));
      return { text: `{"messages":[${messages.join(',')}]}` };
    },
    sendMessage: async (call) => {
      const message = parseBody(ChangeMessageRequest, call);
      // Its author is the one who calls, whatever the message says.
      const said = { ...message, by: call.caller.name };
      await changes.send(stackOf(call.names), numberOf(call), said);
      return NOTHING;
    },
  } satisfies SomeHandlers;
}

function numberOf({ names }: Call): number {
  const { number = '' } = names;
  if (/^[1-9]\d{0,8}$/.test(number)) return Number(number);
  throw new Refusal(404, 'Change not found.');
}
