import { createHash } from 'node:crypto';
import { chmod, lstat, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { defineResource, s } from '@cairn/provider-sdk';
import type { HandlerContext, InputDiff, ValuesOf } from '@cairn/provider-sdk';
import { removeDraft, replaceFile } from './atomic-write.js';
import { errorCode, ifThere, withFileErrors } from './failure.js';
import { describeMode, modeProperty, parseMode } from './mode.js';

const fileInputs = {
  path: s.string({ minLength: 1 }).replaceOnChange().describe('Path of the file, relative to the program.'),
  content: s.string().optional().describe('Content of the file. Either this or source.'),
  encoding: s.oneOf('utf8', 'base64').default('utf8').describe('Encoding of content.'),
  source: s
    .string({ minLength: 1 })
    .optional()
    .describe('A file whose content is copied. Either this or content.'),
  mode: modeProperty.default('0644').describe('Permissions, octal.'),
};

const sensitiveInputs = {
  ...fileInputs,
  content: fileInputs.content.secret(),
  mode: modeProperty.default('0600').describe('Permissions, octal.'),
};

const hash = s.string().describe('SHA-256 of the content, hexadecimal; secret when the content is.');
const outputs = {
  path: s.string().describe('The path as given.'),
  mode: s.string().describe('Permissions, octal.'),
  size: s.integer().describe('Number of bytes in it.'),
};

type Inputs = ValuesOf<typeof fileInputs>;
type Outputs = ValuesOf<typeof outputs> & { readonly hash: string };
interface Old {
  readonly id: string;
  readonly inputs: Inputs;
  readonly outputs: Outputs;
}

/** Handlers of files, whether or not their content is secret. The id is the path as given, and an import takes it. */
const handlers = {
  // A new file at the same path must not be removed together with the old one.
  deleteBeforeReplace: true,
  // Writing the same file once more results in the same file.
  idempotencyToken: true,

  check: ({ content, source }: Inputs) =>
    (content === undefined) === (source === undefined)
      ? [{ property: 'content', reason: 'give either content or source' }]
      : [],

  // A second delete has no further effect, and a file that is written twice has the same content.
  repeatable: ['update', 'delete'] as const,

  diff: async (old: Old, inputs: Inputs, { programDirectory }: HandlerContext): Promise<InputDiff> => {
    const place = (file: string): string => path.resolve(programDirectory, file);
    const changed: string[] = [];
    if (old.inputs.path !== inputs.path) changed.push('path');
    if (parseMode(old.inputs.mode) !== parseMode(inputs.mode)) changed.push('mode');
    if (await contentChanged(old, inputs, place))
      changed.push(inputs.source === undefined ? 'content' : 'source');
    return { changed, replace: place(old.inputs.path) === place(inputs.path) ? [] : ['path'] };
  },

  create: async (inputs: Inputs, context: HandlerContext) => ({
    id: inputs.path,
    outputs: await write(inputs, context),
  }),

  read: async (
    id: string,
    known: { readonly inputs: Inputs; readonly outputs: Outputs } | undefined,
    { programDirectory }: HandlerContext,
  ) => {
    const file = path.resolve(programDirectory, known?.inputs.path ?? id);
    await ifAllowed(() => removeDraft(file));
    const found = await withFileErrors('read', file, () => ifThere(() => lstat(file)));
    if (found === undefined || !(found.isFile() || found.isSymbolicLink())) return undefined;
    const content = await withFileErrors('read', file, () => ifThere(() => readFile(file)));
    if (content === undefined) return undefined;
    const { mode } = await stat(file);
    return describe(
      known?.inputs ?? { path: id, encoding: 'utf8', mode: '' },
      known?.outputs.hash,
      content,
      mode,
      id,
    );
  },

  update: async (_old: Old, inputs: Inputs, context: HandlerContext): Promise<Outputs> => {
    const file = path.resolve(context.programDirectory, inputs.path);
    const wanted = await contentOf(inputs, context.programDirectory);
    const there = await withFileErrors('read', file, () => ifThere(() => readFile(file)));
    // A change of permissions alone needs no new file.
    if (there?.equals(wanted) === true) {
      await withFileErrors('change the permissions of', file, () => chmod(file, parseMode(inputs.mode)));
      return report(inputs, wanted);
    }
    return write(inputs, context);
  },

  delete: async ({ inputs }: Old, { programDirectory }: HandlerContext): Promise<void> => {
    const file = path.resolve(programDirectory, inputs.path);
    await withFileErrors('delete', file, () => rm(file, { force: true }));
    await withFileErrors('delete', file, () => removeDraft(file));
  },
};

/** Does optional cleanup. A failure is ignored, because the caller only reads. */
async function ifAllowed(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
}

/** A file with given content or a copy of another file. */
export const fileResource = defineResource({
  description:
    'A file: content given as text or copied from another file. Changed in place; replaced when it moves.',
  inputs: fileInputs,
  outputs: { ...outputs, hash },
  reveals: { hash: ['content'], size: ['content'] },
  ...handlers,
});

/** A file whose content is secret. */
export const sensitiveFileResource = defineResource({
  description: 'A file whose content is secret, readable by its owner only unless `mode` says otherwise.',
  inputs: sensitiveInputs,
  outputs: { ...outputs, hash: hash.secret() },
  ...handlers,
});

async function write(inputs: Inputs, { programDirectory }: HandlerContext): Promise<Outputs> {
  const file = path.resolve(programDirectory, inputs.path);
  const content = await contentOf(inputs, programDirectory);
  await withFileErrors('write', file, () => replaceFile(file, content, parseMode(inputs.mode)));
  return report(inputs, content);
}

function report({ path: given, mode }: Inputs, content: Buffer): Outputs {
  return { path: given, mode, size: content.length, hash: digest(content) };
}

async function contentOf({ content, encoding, source }: Inputs, programDirectory: string): Promise<Buffer> {
  if (source === undefined) return Buffer.from(content ?? '', encoding);
  const file = path.resolve(programDirectory, source);
  return withFileErrors('read', file, () => readFile(file));
}

async function contentChanged(old: Old, inputs: Inputs, place: (file: string) => string): Promise<boolean> {
  if (inputs.source === undefined) {
    if (old.inputs.content === inputs.content && old.inputs.encoding === inputs.encoding) return false;
    return (
      digest(Buffer.from(inputs.content ?? '', inputs.encoding)) !==
        digest(Buffer.from(old.inputs.content ?? '', old.inputs.encoding)) || old.inputs.content === undefined
    );
  }
  const source = place(inputs.source);
  const wanted = await withFileErrors('read', source, () => readFile(source));
  return digest(wanted) !== old.outputs.hash;
}

/** Describes the file as it is, with inputs that would result in it. Inputs of the same meaning remain as written. */
function describe(inputs: Inputs, knownHash: string | undefined, content: Buffer, mode: number, id: string) {
  const modeText = describeMode(mode, inputs.mode === '' ? undefined : inputs.mode);
  const unchanged = knownHash === digest(content) || inputs.source !== undefined;
  const asFound = { ...inputs, mode: modeText, ...(unchanged ? {} : asContent(content)) };
  return { id, inputs: asFound, outputs: report(asFound, content) };
}

/** Returns content as text if it is text. */
function asContent(content: Buffer): Pick<Inputs, 'content' | 'encoding'> {
  const text = content.toString('utf8');
  return Buffer.from(text, 'utf8').equals(content)
    ? { content: text, encoding: 'utf8' }
    : { content: content.toString('base64'), encoding: 'base64' };
}

function digest(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
