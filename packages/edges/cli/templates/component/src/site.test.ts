import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testProgram } from '@cairn/sdk/testing';
import { definition } from './definition.js';
import { Site } from './site.js';

test('a site is a folder with a page', async () => {
  const program = await testProgram(() => ({
    page: new Site('front', { folder: 'out', title: 'Hello' }).page,
  }));
  const site = program.resource('front');
  assert.deepEqual(
    site.children.map(({ name }) => name),
    ['front-folder', 'front-page'],
  );
  assert.equal(program.resource('front-page').inputs['content'], '<h1>Hello</h1>\n');
  assert.deepEqual(program.outputs, { page: 'out/index.html' });
});

test('programs in other languages give it what its type says', () => {
  const { inputs, outputs } = definition.components?.['index:Site'] ?? {};
  assert.deepEqual(Object.keys(inputs ?? {}), ['folder', 'title', 'file']);
  assert.deepEqual(Object.keys(outputs ?? {}), ['page']);
});
