import { messageOf } from '@cairn/diagnostics';
import { isSecretVariable } from '@cairn/operations/stacks';
import type { Mask } from '@cairn/operations/stacks';
import { isStatusError } from '@cairn/wire';
import type { StatusName } from '@cairn/wire';
import type { CallWatch, Peer } from '@cairn/wire/caller';
import { messageJson, messagesOf } from '@cairn/wire/watch';
import type { MessageJson } from '@cairn/wire/watch';
import { openLineFile } from './line-file.js';
import type { Look } from './look.js';

/** One line of the file. Keys and their order are those of the other tool. */
interface Line {
  readonly method: string;
  readonly request?: MessageJson | undefined;
  readonly response?: MessageJson | undefined;
  readonly errors?: readonly string[] | undefined;
  readonly metadata: Peer;
  readonly progress?: 'request_started' | 'response_completed' | undefined;
  readonly timestamp: string;
  /** Duration in nanoseconds. */
  readonly duration?: number | undefined;
}

type Untimed = Omit<Line, 'timestamp'>;

/**
 * Opens a file to which calls are appended, one JSON object on each line. A call with one answer has two lines, at its
 * beginning and at its end. A stream has a line for each message. Only the user may read the file. Fails (CAIRN-USAGE)
 * if it cannot be written.
 */
export function openCallLog(file: string, now: () => Date): Look {
  const lines = openLineFile(file, 'a', {
    summary: `cannot write calls to ${file}`,
    hint: 'Set CAIRN_DEBUG_GRPC (or PULUMI_DEBUG_GRPC) to the path of a file.',
  });
  const write = ({ method, request, response, errors, metadata, progress, duration }: Untimed): void => {
    const timestamp = now().toISOString();
    const line: Line = { method, request, response, errors, metadata, progress, timestamp, duration };
    lines.write(JSON.stringify(line));
  };
  return {
    watch: (mask) => watchOf(mask, write),
    close: () => lines.close(),
  };
}

/** Prefix of methods that carry other calls, which are recorded separately. */
const CARRIER = '/cairnrpc.Stream/';

function watchOf(mask: Mask, write: (line: Untimed) => void): CallWatch {
  const text = (value: string): string => maskVariable(value) ?? mask(value);
  return {
    begin({ peer, path, stream, body }) {
      if (path.startsWith(CARRIER)) return UNHEARD;
      const started = performance.now();
      const [asked, answered] = messagesOf(path) ?? ['', ''];
      const { message: request, errors: unread } = json(asked, body, text);
      const about = { method: path, request, errors: unread, metadata: sorted(peer) };
      write(stream ? about : { ...about, progress: 'request_started' });
      let told: Pick<Line, 'response' | 'errors'> = {};
      return {
        answered: (answer) => {
          const { message: response, errors } = json(answered, answer, text);
          told = { response, errors };
          if (stream) write({ ...about, request: undefined, ...told });
        },
        ended: (error) => {
          if (error !== undefined) told = { ...told, errors: [text(statusText(error))] };
          if (!stream) {
            const duration = Math.round((performance.now() - started) * 1e6);
            write({ ...about, ...told, progress: 'response_completed', duration });
          } else if (error !== undefined) write({ ...about, request: undefined, errors: told.errors });
        },
      };
    },
  };
}

const UNHEARD = { answered: () => {}, ended: () => {} };

/** Returns the keys in alphabetical order, without empty ones. */
function sorted({ kind, mode, name, runtime }: Peer): Peer {
  return {
    ...(kind !== undefined && { kind }),
    mode,
    ...(name !== undefined && { name }),
    ...(runtime !== undefined && { runtime }),
  };
}

/** Returns a message. If it cannot be read, returns the error to report instead of failing. */
function json(
  type: string,
  body: Uint8Array,
  text: Mask,
): { readonly message?: MessageJson; readonly errors?: readonly string[] } {
  try {
    return { message: messageJson(type, body, text) };
  } catch (error) {
    return { errors: [messageOf(error)] };
  }
}

/** Returns `NAME=value` without the value of a secret variable, or undefined for any other text. */
function maskVariable(text: string): string | undefined {
  const name = /^([A-Z][A-Z0-9_]*)=/.exec(text)?.[1];
  return name !== undefined && isSecretVariable(name) ? `${name}=[secret]` : undefined;
}

function statusText(error: unknown): string {
  return isStatusError(error)
    ? `rpc error: code = ${goName(error.status)} desc = ${error.message}`
    : messageOf(error);
}

/** Converts `NOT_FOUND` to `NotFound`; one name is spelled differently there. */
function goName(status: StatusName): string {
  if (status === 'CANCELLED') return 'Canceled';
  return status
    .toLowerCase()
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
