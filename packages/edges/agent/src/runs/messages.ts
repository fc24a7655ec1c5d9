import { isRequestRow } from '@cairn/changes-daemon';
import type { ApprovalRow, RequestRow } from '@cairn/changes-daemon';

/** Content of a webhook that concerns the agent. It says where to look; the API says what is so. */
export type ForgeEvent =
  | { readonly t: 'pull'; readonly number: number }
  | { readonly t: 'comment'; readonly number: number; readonly by: string; readonly text: string }
  | { readonly t: 'push'; readonly branch: string };

/** Notice that a person has seen, as it was last repeated. */
export interface SeenNotice {
  readonly type: string;
  readonly key: string;
  /** RFC 3339. */
  readonly repeated: string;
}

/** Message of a command to the agent of a folder. */
export type AgentMessage =
  | { readonly t: 'request'; readonly request: RequestRow }
  | { readonly t: 'approve'; readonly run: string; readonly approval: ApprovalRow }
  | { readonly t: 'deny'; readonly run: string; readonly by: string; readonly why?: string }
  | { readonly t: 'drain'; readonly by: string }
  | { readonly t: 'redeliver'; readonly id: string; readonly by: string }
  | { readonly t: 'okay'; readonly at: string; readonly by: string }
  | { readonly t: 'seen'; readonly notices: readonly SeenNotice[]; readonly at: string; readonly by: string }
  | { readonly t: 'forge'; readonly forge: string; readonly id: string; readonly event: ForgeEvent };

/** Parses a message; `undefined` if it is damaged, or of a newer version. */
export function parseMessage(text: string): AgentMessage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isMessage(value) ? value : undefined;
}

function isMessage(value: unknown): value is AgentMessage {
  if (typeof value !== 'object' || value === null) return false;
  const { t, run, by, request, approval } = value as Record<string, unknown>;
  const names = (...texts: readonly unknown[]): boolean => texts.every((text) => typeof text === 'string');
  if (t === 'request') return isRequestRow(request) && names(request.id, request.by, request.at);
  if (t === 'approve') {
    const { by: person, at, digest, base } = (approval ?? {}) as Record<string, unknown>;
    return names(run, person, at, digest, base);
  }
  if (t === 'deny') return names(run, by);
  if (t === 'redeliver') return names((value as Record<string, unknown>)['id'], by);
  if (t === 'okay') return names((value as Record<string, unknown>)['at'], by);
  if (t === 'seen') {
    const { notices, at } = value as Record<string, unknown>;
    return (
      names(at, by) &&
      Array.isArray(notices) &&
      notices.every((each: Partial<SeenNotice> | null) => names(each?.type, each?.key, each?.repeated))
    );
  }
  if (t === 'forge') {
    const { forge, id, event } = value as Record<string, unknown>;
    return names(forge, id) && typeof event === 'object' && event !== null;
  }
  return t === 'drain' && names(by);
}
