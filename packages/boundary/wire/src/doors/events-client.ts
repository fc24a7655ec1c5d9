/** Events of an operation, sent to somebody who listens. */
export { openEventStream } from '../events/event-stream.js';
