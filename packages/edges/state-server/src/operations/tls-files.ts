import { createSecureContext } from 'node:tls';
import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { cairnError, messageOf } from '@cairn/diagnostics';

/** Time between two looks at the files, in milliseconds. */
const LOOK_MS = 10_000;

/** Certificate chain and key, as PEM. */
interface TlsTexts {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Files of a certificate and its key, which may be replaced while the service runs. */
export interface TlsFiles {
  current(): TlsTexts;
  /** Reads the files again. If they cannot be used, the ones before stay in use. */
  reload(): void;
  /** Calls back after every change. Returns a function that ends it. */
  watch(changed: (texts: TlsTexts) => void): () => void;
}

/** Reads a certificate and its key. Fails with `CAIRN-USAGE` if they cannot be read or do not belong together. */
export function tlsFiles(
  files: { readonly cert: string; readonly key: string },
  failed: (what: string, thrown: unknown) => void,
): TlsFiles {
  let texts = readTexts(files);
  const listeners = new Set<(texts: TlsTexts) => void>();
  const reload = (): void => {
    try {
      texts = readTexts(files);
      for (const listener of listeners) listener(texts);
    } catch (thrown) {
      failed('read the certificate again', thrown);
    }
  };
  return {
    current: () => texts,
    reload,
    watch: (changed) => {
      listeners.add(changed);
      for (const file of Object.values(files))
        watchFile(file, { interval: LOOK_MS, persistent: false }, reload);
      return () => {
        listeners.delete(changed);
        for (const file of Object.values(files)) unwatchFile(file, reload);
      };
    },
  };
}

function readTexts(files: { readonly cert: string; readonly key: string }): TlsTexts {
  try {
    const texts = { cert: readFileSync(files.cert), key: readFileSync(files.key) };
    createSecureContext(texts);
    return texts;
  } catch (thrown) {
    throw cairnError(
      'CAIRN-USAGE',
      `cannot use the certificate in ${files.cert} with the key in ${files.key}: ${messageOf(thrown)}`,
      { hint: 'Give --tls-cert and --tls-key a certificate chain and its key, both as PEM.' },
    );
  }
}
