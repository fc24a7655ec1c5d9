import { isCairnError, isOutOfDescriptors, saysOutOfDescriptors } from '@cairn/diagnostics';
import { DESCRIPTOR_LIMITS, withDescriptors } from './descriptors.js';

const failure = (code: string) => Object.assign(new Error(`${code}: something, open 'x'`), { code });
const wrapped = new Error('cannot load', { cause: new Error('deeper', { cause: failure('ENFILE') }) });

/** Returns a clock that moves only during waits. */
function clock() {
  let at = 1000;
  const waits: number[] = [];
  const ports = {
    now: () => at,
    random: () => 1,
    sleep: async (ms: number) => {
      waits.push(ms);
      at += ms;
    },
  };
  return { ports, waits, elapsed: () => at - 1000 };
}

test.each<[string, readonly unknown[], held: number, attempts: number, ends: string]>([
  // title, failures before success, checks during which other work holds files, attempts, outcome
  ['at once', [], 0, 1, 'done'],
  ['once others have given some back', [failure('EMFILE'), wrapped, failure('EMFILE')], 0, 4, 'done'],
  ['not repeated for another reason', [failure('ENOSPC')], 0, 1, 'ENOSPC'],
  ['not repeated for another reason later', [failure('EMFILE'), failure('EACCES')], 0, 2, 'EACCES'],
  ['given up', Array(1000).fill(failure('EMFILE')), 0, 46, 'CAIRN-DESCRIPTORS'],
  ['not given up while others hold some', Array(300).fill(failure('EMFILE')), 300, 301, 'done'],
  ['given up once nobody does', Array(1000).fill(failure('EMFILE')), 100, 141, 'CAIRN-DESCRIPTORS'],
])('%s', async (_title, failures, held, attempts, ends) => {
  const { ports } = clock();
  const left = [...failures];
  let made = 0;
  let looks = 0;
  const work = async () => {
    made += 1;
    if (left.length > 0) throw left.shift();
    return 'done';
  };
  const isHeld = () => (looks += 1) <= held;
  const said = await withDescriptors('start git', work, { isHeld, ports }).catch((error: unknown) => error);
  const code = isCairnError(said) ? said.diagnostics[0]?.code : (said as { code?: string }).code;
  expect([code ?? said, made]).toEqual([ends, attempts]);
});

test('waits grow to a bound, and the error names the limit and what helps', async () => {
  const { ports, waits, elapsed } = clock();
  const error = await withDescriptors('start git', () => Promise.reject(failure('EMFILE')), { ports }).catch(
    (thrown: unknown) => thrown,
  );
  expect(waits.slice(0, 8)).toEqual([5, 10, 20, 40, 80, 160, 250, 250]);
  expect(elapsed()).toBeLessThan(DESCRIPTOR_LIMITS.totalMs + 250);
  const [diagnostic] = isCairnError(error) ? error.diagnostics : [];
  expect(diagnostic?.summary).toMatch(/^cannot start git: all \d+ files that a process may have are open$/);
  expect(diagnostic?.hint).toContain('`ulimit -n 4096`');
});

test.each([
  [failure('EMFILE'), true],
  [wrapped, true],
  [failure('ENOENT'), false],
  [undefined, false],
  ['EMFILE', false],
])('%s: out of open files: %s', (thrown, expected) => {
  expect(isOutOfDescriptors(thrown)).toBe(expected);
});

test.each([
  ["EMFILE: too many open files, open '/x'", true],
  ['open /x: too many open files', true],
  ['spawn git ENFILE', true],
  ['SEMFILES', false],
])('%s says so: %s', (text, expected) => {
  expect(saysOutOfDescriptors(text)).toBe(expected);
});
