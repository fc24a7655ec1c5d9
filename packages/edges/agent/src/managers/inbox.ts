import { deniedRun, nextRunStatus } from '@cairn/changes-daemon';
import type { Manager } from '@cairn/changes-daemon';
import type { AgentMessage } from '../runs/messages.js';
import { approveRun } from './approve-run.js';
import type { ManagerContext } from './context.js';
import { settingsOf } from './context.js';
import { noteEnd } from './reconcile.js';

/** Messages that commands have left for the agent. */
export interface MessageBox {
  read(): Promise<readonly { readonly file: string; readonly message: AgentMessage | undefined }[]>;
  /** Deletes a message that was carried out. */
  done(file: string): Promise<void>;
  /** Puts a message aside that cannot be read. */
  refuse(file: string): Promise<void>;
}

/**
 * Carries out what commands ask for. A message is deleted after its effect is durable. Carrying it out twice has the
 * effect of once.
 */
export class InboxManager implements Manager {
  readonly #context: ManagerContext;
  readonly #inbox: MessageBox;
  readonly #drain: () => void;
  readonly #onOther: (
    message: AgentMessage & { readonly t: 'forge' | 'redeliver' | 'okay' | 'seen' },
  ) => void;

  constructor(
    context: ManagerContext,
    inbox: MessageBox,
    drain: () => void,
    onOther: (message: AgentMessage & { readonly t: 'forge' | 'redeliver' | 'okay' | 'seen' }) => void,
  ) {
    this.#context = context;
    this.#inbox = inbox;
    this.#drain = drain;
    this.#onOther = onOther;
  }

  async ensure(): Promise<void> {
    const { ledger, log } = this.#context;
    const left = await this.#inbox.read();
    if (left.length === 0) return;
    for (const { message } of left) if (message !== undefined) this.#carryOut(message);
    await ledger.stored();
    for (const { file, message } of left) {
      if (message !== undefined) await this.#inbox.done(file);
      else {
        log('cannot read a message of a command: it is damaged, or of a newer version', { file });
        await this.#inbox.refuse(file);
      }
    }
  }

  #carryOut(message: AgentMessage): void {
    const { ledger, log } = this.#context;
    switch (message.t) {
      case 'request': {
        const { request } = message;
        if (settingsOf(this.#context, request.stack) === undefined)
          return log(`${request.by} requested ${request.kind} of an unknown stack`, { stack: request.stack });
        if (ledger.requests.has(request.id)) return;
        log(`${request.by} requests ${request.kind}`, { stack: request.stack });
        ledger.addRequest(request, true);
        return;
      }
      case 'approve':
        return approveRun(this.#context, message.run, message.approval);
      case 'deny': {
        const run = ledger.runs.get(message.run);
        if (run === undefined) return log(`there is no run ${message.run} to deny`);
        if (nextRunStatus(run.status, 'deny') === undefined)
          return log(`run ${run.id} is not denied by ${message.by}: its status is ${run.status}`);
        return noteEnd(
          this.#context,
          ledger.put(deniedRun(run, message.by, message.why, this.#context.now())),
        );
      }
      case 'forge':
      case 'redeliver':
      case 'okay':
      case 'seen':
        return this.#onOther(message);
      case 'drain':
        log(`${message.by} drains the agent`);
        return this.#drain();
    }
  }
}
