import { EventEmitter } from 'node:events';
import { signalsOf } from './signals.js';

/** Returns a process that signals can be sent to. Without a listener it ends by them. */
function scene(): { process: EventEmitter; ends: (number | string)[]; send: (signal: string) => void } {
  const ends: (number | string)[] = [];
  const process = Object.assign(new EventEmitter(), { env: {}, exit: (code: number) => ends.push(code) });
  const send = (signal: string): void => {
    if (!process.emit(signal, signal)) ends.push(signal);
  };
  return { process, ends, send };
}

describe('signals', () => {
  test('go to all that listen, and to nobody who has left', () => {
    const { process, ends, send } = scene();
    const onInterrupt = signalsOf(process as never);
    const heard: string[] = [];
    const leave = onInterrupt((signal) => heard.push(`a ${signal}`));
    onInterrupt((signal) => heard.push(`b ${signal}`));
    send('SIGINT');
    leave();
    leave();
    send('SIGTERM');
    expect(heard).toEqual(['a SIGINT', 'b SIGINT', 'b SIGTERM']);
    expect(ends).toEqual([]);
  });

  test('end the process as usual when nobody listens and nobody has heard any', () => {
    const { process, ends, send } = scene();
    signalsOf(process as never)(() => undefined)();
    send('SIGINT');
    expect(ends).toEqual(['SIGINT']);
  });

  test('while a command that has heard one is ending: the first changes nothing, the second ends it as cancelled', () => {
    const { process, ends, send } = scene();
    const leave = signalsOf(process as never)(() => undefined);
    send('SIGINT');
    leave();
    send('SIGINT');
    expect(ends).toEqual([]);
    send('SIGTERM');
    expect(ends).toEqual([1]);
  });
});
