import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { testProvider } from '@cairn/provider-sdk/testing';
import type { TestedProvider } from '@cairn/provider-sdk/testing';
import { definition } from './definition.js';

const NOTE = 'index:Note';
let folder: string;
let provider: TestedProvider;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), '__NAME__-'));
  provider = await testProvider(definition, { programDirectory: folder });
});
after(() => rm(folder, { recursive: true, force: true }));

test('a note is written, changed, read and deleted', async () => {
  const note = await provider.create(NOTE, 'first', { title: 'first-day', text: 'one two' });
  const file = path.join(folder, 'notes', 'first-day.txt');
  assert.equal(await readFile(file, 'utf8'), 'one two');
  assert.deepEqual(note.outputs, { title: 'first-day', text: 'one two', words: 2 });
  const changed = await provider.update(note, { title: 'first-day', text: 'three' });
  assert.equal(changed.outputs['words'], 1);
  await writeFile(file, 'by somebody else');
  assert.equal((await provider.read(changed))?.inputs['text'], 'by somebody else');
  await provider.delete(changed);
  assert.equal(await provider.read(changed), undefined);
});

test('another title asks for another note, and the preview knows the words', async () => {
  const note = await provider.create(NOTE, 'second', { text: 'x' });
  assert.match(note.id, /^second-[0-9a-f]{7}$/);
  assert.deepEqual((await provider.diff(note, { title: 'other', text: 'x' })).replaceKeys, ['title']);
  assert.equal((await provider.preview(NOTE, 'third', { text: 'a b c' }))['words'], 3);
});

test('a title that names no file is refused', async () => {
  await assert.rejects(provider.create(NOTE, 'bad', { title: '../up', text: '' }), /title: must match/);
});
