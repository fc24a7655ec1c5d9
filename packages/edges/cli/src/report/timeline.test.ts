import { makeUrn } from '@cairn/addresses';
import type { StepKind, StepView } from '@cairn/engine';
import { TimedSteps, timelineSection } from './timeline.js';

function step(kind: StepKind, name: string): StepView {
  const urn = makeUrn({ stack: 'dev', project: 'shop', type: 'a:b:Page', name });
  return {
    ...{ kind, urn, type: 'a:b:Page', provider: undefined, old: undefined, new: undefined },
    ...{ replaceKeys: [], changedKeys: [], detailedDiff: undefined, refreshResult: undefined },
    reason: { t: 'new' },
  };
}
const started = (view: StepView, planning = false) => ({ t: 'step-started', step: view, planning }) as const;
const ended = (view: StepView, elapsedMs = 0) =>
  ({ t: 'step-ended', step: view, planning: false, elapsedMs }) as const;
const failed = (view: StepView) => ({ t: 'step-failed', step: view, inDoubt: false, elapsedMs: 0 }) as const;

describe('times of steps', () => {
  test('reach from the start to the end, in the order of the starts', () => {
    const steps = new TimedSteps();
    steps.take(started(step('create', 'slow')), 1000);
    steps.take(started(step('update', 'quick')), 2000);
    steps.take(failed(step('update', 'quick')), 2500);
    steps.take(ended(step('create', 'slow')), 9000);
    steps.take(ended(step('delete', 'unannounced'), 500), 1200);
    expect(steps.all()).toEqual([
      { name: 'unannounced', words: 'deleting', tone: 'delete', startMs: 700, endMs: 1200 },
      { name: 'slow', words: 'creating', tone: 'create', startMs: 1000, endMs: 9000 },
      { name: 'quick', words: 'updating', tone: 'failed', startMs: 2000, endMs: 2500 },
    ]);
  });

  test('keep a step and its undo apart', () => {
    const steps = new TimedSteps();
    steps.take(started(step('create', 'a')), 0);
    steps.take({ ...started(step('create', 'a')), undo: true }, 10);
    expect(steps.all().map(({ words, endMs }) => [words, endMs])).toEqual([
      ['creating', undefined],
      ['undoing: creating', undefined],
    ]);
  });

  test('leave out plans, the work of the engine, and resources that stay', () => {
    const steps = new TimedSteps();
    steps.take(started(step('create', 'planned'), true), 0);
    steps.take(started(step('same', 'kept')), 0);
    steps.take(started(step('remove-pending-replace', 'tidied')), 0);
    steps.take({ t: 'program-output', stream: 'stdout', text: 'hello' }, 0);
    expect(steps.all()).toEqual([]);
  });
});

describe('a timeline', () => {
  const timed = (name: string, startMs: number, endMs: number | undefined) =>
    ({ name, words: 'creating', tone: 'create', startMs, endMs }) as const;

  test('is left out without steps', () => expect(timelineSection([])).toBeUndefined());

  test('has a bar for each step, and says if a step has no known end', () => {
    const text = timelineSection([timed('first', 0, 4000), timed('cut off', 2000, undefined)])?.text;
    expect(text).toContain('<title>first: creating, 4.0s</title>');
    expect(text).toContain('<rect x="220" y="24" width="900"');
    expect(text).toContain('<title>cut off: creating, no known end</title>');
    expect(text).toContain('<rect x="670" y="44" width="450"');
  });

  test('shows the longest of many', () => {
    const many = Array.from({ length: 305 }, (_, index) => timed(`s${index}-`, 0, index + 1));
    const text = timelineSection(many)?.text;
    expect(text).toContain('5 shorter steps are not shown.');
    expect(text).not.toContain('<title>s4-:');
    expect(text).toContain('<title>s5-:');
  });
});
