import { BugError, CairnError, errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { OperationControl } from './operation-control.js';

function control() {
  const did: string[] = [];
  const said: Diagnostic[] = [];
  const report = { failed: false, diagnostic: (each: Diagnostic) => said.push(each) };
  const made = new OperationControl(report);
  made.onFault(() => did.push('cancel program'));
  made.onStop(() => did.push('hold'));
  made.onKill(() => did.push('abandon'));
  made.onStop(() => did.push('stop'));
  return { made, did, said, report };
}

describe('whether an operation may go on', () => {
  test('it stops once: the inbox first, then what has not begun', () => {
    const { made, did } = control();
    made.stop();
    made.stop();
    expect(made.stopped).toBe(true);
    expect(did).toEqual(['stop', 'hold']);
  });

  test('who comes when it has stopped is told at once', () => {
    const { made, did } = control();
    made.stop();
    made.onStop(() => did.push('late'));
    expect(did).toEqual(['stop', 'hold', 'late']);
  });

  test('a fault fails it, is told once, and ends the program', () => {
    const { made, did, said, report } = control();
    const thrown = new CairnError([errorDiagnostic('CAIRN-A', 'a'), errorDiagnostic('CAIRN-B', 'b')]);
    made.storeFailed(thrown);
    made.storeFailed(thrown);
    expect(said.map(({ code }) => code)).toEqual(['CAIRN-A', 'CAIRN-B']);
    expect(report.failed).toBe(true);
    expect(did).toEqual(['stop', 'hold', 'cancel program']);
  });

  test('what is no error of ours to tell is told as an internal error', () => {
    const { made, said } = control();
    made.storeFailed(new Error('the cable is out'));
    expect(said.map(({ summary }) => summary)).toEqual(['internal error: the cable is out']);
  });

  test('nothing is told once what runs was abandoned, and it has failed all the same', () => {
    const { made, said, report } = control();
    made.kill();
    made.storeFailed(new Error('gone'));
    expect(said).toEqual([]);
    expect(report.failed).toBe(true);
  });

  test('a mistake of ours abandons what runs and is not waited for; the first one counts', async () => {
    const { made, did } = control();
    made.internalError('odd');
    made.storeFailed(new BugError('later'));
    await made.killed;
    expect(made.bug).toBeInstanceOf(BugError);
    expect(made.bug?.message).toContain('odd');
    expect(did).toEqual(['abandon', 'cancel program']);
  });
});
