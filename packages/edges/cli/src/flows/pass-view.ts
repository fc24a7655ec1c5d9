import { randomUUID } from 'node:crypto';
import { unreachable } from '@cairn/diagnostics';
import { urnName } from '@cairn/addresses';
import { findProject } from '@cairn/workspace';
import { fullStackName } from '@cairn/backends';
import type { ProgramConfig } from '@cairn/workspace';
import { stopGraceMs } from '@cairn/operations/stacks';
import type { Pass, PassView } from '@cairn/operations/stacks';
import { SECRET_TEXT } from '@cairn/values';
import type { StackFlags } from '../flags/operation.js';
import { openEventLog } from '../display/event-log.js';
import { ExchangeSteps } from '../display/exchange-steps.js';
import { ciMarks } from '../display/ci-marks.js';
import { TITLES, openDisplay } from '../display/open-display.js';
import type { CommandContext } from '../command-context.js';
import { answerForm } from '../display/answer-form.js';
import { visible } from '../terminal/controls.js';
import { isFull } from './stack-choice.js';
import { answer } from './conclude.js';
import { confirmed } from './confirm.js';
import { messageResultText } from './message-result-text.js';
import { handleInterrupts } from './interrupts.js';
import { sourceReader } from './source-line.js';
import { writeDiagnostics } from '../terminal/tell.js';
import { whatNext } from './what-next.js';
import { openPassDocuments } from './pass-documents.js';
import type { PageStart } from './write-documents.js';

/** Facts that the passes of one command share. */
export interface EarlierPasses extends PageStart {
  /** Number of resources that the preview has seen. */
  expected?: number | undefined;
}

/** Shows a pass on the terminal, writes its events to the requested places, and forwards interrupts to it. */
export async function openPassView(
  context: CommandContext,
  flags: StackFlags,
  pass: Pass,
  earlier: EarlierPasses = {},
): Promise<PassView> {
  const { which, kind, change, page } = pass;
  if (change !== undefined) context.announce(change);
  if (pass.silent === true) return silentView(context, which);
  const exchange = new ExchangeSteps();
  const log = await openEventLog(context, flags, kind, exchange);
  const { expected } = earlier;
  const root = (await findProject(context.cwd))?.directory;
  const marks = context.terminal.redraw
    ? undefined
    : ciMarks({ env: context.env, now: context.now, token: randomUUID });
  const documents = await openPassDocuments(context, flags, marks !== undefined);
  const keepsChanges = documents !== undefined;
  const titled = titleOf(pass);
  const name = isFull(flags) ? fullStackName(pass.stack) : pass.stack.stack;
  const display = openDisplay(
    context,
    { kind, flags, exchange, expected, marks, keepsChanges, page, ...titled },
    name,
    which,
  );
  if (flags.showConfig && answerForm(context, flags, which) === 'text')
    for (const line of configLines(pass.config, flags.showSecrets === true)) display.say(line);
  const interrupts = handleInterrupts(context, which, display, change);
  let closed = false;
  const say = (line: string): void => (closed ? void context.stderr.write(`${line}\n`) : display.say(line));
  return {
    event(event) {
      display.event(event);
      documents?.event(event);
      log?.event(event);
    },
    started: (control) => interrupts.started(control),
    asked(message, carryOut) {
      const running = display.running();
      const result = carryOut();
      if (result.t === 'abort' && result.how !== 'too-late') display.stopping();
      say(messageResultText(message, result, running, stopGraceMs(context.env)));
    },
    failed(message) {
      display.failed(message);
      log?.failed(message);
    },
    async close() {
      interrupts.stop();
      display.close();
      closed = true;
      const lost = await log?.close();
      if (lost !== undefined) writeDiagnostics(context, [lost]);
    },
    ended(end) {
      const shown = {
        kind,
        flags,
        config: pass.config,
        expected,
        sourceLine: sourceReader(root),
        marks,
        root,
        page: page ?? end.page,
      };
      if (which === 'preview') earlier.expected = display.view.tally.ended;
      answer(context, shown, pass.nothingToDo === true ? 'run' : which, end.result, display);
      const { result, unfinished } = end;
      const title = titled.title ?? TITLES[kind][which];
      const { stack, project } = pass.stack;
      const shownPass = {
        ...{ title, project, stack, change, page: shown.page },
        ...{ flags, result, unfinished, expected },
      };
      documents?.ended(shownPass, display.view, earlier);
      if (change !== undefined) whatNext(context, { kind, flags }, change, end);
    },
    confirm: async () =>
      flags.ask ? (await import('./saved-plans.js')).askAgent() : confirmed(context, flags, display, kind),
  };
}

/** Returns the configuration of the operation, one line for each key. */
function configLines({ values, secretKeys }: ProgramConfig, showSecrets: boolean): readonly string[] {
  const secret = new Set(secretKeys);
  const rows = [...values].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const shown = rows.map(
    ([key, text]) => `    ${key}: ${secret.has(key) && !showSecrets ? SECRET_TEXT : text}`,
  );
  return ['Configuration:', ...shown.map(visible), ''];
}

/** Returns an invisible view. An interrupt ends its pass like any other. */
function silentView(context: CommandContext, which: Pass['which']): PassView {
  const interrupts = handleInterrupts(context, which, { say: () => undefined, running: () => [] });
  return {
    event: () => undefined,
    started: (control) => interrupts.started(control),
    close: () => interrupts.stop(),
  };
}

/** Returns the title of a pass. Without one, the kind gives the title. */
function titleOf({ which, purpose, nothingToDo = false }: Pass): { readonly title?: string } {
  switch (purpose.t) {
    case 'begin':
      return {};
    case 'begin-again':
      return { title: `Starting change ${purpose.change} again` };
    case 'resume':
      return { title: `Resuming change ${purpose.change}${purpose.rollingBack ? ': rolling back' : ''}` };
    case 'rollback':
      return {
        title:
          which === 'preview' && !nothingToDo
            ? `Previewing rollback of change ${purpose.change}`
            : `Rolling back change ${purpose.change}`,
      };
    case 'resolve':
      return { title: `Resolving ${purpose.doubt} ${urnName(purpose.urn)}` };
    default:
      return unreachable(purpose);
  }
}
