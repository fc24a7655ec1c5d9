/** Observation of calls, for people who look into a run. */
export { messageJson, messagesOf } from '../watch/message-json.js';
export { spansJson } from '../watch/spans-json.js';
export type { MessageJson } from '../watch/message-json.js';
