import type { NoticeJson } from '@cairn/changes-daemon';
import { oneLine } from '@cairn/http-api/hooks';
import type { SentType } from '../config/agent-config.js';

/** Message of a notice for people. */
interface NoticeMessage {
  readonly subject: string;
  readonly text: string;
}

/** Words for the types of notices that are sent. Other types are for clients that poll. */
const WORDS = {
  'drift-found': 'drift found',
  'approval-wanted': 'a run wants an approval',
  'run-failed': 'a run failed',
  'afterwards-failed': 'a command after a run failed',
  'run-held': 'a run waits for a person',
  'run-recovered': 'a run was recovered',
  'source-failed': 'a source cannot be read',
  'forge-failed': 'a forge cannot be called',
  'agent-lost': 'an agent was lost',
} as const satisfies Record<SentType, string>;

/** Tells if notices of this type are sent. */
export function isSentType(type: string): type is SentType {
  return Object.hasOwn(WORDS, type);
}

/** Link in a notice that approves its run. */
export interface NoticeLink {
  readonly url: string;
  readonly person: string;
  /** RFC 3339. */
  readonly until: string;
}

/** Returns a notice as a sentence and its facts, one a line. */
export function noticeMessage(agent: string, notice: NoticeJson, link?: NoticeLink): NoticeMessage {
  const { type, key, occurrences, 'last-data': data = {}, 'last-repeated': at } = notice;
  const words = isSentType(type) ? WORDS[type] : type;
  const where = data['stack'] === undefined ? key : `${data['stack']} (${key})`;
  const facts = Object.entries(data).filter(([, value]) => value !== '');
  return {
    subject: oneLine(`Cairn: ${words}: ${where}`),
    text: [
      oneLine(`${words}: ${where}`),
      ...facts.map(([name, value]) => oneLine(`${name}: ${value}`)),
      ...(occurrences > 1 ? [`occurrences: ${occurrences}`] : []),
      `at: ${at}`,
      oneLine(`agent: ${agent}`),
      ...(type === 'approval-wanted' ? [oneLine(`Approve it with: cairn agent approve ${key}`)] : []),
      ...(link === undefined
        ? []
        : [`Or read and approve it as ${link.person}, until ${link.until}:`, link.url]),
    ].join('\n'),
  };
}

/** Returns the body for a target that takes JSON. Its members are those of `cairn agent notices --json`. */
export function jsonBody(agent: string, notice: NoticeJson, link?: NoticeLink): string {
  return JSON.stringify({ agent, notice, ...(link !== undefined && { approve: link }) });
}

/** Characters that mean something to Slack. */
const SLACK = { '&': '&amp;', '<': '&lt;', '>': '&gt;' } as const;

/** Returns the body for Slack and for chats that take the same. */
export function slackBody(agent: string, notice: NoticeJson): string {
  const text = noticeMessage(agent, notice).text.replace(
    /[&<>]/g,
    (each) => SLACK[each as keyof typeof SLACK],
  );
  return JSON.stringify({ text });
}
