import type { StackId } from '@cairn/backends';
import type { ConsoleRecordsEvent } from '@cairn/http-api';
import type { RecordPlace, StackWatches } from '../calls/console/stack-watch.js';

/** Time between two signs of life, in milliseconds. The rights of the caller are looked at again with each. */
const BEAT_MS = 15_000;
/** Bytes that may wait for a slow reader before its stream ends. It continues with its last event. */
const MOST_WAITING = 16 << 20;

/** Stacks to stream, and what the reader has already. */
interface StreamRequest {
  readonly stacks: readonly StackId[];
  /** Place in the records of the only stack. Without it, no records are sent. */
  readonly place: RecordPlace | undefined;
  /** Resolves with false once the caller may not read any more. */
  readonly mayRead: () => Promise<boolean>;
}

/** Streams of events that are open. All of them end with the service. */
export class ConsoleStreams {
  readonly #watches: StackWatches;
  readonly #open = new Set<() => void>();

  constructor(watches: StackWatches) {
    this.#watches = watches;
  }

  /** Ends all streams, so that the service can end. Browsers connect again. */
  endAll(): void {
    for (const end of [...this.#open]) end();
  }

  /** Opens a stream of server-sent events. */
  open(request: StreamRequest): ReadableStream<Uint8Array> {
    let end = (): void => undefined;
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          end = this.#begin(controller, request);
        },
        cancel: () => end(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: MOST_WAITING }),
    );
  }

  #begin(
    controller: ReadableStreamDefaultController<Uint8Array>,
    { stacks, place, mayRead }: StreamRequest,
  ): () => void {
    const unlisten: (() => void)[] = [];
    let isOpen = true;
    const end = (): void => {
      if (!isOpen) return;
      isOpen = false;
      clearInterval(beat);
      this.#open.delete(end);
      for (const each of unlisten) each();
      try {
        controller.close();
      } catch {
        // The reader has cancelled it.
      }
    };
    const send = (bytes: Buffer): void => {
      if (!isOpen) return;
      if ((controller.desiredSize ?? 0) <= 0) return end();
      controller.enqueue(bytes);
    };
    const write = (text: string): void => send(Buffer.from(text));
    const beat = setInterval(
      () =>
        void mayRead().then(
          (may) => (may ? write(': alive\n\n') : (write(eventText('ended', {})), end())),
          end,
        ),
      BEAT_MS,
    );
    beat.unref();
    this.#open.add(end);
    write('retry: 1000\n\n');
    const records = place && ((event: ConsoleRecordsEvent) => send(bytesOf(event, recordsText)));
    const stack = (event: object): void => send(bytesOf(event, (each) => eventText('stack', each)));
    const listener = { stack, records, gone: end };
    for (const each of stacks) unlisten.push(this.#watches.listen(each, listener, place));
    return end;
  }
}

/** Bytes of events. All streams get the same event, which is written once. */
const written = new WeakMap<object, Buffer>();

function bytesOf<T extends object>(event: T, textOf: (event: T) => string): Buffer {
  const known = written.get(event);
  if (known !== undefined) return known;
  const bytes = Buffer.from(textOf(event));
  written.set(event, bytes);
  return bytes;
}

function eventText(name: string, data: object, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** The id names the last record, so that a browser that connects again gets each record once. */
function recordsText(event: ConsoleRecordsEvent): string {
  const seq = event.records.at(-1)?.['seq'];
  return eventText('records', event, `${event.change}-${String(seq)}`);
}

/** Reads a place in records from the id of an event. */
export function placeIn(text: string | undefined | null): RecordPlace | undefined {
  const [, change, seq] = /^(\d{1,9})-(\d{1,12})$/.exec(text ?? '') ?? [];
  return change === undefined ? undefined : { change: Number(change), seq: Number(seq) };
}
