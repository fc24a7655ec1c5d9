import { gatheredWrites } from './gathered-writes.js';

describe('gathered writes', () => {
  function gathered() {
    const written: string[] = [];
    const turns: (() => void)[] = [];
    const writes = gatheredWrites(
      (text) => written.push(text),
      (run) => turns.push(run),
    );
    return { writes, written, turns };
  }

  test('what one turn says is one write, in order', () => {
    const { writes, written, turns } = gathered();
    writes.write('a\n');
    writes.write('b\n');
    expect([written, turns.length]).toEqual([[], 1]);
    turns.shift()?.();
    writes.write('c\n');
    turns.shift()?.();
    expect(written).toEqual(['a\nb\n', 'c\n']);
  });

  test('flush writes now, and nothing a second time', () => {
    const { writes, written, turns } = gathered();
    writes.write('a\n');
    writes.flush();
    turns.shift()?.();
    expect(written).toEqual(['a\n']);
  });
});
