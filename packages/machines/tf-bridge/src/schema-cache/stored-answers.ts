import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';

/** Location of a provider's cached schema. */
export interface SchemaCache {
  /** A directory for all versions of one provider. */
  readonly directory: string;
  /** Identity of the provider that was asked. Another identity has its own entry. */
  readonly identity: string;
}

/** A provider's answers about its schemas, as they were sent. */
export interface SchemaAnswers {
  readonly protocolVersion: 5 | 6;
  readonly schema: Uint8Array;
  /** Undefined if the provider does not know the call. */
  readonly identities: Uint8Array | undefined;
}

interface Header {
  readonly format: typeof FORMAT;
  readonly protocolVersion: 5 | 6;
  readonly schemaBytes: number;
  readonly identityBytes: number | null;
  readonly sum: number;
}

const FORMAT = 1;
/** Maximum number of entries of one provider. Its older versions are rarely needed again. */
const KEPT = 8;
const SUFFIX = '.schema';

const fileOf = ({ directory, identity }: SchemaCache): string =>
  join(directory, `${createHash('sha256').update(identity).digest('hex').slice(0, 32)}${SUFFIX}`);

/** Reads the cached answers. A file that is damaged, or of another format, counts as missing. */
export async function readAnswers(cache: SchemaCache): Promise<SchemaAnswers | undefined> {
  const bytes = await readFile(fileOf(cache)).catch(() => undefined);
  const end = bytes?.indexOf('\n') ?? -1;
  if (bytes === undefined || end < 0) return undefined;
  const header = headerOf(bytes.toString('latin1', 0, end));
  const content = bytes.subarray(end + 1);
  if (header?.format !== FORMAT || content.length !== header.schemaBytes + (header.identityBytes ?? 0))
    return undefined;
  if (crc32(content) !== header.sum) return undefined;
  return {
    protocolVersion: header.protocolVersion,
    schema: content.subarray(0, header.schemaBytes),
    identities: header.identityBytes === null ? undefined : content.subarray(header.schemaBytes),
  };
}

function headerOf(text: string): Header | undefined {
  try {
    return JSON.parse(text) as Header;
  } catch {
    return undefined;
  }
}

/** Caches answers. Does not fail if the cache cannot be written. */
export async function keepAnswers(cache: SchemaCache, answers: SchemaAnswers): Promise<void> {
  const { protocolVersion, schema, identities } = answers;
  const content = Buffer.concat([schema, identities ?? new Uint8Array()]);
  const header: Header = {
    format: FORMAT,
    protocolVersion,
    schemaBytes: schema.length,
    identityBytes: identities?.length ?? null,
    sum: crc32(content),
  };
  const file = fileOf(cache);
  const partial = `${file}.${randomBytes(6).toString('hex')}.partial`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(partial, Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), content]));
    await rename(partial, file);
    await removeOld(cache.directory);
  } catch {
    await rm(partial, { force: true }).catch(() => undefined);
  }
}

async function removeOld(directory: string): Promise<void> {
  const names = (await readdir(directory)).filter((name) => name.endsWith(SUFFIX));
  if (names.length <= KEPT) return;
  const dated = names.map(async (name) => ({ name, at: (await stat(join(directory, name))).mtimeMs }));
  const oldest = (await Promise.all(dated)).toSorted((a, b) => b.at - a.at).slice(KEPT);
  await Promise.all(oldest.map(({ name }) => rm(join(directory, name), { force: true })));
}
