import { isAbsolute, join, resolve } from 'node:path';
import { fail } from '@cairn/diagnostics';

/** Starting points of relative and `~` addresses. */
export interface UrlBase {
  readonly home: string;
  readonly cwd: string;
}

/**
 * Content of a `file://` address. `directory` is absolute. `directoryMode` is the mode of directories that the store
 * creates.
 */
interface FileAddress {
  readonly directory: string;
  readonly createDirectory: boolean;
  readonly directoryMode: number | undefined;
}

type ParamCheck = (value: string) => boolean;

const isBoolean: ParamCheck = (value) => /^(1|0|t|f|true|false)$/i.test(value);
const isTrue = (value: string | null): boolean => value !== null && /^(1|t|true)$/i.test(value);

/**
 * Parameters of the driver [STORE-1]. `no_tmp_dir` and `metadata=skip` describe what this store does in any case:
 * temporary files are in the store, attributes are not written. `base_url` and `secret_key_path` come as a pair and are
 * for signed links, which a state store never returns.
 */
const PARAMETERS: Readonly<Record<string, ParamCheck>> = {
  create_dir: isBoolean,
  dir_file_mode: (value) => /^0?[0-7]{3,4}$/.test(value),
  no_tmp_dir: isBoolean,
  metadata: (value) => value === 'skip' || value === '',
  base_url: (value) => value !== '',
  secret_key_path: (value) => value !== '',
};

/** Parses `file://<path>[?parameters]`. `~` is the user's home; a relative path starts at the working directory. */
export function parseFileUrl(url: string, base: UrlBase): FileAddress {
  const rest = url.slice('file://'.length);
  const cut = rest.indexOf('?');
  const path = decode(cut < 0 ? rest : rest.slice(0, cut), url);
  const params = new URLSearchParams(cut < 0 ? '' : rest.slice(cut + 1));
  checkParameters(params, url);
  const mode = params.get('dir_file_mode');
  return {
    directory: resolveDirectory(path, base),
    createDirectory: isTrue(params.get('create_dir')),
    directoryMode: mode === null ? undefined : Number.parseInt(mode, 8),
  };
}

function resolveDirectory(path: string, { home, cwd }: UrlBase): string {
  if (path === '~' || /^~[/\\]/.test(path)) return join(home, path.slice(1));
  const drive = /^[/\\]([A-Za-z]:.*)$/.exec(path);
  if (drive?.[1] !== undefined && process.platform === 'win32') return resolve(drive[1]);
  return isAbsolute(path) ? resolve(path) : resolve(cwd, path);
}

function decode(path: string, url: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return fail('CAIRN-BACKEND-URL', `cannot read backend address "${url}": it has a broken % escape`, {
      hint: 'Write a literal % as %25.',
    });
  }
}

function checkParameters(params: URLSearchParams, url: string): void {
  for (const [name, value] of params) {
    const check = Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name] : undefined;
    if (check === undefined) {
      fail('CAIRN-BACKEND-URL', `cannot open "${url}": unknown parameter "${name}"`, {
        hint: `A file:// address takes ${Object.keys(PARAMETERS).join(', ')}.`,
      });
    }
    if (!check(value))
      fail('CAIRN-BACKEND-URL', `cannot open "${url}": parameter "${name}" cannot be "${value}"`);
  }
  if (params.has('base_url') !== params.has('secret_key_path')) {
    fail('CAIRN-BACKEND-URL', `cannot open "${url}": base_url and secret_key_path must be given together`);
  }
}
