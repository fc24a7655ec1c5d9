import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { saveDownload } from '@cairn/archives';
import { cairnError, isCairnError, messageOf } from '@cairn/diagnostics';
import { retrying, systemRetryPorts } from '@cairn/retries';
import { WebFailure } from './web-client.js';

/** Archive to download, and callbacks that report progress. */
export interface Download {
  /** Label in messages, e.g. `resource plugin random-4.16.0`. */
  readonly label: string;
  /** Origin of the archive, for messages. */
  readonly from: string;
  readonly open: (signal: AbortSignal) => Promise<Response>;
  /** Hex SHA-256 that the archive must have. Undefined for any. */
  readonly sha256: string | undefined;
  readonly onProgress: (bytes: number, total: number | undefined) => void;
  /** Notified when another attempt begins, with the reason. */
  readonly onRetry: (why: string) => void;
}

const LIMITS = { attempts: 5, firstMs: 80, mostMs: 5_000, askedMostMs: 30_000, totalMs: 600_000 };
/** Milliseconds without a byte after which an attempt is abandoned. */
const SILENCE_MS = 60_000;

/**
 * Saves an archive in a temporary directory while `use` works with it and its SHA-256 in hex. Fails with
 * CAIRN-PLUGIN-CHECKSUM when it is not the expected one, and with CAIRN-PLUGIN-INSTALL when the download fails.
 */
export async function withDownload<T>(
  download: Download,
  use: (archive: string, sha256: string) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'cairn-plugin-'));
  try {
    const sha256 = await saved(download, join(directory, 'archive.tar.gz'));
    const wanted = download.sha256?.toLowerCase();
    if (wanted !== undefined && wanted !== sha256)
      throw cairnError('CAIRN-PLUGIN-CHECKSUM', `what was downloaded is not the ${download.label}`, {
        causes: [
          `invalid checksum, expected ${wanted}, actual ${sha256}`,
          `it was downloaded from ${download.from}`,
        ],
        hint: 'Correct the checksum, or report it to the publisher of the plugin.',
      });
    return await use(join(directory, 'archive.tar.gz'), sha256);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Saves the archive and returns its SHA-256 in hex. */
async function saved(download: Download, file: string): Promise<string> {
  return retrying(
    {
      ports: systemRetryPorts,
      limits: LIMITS,
      passing: (thrown) => (isCairnError(thrown) || !isPassing(thrown) ? undefined : {}),
    },
    (failures) => {
      if (failures.length > 0) download.onRetry(messageOf(failures.at(-1)));
      return attempt(download, file);
    },
  ).catch((error: unknown) => {
    if (isCairnError(error)) throw error;
    throw cairnError(
      'CAIRN-PLUGIN-INSTALL',
      `cannot download the ${download.label}`,
      {
        causes: [messageOf(error)],
        hint: hintFor(error),
      },
      error,
    );
  });
}

function hintFor(error: unknown): string {
  const status = error instanceof WebFailure ? error.status : undefined;
  if (status === 404)
    return 'Check name and version, or use another server with --server or a file on this machine with --file.';
  if (status === 401 || status === 403)
    return 'Set GITHUB_TOKEN or GITLAB_TOKEN to log in; set GH_HOST or GITLAB_HOST to send it to a host of your own.';
  return 'Try again, or use another server with --server or a file on this machine with --file.';
}

/** Returns true if the failure may pass. Failures of this machine's own disk do not. */
function isPassing(thrown: unknown): boolean {
  if (thrown instanceof WebFailure)
    return thrown.status === undefined || thrown.status === 429 || thrown.status >= 500;
  return !['ENOSPC', 'EDQUOT', 'EACCES', 'EROFS'].includes((thrown as NodeJS.ErrnoException).code ?? '');
}

async function attempt({ open, onProgress }: Download, file: string): Promise<string> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(new Error(NOTHING)), SILENCE_MS);
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(new Error(NOTHING)), SILENCE_MS);
  };
  try {
    const response = await open(silence.signal);
    const length = response.headers.get('content-length');
    const total = length === null ? undefined : Number(length);
    return await saveDownload(response, file, {
      onBytes: (bytes) => {
        heard();
        onProgress(bytes, total);
      },
    });
  } finally {
    clearTimeout(timer);
  }
}

const NOTHING = `nothing was received for ${SILENCE_MS / 1_000} s`;
