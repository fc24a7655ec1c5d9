/** Events of an operation, sent to a listener. */
export { openEventStream } from '../events/event-stream.js';
