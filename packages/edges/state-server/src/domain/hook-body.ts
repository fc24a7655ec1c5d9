import type { HookAnswer } from '@cairn/http-api';
import { oneLine } from '@cairn/http-api/hooks';
import { NOTICE_WORDS } from './hooks.js';
import type { HookOccasion } from './hooks.js';

/** Place of something that happened. `page` is the address of its page in the console, if it is known. */
export interface HookPlace {
  readonly organization: string;
  readonly project?: string | undefined;
  readonly stack?: string | undefined;
  readonly page?: string | undefined;
}

/** Returns the body that a webhook sends, as text. */
export function hookBody(format: HookAnswer['format'], occasion: HookOccasion, place: HookPlace): string {
  if (format === 'slack') return JSON.stringify({ text: slackText(occasion, place) });
  if (format === 'ms_teams') return JSON.stringify(teamsCard(occasion, place));
  if (format === 'mail') return JSON.stringify(mailText(occasion, place));
  const { organization, project, stack, page } = place;
  const { by, facts } = occasion;
  const named = (name: string): object => ({ name, githubLogin: name, avatarUrl: '' });
  return JSON.stringify({
    ...{ user: named(by), organization: named(organization) },
    ...(project !== undefined && { projectName: project }),
    ...(stack !== undefined && { stackName: stack }),
    ...(page !== undefined && { [occasion.kind === 'stack' ? 'stackUrl' : 'updateUrl']: page }),
    ...facts,
  });
}

/** Characters that mean something to Slack. */
const SLACK = { '&': '&amp;', '<': '&lt;', '>': '&gt;' } as const;

function slackText(occasion: HookOccasion, place: HookPlace): string {
  const text = sentence(occasion, place).replace(/[&<>]/g, (each) => SLACK[each as keyof typeof SLACK]);
  return place.page === undefined ? text : `${text} <${place.page}|Open>`;
}

function teamsCard(occasion: HookOccasion, place: HookPlace): object {
  // A text block shows Markdown, and names are not meant as such.
  const text = sentence(occasion, place).replace(/[\\*_[\]()#`~]/g, '\\$&');
  const { page } = place;
  const card = {
    ...{ type: 'AdaptiveCard', version: '1.4', body: [{ type: 'TextBlock', wrap: true, text }] },
    ...(page !== undefined && { actions: [{ type: 'Action.OpenUrl', title: 'Open', url: page }] }),
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: card }],
  };
}

/** Link that approves, for its reader. */
interface HookLink {
  readonly url: string;
  readonly person: string;
  /** RFC 3339. */
  readonly until: string;
}

/** Returns the body of a webhook with a link that approves. */
export function linkedBody(format: HookAnswer['format'], body: string, link: HookLink): string {
  const parsed = JSON.parse(body) as Readonly<Record<string, unknown>>;
  if (format !== 'mail') return JSON.stringify({ ...parsed, approve: link });
  const words = `Read and approve it as ${link.person}, until ${link.until}:`;
  return JSON.stringify({ ...parsed, text: [parsed['text'], words, link.url].join('\n') });
}

function mailText(
  occasion: HookOccasion,
  place: HookPlace,
): { readonly subject: string; readonly text: string } {
  const text = sentence(occasion, place);
  const page = place.page === undefined ? [] : [place.page];
  return {
    subject: oneLine(`Cairn: ${text.replace(/\.$/, '')}`, 200),
    text: [oneLine(text), ...page].join('\n'),
  };
}

/** Returns what happened as a sentence. */
function sentence({ kind, by, facts }: HookOccasion, { organization, project, stack }: HookPlace): string {
  const where = [organization, project, stack].filter((part) => part !== undefined).join('/');
  if (kind === 'ping') return `${where}: ${by} tries this webhook.`;
  if (kind === 'stack') return `${where}: ${by} ${String(facts['action'])} the stack.`;
  if (kind === 'notice') {
    const run = `run ${String(facts['run'])} of ${by}`;
    return `${where}: ${NOTICE_WORDS[facts['notice'] as keyof typeof NOTICE_WORDS].replace('RUN', run)}.`;
  }
  const changes = Object.entries(facts['resourceChanges'] as Readonly<Record<string, number>>)
    .filter(([, count]) => count > 0)
    .map(([step, count]) => `${count} ${step}`)
    .join(', ');
  const counted = changes === '' ? '' : ` (${changes})`;
  if (kind === 'drift_detection') {
    if (facts['result'] === 'failed') return `${where}: the look for drift of ${by} failed.`;
    const named = facts['resources'] === undefined ? '' : `: ${String(facts['resources'])}`;
    return facts['driftDetected'] === true
      ? `${where}: ${by} found drift${counted}${named}.`
      : `${where}: ${by} found no drift.`;
  }
  const what = kind === 'stack_preview' ? `preview of ${String(facts['kind'])}` : String(facts['kind']);
  return `${where}: ${what} by ${by} ${String(facts['result'])}${counted}.`;
}
