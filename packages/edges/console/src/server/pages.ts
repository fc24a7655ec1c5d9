import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/** File of the console, with its headers. */
interface PageFile {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Folder with the files that the build has made. It is beside the code, and beside its sources. */
const WEB = new URL('../../dist/web/', import.meta.url);

/** Addresses of views. All of them are one page, whose script shows the view. */
const VIEWS = /^\/(?:$|enter(?:$|\/(?:command|password)$)|s\/|o\/)/;
const ASSET = /^\/console\/assets\/((?:[a-z]+)-[A-Z0-9]{8}\.(?:js|css)|icon\.svg)$/;

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Policy of every page: it loads only from this service, and no text becomes HTML or script. */
const POLICY = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"],
  ...["img-src 'self' data:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
  ...["require-trusted-types-for 'script'", "trusted-types 'none'"],
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  vary: 'accept-encoding',
};

/** Request for a file of the console. */
interface PageRequest {
  /** Path without the base. */
  readonly path: string;
  /** True for a browser that unpacks gzip. */
  readonly packed: boolean;
  /** Path below which the service is, such as `/cairn`, or an empty text. */
  readonly base: string;
}

const read = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

/** Returns a file of the console, or undefined if there is none. */
export async function consolePage({ path, packed, base }: PageRequest): Promise<PageFile | undefined> {
  const asset = ASSET.exec(path)?.[1];
  const name = asset ?? (VIEWS.test(path) ? 'index.html' : undefined);
  if (name === undefined) return undefined;
  const body = await (name === 'index.html' && base !== ''
    ? pageBelow(base, packed)
    : contentOf(packed ? `${name}.gz` : name));
  if (body === undefined) return undefined;
  // The name of an asset changes with its content.
  const isKept = asset !== undefined && asset !== 'icon.svg';
  return {
    body,
    headers: {
      ...{ ...HEADERS, 'content-type': TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream' },
      'cache-control': isKept ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...(packed && { 'content-encoding': 'gzip' }),
    },
  };
}

/** Returns the page with the addresses that its files have below a base. The script finds the base by its own. */
async function pageBelow(base: string, packed: boolean): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const page = await contentOf('index.html');
  if (page === undefined) return undefined;
  const text = Buffer.from(page).toString('utf8');
  const moved = Buffer.from(text.replaceAll('="/console/assets/', `="${base}/console/assets/`));
  return new Uint8Array(packed ? gzipSync(moved) : moved);
}

/** Reads a file once. One that an older page asks for after an update is not there. */
function contentOf(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const known =
    read.get(name) ?? readFile(fileURLToPath(new URL(name, WEB))).then((bytes) => new Uint8Array(bytes));
  read.set(name, known);
  return known.catch(() => {
    read.delete(name);
    return undefined;
  });
}
