/** Events of an operation, sent to somebody who listens. */
export { openEventStream } from '../events/event-stream.js';
export type { EventStream } from '../events/event-stream.js';
