/** Observation of calls, for users who investigate a run. */
export { messageJson, messagesOf } from '../watch/message-json.js';
export { spansJson } from '../watch/spans-json.js';
export type { MessageJson } from '../watch/message-json.js';
