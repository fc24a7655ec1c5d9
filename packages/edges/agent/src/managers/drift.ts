import { driftNames, driftSince, lookAtSchedule } from '@cairn/changes-daemon';
import type { RunRow } from '@cairn/changes-daemon';
import type { AgentStack } from '../config/agent-config.js';
import type { ManagerContext } from './context.js';
import { isToWait, requestByAgent } from './context.js';
import type { StackLook } from './stacks.js';

/** Milliseconds during which the same drift is not reported again. */
const REPEAT_MS = 24 * 3_600_000;

/** Requests what schedules say: drift runs and `up` [AGT-5]. */
export class ScheduleLook implements StackLook {
  readonly #context: ManagerContext;

  constructor(context: ManagerContext) {
    this.#context = context;
  }

  look(stack: AgentStack): number {
    return Math.min(this.#lookAt(stack, 'drift'), this.#lookAt(stack, 'up'));
  }

  /** Requests what is due. Returns the next time in milliseconds since 1970. */
  #lookAt(stack: AgentStack, kind: 'drift' | 'up'): number {
    const { ledger, now } = this.#context;
    const schedule = kind === 'drift' ? stack.drift?.schedule : stack.up;
    if (schedule === undefined) return Infinity;
    const row = ledger.stack(stack.name);
    const { due, mark } = lookAtSchedule(schedule, `${stack.name} ${kind}`, row[kind], now());
    // The request comes first: after a crash in between, the schedule is due again and the request joins the first.
    if (due) requestByAgent(this.#context, { stack: stack.name, kind, by: 'schedule' });
    if (mark !== row[kind]) {
      const { [kind]: _old, ...rest } = ledger.stack(stack.name);
      ledger.setStack(stack.name, mark === undefined ? rest : { ...rest, [kind]: mark });
    }
    return mark === undefined ? Infinity : Date.parse(mark.next);
  }
}

/** Carries out a drift run: a refresh that writes nothing, with a record for each object that differs. */
export async function detectDrift(context: ManagerContext, stack: AgentStack, run: RunRow): Promise<void> {
  const { ledger, now } = context;
  const result = await context.work.drift(stack, run);
  if (result.t === 'stopped' || ledger.run(run.id).status !== 'planning') return;
  if (result.t === 'failed') {
    if (isToWait(context, run, result)) return;
    const failed = ledger.move(run.id, 'fail', { why: [result.why] });
    context.log(`run ${run.id} failed`, { stack: stack.name, why: result.why });
    ledger.notices.add('run-failed', run.id, {
      data: { stack: stack.name, kind: 'drift', why: failed.why.join('; ') },
    });
    return;
  }
  const at = now().toISOString();
  const resources = driftSince(result.resources, ledger.drift.get(stack.name)?.resources ?? [], at);
  ledger.setDrift(stack.name, { at, run: run.id, resources });
  const why =
    resources.length === 0 ? 'nothing differs' : `${resources.length} differ: ${driftNames(resources)}`;
  if (resources.length > 0) {
    const isNew = resources.some(({ since }) => since === at);
    ledger.notices.add('drift-found', stack.name, {
      data: { run: run.id, resources: driftNames(resources) },
      // A resource that was not there before is reported at once.
      repeatAfterMs: isNew ? 0 : REPEAT_MS,
    });
    if (stack.drift?.then === 'up')
      requestByAgent(context, { stack: stack.name, kind: 'up', by: 'drift', refresh: true, why });
  }
  ledger.move(run.id, 'nothing', { why: [why] });
  context.log(`run ${run.id} found: ${why}`, { stack: stack.name });
}
