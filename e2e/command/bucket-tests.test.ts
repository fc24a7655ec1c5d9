import { readFileSync } from 'node:fs';
import path from 'node:path';
import { BUCKET_TESTS } from '../support/bucket-tests.js';

test.each(BUCKET_TESTS)('the test of buckets is in its file: $file $title', ({ file, title = 'test' }) => {
  const text = readFileSync(path.join(__dirname, '..', `${file}.test.ts`), 'utf8');
  expect(text.replaceAll("\\'", "'")).toContain(title);
});
